import { firstDifference } from '../functions/first-difference.ts';
import { type CallTree, type LineTicks, metaNodes, noFunction } from './call-tree.ts';

/** Grows one call tree from stacks of several profiles, merging by path of functions. */
export interface TreeBuilder {
  /** The node of this function under that node; made where there is none yet. */
  readonly child: (parent: number, functionId: number) => number;
  readonly addTicks: (node: number, frame: number, line: number, count: number) => void;
  readonly build: () => CallTree;
}

export function createTreeBuilder(): TreeBuilder {
  const root = metaNodes.root;
  const parents: number[] = [-1, root, root, root];
  const functionIds: number[] = [noFunction, noFunction, noFunction, noFunction];
  const known = new Map<number, number>();
  const ticks: Tick[] = [];
  return {
    child: (parent, functionId) => {
      const key = childKey(parent, functionId);
      const found = known.get(key);
      if (found !== undefined) return found;
      const node = parents.push(parent) - 1;
      functionIds.push(functionId);
      known.set(key, node);
      return node;
    },
    addTicks: (node, frame, line, count) => ticks.push({ node, frame, line, count }),
    build: () => ({
      size: parents.length,
      parent: Int32Array.from(parents),
      functionId: Int32Array.from(functionIds),
      ticks: lineTicks(ticks, parents.length),
    }),
  };
}

/** One number for a function under a node. */
export function childKey(parent: number, functionId: number): number {
  return parent * mostFunctions + functionId;
}

/** More than any profile has; a node times this stays a whole number. */
const mostFunctions = 2 ** 26;

export interface Tick {
  readonly node: number;
  readonly frame: number;
  readonly line: number;
  readonly count: number;
}

/** By node; the counts of one line of one frame summed. */
export function lineTicks(ticks: readonly Tick[], nodes: number): LineTicks {
  const sorted = ticks.toSorted((a, b) => firstDifference(a.node - b.node, a.frame - b.frame, a.line - b.line));
  const start = new Int32Array(nodes + 1);
  const line = new Int32Array(sorted.length);
  const count = new Int32Array(sorted.length);
  const frame = new Int32Array(sorted.length);
  let size = 0;
  let before: Tick | null = null;
  for (const tick of sorted) {
    const isNew =
      before === null || tick.node !== before.node || tick.frame !== before.frame || tick.line !== before.line;
    if (isNew) {
      line[size] = tick.line;
      frame[size] = tick.frame;
      size++;
    }
    count[size - 1] = (count[size - 1] ?? 0) + tick.count;
    start[tick.node + 1] = size;
    before = tick;
  }
  for (let node = 1; node <= nodes; node++) start[node] = Math.max(start[node] ?? 0, start[node - 1] ?? 0);
  return { start, line: line.slice(0, size), count: count.slice(0, size), frame: frame.slice(0, size) };
}
