import type { Microseconds } from '../../protocol/units.ts';
import type { OperationTree } from './operation-tree.ts';
import type { PreparedStream } from './prepared-stream.ts';

/**
 * Finds the cut paths to functions that are over the threshold in one operation. The heaviest path always counts; of
 * equal ones the first in time.
 */
export function createLongPathFinder(
  functionCount: number,
  lastOf: (path: number) => number,
  threshold: Microseconds,
): (long: Iterable<number>, tree: OperationTree, prepared: PreparedStream) => readonly number[] {
  const isLong = new Uint8Array(functionCount);
  const paths = new PathWeights();
  return (long, tree, { facts, cutPathOf }) => {
    const { size, nodes, functionId, total, firstSample } = tree;
    paths.clear();
    for (const fn of long) isLong[fn] = 1;
    for (let place = 1; place < size; place++) {
      const node = nodes[place] ?? 0;
      if (facts.outermost[node] === 0 || isLong[functionId[place] ?? 0] === 0) continue;
      paths.add(cutPathOf(node), total.weight[place] ?? 0, firstSample[place] ?? 0);
    }
    for (const fn of long) isLong[fn] = 0;
    const heaviest = new Map<number, number>();
    for (const path of paths.seen) {
      const before = heaviest.get(lastOf(path));
      if (before === undefined || paths.isHeavier(path, before)) heaviest.set(lastOf(path), path);
    }
    return [...heaviest.values(), ...paths.seen.filter((path) => paths.weightOf(path) > threshold)];
  };
}

/**
 * Weights of paths in one operation, by path, in typed arrays: one operation of a compiler has a hundred thousand
 * paths.
 */
class PathWeights {
  /** Paths in the order in which they came. */
  seen: number[] = [];
  #weights = new Float64Array(1024);
  /** Number of the first sample by path; −1 for a path that was not seen. */
  #firsts = new Int32Array(1024).fill(-1);

  clear(): void {
    for (const path of this.seen) this.#firsts[path] = -1;
    this.seen = [];
  }

  add(path: number, weight: number, first: number): void {
    if (path >= this.#firsts.length) this.#grow(path * 2);
    const before = this.#firsts[path] ?? -1;
    if (before === -1) this.seen.push(path);
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

  #grow(size: number): void {
    const weights = new Float64Array(size);
    weights.set(this.#weights);
    const firsts = new Int32Array(size).fill(-1);
    firsts.set(this.#firsts);
    this.#weights = weights;
    this.#firsts = firsts;
  }
}
