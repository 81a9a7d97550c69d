import type { FunctionInfo } from '../../read/functions/function-table.ts';
import { type CallTree, firstFunctionNode } from '../../read/samples/call-tree.ts';
import { PairTable } from '../../basics/pair-table.ts';
import type { TreeFacts } from '../../cut/streams/tree-facts.ts';
import type { Microseconds } from '../../../protocol/units.ts';
import type { OperationTree, PreparedStream } from './operation-tree.ts';

/**
 * Paths of functions over all isolates by number, 0 for the empty one. The number of different paths is the 3 in `3
 * stacks`.
 */
export interface PathTable {
  /** The functions of a path, outermost first. */
  readonly functionsOf: (path: number) => readonly number[];
}

/** A path table that is still growing. */
export interface PathFinder extends PathTable {
  /** Gives the number of the cut path of each node of a tree. */
  readonly cutPathsOf: (tree: CallTree, facts: TreeFacts) => (node: number) => number;
  /** The last function of a path. */
  readonly lastOf: (path: number) => number;
}

/**
 * Finds *cut paths*. First loops are erased: a path is cut back to the first occurrence of an own function that
 * reappears; any other function that reappears is left out, so a dispatcher (`typed-function`, a router's `handle`)
 * keeps the own callers between its passes. Then leading frames of Node, runners and tests are left out, but never the
 * function itself.
 */
export function createPathFinder(functions: readonly FunctionInfo[]): PathFinder {
  const paths = createPaths();
  const isLeading = functions.map((fn) => fn.kind === 'node' || fn.kind === 'runner' || fn.role === 'test');
  const step = createStep(
    paths,
    Uint8Array.from(functions, ({ own }) => Number(own)),
  );
  const cut = createCut(paths, isLeading);
  return {
    functionsOf: (path) => {
      const found: number[] = [];
      for (let at = path; at > 0; at = paths.parentOf(at)) found.push(paths.lastOf(at));
      return found.toReversed();
    },
    lastOf: paths.lastOf,
    cutPathsOf: (tree, { outermost }) => {
      const erased = loopErased(tree, outermost, (path, fn, isNew) => (isNew ? paths.child(path, fn) : step(path, fn)));
      return (node) => {
        const path = erased(node);
        const kept = cut(path);
        return kept !== 0 || path === 0 ? kept : paths.child(0, paths.lastOf(path));
      };
    },
  };
}

interface Paths {
  readonly child: (path: number, functionId: number) => number;
  readonly parentOf: (path: number) => number;
  readonly lastOf: (path: number) => number;
}

function createPaths(): Paths {
  const pairs = new PairTable(1024);
  pairs.add(0, -1);
  return {
    child: (path, functionId) => pairs.numberOf(path, functionId),
    parentOf: (path) => pairs.firstOf(path),
    lastOf: (path) => pairs.secondOf(path),
  };
}

/** The loop-erased path to a function from that above it. Each pair is computed once: deep recursion repeats them. */
function createStep(paths: Paths, isOwn: Uint8Array): (path: number, functionId: number) => number {
  const steps = new PairTable(1024);
  const targets: number[] = [];
  return (path, fn) => {
    const known = steps.size;
    const number = steps.numberOf(path, fn);
    if (number < known) return targets[number] ?? 0;
    let at = path;
    while (at > 0 && paths.lastOf(at) !== fn) at = paths.parentOf(at);
    const target = at === 0 ? paths.child(path, fn) : isOwn[fn] === 1 ? at : path;
    targets.push(target);
    return target;
  };
}

/**
 * Loop-erased path by node, each computed once. `isNew`: the function is nowhere above, so the path is not searched,
 * which would be quadratic in the depth of a stack.
 */
function loopErased(
  { parent, functionId }: CallTree,
  outermost: Uint8Array,
  step: (path: number, functionId: number, isNew: boolean) => number,
): (node: number) => number {
  const known = new Int32Array(parent.length);
  return (node) => {
    const found = known[node] ?? 0;
    if (found !== 0 || node < firstFunctionNode) return found;
    const missing = [node];
    for (let at = parent[node] ?? 0; at >= firstFunctionNode && known[at] === 0; at = parent[at] ?? 0) missing.push(at);
    for (let at = missing.pop(); at !== undefined; at = missing.pop()) {
      known[at] = step(known[parent[at] ?? 0] ?? 0, functionId[at] ?? -1, outermost[at] === 1);
    }
    return known[node] ?? 0;
  };
}

