import assert from 'node:assert/strict';
import { test } from 'node:test';
import { microseconds, milliseconds } from '../../protocol/units.ts';
import type { HostMessage, PageState } from '../../protocol/webview.ts';
import { initialState, keptState, type PageEvent, type State, step } from '../../webview/state.ts';
import { drawnFlame } from './drawn-flame.ts';

const show = (recording: string) =>
  ({
    type: 'show',
    recording,
    title: '',
    verdict: '',
    folders: [],
    thresholdUs: milliseconds(10),
    isTiers: false,
    isSecondRun: false,
    startedAt: null,
  }) satisfies HostMessage;

const answer = drawnFlame(`
  main 10 own
`);

test('a recording that is shown is asked for at the width of the panel', () => {
  const { sent } = after([{ type: 'resize', width: 800 }, show('a')]);
  assert.deepEqual(sent, [{ type: 'query', id: 1, query: { zoom: '', hide: [], leastShare: 0.5 / 800 } }]);
});

test('nothing is asked before there is a recording', () => {
  const { sent } = after([
    { type: 'resize', width: 800 },
    { type: 'zoom', zoom: '0' },
    { type: 'searchFor', pattern: 'x' },
  ]);
  assert.deepEqual(sent, []);
});

test('a zoom asks for the finer frames below it, and the search is counted again there', () => {
  const { sent } = after([show('a'), { type: 'searchFor', pattern: 'parse' }, { type: 'zoom', zoom: '7' }]);
  assert.deepEqual(
    sent.slice(-2).map(({ type }) => type),
    ['query', 'search'],
  );
  assert.deepEqual(sent.at(-1), { type: 'search', id: 4, search: { pattern: 'parse', zoom: '7', hide: [] } });
});

test('only the answer to the last question is drawn', () => {
  const events: PageEvent[] = [show('a'), { type: 'zoom', zoom: '0' }];
  assert.equal(after([...events, { type: 'answer', id: 1, answer }]).state.answer, null);
  assert.equal(after([...events, { type: 'answer', id: 2, answer }]).state.answer, answer);
});

test('a function that is focused is zoomed where the server finds it', () => {
  const found = { ...answer, zoom: '0' };
  const { state, sent } = after([
    show('a'),
    { type: 'focus', functionId: 3, alone: false },
    { type: 'answer', id: 2, answer: found },
  ]);
  assert.deepEqual(sent.at(-1), { type: 'query', id: 2, query: { functionId: 3, hide: [], leastShare: 0.0005 } });
  assert.equal(state.choices.zoom, '0');
});

test('the worst operation of a function is shown alone, whatever is zoomed then, until all are asked for', () => {
  const operation = { number: 7, durationUs: milliseconds(312), test: null };
  const worst: readonly PageEvent[] = [
    show('a'),
    { type: 'focus', functionId: 3, alone: true },
    { type: 'answer', id: 2, answer: { ...answer, operation } },
  ];
  const queries = after([...worst, { type: 'zoom', zoom: '0' }, { type: 'showAll' }]).sent.map((message) =>
    message.type === 'query' ? [message.query.worstOf, message.query.operation] : message.type,
  );
  assert.deepEqual(queries, [
    [undefined, undefined],
    [3, undefined],
    [undefined, 7],
    [undefined, undefined],
  ]);
  assert.equal(keptState(after(worst).state)?.operation, 7);
  assert.equal(after([...worst, show('b')]).state.choices.operation, null);
});

test('hiding a kind of code asks again without it, and showing it with it', () => {
  const hide: PageEvent = { type: 'toggleHidden', categories: ['native', 'program'] };
  const query = { zoom: '', hide: ['native', 'program'], leastShare: 0.0005 };
  assert.deepEqual(after([show('a'), hide]).sent.at(-1), { type: 'query', id: 2, query });
  assert.deepEqual(after([show('a'), hide, hide]).state.choices.hide, []);
});

test('the same recording keeps zoom, search and filters after a reload', () => {
  const { state } = after([show('a')], kept);
  assert.deepEqual(keptState(state), kept);
});

test('another recording starts at the top, with the filters that were chosen', () => {
  const { state } = after([show('b')], kept);
  assert.deepEqual(keptState(state), { ...kept, recording: 'b', zoom: '', pattern: '', colors: 'category' });
});

test('a failed question says so and leaves the graph that there is', () => {
  const { state } = after([
    show('a'),
    { type: 'answer', id: 1, answer },
    { type: 'zoom', zoom: '0' },
    { type: 'failed', id: 2, text: 'No.' },
  ]);
  assert.deepEqual(state.notice, { kind: 'failed', text: 'No.' });
  assert.equal(state.answer, answer);
  assert.equal(state.awaited.query, null);
});

test('a recording that cannot be read leaves the sentence alone', () => {
  const { state } = after([show('a'), { type: 'answer', id: 1, answer }, { type: 'failed', id: null, text: 'Gone.' }]);
  assert.equal(state.answer, null);
  assert.deepEqual(state.notice, { kind: 'failed', text: 'Gone.' });
});

test('a recording of tiers begins with them, and asks for frames by tier; kinds of code are one choice away', () => {
  const tiered = { ...show('a'), isTiers: true };
  const { sent, state } = after([tiered, { type: 'searchFor', pattern: 'x' }, { type: 'splitTiers', tiers: 'merged' }]);
  assert.equal(state.choices.colors, 'tier');
  assert.deepEqual(
    sent.map((message) => (message.type === 'query' ? message.query.tiers : message.type)),
    ['split', 'search', 'merged', 'search'],
  );
  const [last] = after([tiered, { type: 'color', colors: 'category' }]).sent.slice(-1);
  assert.equal(last?.type === 'query' && last.query.tiers, undefined);
  assert.equal(after([tiered, show('b')]).state.choices.colors, 'category', 'another one has none');
});

test('what is on screen is asked for again when more is known, and highlights ask for nothing', () => {
  const { sent } = after([show('a'), { type: 'refresh' }, { type: 'highlight', highlight: 'optimized' }]);
  assert.deepEqual(
    sent.map(({ type }) => type),
    ['query', 'query'],
  );
});

test('a panel that grew much is asked for what fits now, a little one is not', () => {
  const events: PageEvent[] = [{ type: 'resize', width: 800 }, show('a')];
  assert.equal(after([...events, { type: 'resize', width: 900 }]).sent.length, 1);
  assert.equal(after([...events, { type: 'resize', width: 1100 }]).sent.length, 2);
});

test('a search that was given up is not counted', () => {
  const found = { matches: 3, matchedUs: microseconds(5) };
  const events: PageEvent[] = [show('a'), { type: 'searchFor', pattern: 'x' }, { type: 'searchFor', pattern: '' }];
  assert.equal(after([...events, { type: 'searchAnswer', id: 2, answer: found }]).state.found, null);
});

const kept: PageState = {
  version: 1,
  recording: 'a',
  zoom: '4',
  hide: ['gc'],
  pattern: 'parse',
  direction: 'flame',
  view: 'table',
  colors: 'tier',
  tiers: 'merged',
  highlight: 'optimized',
  operation: null,
};

function after(events: readonly PageEvent[], from: PageState | null = null) {
  const start: { state: State; sent: ReturnType<typeof step>['send'] } = { state: initialState(from), sent: [] };
  return events.reduce(({ state, sent }, event) => {
    const next = step(state, event);
    return { state: next.state, sent: [...sent, ...next.send] };
  }, start);
}
