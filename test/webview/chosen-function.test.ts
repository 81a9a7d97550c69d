import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlameFrame } from '../../protocol/flame.ts';
import { initialState, type PageEvent } from '../../webview/basics/page-state.ts';
import { step } from '../../webview/state.ts';
import { drawnFlame } from './drawn-flame.ts';
import { show } from './page-events.ts';
import { assertEach } from '../helpers/assert-each.ts';

const answer = drawnFlame('main 10 own');

test('where no frame on screen is of a function, callers and callees are those of the heaviest one that comes', () => {
  const collection = drawnFlame('(gc) 10 gc');
  const noFunction = { ...collection, root: withoutFunctions(collection.root) };
  const events: PageEvent[] = [show(), { type: 'answer', id: 1, answer: noFunction }, { type: 'view', view: 'around' }];
  const chosen = events.reduce((state, event) => step(state, event).state, initialState(null));
  assert.equal(chosen.choices.around, null);
  const { state, send } = step(chosen, { type: 'answer', id: 2, answer });
  const around = answer.root.children[0]?.functionId;
  assertEach(send, (message) => message.type === 'query' && message.query.around, [around]);
  const still = step(state, { type: 'answer', id: 3, answer: noFunction });
  assert.deepEqual(still.send, [], 'it is not asked for again');
  assert.deepEqual(step(chosen, { type: 'answer', id: 2, answer: noFunction }).send, []);
});

function withoutFunctions(frame: FlameFrame): FlameFrame {
  return { ...frame, functionId: -1, children: frame.children.map(withoutFunctions) };
}
