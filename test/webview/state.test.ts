import assert from 'node:assert/strict';
import { test } from 'node:test';
import { microseconds, milliseconds } from '../../protocol/units.ts';
import type { PageState } from '../../protocol/webview.ts';
import { keptState, type PageEvent } from '../../webview/basics/page-state.ts';
import { drawnFlame } from './drawn-flame.ts';
import { after, lastQuery, queries, show } from './page-events.ts';
import { assertEach } from '../helpers/assert-each.ts';

const answer = drawnFlame('main 10 own');

const typed = (pattern: string): PageEvent => ({ type: 'searchFor', pattern, isRegex: false });
const wide: PageEvent = { type: 'resize', width: 800 };
const operation = { number: 7, durationUs: milliseconds(312), estimated: false, test: null };
const nothing = { functionIds: [], categories: [], bars: [], heaviest: null };
const found = { type: 'found', matches: 3, matchedUs: microseconds(5), ...nothing } as const;

const fold = { kinds: ['dependency', 'runner', 'node'], open: [], apart: true };
/** Callers and callees, and time order, have nothing outside. */
const inOrder = { kinds: fold.kinds, open: [] };

test('where nothing is the person’s own code that of others is not folded, and in the next recording it is', () => {
  const others = { ...show('a'), isOthersAlone: true } as const;
  const kinds = queries([others, show('b')], (query) => query.fold?.kinds);
  assert.deepEqual(kinds, [['runner', 'node'], fold.kinds]);
  assert.deepEqual(lastQuery([show('b')]).fold?.kinds, fold.kinds);
});

test('nothing is asked before there is a recording', () => {
  assert.deepEqual(after([wide, { type: 'zoom', zoom: '0' }, typed('x')]).sent, []);
});

test('a zoom asks for the finer frames below it, and leaves the search as it is: it is over everything', () => {
  const searched: PageEvent = { type: 'searchFor', pattern: 'parse', isRegex: true };
  const { sent } = after([show('a'), searched, { type: 'zoom', zoom: '7' }]);
  const search = { pattern: 'parse', isRegex: true, fold };
  assert.deepEqual(sent.slice(1), [
    { type: 'search', id: 2, search },
    { type: 'query', id: 3, query: { zoom: '7', fold, leastShare: 0.0005 } },
  ]);
});

test('a search goes to its heaviest match: at once where that is in sight, else by a question', () => {
  const searching = typed('parse');
  const foundAt = (heaviest: string, id = 3): PageEvent => {
    return { type: 'searchAnswer', id, answer: { ...found, heaviest } };
  };
  const drawn: readonly PageEvent[] = [wide, show('a'), { type: 'answer', id: 1, answer }];
  const inSight = after([...drawn, searching, foundAt('0')]);
  assert.deepEqual([inSight.state.chosen, inSight.state.awaited.query], ['0', null]);
  const find = { pattern: 'parse', isRegex: false, from: null, step: 0 };
  assert.deepEqual(lastQuery([...drawn, searching, foundAt('7')]).find, find, 'it is not drawn');
  assert.deepEqual(lastQuery([show('a'), searching, foundAt('0', 2)]).find, find, 'nothing is drawn yet');
  const elsewhere = after([...drawn, searching, { type: 'zoom', zoom: '0' }, foundAt('0')]);
  assert.deepEqual([elsewhere.state.chosen, elsewhere.state.found], [null, { ...found, heaviest: '0' }]);
});

test('a search that is given up is not counted, and leaves no match on screen', () => {
  const heaviest: PageEvent = { type: 'searchAnswer', id: 2, answer: { ...found, heaviest: '5' } };
  assert.equal(after([show('a'), typed('x'), typed(''), heaviest]).state.found, null);
  const given = [show('a'), typed('parse'), heaviest, typed('')];
  const { state } = after([...given, { type: 'answer', id: 3, answer: { ...answer, chosen: '5' } }]);
  assert.equal(state.chosen, null);
  assert.equal(state.awaited.query, 4, 'the frames as they are without it');
});

