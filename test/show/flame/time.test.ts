import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flameOf, searchFlame } from '../../../show/flame/flame.ts';
import { timelineOf } from '../../../show/flame/timeline.ts';
import type { TestLine } from '../../../protocol/recording-lines.ts';
import type { OperationOrder, RunPart } from '../../../protocol/time.ts';
import { assertEach, assertNone } from '../../helpers/assert-each.ts';
import { hotspotsOf, ms } from '../../helpers/drawn-hotspots.ts';
import { drawn, frames, twice } from './frames.ts';

/** Two turns: 4 ms from 2 ms on, and 8 ms from 8 ms on. In the second, `parse` runs twice, with a collection. */
const drawing = `
  (idle) (idle) load load load load (idle) (idle) main  main  (gc) main main  main  main lib#a lib#a (idle)
  .      .      .    .    .    .    .      .      parse parse .    save parse parse .    .     .     .
`;
const turns = '2-6 8-16';
const tests: readonly TestLine[] = [
  ['begin', 0, 1, '/app/test/cart.test.ts', ['cart', 'reads'], -1],
  ['end', 7, 1],
];
const { analysis } = await hotspotsOf(drawing, { turns, tests });
const inTime = { operations: { by: 'duration', step: 0 }, inTime: true, leastShare: 0 } as const;
const whole: RunPart = { lane: null, range: null };

test('a column has the longest turn in it, and what came at its start waited for the rest of that turn', () => {
  const { longest, delays, durationUs, operations } = timelineOf(analysis, { columns: 18, lane: null });
  assert.equal(durationUs, ms(18));
  assertEach(longest, (us) => us / 1000, [0, 0, 4, 4, 4, 4, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8, 0, 0]);
  assertEach(delays, (us) => us / 1000, [0, 0, 4, 3, 2, 1, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0]);
  assert.deepEqual([operations[0], operations[3], operations[9]], [-1, 0, 1]);
});

test('any number of turns fits in the columns, and a collection has its share of its column', () => {
  const { longest, collecting } = timelineOf(analysis, { columns: 3, lane: null });
  assertEach(longest, (us) => us / 1000, [4, 8, 8]);
  assert.deepEqual(collecting, [0, 0.167, 0]);
});

test('of several turns in a column the longest is shown, also where a shorter one comes after it', async () => {
  const { analysis: falling } = await hotspotsOf('a a a (idle) b (idle)', { turns: '0-3 4-5' });
  assert.deepEqual(timelineOf(falling, { columns: 1, lane: null }).longest, [3000]);
});

test('a thread can be shown alone, and one that is not there is none', () => {
  const two = twice(analysis);
  assertNone(timelineOf(two, { columns: 18, lane: 1 }).longest, (us) => us > 0);
  assert.equal(timelineOf(two, { columns: 18, lane: 7 }).lane, null);
  assert.equal(timelineOf(two, { columns: 18, lane: 0 }).lanes.length, 2);
});

test('a thread that nothing waits on has its turns, and delays nothing', () => {
  const { streams, operations, ...two } = twice(analysis);
  const kinds = streams.map((stream, number) => {
    return number === 0 ? stream : { ...stream, isolate: { ...stream.isolate, threadKind: 'background' as const } };
  });
  const moved = operations.map((operation) => ({ ...operation, stream: 1 }));
  const timeline = timelineOf({ ...two, streams: kinds, operations: moved }, { columns: 3, lane: null });
  assert.deepEqual(
    [timeline.longest, timeline.delays],
    [
      [4000, 8000, 8000],
      [0, 0, 0],
    ],
  );
});

test('a recording without samples has a timeline, too', async () => {
  const { analysis: nothing } = await hotspotsOf('(idle)');
  assert.deepEqual(timelineOf(nothing, { columns: 2, lane: null }).longest, [0, 0]);
});

test('a part of the run has the time of its samples, also of those that reach over its ends', () => {
  const part = { lane: null, range: { from: ms(3.5), until: ms(9.5) } };
  const lines = drawn(flameOf(analysis, { part, leastShare: 0 }));
  assert.deepEqual(lines, ['load 2.5 2.5', 'main 1.5 0', '  parse 1.5 1.5']);
  const found = searchFlame(analysis, { pattern: 'parse', isRegex: false, part });
  assert.equal(found.type === 'found' && found.matchedUs, ms(1.5));
  const none = flameOf(analysis, { part: { ...whole, lane: 3 }, leastShare: 0 });
  assert.deepEqual([none.totalUs, none.estimated], [0, undefined]);
});

test('an operation in time order has a frame for each call, and equal samples that follow each other are one', () => {
  const answer = flameOf(analysis, inTime);
  assert.deepEqual(drawn(answer), [
    'main 7 1',
    '  parse 3 2',
    '    (garbage collector) 1 1',
    '  save 1 1',
    '  parse 2 2',
    'a 1 1',
  ]);
  const [, ...starts] = frames(answer.root).map(({ name, startUs }) => `${name} ${(startUs ?? -1) / 1000}`);
  assert.deepEqual(starts, ['main 0', 'parse 0', '(garbage collector) 2', 'save 3', 'parse 4', 'a 7']);
  assert.equal(answer.selfByCategory.gc, ms(1));
  assert.equal(answer.selfByCategory.own, ms(6));
});

