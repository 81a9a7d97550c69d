import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportFinding } from '../../../../protocol/report-findings.ts';
import { columns, findingsOf, shown, times } from './drawn-findings.ts';

const parts = (finding: ReportFinding | undefined): readonly (readonly [string, number])[] =>
  (finding?.parts ?? []).map(({ name, us }) => [name, us / 1000]);

test('functions that take turns are one finding, named after what is around them', async () => {
  const turn = [
    [2, 'handler', 'visit', 'enter'],
    [2, 'handler', 'visit', 'leave'],
  ] as const;
  const [found, ...others] = await findingsOf(columns(...times(8, turn)), { turns: [[0, 32]], threshold: 10 });
  assert.equal(found?.name, 'visit');
  assert.deepEqual(parts(found), [
    ['enter', 16],
    ['leave', 16],
  ]);
  assert.deepEqual([found?.worstUs, found?.cause.kind], [32_000, 'manyCalls']);
  assert.deepEqual(others, []);
});

test('what is around functions that take turns names them though it does other work, too, and V8 lost some frames', async () => {
  const turn = [
    [2, 'handler', 'visit', 'enter'],
    [2, 'handler', 'visit', 'leave'],
  ] as const;
  const [lost, other] = [[2, 'handler', 'leave'] as const, [30, 'handler', 'visit', 'render'] as const];
  const [first, found] = await findingsOf(columns(...times(8, turn), lost, other), { turns: [[0, 64]], threshold: 10 });
  assert.equal(first?.name, 'render');
  assert.deepEqual([found?.name, parts(found).map(([name]) => name)], ['visit', ['enter', 'leave']]);
});

test('two long calls after each other are two findings', async () => {
  const drawing = columns([16, 'handler', 'enter'], [16, 'handler', 'leave']);
  const found = await findingsOf(drawing, { turns: [[0, 32]] });
  assert.deepEqual(shown(found), [
    ['enter', 16, 'open'],
    ['leave', 14, 'open'],
  ]);
});

test('a function that has nearly all of it is the finding, not what calls it', async () => {
  const turn = [
    [9, 'handler', 'parse'],
    [1, 'handler'],
  ] as const;
  const found = await findingsOf(columns(...times(12, turn)), { turns: [[0, 120]], threshold: 10 });
  assert.deepEqual(
    found.map(({ name, parts: inside }) => [name, inside]),
    [
      ['parse', []],
      ['handler', []],
    ],
  );
});

test('time that is spread over short calls is a finding of the lowest own function around them', async () => {
  const short = [1, 2, 3, 4, 5, 6, 7, 8].flatMap(
    (number) =>
      [
        [1, `case${number}`, 'compile', `emit${number}`],
        [1, `case${number}`, 'compile', `check${number}`],
      ] as const,
  );
  const [found] = await findingsOf(columns(...short), { turns: [[0, 16]], threshold: 3 });
  assert.deepEqual(shown(found === undefined ? [] : [found]), [['compile', 13, 'open']]);
  assert.equal(found?.cause.kind, 'manyCalls');
});

test('callers are the nearest two own functions, without packages and Node', async () => {
  const drawing = columns([20, 'handler', 'express#next', 'route', 'node:events#emit', 'load', 'parse']);
  const [found] = await findingsOf(drawing, { turns: [[0, 20]] });
  assert.deepEqual(
    found?.callers.map(({ name }) => name),
    ['load', 'route'],
  );
});