/** Path without its leading frames, by path; each is found once. 0 where all frames are leading ones. */
function createCut(paths: Paths, isLeading: readonly boolean[]): (path: number) => number {
  const known: number[] = [0];
  const next = (path: number): number => {
    const above = known[paths.parentOf(path)] ?? 0;
    const fn = paths.lastOf(path);
    return above === 0 && isLeading[fn] === true ? 0 : paths.child(above, fn);
  };
  // A path has a higher number than the path that it continues.
  return (path) => {
    for (let at = known.length; at <= path; at++) known.push(next(at));
    return known[path] ?? 0;
  };
}

/** Calls for each cut path to the first `count` of these functions in an operation. */
type EachLongPath = (
  long: Int32Array,
  count: number,
  tree: OperationTree,
  prepared: PreparedStream,
  call: (path: number) => void,
) => void;

/**
 * Finds the cut paths to functions over the threshold in one operation. The heaviest always counts, the first of equal
 * ones.
 */
export function createLongPathFinder(
  functionCount: number,
  lastOf: (path: number) => number,
  threshold: Microseconds,
): EachLongPath {
  /** By function id: its heaviest path, 0 as long as there is none; −1 for functions that are not over the threshold. */
  const heaviest = new Int32Array(functionCount).fill(-1);
  const paths = new PathWeights();
  return (long, count, tree, { facts, cutPathOf }, call) => {
    const { size, nodes, functionId, total, firstSample } = tree;
    paths.clear();
    for (let at = 0; at < count; at++) heaviest[long[at] ?? 0] = 0;
    for (let place = 1; place < size; place++) {
      const node = nodes[place] ?? 0;
      if (facts.outermost[node] === 0 || heaviest[functionId[place] ?? 0] === -1) continue;
      paths.add(cutPathOf(node), total[place] ?? 0, firstSample[place] ?? 0);
    }
    const { seen, count: seenCount } = paths;
    for (let at = 0; at < seenCount; at++) {
      const path = seen[at] ?? 0;
      const before = heaviest[lastOf(path)] ?? 0;
      if (before === 0 || paths.isHeavier(path, before)) heaviest[lastOf(path)] = path;
    }
    for (let at = 0; at < seenCount; at++) {
      const path = seen[at] ?? 0;
      if (heaviest[lastOf(path)] === path || paths.weightOf(path) > threshold) call(path);
    }
    for (let at = 0; at < count; at++) heaviest[long[at] ?? 0] = -1;
  };
}

/** Weights of the paths of one operation, in typed arrays: one of a compiler has 100,000 paths. */
class PathWeights {
  /** The first `count` are paths in the order in which they came. */
  seen = new Int32Array(1024);
  count = 0;
  #weights = new Float64Array(1024);
  /** Number of the first sample by path; −1 for a path that was not seen. */
  #firsts = new Int32Array(1024).fill(-1);

  clear(): void {
    for (let at = 0; at < this.count; at++) this.#firsts[this.seen[at] ?? 0] = -1;
    this.count = 0;
  }

  add(path: number, weight: number, first: number): void {
    if (path >= this.#firsts.length) this.#grow(path * 2);
    const before = this.#firsts[path] ?? -1;
    if (before === -1) this.seen[this.count++] = path;
    this.#weights[path] = before === -1 ? weight : (this.#weights[path] ?? 0) + weight;
    this.#firsts[path] = before === -1 ? first : Math.min(before, first);
  }

  weightOf(path: number): number {
    return this.#weights[path] ?? 0;
  }

  /** Whether a path is heavier than the other, or as heavy and earlier. */
  isHeavier(path: number, other: number): boolean {
    const difference = this.weightOf(path) - this.weightOf(other);
    return difference === 0 ? (this.#firsts[path] ?? 0) < (this.#firsts[other] ?? 0) : difference > 0;
  }

  /** There are never more paths than their highest number. */
  #grow(size: number): void {
    const seen = new Int32Array(size);
    seen.set(this.seen);
    this.seen = seen;
    const weights = new Float64Array(size);
    weights.set(this.#weights);
    const firsts = new Int32Array(size).fill(-1);
    firsts.set(this.#firsts);
    this.#weights = weights;
    this.#firsts = firsts;
  }
}