test('a stretch is zoomed to by its id, which is that of no other frame', () => {
  const [, , parse] = frames(flameOf(analysis, inTime).root);
  const zoomed = flameOf(analysis, { ...inTime, zoom: parse?.id ?? '' });
  assert.equal(zoomed.zoom, parse?.id);
  assert.equal(zoomed.selfByCategory.own, ms(2));
  assert.equal(flameOf(analysis, { ...inTime, zoom: '2' }).zoom, '');
  assert.equal(flameOf(analysis, { leastShare: 0, zoom: parse?.id ?? '' }).zoom, '');
});

test('a stretch has the same id however frames are folded, and stays zoomed when a bar before it is unfolded', async () => {
  const { analysis: others } = await hotspotsOf(
    `
    (idle) main  main  main  lib#b main
    .      lib#a parse save  .     parse
    .      lib#c .     .     .     .
    .      parse .     .     .     .
  `,
    { turns: '1-6' },
  );
  const fold = { kinds: ['dependency'], open: [] } as const;
  const folded = flameOf(others, { ...inTime, fold });
  const bar = frames(folded.root).find((frame) => frame.folded !== undefined);
  const open = { ...fold, open: [bar?.foldId ?? ''] };
  const unfolded = flameOf(others, { ...inTime, fold: open });
  assert.notEqual(frames(folded.root).length, frames(unfolded.root).length);
  const idsOf = (name: string, { root }: typeof folded) =>
    frames(root).flatMap((frame) => (frame.name === name ? [frame.id] : []));
  for (const name of ['main', 'save', 'parse']) assert.deepEqual(idsOf(name, unfolded), idsOf(name, folded));
  for (const zoom of [...idsOf('save', folded), ...idsOf('parse', folded)])
    assert.equal(flameOf(others, { ...inTime, fold: open, zoom }).zoom, zoom);
  const [inBar = ''] = idsOf('a', unfolded);
  assert.notEqual(inBar, '');
  assert.equal(flameOf(others, { ...inTime, fold, zoom: inBar }).zoom, bar?.id, 'folded again');
});

test('code of others is a bar in time order, too, which unfolds as elsewhere', () => {
  const fold = { kinds: ['dependency'], open: [] } as const;
  const bar = frames(flameOf(analysis, { ...inTime, fold }).root).at(-1);
  assert.deepEqual(bar?.folded, { type: 'others', frames: 1, owners: [{ name: 'lib', totalUs: 1000 }] });
  const unfolded = flameOf(analysis, { ...inTime, fold: { ...fold, open: [bar?.foldId ?? ''] } });
  assert.equal(frames(unfolded.root).at(-1)?.name, 'a');
});

test('operations are listed by duration, by time and by test, and in the chosen part alone', () => {
  const listed = (by: OperationOrder, part = whole): readonly string[] => {
    const { operations } = flameOf(analysis, { operations: { by, step: 0 }, part, leastShare: 0 });
    return (operations?.rows ?? []).map(({ heldUs, group }) => `${heldUs / 1000} ${group}`);
  };
  assert.deepEqual(listed('duration'), ['8 ', '4 ']);
  assert.deepEqual(listed('time'), ['4 ', '8 ']);
  assert.deepEqual(listed('test'), ['8 Outside of tests', '4 cart > reads']);
  assert.deepEqual(listed('duration', { lane: null, range: { from: ms(0), until: ms(7) } }), ['4 ']);
  assert.deepEqual(listed('duration', { lane: null, range: { from: ms(6.5), until: ms(7) } }), []);
});

test('a step goes on from the operation that was looked at, as far as there are any', () => {
  const at = (operation: number, step: number): number | undefined =>
    flameOf(analysis, { operation, operations: { by: 'time', step }, leastShare: 0 }).operation?.number;
  assert.deepEqual([at(0, 1), at(1, 1), at(1, -1), at(0, -1), at(99, 1)], [1, 1, 0, 0, 0]);
  const first = { operations: { by: 'time', step: 1 }, leastShare: 0 } as const;
  assert.equal(flameOf(analysis, first).operation?.number, 1, 'from the first one');
});

test('what is known of an operation: who held the loop, its figures, and how its thread spent the time', () => {
  const { picked } = flameOf(analysis, inTime);
  assert.equal(picked?.holder, 'parse');
  assert.match(picked.place, /^src\/app\.ts:\d+$/);
  assert.deepEqual([picked.startUs, picked.endUs, picked.wallUs], [ms(8), ms(16), ms(8)]);
  assert.equal(picked.culprit?.figures.longCount, 1);
  assert.deepEqual([picked.runUs, picked.gcUs, picked.waiting], [null, ms(1), null]);
});

test('requests that came while an operation held the loop waited behind it', async () => {
  const requests = [
    { start: 7, end: 7.2 },
    { since: 7.2, start: 16.1, end: 16.4 },
    { since: 7.2, slow: true, start: 16.2, end: 16.5 },
  ];
  const { analysis: served } = await hotspotsOf(drawing, { turns, requests });
  const waiting = flameOf(served, inTime).picked?.waiting ?? [];
  assert.deepEqual(Object.fromEntries(waiting.map(({ route, requests: count }) => [route, count])), {
    'GET /': 1,
    'GET /slow': 1,
  });
  for (const { longestUs } of waiting) assert.ok(longestUs > ms(1) && longestUs <= ms(8), String(longestUs));
});

test('where nothing was long, the list is empty and nothing is picked', async () => {
  const { analysis: short } = await hotspotsOf(drawing, { turns, threshold: 100 });
  const answer = flameOf(short, inTime);
  assert.deepEqual([answer.operations?.total, answer.picked, answer.operation], [0, undefined, undefined]);
});
