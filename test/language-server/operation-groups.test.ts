import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsOf as hotspotGroups } from '../../language-server/queries/hotspots.ts';
import type { HotspotGrouping } from '../../protocol/list-rows.ts';
import type { TestLine } from '../../protocol/recording-lines.ts';
import { longOperations } from '../../language-server/queries/long-operations.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { type DrawnOptions, hotspotsOf } from '../helpers/drawn-hotspots.ts';
import { drawnRuns } from '../helpers/drawn-runs.ts';

/** `parse` and `bcryptjs` block in one test, `parse` longer in another, `format` in none. */
const drawing = `
  parse parse parse (idle) bcryptjs#hash bcryptjs#hash bcryptjs#hash (idle) parse parse parse parse (idle) format format format
`;
const turns = '0-3 4-7 8-12 13-16';

async function rowsBy(grouping: HotspotGrouping, options: DrawnOptions): Promise<readonly string[]> {
  const { analysis } = await hotspotsOf(drawing, { turns, ...options });
  const groups = hotspotGroups(analysis, ['/app'], { groupBy: grouping, sortBy: 'worst' }, 'worst');
  return groups.flatMap(({ kind, figure, label, description, items }) => [
    [kind, figure, label, description].filter((text) => text !== '').join(' | '),
    ...items.map((item) => `  ${item.figure} ${item.label} ${item.description.replace(/ · \w+\.ts:\d+$/, '')}`),
  ]);
}

const begin = (time: number, id: number, ...titles: readonly string[]): TestLine => {
  return ['begin', time, id, '/app/test/cart.test.ts', [...titles], -1] as const;
};

test('by test, each test has those that held the loop in it, with their figures there', async () => {
  const tests = [
    ...[begin(0, 1, 'cart', 'reads'), ['end', 7.5, 1] as const],
    ...[begin(7.6, 2, 'cart', 'rows', 'reads again'), ['end', 12.5, 2] as const],
  ];
  assert.deepEqual(await rowsBy('test', { tests }), [
    'test | 4 ms | reads again | cart > rows',
    '  4 ms parse 1 ×',
    'test | 3 ms | reads | cart',
    '  3 ms parse 1 ×',
    '  3 ms bcryptjs 1 ×',
    'test | 3 ms | Outside of tests',
    '  3 ms format 1 ×',
  ]);
});

test('by route, each route has those that held the loop in its requests', async () => {
  const requests = [
    { start: 0.5, end: 3.5 },
    { slow: true, start: 8.5, end: 12.5 },
  ];
  assert.deepEqual(await rowsBy('route', { requests }), [
    'route | 4 ms | GET /slow',
    '  4 ms parse 1 ×',
    'route | 3 ms | GET /',
    '  3 ms parse 1 ×',
    'route | 3 ms | Outside of requests',
    '  3 ms format 1 ×',
    '  3 ms bcryptjs 1 ×',
  ]);
});

test('by process, each thread has its own', async () => {
  assert.deepEqual(await rowsBy('process', {}), [
    'process | 4 ms | app.js',
    '  4 ms parse 2 ×',
    '  3 ms format 1 ×',
    '  3 ms bcryptjs 1 ×',
  ]);
  const [worker] = await rowsBy('process', { worker: 'background' });
  assert.equal(worker, 'process | 4 ms | worker 1 of app.js');
});

test('where nothing belongs to a test or a route, one row says so, and all functions follow', async () => {
  const [none, , ...rows] = await rowsBy('test', {});
  assert.match(none ?? '', /^note \| No tests are known in this recording/);
  assert.deepEqual(rows, ['  4 ms parse 2 ×', '  3 ms format 1 ×', '  3 ms bcryptjs 1 ×']);
  assert.match((await rowsBy('route', {}))[0] ?? '', /^note \| No requests were recorded: use Profile App/);
});

test('where tests and requests are known, but none of them was long, the row says that', async () => {
  const tests: readonly TestLine[] = [begin(3.1, 1, 'quick'), ['end', 3.9, 1]];
  assert.equal((await rowsBy('test', { tests }))[0], 'note | Nothing was over the threshold in any test.');
  const requests = [{ start: 3.2, end: 3.4 }];
  assert.equal((await rowsBy('route', { requests }))[0], 'note | Nothing was over the threshold in any request.');
});

test('of several runs, operations are those of one, which is said', async () => {
  const { analysis } = await drawnRuns([{ held: 'parse 40' }, { held: 'parse 44' }, { held: 'parse 42' }]);
  const groups = hotspotGroups(analysis, ['/app'], { groupBy: 'process', sortBy: 'worst' }, 'worst');
  const said = 'Of one run alone: the one in the middle';
  assert.equal(groups[0]?.label, said);
  assert.equal(groups[1]?.items[0]?.figure, '42 ms');
  const rows = longOperations(analysis, { from: 0, count: 300 });
  assertEach(rows, ({ figure, label }) => [figure, label], [
    ['', said],
    ['42 ms', 'at 0 ms'],
  ]);
});
