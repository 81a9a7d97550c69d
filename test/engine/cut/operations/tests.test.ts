import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../helpers/assert-each.ts';
import { hotspotsOf, ms } from '../../../helpers/drawn-hotspots.ts';
import type { TestLine } from '../../../../protocol/recording-lines.ts';

const file = '/app/test/app.test.ts';
const begin = (time: number, id: number, title: string, parent = -1): TestLine =>
  ['begin', time, id, file, ['suite', title], parent] as const;
const end = (time: number, id: number): TestLine => ['end', time, id] as const;

test('tests that run in one turn are operations of their own', async () => {
  const { operations, fn } = await hotspotsOf('parse parse parse parse parse parse parse parse parse', {
    turns: '0-9',
    tests: [begin(0, 1, 'one'), end(4, 1), begin(4.5, 2, 'two'), end(8.5, 2)],
  });
  assertEach(operations, ({ durationUs, test: name }) => `${durationUs / 1000} ${name}`, [
    '4 suite > one',
    '4 suite > two',
  ]);
  assert.equal(operations[0]?.testFile, file);
  assert.equal(fn('parse').longCount, 2);
  assert.equal(fn('parse').tests, 2);
});

test('what a runner does before and after a test is not part of it', async () => {
  const { operations, worst } = await hotspotsOf('setUp setUp setUp parse parse report report', {
    turns: '0-7',
    tests: [begin(3, 1, 'one'), end(5, 1)],
  });
  assertEach(operations, ({ durationUs }) => durationUs, [ms(3), ms(2), ms(2)]);
  assertEach(operations, ({ test: name }) => name, [undefined, 'suite > one', undefined]);
  assert.equal(worst('parse'), ms(2));
});

test('a test that waits goes on in its later turns', async () => {
  const { operations } = await hotspotsOf('parse parse (idle) (idle) parse parse', {
    turns: '0-2 4-6',
    tests: [begin(0, 1, 'one'), end(6, 1)],
  });
  assertEach(operations, ({ test: name }) => name, ['suite > one', 'suite > one']);
});

test('one test that reaches a function twice is one test', async () => {
  const { fn } = await hotspotsOf('parse parse parse (idle) parse parse parse', {
    turns: '0-3 4-7',
    tests: [begin(0, 1, 'one'), end(7, 1)],
  });
  assert.equal(fn('parse').longCount, 2);
  assert.equal(fn('parse').tests, 1);
});

test('a test inside a test runs alone while the outer one waits for it', async () => {
  const { operations } = await hotspotsOf('parse parse parse parse parse parse', {
    turns: '0-6',
    tests: [begin(0, 1, 'outer'), begin(2, 2, 'inner', 1), end(4, 2), end(6, 1)],
  });
  assertEach(operations, ({ test: name }) => name, ['suite > outer', 'suite > inner', 'suite > outer']);
});

test('where several tests run at once an operation names none, and that is said', async () => {
  const { operations, report, fn } = await hotspotsOf('parse parse parse parse', {
    turns: '2-4',
    tests: [begin(0, 1, 'one'), begin(1, 2, 'two'), end(5, 1), end(6, 2)],
  });
  assertEach(operations, ({ test: name }) => name, [undefined]);
  assert.equal(fn('parse').tests, 0);
  assert.match(report.warnings.join(), /Tests of 1 file ran at the same time/);
});

test('without a word of a runner the number of tests is unknown', async () => {
  const { fn, operations } = await hotspotsOf('parse parse parse', { turns: '0-3' });
  assert.equal(fn('parse').tests, null);
  assert.equal(operations.length, 1);
});
