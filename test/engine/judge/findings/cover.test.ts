import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestLine } from '../../../../protocol/recording-lines.ts';
import { columns, findingsOf, shown } from './drawn-findings.ts';

const idle = [2, '(idle)'] as const;

test('what removes most comes first, however short each time was', async () => {
  const drawing = columns([30, 'once'], idle, [14, 'often'], idle, [14, 'often'], idle, [14, 'often'], idle, [
    14,
    'often',
  ]);
  const turns = [
    [0, 30],
    [32, 46],
    [48, 62],
    [64, 78],
    [80, 94],
  ] as const;
  const found = shown(await findingsOf(drawing, { turns, threshold: 2 }));
  assert.deepEqual(found, [
    ['often', 48, 'open'],
    ['once', 28, 'open'],
  ]);
});

test('a cause takes its part and no more than the time above the threshold', async () => {
  const turns = [[0, 44]] as const;
  const found = await findingsOf(columns([22, 'a.ts#first'], [22, 'b.ts#second']), { turns, threshold: 10 });
  assert.deepEqual(shown(found), [
    ['first', 22, 'open'],
    ['second', 12, 'small'],
  ]);
});

test('causes that remove equally much come by their places', async () => {
  const turns = [
    [0, 20],
    [22, 42],
  ] as const;
  const drawn = async (a: string, b: string): Promise<readonly string[]> =>
    (await findingsOf(columns([20, a], idle, [20, b]), { turns })).map(({ name }) => name);
  assert.deepEqual(await drawn('b.ts#parse', 'a.ts#check'), ['check', 'parse']);
  assert.deepEqual(await drawn('a.ts#check', 'b.ts#parse'), ['check', 'parse']);
});

test('the verdict ends where the next finding would explain less than a twentieth', async () => {
  const turns = [
    [0, 200],
    [202, 214],
  ] as const;
  const found = await findingsOf(columns([200, 'parse'], idle, [12, 'check']), { turns, threshold: 10 });
  assert.deepEqual(shown(found), [
    ['parse', 190, 'open'],
    ['check', 2, 'small'],
  ]);
});

test('where many remove little each, the first of them stand for all', async () => {
  const openOf = async (count: number, ms: number, threshold: number): Promise<number> => {
    const names = Array.from({ length: count }, (_, number) => `f${number}`);
    const turns = names.map((_, number) => [number * (ms + 2), number * (ms + 2) + ms] as const);
    const drawing = columns(...names.flatMap((name) => [[ms, name], idle] as const));
    return (await findingsOf(drawing, { turns, threshold })).filter(({ open }) => open).length;
  };
  assert.equal(await openOf(25, 40, 10), 5, 'each is under a twentieth');
  assert.equal(await openOf(25, 15, 10), 5, 'each is under two thresholds');
  assert.equal(await openOf(9, 20, 10), 0, 'all together are under ten');
  assert.equal(await openOf(1, 290, 100), 1, 'a threshold counts as 10 ms at most');
});

test('the verdict has at most five rows', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const drawing = columns(...names.flatMap((name) => [[20, name], idle] as const));
  const turns = names.map((_, at) => [at * 22, at * 22 + 20] as const);
  const found = await findingsOf(drawing, { turns });
  assert.deepEqual(
    found.map(({ open }) => open),
    [true, true, true, true, true, false, false],
  );
});

test('what a worker of the program does is not a finding', async () => {
  assert.deepEqual(await findingsOf(columns([20, 'parse']), { turns: [[0, 20]], worker: 'background' }), []);
});

test('a test that is tried again counts once', async () => {
  const tried = (from: number, id: number): readonly TestLine[] => [
    ['begin', from, id, '/app/test/cart.test.ts', ['adds'], -1],
    ['end', from + 20, id],
  ];
  const tests = [...tried(0, 1), ...tried(21, 2)];
  const [found] = await findingsOf(columns([20, 'parse'], [1, '(idle)'], [20, 'parse']), {
    turns: '0-20 21-41',
    tests,
  });
  assert.deepEqual([found?.longCount, found?.tests], [2, 1]);
});
