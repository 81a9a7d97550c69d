import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../helpers/drawn-cases.ts';
import {
  type CallTree,
  firstFunctionNode,
  metaNodes,
  type TreeBuilder,
  createTreeBuilder,
} from '../../../../engine/read/samples/call-tree.ts';
import { graftTruncated, longestOverlap, bordersOf } from '../../../../engine/cut/streams/graft-truncated.ts';

type Stack = readonly number[];

/** Function ids from `first` on, each calling the next. */
function chain(first: number, count: number): Stack {
  return Array.from({ length: count }, (_, depth) => first + depth);
}

function add(builder: TreeBuilder, stack: Stack): number {
  return stack.reduce((node, fn) => builder.child(node, fn), metaNodes.root);
}

function stackOf({ parent, functionId }: CallTree, sampled: number): Stack {
  const stack: number[] = [];
  for (let node = sampled; node >= firstFunctionNode; node = parent[node] ?? 0) stack.push(functionId[node] ?? -1);
  return stack.toReversed();
}

/** Lines and their counts at one node. */
function ticksAt({ ticks }: CallTree, node = -1): readonly (readonly number[])[] {
  const { start, line, count } = ticks();
  const [from, to] = [start[node] ?? 0, start[node + 1] ?? 0];
  return Array.from(line.subarray(from, to), (of, at) => [of, count[from + at] ?? 0]);
}

test('line ticks go where the samples of their node go', () => {
  const builder = createTreeBuilder();
  const entry = add(builder, [0, 1]);
  const whole = add(builder, [0, 1, ...chain(2, 200)]);
  const cut = add(builder, chain(102, 100));
  builder.addTicks(whole, 0, 7, 1);
  builder.addTicks(cut, 0, 7, 2);
  builder.addTicks(cut, 0, 8, 1);
  const { tree, nodes } = graftTruncated({
    tree: builder.build(),
    nodes: Int32Array.of(entry, whole, cut, cut, cut),
  });
  assert.deepEqual([...nodes], [entry, whole, whole, whole, whole], 'the path that is there already is taken');
  assert.deepEqual(ticksAt(tree, whole), [
    [7, 3],
    [8, 1],
  ]);
  assert.deepEqual(ticksAt(tree, cut), []);
});

test('line ticks of a node whose samples go several ways are shared out', () => {
  const builder = createTreeBuilder();
  const left = add(builder, [0, 1, ...chain(10, 9)]);
  const right = add(builder, [0, 2, ...chain(10, 9)]);
  const cut = add(builder, chain(10, 100));
  builder.addTicks(cut, 0, 7, 4);
  const { idle } = metaNodes;
  const { tree, nodes } = graftTruncated({
    tree: builder.build(),
    nodes: Int32Array.of(left, cut, idle, right, cut, idle, cut, cut),
  });
  assert.deepEqual(
    [ticksAt(tree, nodes[1]), ticksAt(tree, nodes[4]), ticksAt(tree, nodes[6])],
    [[[7, 1]], [[7, 1]], [[7, 2]]],
  );
});

test('a stack of 100 000 frames is grafted without recursion', () => {
  const builder = createTreeBuilder();
  const whole = [0, 1, ...chain(2, 100_000)];
  const samples = [[0, 1], whole, whole.slice(50_000)].map((stack) => add(builder, stack));
  const { nodes, truncated } = graftTruncated({ tree: builder.build(), nodes: Int32Array.from(samples) });
  assert.equal(truncated.grafted, 1);
  assert.equal(nodes[2], nodes[1]);
});

test('a profile without truncated stacks is handed on as it is', () => {
  const builder = createTreeBuilder();
  const nodes = Int32Array.of(add(builder, [0, 1]), add(builder, [0, 1, ...chain(2, 200)]));
  const tree = builder.build();
  const grafted = graftTruncated({ tree, nodes });
  assert.equal(grafted.tree, tree);
  assert.equal(grafted.nodes, nodes);
});

/** Stacks of few functions: deep ones from the entry, cut off, and short; the empty one is idling. */
const functions = fc.integer({ min: 2, max: 9 });
const deep = fc
  .tuple(fc.array(functions, { maxLength: 12 }), fc.array(functions, { minLength: 1, maxLength: 3 }))
  .map(([outer, cycle]): Stack => [...outer, ...Array.from({ length: 100 }, () => cycle).flat()]);
const sample = fc.oneof(
  deep.map((stack): Stack => [0, 1, ...stack]),
  deep,
  fc.array(functions, { maxLength: 12 }).map((stack): Stack => [0, 1, ...stack]),
  fc.constant<Stack>([]),
);

test('grafting adds only outer frames that a neighbour of the same run has, and changes nothing else', () => {
  fc.assert(
    fc.property(fc.array(sample, { minLength: 1, maxLength: 20 }), (stacks) => {
      const builder = createTreeBuilder();
      const given = stacks.map((stack) => (stack.length === 0 ? metaNodes.idle : add(builder, stack)));
      const { tree, nodes, truncated } = graftTruncated({ tree: builder.build(), nodes: Int32Array.from(given) });
      const after = Array.from(nodes, (node) => stackOf(tree, node));
      const added = stacks.map((stack, at) => after[at]?.slice(0, (after[at]?.length ?? 0) - stack.length) ?? []);
      for (const [at, stack] of stacks.entries()) assert.deepEqual(after[at], [...(added[at] ?? []), ...stack]);
      for (const [at, outer] of added.entries()) {
        assert.ok(outer.length === 0 || runAround(at, after).some((stack) => beginsWith(stack, outer)));
      }
      assert.equal(added.filter((outer) => outer.length > 0).length, truncated.grafted);
      assert.equal(truncated.samples, truncated.grafted + truncated.unplaced.size);
      assert.ok(tree.parent.every((above, node) => above < node));
    }),
  );
});

/** The other stacks between the idle samples around this one. */
function runAround(at: number, stacks: readonly Stack[]): readonly Stack[] {
  const isIdle = (stack: Stack): boolean => stack.length === 0;
  const first = stacks.slice(0, at).findLastIndex(isIdle) + 1;
  const end = stacks.findIndex((stack, other) => other > at && isIdle(stack));
  return stacks.filter((_, other) => other !== at && other >= first && (end === -1 || other < end));
}

function beginsWith(stack: Stack, outer: Stack): boolean {
  return outer.every((fn, at) => stack[at] === fn);
}

test('the overlap is the longest beginning that stands anywhere, of equals the outermost', () => {
  const stack = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(stack, stack, (frames, neighbour) => {
      const given = Int32Array.from(frames);
      assert.deepEqual(
        longestOverlap(given, bordersOf(given), Int32Array.from(neighbour)),
        slowestOverlap(frames, neighbour),
      );
    }),
  );
});

function slowestOverlap(frames: Stack, neighbour: Stack): { readonly length: number; readonly end: number } {
  const lengths = neighbour.map((_, from) => {
    const differs = frames.findIndex((fn, at) => fn !== neighbour[from + at]);
    return differs === -1 ? frames.length : differs;
  });
  const length = Math.max(...lengths);
  return { length, end: length === 0 ? 0 : lengths.indexOf(length) + length };
}
