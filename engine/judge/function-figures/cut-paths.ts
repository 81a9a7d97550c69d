import type { FunctionInfo } from '../../read/functions/function-table.ts';
import { type CallTree, firstFunctionNode } from '../../read/samples/call-tree.ts';
import { PairTable } from '../../basics/pair-table.ts';
import type { TreeFacts } from '../../cut/streams/tree-facts.ts';
import type { Microseconds } from '../../../protocol/units.ts';
import type { OperationTree, PreparedStream } from './operation-tree.ts';

/**
 * Finds *cut paths*, and numbers them over all isolates: equal paths have equal numbers, 0 is the empty path. The number
 * of different paths is the 3 in `3 stacks`. First loops are erased: a path is cut back to the first occurrence of an
 * own function that reappears; any other function that reappears is left out, so a dispatcher (`typed-function`, a
 * router's `handle`) keeps the own callers between its passes. Then leading frames of Node, native ones (`runMicrotasks`),
 * runners and tests are left out, but never the function itself.
 */
export class PathFinder {
  /** Each path, as the path above it and its last function. */
  readonly #paths = new PairTable(1024);
  readonly #isOwn: Uint8Array;
  readonly #isLeading: readonly boolean[];
  /** Pairs of a path and a function below it, and the loop-erased path of each: deep recursion repeats them. */
  readonly #steps = new PairTable(1024);
  readonly #stepTargets: number[] = [];
  /** Path without its leading frames, by path; 0 where all frames are leading ones. */
  readonly #cut: number[] = [0];

  constructor(functions: readonly FunctionInfo[]) {
    this.#paths.add(0, -1);
    this.#isOwn = Uint8Array.from(functions, ({ own }) => Number(own));
    this.#isLeading = functions.map((fn) => leading.has(fn.kind) || fn.role === 'test');
  }

  /** The functions of a path, outermost first. */
  functionsOf(path: number): readonly number[] {
    const found: number[] = [];
    for (let at = path; at > 0; at = this.#paths.firstOf(at)) found.push(this.lastOf(at));
    return found.toReversed();
  }

  lastOf(path: number): number {
    return this.#paths.secondOf(path);
  }

  /** Gives the cut path of each node, found once. Paths are not searched for new functions: that would be quadratic. */
  cutPathsOf({ parent, functionId }: CallTree, { outermost }: TreeFacts): (node: number) => number {
    const known = new Int32Array(parent.length);
    const find = (node: number): number => {
      const missing: number[] = [];
      for (let at = node; at >= firstFunctionNode && known[at] === 0; at = parent[at] ?? 0) missing.push(at);
      for (let at = missing.pop(); at !== undefined; at = missing.pop()) {
        const [above, fn] = [known[parent[at] ?? 0] ?? 0, functionId[at] ?? -1];
        known[at] = outermost[at] === 1 ? this.#paths.numberOf(above, fn) : this.#step(above, fn);
      }
      return known[node] ?? 0;
    };
    return (node) => {
      const path = find(node);
      const kept = this.#cutPath(path);
      return kept !== 0 || path === 0 ? kept : this.#paths.numberOf(0, this.lastOf(path));
    };
  }

  /** The loop-erased path to a function from that above it. */
  #step(path: number, fn: number): number {
    const known = this.#steps.size;
    const number = this.#steps.numberOf(path, fn);
    if (number < known) return this.#stepTargets[number] ?? 0;
    let at = path;
    while (at > 0 && this.lastOf(at) !== fn) at = this.#paths.firstOf(at);
    const target = at === 0 ? this.#paths.numberOf(path, fn) : this.#isOwn[fn] === 1 ? at : path;
    this.#stepTargets.push(target);
    return target;
  }

