import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlameFrame } from '../../../protocol/flame.ts';
import { microseconds } from '../../../protocol/units.ts';
import { makeBlocks, inReadingOrder, findPath } from '../../../webview/basics/blocks.ts';
import { drawnFlame, frameNamed } from '../drawn-flame.ts';
import { assertEach } from '../../helpers/assert-each.ts';

const answer = drawnFlame(`
  main 0 own
    handler 2 own
      clone 30 own
      sort 4 own
    log 1 dependency
  (gc) 5 gc
`);

test('everything is drawn when nothing is zoomed', () => {
  assert.deepEqual(namesAt(''), ['All', 'main', 'handler', 'clone', 'sort', 'log', '(gc)']);
});

test('a zoomed frame keeps its callers as one line, faded, and all that it calls', () => {
  const root = makeBlocks(answer, frameNamed(answer, 'handler').id);
  const blocks = inReadingOrder(root);
  assertEach(blocks, ({ name }) => name, ['All', 'main', 'handler', 'clone', 'sort']);
  assert.deepEqual(
    blocks.filter(({ fade }) => fade).map(({ name }) => name),
    ['All', 'main'],
  );
});

test('below a least width frames are left out, but not the way to the zoomed one', () => {
  const { id, value } = frameNamed(answer, 'sort');
  const wide = { leastUs: 2 * value, rows: Infinity };
  assertEach(inReadingOrder(makeBlocks(answer, '', wide)), ({ name }) => name, ['All', 'main', 'handler', 'clone']);
  assertEach(inReadingOrder(makeBlocks(answer, id, wide)), ({ name }) => name, ['All', 'main', 'handler', 'sort']);
});

test('only so many rows below the zoomed frame are drawn, and all above it', () => {
  const drawn = (name: string, rows: number) => {
    const { id } = name === '' ? answer.root : frameNamed(answer, name);
    return inReadingOrder(makeBlocks(answer, id, { leastUs: 0, rows })).map((block) => block.name);
  };
  assert.deepEqual(drawn('', 1), ['All', 'main', '(gc)']);
  assert.deepEqual(drawn('main', 1), ['All', 'main', 'handler', 'log']);
});

test('a zoom that the answer does not hold shows all of it', () => {
  assert.deepEqual(namesAt('not there'), namesAt(''));
});

test('the way to a frame names its callers from the outside in', () => {
  const way = findPath(answer.root, frameNamed(answer, 'clone').id);
  assertEach(way, ({ name }) => name, ['', 'main', 'handler', 'clone']);
});

test('a closed frame keeps what it calls to itself', () => {
  const shown = inReadingOrder(makeBlocks(answer, ''), ({ name }) => name !== 'handler');
  assertEach(shown, ({ name }) => name, ['All', 'main', 'handler', 'log', '(gc)']);
});

test('a graph with far too many frames loses its deepest rows', () => {
  const wide = { ...answer, root: chainOfRows(answer.root, 30, 400) };
  const blocks = inReadingOrder(makeBlocks(wide, ''));
  assert.equal(blocks.length, 1500);
  assert.equal(Math.max(...blocks.map(({ level }) => level)), 4);
});

test('own code has at least nine tenths of the page, and what is outside of it says its share of all time', () => {
  const [own, gc] = [frameNamed(answer, 'main'), frameNamed(answer, '(gc)')];
  const outside = { ...gc, id: 'outside', name: 'vitest', value: 963_000 } as const;
  const folded = { ...outside, folded: { type: 'outside', frames: 9, owners: [] } } as const;
  const root = { ...answer.root, value: own.value + outside.value, children: [own, folded] };
  const suite = { ...answer, root, totalUs: microseconds(root.value) };
  for (const zoom of ['', own.id, frameNamed(answer, 'clone').id]) {
    const drawn = makeBlocks(suite, zoom);
    const beside = drawn.children.at(-1);
    const line = inReadingOrder(drawn).find(({ frame }) => frame.id === zoom);
    const inside = zoom === '' ? own.value : (line?.value ?? 0);
    assert.equal(beside?.name, '96 % vitest');
    assert.ok(
      Math.abs((beside?.value ?? 0) / (inside + (beside?.value ?? 0)) - 0.08) < 1e-9,
      'it is as narrow in each zoom',
    );
  }
});

/** Rows of `width` frames; the first of each row calls the next row. */
function chainOfRows(frame: FlameFrame, rows: number, width: number): FlameFrame {
  let below: readonly FlameFrame[] = [];
  for (let row = 0; row < rows; row++) {
    const [first, ...others] = Array.from({ length: width }, (_, index) => ({
      ...frame,
      id: `${row}.${index}`,
      children: [],
    }));
    below = first === undefined ? [] : [{ ...first, children: below }, ...others];
  }
  return { ...frame, id: '', children: below };
}

function namesAt(zoom: string): readonly string[] {
  return inReadingOrder(makeBlocks(answer, zoom)).map(({ name }) => name);
}
