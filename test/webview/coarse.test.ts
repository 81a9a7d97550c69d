import assert from 'node:assert/strict';
import { test } from 'node:test';
import { microseconds } from '../../protocol/units.ts';
import type { PageEvent } from '../../webview/basics/page-state.ts';
import { drawnFlame } from './drawn-flame.ts';
import { after as afterAll, show } from './page-events.ts';
import { assertEach } from '../helpers/assert-each.ts';

const answer = drawnFlame('main 10 own');

const fold = { kinds: ['dependency', 'runner', 'node'], open: [], apart: true };

test('a recording that is shown is asked for at the width of the panel: the largest frames first, then all', () => {
  const coarse = { ...answer, root: { ...answer.root, hiddenUs: microseconds(5) } };
  const { state, sent } = after([
    { type: 'resize', width: 800 },
    show('a'),
    { type: 'answer', id: 1, answer: coarse },
    { type: 'answer', id: 2, answer: coarse },
  ]);
  assert.deepEqual(sent, [
    { type: 'query', id: 1, query: { zoom: '', fold, leastShare: 8 / 800, namedShare: 35 / 800, rows: 60 } },
    { type: 'query', id: 2, query: { zoom: '', fold, leastShare: 0.5 / 800 } },
  ]);
  assert.equal(state.awaited.query, null);
});

test('where the largest frames are all that there is, nothing more is asked for', () => {
  const { sent } = after([{ type: 'resize', width: 800 }, show('a'), { type: 'answer', id: 1, answer }]);
  assert.equal(sent.length, 1);
});

test('a list of functions is asked for once: it has no frames that could follow', () => {
  const coarse = { ...answer, root: { ...answer.root, hiddenUs: microseconds(5) } };
  const functions = { rows: [], more: 0, folded: 0 };
  const { sent, state } = after([
    show('a'),
    { type: 'zoom', zoom: '7' },
    { type: 'answer', id: 2, answer: { ...answer, zoom: '7' } },
    { type: 'view', view: 'functions' },
    { type: 'answer', id: 3, answer: { ...coarse, functions } },
    show('a'),
    { type: 'answer', id: 4, answer: { ...coarse, functions } },
  ]);
  assertEach(sent, (message) => message.type === 'query' && `${message.id} ${message.query.zoom}`, [
    '1 ',
    '2 7',
    '3 ',
    '4 ',
  ]);
  assert.equal(state.shown.zoom, '', 'the list is of everything');
  assert.equal(state.choices.zoom, '7', 'for who goes back to the graph');
});

test('who has zoomed meanwhile is not taken back, and an answer that comes too late is left out', () => {
  const late = { ...answer, zoom: '3', root: { ...answer.root, hiddenUs: microseconds(5) } };
  const { state, sent } = after([
    show('a'),
    { type: 'zoom', zoom: '7' },
    { type: 'answer', id: 1, answer: late },
    { type: 'answer', id: 2, answer: { ...late, zoom: '7' } },
  ]);
  assert.deepEqual([state.choices.zoom, sent.length], ['7', 2]);
});

/** The state after events, and the questions about frames that were asked. */
function after(events: readonly PageEvent[]) {
  const { state, sent } = afterAll(events);
  return { state, sent: sent.filter(({ type }) => type === 'query') };
}
