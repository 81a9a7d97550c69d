import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cell, frameTowards, makeBlocks, inReadingOrder } from '../../webview/basics/blocks.ts';
import { drawnFlame } from './drawn-flame.ts';

const answer = drawnFlame(`
  main 0 own
    handler 2 own
      clone 30 own
    log 1 dependency
      write 3 node
`);
const cells: readonly Cell[] = inReadingOrder(makeBlocks(answer, '')).map(({ name, parent, level }) => ({
  id: name,
  parent: parent?.name ?? null,
  level,
}));

test('down goes to the heaviest callee in an icicle, up to the caller', () => {
  assert.equal(towards('ArrowDown', 'main'), 'handler');
  assert.equal(towards('ArrowUp', 'handler'), 'main');
});

test('in a flame the callees are above', () => {
  assert.equal(towards('ArrowUp', 'main', 'flame'), 'handler');
  assert.equal(towards('ArrowDown', 'handler', 'flame'), 'main');
});

test('left and right go along the row, over the edge of a caller', () => {
  assert.equal(towards('ArrowRight', 'clone'), 'write');
  assert.equal(towards('ArrowLeft', 'log'), 'handler');
});

test('there is nothing beyond the edges', () => {
  assert.equal(towards('ArrowUp', 'All'), null);
  assert.equal(towards('ArrowRight', 'write'), null);
  assert.equal(towards('ArrowDown', 'write'), null);
});

function towards(key: string, name: string, direction: 'icicle' | 'flame' = 'icicle'): string | null {
  const from = cells.find(({ id }) => id === name);
  assert.ok(from);
  return frameTowards(key, from, cells, direction);
}
