import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageEvent } from '../../webview/basics/page-state.ts';
import { after, lastQuery, show } from './page-events.ts';
import { answerOfRow } from './drawn-operations.ts';

test('J opens the list, then goes on in it', () => {
  const next: PageEvent = { type: 'stepOperation', step: 1 };
  const events: readonly PageEvent[] = [show(), next, { type: 'answer', id: 2, answer: answerOfRow }, next];
  const { choices } = after(events).state;
  assert.deepEqual([choices.view, choices.operation], ['operations', 5]);
  const { operation, inTime } = lastQuery(events);
  assert.deepEqual([operation, inTime], [5, true]);
});

test('at the end of the rows that are there each J counts, and so does K', () => {
  const asked = (total: number, steps: readonly number[]) => {
    const list = { ...answerOfRow, operations: { ...answerOfRow.operations, total } };
    const start: readonly PageEvent[] = [
      show(),
      { type: 'stepOperation', step: 1 },
      { type: 'answer', id: 2, answer: list },
    ];
    const last = lastQuery([...start, ...steps.map((step) => ({ type: 'stepOperation', step }) as const)]);
    return [last.operation, last.operations?.step];
  };
  assert.deepEqual(asked(300, [1, 1]), [5, 1]);
  assert.deepEqual(asked(300, [1, 1, 1]), [5, 2]);
  assert.deepEqual(asked(300, [1, 1, 1, -1, -1, -1]), [3, 0], 'back among the rows');
  assert.deepEqual(asked(2, [1, 1, 1]), [5, 0], 'the last one of all');
  assert.deepEqual(asked(300, [299]), [3, 299], 'the end of the list');
  assert.deepEqual(asked(300, [299, 1, -1]), [3, 298]);
});

test('J pressed twice before there is a list goes to its second operation', () => {
  const next: PageEvent = { type: 'stepOperation', step: 1 };
  assert.deepEqual(lastQuery([show(), next, next]).operations, { by: 'duration', step: 1 });
});

test('another order that is chosen before the answer is that of the next question, with the open step', () => {
  const asked = lastQuery([
    show(),
    { type: 'pick', operation: 3 },
    { type: 'answer', id: 2, answer: { ...answerOfRow, operations: { ...answerOfRow.operations, total: 300 } } },
    { type: 'stepOperation', step: 5 },
    { type: 'choose', choices: { operations: 'time' } },
  ]);
  assert.deepEqual(asked.operations, { by: 'time', step: 5 });
});

test('the operation on screen stays as it is zoomed until the next one is there', () => {
  const zoomed: readonly PageEvent[] = [
    show(),
    { type: 'pick', operation: 3 },
    { type: 'answer', id: 2, answer: answerOfRow },
    { type: 'zoom', zoom: '-3.7' },
    { type: 'answer', id: 3, answer: { ...answerOfRow, zoom: '-3.7' } },
  ];
  const steps: readonly PageEvent[] = [
    { type: 'stepOperation', step: 1 },
    { type: 'inTime', isInTime: false },
  ];
  for (const event of steps) {
    const { shown } = after([...zoomed, event]).state;
    assert.deepEqual([shown.zoom, shown.isInTime], ['-3.7', true]);
    assert.equal(lastQuery([...zoomed, event]).zoom, '');
    const next = after([...zoomed, event, { type: 'answer', id: 4, answer: answerOfRow }]).state;
    assert.deepEqual([next.shown.zoom, next.shown.isInTime], ['', event.type !== 'inTime']);
  }
});

test('what is unfolded in time order stays zoomed', () => {
  const zoomed: readonly PageEvent[] = [show(), { type: 'pick', operation: 3 }, { type: 'zoom', zoom: '-3.7' }];
  const unfolded = after([...zoomed, { type: 'unfold', id: '7' }]);
  assert.deepEqual([unfolded.state.choices.zoom, unfolded.state.choices.open], ['-3.7', ['7']]);
});

test('a search in time order is of frames by tier, however tiers are merged in the graph', () => {
  const events: readonly PageEvent[] = [
    { ...show(), isTiers: true },
    { type: 'choose', choices: { tiers: 'merged' } },
    { type: 'searchFor', pattern: 'x', isRegex: false },
    { type: 'pick', operation: 3 },
  ];
  const tiersOf = (more: readonly PageEvent[]) =>
    after([...events, ...more]).sent.flatMap((message) => (message.type === 'search' ? [message.search.tiers] : []));
  assert.deepEqual(tiersOf([]), ['merged', 'split']);
  assert.equal(tiersOf([{ type: 'inTime', isInTime: false }]).at(-1), 'merged');
  assert.equal(tiersOf([{ type: 'goToMatch', step: 1 }]).at(-1), 'merged', 'it is shown in the graph');
});

test('each key counts, also while its answer is awaited', () => {
  const j: PageEvent = { type: 'stepOperation', step: 1 };
  const t: PageEvent = { type: 'inTime', isInTime: null };
  const listed: readonly PageEvent[] = [show(), j, { type: 'answer', id: 2, answer: answerOfRow }];
  assert.equal(lastQuery([...listed, t]).inTime, undefined);
  assert.equal(lastQuery([...listed, t, t]).inTime, true, 'T twice is as it was');
  assert.equal(lastQuery([show(), j, j, t]).operations?.step, 1, 'J, J, T is the second one');
  assert.equal(lastQuery([show(), j, j, { type: 'pick', operation: 5 }]).operations?.step, 0, 'a click counts alone');
  const other = lastQuery([...listed, { type: 'choose', choices: { operations: 'test' } }, j]);
  assert.deepEqual([other.operation, other.operations], [3, { by: 'test', step: 1 }], 'the next one of the new order');
});

test('Home and End lead to the ends of the list, whatever is awaited', () => {
  const far = 2 * answerOfRow.operations.total;
  const listed: readonly PageEvent[] = [
    show(),
    { type: 'pick', operation: 3 },
    { type: 'answer', id: 2, answer: answerOfRow },
  ];
  const at = (...steps: number[]) =>
    after([...listed, ...steps.map((step) => ({ type: 'stepOperation', step }) as const)]).state.choices.operation;
  assert.deepEqual([at(far), at(1, -far), at(far, -far), at(-far, far)], [5, 3, 3, 5]);
});