test('Enter goes to a match, unfolded as the server says, and the next Enter goes on from there', () => {
  const at5 = { id: '5', number: 1, matches: 2, open: ['4'] };
  const next: PageEvent = { type: 'goToMatch', step: 1 };
  const events: readonly PageEvent[] = [
    show('a'),
    { type: 'view', view: 'functions' },
    typed('parse'),
    next,
    { type: 'answer', id: 4, answer: { ...answer, zoom: '3', found: at5 } },
    next,
  ];
  const { choices, at } = after(events).state;
  assert.deepEqual([choices.view, choices.open, choices.zoom, at], ['graph', ['4'], '3', at5]);
  assert.deepEqual(lastQuery(events).find, { pattern: 'parse', isRegex: false, from: '5', step: 1 });
  assert.equal(after([show('a'), next]).sent.length, 1, 'nothing is searched for');
  const atAfter = (...more: readonly PageEvent[]) => after([...events.slice(0, -1), ...more]).state.at;
  const foundAgain: PageEvent = { type: 'searchAnswer', id: 7, answer: { ...found, matches: 2 } };
  assert.deepEqual(atAfter({ type: 'refresh' }, foundAgain), at5);
  assert.equal(atAfter({ type: 'refresh' }, { ...foundAgain, answer: found }), null, 'frames were folded');
  const alone: PageEvent = { type: 'answer', id: 6, answer: { ...answer, operation } };
  assert.equal(atAfter({ type: 'worst', functionId: 3 }, alone), null, 'numbers of other times');
  assert.equal(atAfter({ type: 'choose', choices: { side: 'gone' } }), null);
  const searched = [{ ...show('a'), isDiff: true }, ...events.slice(2, 3), { type: 'worst', functionId: 3 }] as const;
  assert.equal(after(searched).sent.at(-1)?.type, 'search', 'in a diff the answer names no operation');
});

test('a function is looked at with its callers and callees, then in the graph', () => {
  const events: readonly PageEvent[] = [
    show('a'),
    { type: 'around', functionId: 3 },
    { type: 'view', view: 'graph' },
    { type: 'view', view: 'around' },
    { type: 'showInGraph', functionId: 3 },
  ];
  const places = queries(events, ({ around, functionId }) => `${around} ${functionId}`);
  const none = 'undefined undefined';
  assert.deepEqual(places, [none, '3 undefined', none, '3 undefined', 'undefined 3']);
  const { sent } = after([show('a'), typed('x'), ...events.slice(1)]);
  const scopes = sent.flatMap((message) => (message.type === 'search' ? [message.search] : []));
  const bars = scopes.slice(-2).map(({ around, fold: { apart } = {} }) => `${around} ${apart}`);
  assert.deepEqual(bars, ['3 undefined', 'undefined true'], 'each view has its own bars');
});

test('what was unfolded beside one function is not unfolded beside another', () => {
  const events: PageEvent[] = [show('a'), { type: 'unfold', id: '4' }, { type: 'around', functionId: 3 }];
  const unfolded: PageEvent[] = [...events, { type: 'unfold', id: 'u2' }];
  assert.deepEqual(after(unfolded).state.choices.open, ['4', 'u2']);
  assert.deepEqual(after([...unfolded, { type: 'around', functionId: 3 }]).state.choices.open, ['4', 'u2']);
  assert.deepEqual(after([...unfolded, { type: 'around', functionId: 5 }]).state.choices.open, ['4']);
});

test('a click on a column sorts by it, a second one turns the order', () => {
  const events: PageEvent[] = [show('a'), { type: 'view', view: 'functions' }, { type: 'sort', by: 'name' }];
  const orderAfter = (more: readonly PageEvent[]) => after([...events, ...more]).state.choices.order;
  assert.deepEqual(orderAfter([]), { by: 'name', isDescending: false });
  assert.deepEqual(orderAfter([{ type: 'sort', by: 'worst' }]), { by: 'worst', isDescending: true });
  assert.deepEqual(orderAfter([{ type: 'sort', by: 'name' }]), { by: 'name', isDescending: true });
});

