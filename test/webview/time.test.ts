import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlameFrame } from '../../protocol/flame.ts';
import type { PickedOperation, RunPart, Timeline } from '../../protocol/time.ts';
import { microseconds, milliseconds } from '../../protocol/units.ts';
import { makeBlocks } from '../../webview/basics/blocks.ts';
import { freshChoices, type PageEvent } from '../../webview/basics/page-state.ts';
import { axisTimes } from '../../webview/time-strip.ts';
import {
  beganAt,
  columnText,
  partText,
  pickedLines,
  pickedTitle,
  timelineText,
} from '../../webview/basics/time-text.ts';
import { shownFacts } from '../../webview/take-away/page-markdown.ts';
import { drawnFlame, frameNamed } from './drawn-flame.ts';
import { after, show } from './page-events.ts';
import { answerOfRow, row } from './drawn-operations.ts';

const ms = milliseconds;
const picked: PickedOperation = {
  ...row,
  place: 'src/a.ts:12',
  culprit: { figures: { worstUs: ms(312), longCount: 14, distinctStacks: 3, estimated: false }, firstTime: null },
  ...{ wallUs: ms(340), runUs: ms(290), waitUs: ms(28), sleptUs: ms(22), waitedIn: 'execSync' },
  ...{ gcUs: ms(12), loadUs: ms(0) },
  waiting: [
    { route: 'GET /', requests: 8, longestUs: ms(120) },
    { route: 'GET /b', requests: 1, longestUs: ms(3) },
  ],
};
const answer = { ...answerOfRow, picked };
const timeline: Timeline = {
  durationUs: ms(1000),
  ...{ lane: null, lanes: [{ number: 0, name: 'process 7' }], isOneClock: true, estimated: false },
  ...{ longest: [0, 312_000], operations: [-1, 3], collecting: [0, 0.25], delays: [0, 300_000] },
  delay: { p50: microseconds(0), p99: ms(120) },
};

test('an operation is told with who held the loop, its figures, its times, and who waited', () => {
  assert.equal(beganAt({ startUs: ms(200_412), heldUs: ms(80) }), 'at 200.41 s');
  assert.equal(pickedTitle(picked), '312 ms at 1.2 s · clone, src/a.ts:12 · GET / · process 7');
  assert.deepEqual(pickedLines(picked, ms(10)), [
    'clone in all: 312 ms worst · 14 × >10 ms · 3 stacks',
    '290 ms with a processor, of 340 ms by the clock · waited 28 ms for a processor · slept 22 ms in execSync · GC 12 ms',
    '≈9 requests waited behind it: GET / 8 × up to ≈120 ms, GET /b 1 × up to ≈3 ms',
  ]);
});

test('what is not known of an operation is said, and no request is none', () => {
  const unknown = { ...picked, culprit: null, runUs: null, waitUs: null, sleptUs: null, gcUs: ms(0) };
  assert.deepEqual(pickedLines({ ...unknown, waiting: null }, ms(10)), [
    '340 ms by the clock: its time with a processor is unknown',
  ]);
  assert.equal(pickedLines({ ...unknown, waiting: [] }, ms(10)).at(-1), 'No request waited behind it.');
});

test('the strip says its longest turn and the delays, and which part is looked at', () => {
  assert.equal(timelineText(timeline), 'Turns over 1 s · longest 312 ms · delay p50 0 ms, p99 120 ms');
  const part: RunPart = { lane: 0, range: { from: ms(100), until: ms(250) } };
  assert.match(partText(part, timeline), /^Only from 100 ms to 250 ms in process 7\. Worst, count and stacks/);
  assert.equal(partText({ lane: null, range: null }, timeline), '');
  assert.equal(columnText(timeline, 1), 'at 500 ms: a turn of 312 ms, delay up to 300 ms, GC 25 %');
  assert.equal(columnText(timeline, 0), 'at 0 ms: no turn of 1 ms or more');
  const late = { lane: null, range: { from: ms(200_000), until: ms(200_400) } };
  assert.match(partText(late, timeline), /^Only from 200 s to 200\.4 s\./);
  const columns = { durationUs: ms(300_000), longest: Array.from({ length: 1000 }, () => 0) };
  assert.match(columnText({ ...timeline, ...columns }, 411), /^at 123\.3 s:/);
});

test('the Markdown says that the time of one operation is an estimate', () => {
  const estimate = { ...answer, operation: { ...answer.operation, estimated: true } };
  const [, fact] = shownFacts({ shown: freshChoices, timeline: null }, estimate);
  assert.equal(fact, 'one operation alone, which held the event loop for ≈312 ms');
});

