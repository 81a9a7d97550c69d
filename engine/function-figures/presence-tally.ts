import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Operation } from '../operations/operation.ts';
import { isCold, isEstimated, mayBeMore } from './estimates.ts';
import type { PresenceFigures } from './function-figures.ts';
import { NodeSums } from './sums.ts';
import type { OperationTree, PreparedStream } from './operation-tree.ts';
import { createLongPathFinder } from './cut-paths.ts';
import type { Test } from '../samples/sample-stream.ts';
import { type DurationClass, durationClassOf } from '../../protocol/figures.ts';

/** How far the presence of a function in an operation may be wrong, in µs. */
export type MarginOf = (functionId: number) => number;

/** Tallies, over operations, how long each function, with all that it calls, held the loop in one go. */
export interface PresenceTally {
  readonly add: (operation: Operation, tree: OperationTree, prepared: PreparedStream, marginOf: MarginOf) => void;
  readonly figuresOf: (functionId: number) => PresenceFigures;
}

/** `lastOf` gives the function that a path leads to. */
export function createPresenceTally(
  functionCount: number,
  lastOf: (path: number) => number,
  threshold: Microseconds,
): PresenceTally {
  const figures = new GrowingFigures(functionCount);
  const sumUp = createMeter(functionCount);
  const longPaths = createLongPathFinder(functionCount, lastOf, threshold);
  return {
    add: (operation, tree, prepared, marginOf) => {
      const { present, count, sums } = sumUp(tree, prepared);
      const long: number[] = [];
      for (let at = 0; at < count; at++) {
        const fn = present[at] ?? 0;
        figures.count(fn, operation, sums, prepared, marginOf);
        if ((sums.weight[fn] ?? 0) > threshold) long.push(fn);
      }
      if (long.length > 0) figures.countLong(long, longPaths(long, tree, prepared), lastOf);
      if (operation.test !== null) figures.countTest(long, operation.test);
    },
    figuresOf: (functionId) => figures.of(functionId),
  };
}

/**
 * Growing figures of all functions, by function id. An object for each presence took as long as all the rest: a profile
 * of a few seconds with many short operations has a million presences.
 */
class GrowingFigures {
  readonly #worst: Float64Array;
  readonly #worstWarm: Float64Array;
  readonly #worstSamples: Int32Array;
  readonly #worstStart: Float64Array;
  readonly #estimated: Uint8Array;
  /** The most that the longest presence may have been. */
  readonly #most: Float64Array;
  readonly #longCount: Int32Array;
  readonly #byClass: Readonly<Record<DurationClass, Int32Array>>;
  readonly #paths = new Map<number, Set<number>>();
  /** Tests by function. Each test counts once, whatever processes it ran in. */
  readonly #tests = new Map<number, Map<string, Test>>();

  constructor(functions: number) {
    this.#worst = new Float64Array(functions);
    this.#worstWarm = new Float64Array(functions);
    this.#worstSamples = new Int32Array(functions);
    this.#worstStart = new Float64Array(functions);
    this.#estimated = new Uint8Array(functions);
    this.#most = new Float64Array(functions);
    this.#longCount = new Int32Array(functions);
    const counts = (): Int32Array => new Int32Array(functions);
    this.#byClass = { fast: counts(), medium: counts(), slow: counts(), verySlow: counts(), monster: counts() };
  }

  /**
   * Counts a presence. Of equally long presences the first in time is the worst, because isolates come one after the
   * other.
   */
  count(
    fn: number,
    operation: Operation,
    sums: NodeSums,
    { firstSeen, stream }: PreparedStream,
    marginOf: MarginOf,
  ): void {
    const weight = sums.weight[fn] ?? 0;
    const margin = marginOf(fn);
    this.#most[fn] = Math.max(this.#most[fn] ?? 0, Math.min(operation.held, weight + margin));
    const counts = this.#byClass[durationClassOf(microseconds(weight))];
    counts[fn] = (counts[fn] ?? 0) + 1;
    const isWorstWarm = weight > (this.#worstWarm[fn] ?? 0);
    if (isWorstWarm && !isCold(operation, firstSeen[fn] ?? -1, weight)) this.#worstWarm[fn] = weight;
    const worst = this.#worst[fn] ?? 0;
    if (weight === 0 || weight < worst) return;
    if (weight === worst && operation.start >= (this.#worstStart[fn] ?? 0)) return;
    const samples = sums.samples[fn] ?? 0;
    const longest = sums.longest[fn] ?? 0;
    this.#worst[fn] = weight;
    this.#worstStart[fn] = operation.start;
    this.#worstSamples[fn] = samples;
    const evidence = { weight, samples, longest, margin };
    this.#estimated[fn] = Number(isEstimated(operation, evidence, stream.interval));
  }

  /** Counts the functions that were over the threshold in one operation, and the paths to them. */
  countLong(functions: Iterable<number>, paths: Iterable<number>, lastOf: (path: number) => number): void {
    for (const fn of functions) this.#longCount[fn] = (this.#longCount[fn] ?? 0) + 1;
    for (const path of paths) {
      const known = this.#paths.get(lastOf(path)) ?? new Set();
      this.#paths.set(lastOf(path), known.add(path));
    }
  }

  /** Counts a test for the functions that were over the threshold in one of its operations. */
  countTest(functions: Iterable<number>, test: Test): void {
    const key = `${test.file}\n${test.name}`;
    for (const fn of functions) {
      const known = this.#tests.get(fn) ?? new Map<string, Test>();
      this.#tests.set(fn, known.set(key, test));
    }
  }

  of(fn: number): PresenceFigures {
    const { fast, medium, slow, verySlow, monster } = this.#byClass;
    return {
      worst: microseconds(this.#worst[fn] ?? 0),
      worstWarm: microseconds(this.#worstWarm[fn] ?? 0),
      worstSamples: this.#worstSamples[fn] ?? 0,
      estimated: this.#estimated[fn] === 1 || mayBeMore(this.#worst[fn] ?? 0, this.#most[fn] ?? 0),
      longCount: this.#longCount[fn] ?? 0,
      distinctStacks: this.#paths.get(fn)?.size ?? 0,
      tests: [...(this.#tests.get(fn)?.values() ?? [])],
      byClass: {
        fast: fast[fn] ?? 0,
        medium: medium[fn] ?? 0,
        slow: slow[fn] ?? 0,
        verySlow: verySlow[fn] ?? 0,
        monster: monster[fn] ?? 0,
      },
    };
  }
}

/**
 * Sums the outermost nodes of each function in an operation. The sums, by function id, are valid only for the first
 * `count` functions in `present`.
 */
function createMeter(functionCount: number) {
  const sums = new NodeSums(functionCount);
  const isPresent = new Uint8Array(functionCount);
  const present = new Int32Array(functionCount);
  return (tree: OperationTree, { facts }: PreparedStream) => {
    let count = 0;
    for (let place = 1; place < tree.size; place++) {
      if (facts.outermost[tree.nodes[place] ?? 0] === 0) continue;
      const fn = tree.functionId[place] ?? 0;
      if (isPresent[fn] === 0) {
        isPresent[fn] = 1;
        present[count++] = fn;
        sums.clear(fn);
      }
      sums.addAll(fn, tree.total, place);
    }
    for (let at = 0; at < count; at++) isPresent[present[at] ?? 0] = 0;
    return { present, count, sums };
  };
}