test('only the answer to the last question is drawn', () => {
  const events: PageEvent[] = [show('a'), { type: 'zoom', zoom: '0' }];
  assert.equal(after([...events, { type: 'answer', id: 1, answer }]).state.answer, null);
  assert.equal(after([...events, { type: 'answer', id: 2, answer }]).state.answer, answer);
});

test('a function that a lens asks for stands between its callers and its callees', () => {
  const events: readonly PageEvent[] = [show('a'), { type: 'focus', functionId: 3, alone: false }];
  assert.deepEqual(lastQuery(events), { zoom: '', around: 3, fold: inOrder, leastShare: 0.0005 });
  assert.equal(after(events).state.choices.view, 'around');
});

test('an operation that was clicked in a list is shown among the long ones in time order, whatever was zoomed before', () => {
  const events: readonly PageEvent[] = [
    show('a'),
    { type: 'zoom', zoom: '0' },
    { type: 'showOperation', operation: 7 },
    { type: 'answer', id: 3, answer: { ...answer, zoom: '', operation } },
  ];
  const listed = { operations: { by: 'duration', step: 0 }, inTime: true };
  assert.deepEqual(lastQuery(events), { zoom: '', fold: inOrder, operation: 7, ...listed, leastShare: 0.0005 });
  const { choices } = after(events).state;
  assert.deepEqual([choices.operation, choices.view], [7, 'operations']);
});

test('the worst operation of a function is shown alone, whatever is zoomed then, until all are asked for', () => {
  const worst: readonly PageEvent[] = [
    show('a'),
    { type: 'focus', functionId: 3, alone: true },
    { type: 'answer', id: 2, answer: { ...answer, operation } },
  ];
  const asked: readonly PageEvent[] = [...worst, { type: 'zoom', zoom: '0' }, { type: 'showAll' }];
  const places = queries(asked, ({ worstOf, operation: number }) => [worstOf, number]);
  assert.deepEqual(places.flat(), [undefined, undefined, 3, undefined, undefined, 7, undefined, undefined]);
  assert.equal(keptState(after(worst).state)?.operation, 7);
  assert.equal(after([...worst, show('b')]).state.choices.operation, null);
});

test('folding a kind of code asks again, and so does unfolding it or one frame of it', () => {
  const toggle: PageEvent = { type: 'toggleFolded', categories: ['native', 'program'] };
  const kinds = [...fold.kinds, 'native', 'program'];
  assert.deepEqual(lastQuery([show('a'), toggle]), { zoom: '', fold: { ...fold, kinds }, leastShare: 0.0005 });
  assert.deepEqual(after([show('a'), toggle, toggle]).state.choices.folded, fold.kinds);
  const unfold: PageEvent = { type: 'unfold', id: '4' };
  assert.deepEqual(lastQuery([show('a'), unfold, unfold]).fold?.open, ['4']);
  assert.deepEqual(lastQuery([show('a'), unfold, { type: 'fold', id: '4' }]).fold?.open, []);
});

test('after a reload the recording keeps zoom, search and filters; another, or what was written again, the filters', () => {
  assert.deepEqual(keptState(after([show('a')], kept).state), kept);
  for (const [recording, written] of [
    ['b', ''],
    ['a', 'again'],
  ] as const) {
    const atTheTop = { recording, written, zoom: '', open: [], pattern: '', colors: 'category', side: 'now' };
    assert.deepEqual(keptState(after([show(recording, written)], kept).state), { ...kept, ...atTheTop });
  }
});

