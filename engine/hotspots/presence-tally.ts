import { type DurationClass, durationClassOf } from '../../protocol/duration-class.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Operation } from '../operations/operation.ts';
import { isCold, isEstimated } from './confidence.ts';
import type { PresenceFigures } from './function-figures.ts';
import type { OperationTree } from './operation-tree.ts';
import type { PreparedStream } from './prepared-stream.ts';

/** Adds up, over operations, how long each function, with all it calls, held the loop in one go. */
export interface PresenceTally {
  readonly add: (operation: Operation, tree: OperationTree, prepared: PreparedStream) => void;
  readonly figuresOf: (functionId: number) => PresenceFigures;
}

/** `lastOf`: the function that a path leads to. */
export function createPresenceTally(
  functionCount: number,
  lastOf: (path: number) => number,
  threshold: Microseconds,
): PresenceTally {
  const found = new Map<number, GrowingFigures>();
  const measure = createMeter(functionCount);
  const longPaths = createPathMeter(functionCount, lastOf, threshold);
  return {
    add: (operation, tree, prepared) => {
      const { present, weight, samples, longest } = measure(tree, prepared);
      const long: number[] = [];
      for (const fn of present) {
        const figures = found.get(fn) ?? new GrowingFigures();
        found.set(fn, figures);
        const evidence = {
          weight: microseconds(weight[fn] ?? 0),
          samples: samples[fn] ?? 0,
          longest: longest[fn] ?? 0,
        };
        const presence = {
          start: operation.start,
          ...evidence,
          isCold: isCold(operation, prepared.firstSeen[fn] ?? -1, evidence.weight),
          isEstimated: isEstimated(operation, evidence, prepared.stream.interval),
        };
        figures.count(presence, threshold);
        if (presence.weight > threshold) long.push(fn);
      }
      if (long.length === 0) return;
      for (const path of longPaths(long, tree, prepared)) found.get(lastOf(path))?.paths.add(path);
    },
    figuresOf: (functionId) => (found.get(functionId) ?? new GrowingFigures()).figures(),
  };
}

interface Presence {
  readonly start: Microseconds;
  readonly weight: Microseconds;
  readonly samples: number;
  readonly isCold: boolean;
  readonly isEstimated: boolean;
}

/** Figures that still grow. */
class GrowingFigures {
  readonly paths = new Set<number>();
  #worst = microseconds(0);
  #worstWarm = microseconds(0);
  #worstSamples = 0;
  #worstStart = microseconds(0);
  #estimated = false;
  #longCount = 0;
  readonly #byClass: Record<DurationClass, number> = { fast: 0, medium: 0, slow: 0, verySlow: 0, monster: 0 };

  /** Of presences as long as each other the first in time is the worst: isolates come one after the other. */
  count({ start, weight, samples, isCold: cold, isEstimated: estimated }: Presence, threshold: Microseconds): void {
    this.#byClass[durationClassOf(weight)]++;
    if (weight > threshold) this.#longCount++;
    if (!cold && weight > this.#worstWarm) this.#worstWarm = weight;
    if (weight === 0 || weight < this.#worst) return;
    if (weight === this.#worst && start >= this.#worstStart) return;
    this.#worst = weight;
    this.#worstStart = start;
    this.#worstSamples = samples;
    this.#estimated = estimated;
  }

  figures(): PresenceFigures {
    return {
      worst: this.#worst,
      worstWarm: this.#worstWarm,
      worstSamples: this.#worstSamples,
      estimated: this.#estimated,
      longCount: this.#longCount,
      distinctStacks: this.paths.size,
      byClass: this.#byClass,
    };
  }
}

/** Sums the outermost nodes of each function. Its arrays, by function id, hold sense for `present` alone. */
function createMeter(functionCount: number) {
  const weight = new Float64Array(functionCount);
  const samples = new Int32Array(functionCount);
  const longest = new Float64Array(functionCount);
  return (tree: OperationTree, { stream, facts }: PreparedStream) => {
    const present = new Set<number>();
    for (const node of tree.nodes) {
      if (facts.outermost[node] === 0) continue;
      const fn = stream.tree.functionId[node] ?? 0;
      const isKnown = present.has(fn);
      if (!isKnown) present.add(fn);
      weight[fn] = (isKnown ? (weight[fn] ?? 0) : 0) + (tree.total.weight[node] ?? 0);
      samples[fn] = (isKnown ? (samples[fn] ?? 0) : 0) + (tree.total.samples[node] ?? 0);
      longest[fn] = Math.max(isKnown ? (longest[fn] ?? 0) : 0, tree.total.longest[node] ?? 0);
    }
    return { present, weight, samples, longest };
  };
}

/**
 * Finds the cut paths to functions that are over the threshold in one operation; the heaviest one of each always, of
 * equals the first in time.
 */
function createPathMeter(functionCount: number, lastOf: (path: number) => number, threshold: Microseconds) {
  const isLong = new Uint8Array(functionCount);
  const paths = new PathWeights();
  return (long: readonly number[], tree: OperationTree, { stream, facts, cutPathOf }: PreparedStream) => {
    const { functionId } = stream.tree;
    paths.clear();
    for (const fn of long) isLong[fn] = 1;
    for (const node of tree.nodes) {
      if (facts.outermost[node] === 0 || isLong[functionId[node] ?? 0] === 0) continue;
      paths.add(cutPathOf(node), tree.total.weight[node] ?? 0, tree.firstSample[node] ?? 0);
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

/** What paths weigh in one operation, by path as typed arrays: one of a compiler has a hundred thousand. */
class PathWeights {
  /** In the order in which they came. */
  seen: number[] = [];
  #weights = new Float64Array(1024);
  /** Number of the first sample; −1 of a path that was not seen. */
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

  /** Or as heavy, and earlier. */
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
