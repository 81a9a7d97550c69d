import { type CallTree, childrenOf, noFunction, type LineTicks, TickList } from '../../read/samples/call-tree.ts';
import { depthsOf } from './truncated-nodes.ts';

/** A call tree to which paths are added. */
export interface GrowingTree {
  /** Nodes from the outermost frame down to `node`; empty for −1 and meta nodes. */
  readonly pathOf: (node: number) => Int32Array;
  readonly functionOf: (node: number) => number;
  /** Number of frames down to a node; 0 for −1 and meta nodes. */
  readonly depthOf: (node: number) => number;
  /** Number of nodes that were added. */
  readonly added: () => number;
  /** The node of a function below a node. It is made where it does not exist yet. */
  readonly child: (parent: number, functionId: number) => number;
  /** The nodes, with the added ones at the end. */
  readonly build: () => Omit<CallTree, 'ticks'>;
}

export function growTree(tree: CallTree): GrowingTree {
  const { size, parent, functionId } = tree;
  const depths = depthsOf(tree);
  const newParents: number[] = [];
  const newFunctionIds: number[] = [];
  const newDepths: number[] = [];
  const find = childFinder(tree);
  const parentOf = (node: number): number => (node < size ? parent[node] : newParents[node - size]) ?? -1;
  const depthOf = (node: number): number => (node < size ? depths[node] : newDepths[node - size]) ?? 0;
  return {
    depthOf,
    added: () => newParents.length,
    functionOf: (node) => (node < size ? functionId[node] : newFunctionIds[node - size]) ?? noFunction,
    pathOf: (node) => {
      const path = new Int32Array(depthOf(node));
      for (let at = path.length - 1, here = node; at >= 0; at--, here = parentOf(here)) path[at] = here;
      return path;
    },
    child: (above, fn) =>
      find(above, fn, () => {
        newFunctionIds.push(fn);
        newDepths.push(depthOf(above) + 1);
        return size + newParents.push(above) - 1;
      }),
    build: () => ({
      size: size + newParents.length,
      parent: extended(parent, newParents),
      functionId: extended(functionId, newFunctionIds),
    }),
  };
}

type ChildFinder = (parent: number, functionId: number, make: () => number) => number;

/** Finds children of a node. It looks at them only when one is asked for, because few nodes are ever asked. */
function childFinder({ size, parent, functionId }: CallTree): ChildFinder {
  const { first, next } = childrenOf(parent);
  const known = new Map<number, number>();
  const lookUpChildren = (node: number): void => {
    for (let child = first[node] ?? -1; child !== -1; child = next[child] ?? -1) {
      known.set(childKey(node, functionId[child] ?? noFunction), child);
    }
    first[node] = -1;
  };
  return (above, fn, make) => {
    if (above < size) lookUpChildren(above);
    const key = childKey(above, fn);
    const found = known.get(key) ?? make();
    known.set(key, found);
    return found;
  };
}

/** One number for a function below a node. */
function childKey(parent: number, functionId: number): number {
  return parent * mostFunctions + functionId;
}

/** More functions than any profile has. A node times this number is still a whole number. */
const mostFunctions = 2 ** 26;

function extended(values: Int32Array, more: readonly number[]): Int32Array {
  const all = new Int32Array(values.length + more.length);
  all.set(values);
  all.set(more, values.length);
  return all;
}

/**
 * Counts to which nodes the samples of a node went. For each such node, all its samples are counted, also those that
 * stayed.
 */
export class Moves {
  readonly #counts = new Map<number, Map<number, number>>();

  add(from: number, to: number): void {
    const targets = this.#counts.get(from) ?? new Map<number, number>();
    this.#counts.set(from, targets.set(to, (targets.get(to) ?? 0) + 1));
  }

  /** Shares of a node, which add up to 1. */
  sharesOf(node: number): readonly Share[] {
    const targets = this.#counts.get(node);
    if (targets === undefined) return [{ target: node, share: 1 }];
    let samples = 0;
    for (const count of targets.values()) samples += count;
    return Array.from(targets, ([target, count]) => ({ target, share: count / samples }));
  }
}

/** A node where samples of another node, or of itself, are now, and which part of them, from 0 to 1. */
interface Share {
  readonly target: number;
  readonly share: number;
}

/**
 * The line ticks of a tree of `size` nodes after its samples moved: the ticks of a node go with its samples. Where
 * these go several ways, each way gets its share, rounded up, so no line is lost.
 */
export function moveTicks(ticks: LineTicks, moves: Moves, size: number): LineTicks {
  const moved = new TickList();
  for (let node = 0; node + 1 < ticks.start.length; node++) {
    if (ticks.start[node] === ticks.start[node + 1]) continue;
    const shares = moves.sharesOf(node);
    for (let at = ticks.start[node] ?? 0; at < (ticks.start[node + 1] ?? 0); at++) {
      const count = ticks.count[at] ?? 0;
      const [frame, line] = [ticks.frame[at] ?? 0, ticks.line[at] ?? 0];
      for (const { target, share } of shares) moved.add(target, frame, line, Math.ceil(count * share));
    }
  }
  return moved.build(size);
}