  #cutPath(path: number): number {
    // A path has a higher number than the path that it continues.
    for (let at = this.#cut.length; at <= path; at++) {
      const above = this.#cut[this.#paths.firstOf(at)] ?? 0;
      const fn = this.lastOf(at);
      this.#cut.push(above === 0 && this.#isLeading[fn] === true ? 0 : this.#paths.numberOf(above, fn));
    }
    return this.#cut[path] ?? 0;
  }
}

const leading: ReadonlySet<FunctionInfo['kind']> = new Set(['node', 'native', 'runner']);

/** Finds the cut paths to functions over the threshold in one operation after the other: some have 100,000 paths. */
export class LongPaths {
  readonly #finder: PathFinder;
  readonly #threshold: Microseconds;
  /** By function id: its heaviest path, 0 as long as there is none; −1 for functions that are not over the threshold. */
  readonly #heaviest: Int32Array;
  /** The first `#count` are paths in the order in which they came. */
  #seen = new Int32Array(1024);
  #count = 0;
  #weights = new Float64Array(1024);
  /** Number of the first sample by path; −1 for a path that was not seen. */
  #firsts = new Int32Array(1024).fill(-1);

  constructor(functions: number, finder: PathFinder, threshold: Microseconds) {
    this.#finder = finder;
    this.#threshold = threshold;
    this.#heaviest = new Int32Array(functions).fill(-1);
  }

  /**
   * Calls for each cut path over the threshold to one of the first `count` functions of `long`. The heaviest path of a
   * function always counts; of equal ones the first in time.
   */
  each(
    long: Int32Array,
    count: number,
    { size, nodes, functionId, total, firstSample }: OperationTree,
    { facts, cutPathOf }: PreparedStream,
    call: (path: number, functionId: number) => void,
  ): void {
    const heaviest = this.#heaviest;
    for (let at = 0; at < count; at++) heaviest[long[at] ?? 0] = 0;
    for (let place = 1; place < size; place++) {
      const node = nodes[place] ?? 0;
      if (facts.outermost[node] === 0 || heaviest[functionId[place] ?? 0] === -1) continue;
      this.#add(cutPathOf(node), total[place] ?? 0, firstSample[place] ?? 0);
    }
    for (let at = 0; at < this.#count; at++) {
      const path = this.#seen[at] ?? 0;
      const fn = this.#finder.lastOf(path);
      const before = heaviest[fn] ?? 0;
      if (before === 0 || this.#isHeavier(path, before)) heaviest[fn] = path;
    }
    for (let at = 0; at < this.#count; at++) {
      const path = this.#seen[at] ?? 0;
      const fn = this.#finder.lastOf(path);
      if (heaviest[fn] === path || (this.#weights[path] ?? 0) > this.#threshold) call(path, fn);
      this.#firsts[path] = -1;
    }
    this.#count = 0;
    for (let at = 0; at < count; at++) heaviest[long[at] ?? 0] = -1;
  }

  #add(path: number, weight: number, first: number): void {
    if (path >= this.#firsts.length) this.#grow(path * 2);
    const before = this.#firsts[path] ?? -1;
    if (before === -1) this.#seen[this.#count++] = path;
    this.#weights[path] = before === -1 ? weight : (this.#weights[path] ?? 0) + weight;
    this.#firsts[path] = before === -1 ? first : Math.min(before, first);
  }

  /** Whether a path is heavier than the other, or as heavy and earlier. */
  #isHeavier(path: number, other: number): boolean {
    const difference = (this.#weights[path] ?? 0) - (this.#weights[other] ?? 0);
    return difference === 0 ? (this.#firsts[path] ?? 0) < (this.#firsts[other] ?? 0) : difference > 0;
  }

  /** There are never more paths than their highest number. */
  #grow(size: number): void {
    const [seen, weights, firsts] = [this.#seen, this.#weights, this.#firsts];
    [this.#seen, this.#weights, this.#firsts] = [new Int32Array(size), new Float64Array(size), new Int32Array(size)];
    this.#seen.set(seen);
    this.#weights.set(weights);
    this.#firsts.fill(-1).set(firsts);
  }
}