test('turns are asked for after the first frames, once, and again for a page that has grown', () => {
  const events: PageEvent[] = [{ type: 'resize', width: 800 }, show(), { type: 'answer', id: 1, answer }];
  const first = after(events);
  assert.deepEqual(first.sent.at(-1), { type: 'timeline', id: 2, timeline: { columns: 800, lane: null } });
  const known: PageEvent[] = [...events, { type: 'timelineAnswer', id: 2, answer: timeline }];
  assert.equal(after(known).state.timeline, timeline);
  assert.equal(after([...known, { type: 'resize', width: 900 }]).sent.length, 2);
  const grown = after([...known, { type: 'resize', width: 1200 }]).sent.at(-1);
  assert.deepEqual(grown?.type === 'timeline' && grown.timeline.columns, 1200);
  assert.equal(after([...events, { type: 'timelineAnswer', id: 9, answer: timeline }]).state.timeline, null);
});

test('a diff has no turns, no list of operations, and no callers and callees', () => {
  const { sent } = after([
    { type: 'resize', width: 800 },
    { ...show(), isDiff: true },
    { type: 'answer', id: 1, answer: drawnFlame('main 10 own') },
    { type: 'stepOperation', step: 1 },
    { type: 'around', functionId: 3 },
  ]);
  assert.equal(sent.length, 1);
});

test('a part of the run is asked for with everything else, and a search is in it, too', () => {
  const part: RunPart = { lane: null, range: { from: ms(1), until: ms(2) } };
  const { sent } = after([show(), { type: 'searchFor', pattern: 'x', isRegex: false }, { type: 'part', part }]);
  const [query, search] = sent.slice(-2);
  assert.deepEqual(query?.type === 'query' && query.query.part, part);
  assert.deepEqual(search?.type === 'search' && search.search.part, part);
  const other = after([show(), { type: 'part', part }, { ...show(), recording: 'b' }]);
  assert.equal(other.state.choices.part.range, null, 'another recording is another run');
});

test('another operation is searched anew, and so is a function that is looked at', () => {
  const searching: readonly PageEvent[] = [show(), { type: 'searchFor', pattern: 'x', isRegex: false }];
  const picked = after([...searching, { type: 'pick', operation: 3 }]).sent.at(-1);
  assert.equal(picked?.type === 'search' && picked.search.operation, 3);
  const part: PageEvent = { type: 'part', part: { lane: 1, range: null } };
  const focused = after([...searching, part, { type: 'focus', functionId: 3, alone: false }]).sent.at(-1);
  assert.ok(focused?.type === 'search' && focused.search.part === undefined);
});

test('a lens and W are of the whole run, whatever part was looked at', () => {
  const part: PageEvent = { type: 'part', part: { lane: 1, range: { from: ms(1), until: ms(2) } } };
  const ways: readonly PageEvent[] = [
    { type: 'worst', functionId: 3 },
    { type: 'focus', functionId: 3, alone: false },
    { type: 'showOperation', operation: 3 },
  ];
  for (const way of ways) {
    const { state, sent } = after([show(), part, way]);
    assert.deepEqual(state.choices.part, { lane: null, range: null });
    const query = sent.findLast(({ type }) => type === 'query');
    assert.ok(query?.type === 'query' && query.query.part === undefined);
  }
});

test('turns of another thread are asked for when it is chosen', () => {
  const events: PageEvent[] = [{ type: 'resize', width: 800 }, show(), { type: 'answer', id: 1, answer }];
  const other: PageEvent = { type: 'part', part: { lane: 1, range: null } };
  const wanted = { columns: 800, lane: 1 };
  assert.deepEqual(after([...events, other]).sent.at(-1), { type: 'timeline', id: 4, timeline: wanted });
});

test('who leaves the list looks at all operations again', () => {
  const { state } = after([show(), { type: 'pick', operation: 3 }, { type: 'view', view: 'graph' }]);
  assert.equal(state.choices.operation, null);
});

test('in time order a frame stands at its time: what is between two frames takes room', () => {
  const flame = drawnFlame('main 2 own\n  a 3 own\n  b 4 own');
  const at = (name: string, start: number, children: readonly FlameFrame[] = []): FlameFrame => {
    return { ...frameNamed(flame, name), startUs: ms(start), children };
  };
  const drawn = makeBlocks({ ...answer, root: at('', 0, [at('main', 0, [at('a', 1), at('b', 5)])]) }, '');
  const blocks = drawn.children[0]?.children ?? [];
  const texts = blocks.map(({ name, value, isGap }) => `${isGap === true ? 'gap' : name} ${value / 1000}`);
  assert.deepEqual(texts, ['gap 1', 'a 3', 'gap 1', 'b 4']);
});

test('the axis has round times, as many as there is room for, and none where nothing ran', () => {
  const timesOf = (durationMs: number, pixels: number) =>
    axisTimes({ durationUs: ms(durationMs) }, pixels).map((us) => us / 1000);
  assert.deepEqual(timesOf(382, 1000), [50, 100, 150, 200, 250, 300, 350]);
  assert.deepEqual(timesOf(70_000, 400), [20_000, 40_000, 60_000]);
  assert.deepEqual(timesOf(0.0005, 1000), []);
});