test('a failed question says so and leaves the graph that there is', () => {
  const asked: readonly PageEvent[] = [show('a'), { type: 'answer', id: 1, answer }, { type: 'zoom', zoom: '0' }];
  const { state } = after([...asked, { type: 'failed', id: 2, text: 'No.' }]);
  assert.deepEqual(state.notice, { kind: 'failed', text: 'No.' });
  assert.equal(state.answer, answer);
  assert.equal(state.awaited.query, null);
});

test('a recording that cannot be read leaves the sentence alone', () => {
  const drawn: readonly PageEvent[] = [wide, show('a'), { type: 'answer', id: 1, answer }];
  assert.equal(after([...drawn, show('a')]).state.answer, answer, 'until then what is drawn stays');
  const { state } = after([...drawn, { type: 'failed', id: null, text: 'Gone.' }]);
  assert.deepEqual([state.recording, state.answer, state.timelineId], [null, null, null]);
  assert.deepEqual(state.notice, { kind: 'failed', text: 'Gone.' });
});

test('a recording of tiers begins with them, and asks for frames by tier; kinds of code are one choice away', () => {
  const tiered = { ...show('a'), isTiers: true };
  const { sent, state } = after([tiered, typed('x'), { type: 'choose', choices: { tiers: 'merged' } }]);
  assert.equal(state.choices.colors, 'tier');
  const asked = sent.map((message) => (message.type === 'query' ? message.query.tiers : message.type));
  assert.deepEqual(asked, ['split', 'search', 'merged', 'search']);
  assert.equal(lastQuery([tiered, { type: 'choose', choices: { colors: 'category' } }]).tiers, undefined);
  assert.equal(after([tiered, show('b')]).state.choices.colors, 'category', 'another one has none');
});

test('colors that are chosen before there is a recording are those of the first one', () => {
  const chosen = { type: 'choose', choices: { colors: 'tier' } } as const;
  assert.equal(after([chosen, show('a')]).state.choices.colors, 'tier');
  assert.equal(lastQuery([chosen, show('a')]).tiers, 'split');
  assert.equal(after([chosen, show('a'), show('b')]).state.choices.colors, 'category');
});

test('what is on screen is asked for again when more is known, and highlights ask for nothing', () => {
  const { sent } = after([show('a'), { type: 'refresh' }, { type: 'redraw', choices: { highlight: 'optimized' } }]);
  assertEach(sent, ({ type }) => type, ['query', 'query']);
});

test('a panel that grew much is asked for what fits now, a little one is not', () => {
  const events: PageEvent[] = [wide, show('a')];
  assert.equal(after([...events, { type: 'resize', width: 900 }]).sent.length, 1);
  assert.equal(after([...events, { type: 'resize', width: 1100 }]).sent.length, 2);
});

test('what is asked for meanwhile goes where the open question goes', () => {
  const ways: readonly PageEvent[] = [
    { type: 'resize', width: 1100 },
    { type: 'refresh' },
    { type: 'choose', choices: { colors: 'tier' } },
    { type: 'toggleFolded', categories: ['dependency'] },
  ];
  for (const way of ways) {
    const focus = { type: 'focus', functionId: 3, alone: true } as const;
    const opened: readonly PageEvent[] = [wide, show('a'), focus, way];
    assert.equal(lastQuery(opened).worstOf, 3, way.type);
    const answered = { type: 'answer', id: after(opened).state.awaited.query ?? 0, answer } as const;
    const next = lastQuery([...opened, answered, { type: 'refresh' }]);
    assert.equal(next.worstOf, undefined, 'once it is there, it stays where it is');
  }
});

const kept: PageState = {
  ...{ version: 2, recording: 'a', written: '', zoom: '4', folded: ['gc'], open: ['3'], direction: 'flame' },
  ...{ pattern: 'parse', isRegex: true, view: 'tree', around: null, order: { by: 'self', isDescending: true } },
  ...{ colors: 'tier', tiers: 'merged', highlight: 'optimized', operation: null, part: { lane: null, range: null } },
  ...{ operations: 'time', isInTime: false, side: 'before', perOperationOf: null },
};
