import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Operation } from '../operations/operation.ts';
import { isCold, isEstimated, mayBeMore } from './estimates.ts';
import type { PresenceFigures } from './function-figures.ts';
import { NodeSums } from './sums.ts';
import type { OperationTree, PreparedStream } from './operation-tree.ts';
import { createLongPathFinder } from './cut-paths.ts';
import type { Test } from '../samples/sample-stream.ts';
import { durationClassNumber, durationClasses } from '../../protocol/figures.ts';

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
  const eachLongPath = createLongPathFinder(functionCount, lastOf, threshold);
  /** Functions over the threshold in one operation. Lists of them, and iterators, were a fifth of all garbage. */
  const long = new Int32Array(functionCount);
  return {
    add: (operation, tree, prepared, marginOf) => {
      const { present, count, sums } = sumUp(tree, prepared);
      let longCount = 0;
      for (let at = 0; at < count; at++) {
        const fn = present[at] ?? 0;
        figures.count(fn, operation, sums, prepared, marginOf);
        if ((sums.weight[fn] ?? 0) > threshold) long[longCount++] = fn;
      }
      if (longCount === 0) return;
      eachLongPath(long, longCount, tree, prepared, (path) => figures.countPath(path, lastOf(path)));
      for (let at = 0; at < longCount; at++) figures.countLong(long[at] ?? 0, operation.test);
    },
    figuresOf: (functionId) => figures.of(functionId),
  };
}

/**
 * Growing figures of all functions, by function id. An object for each presence took as long as all the rest: a profile
 * of a few seconds with many short operations has a million presences.
 */
class GrowingFigures {
  readonly #functions: number;
  readonly #worst: Float64Array;
  readonly #worstWarm: Float64Array;
  readonly #worstSamples: Int32Array;
  readonly #worstStart: Float64Array;
  readonly #estimated: Uint8Array;
  /** The most that the longest presence may have been. */
  readonly #most: Float64Array;
  readonly #longCount: Int32Array;
  /** Number of presences by class: those of the shortest class, by function, then those of the next one. */
  readonly #byClass: Int32Array;
  readonly #countedPaths = new Set<number>();
  /** Number of counted paths. */
  readonly #stacks: Int32Array;
  /** Tests by function. Each test counts once, whatever processes it ran in. */
  readonly #tests = new Map<number, Map<string, Test>>();

  constructor(functions: number) {
    this.#functions = functions;
    this.#worst = new Float64Array(functions);
    this.#worstWarm = new Float64Array(functions);
    this.#worstSamples = new Int32Array(functions);
    this.#worstStart = new Float64Array(functions);
    this.#estimated = new Uint8Array(functions);
    this.#most = new Float64Array(functions);
    this.#longCount = new Int32Array(functions);
    this.#stacks = new Int32Array(functions);
    this.#byClass = new Int32Array(functions * durationClasses.length);
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
    const ofClass = durationClassNumber(weight) * this.#functions + fn;
    this.#byClass[ofClass] = (this.#byClass[ofClass] ?? 0) + 1;
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

  /** Counts a function that was over the threshold in one operation, and the test that ran there. */
  countLong(fn: number, test: Test | null): void {
    this.#longCount[fn] = (this.#longCount[fn] ?? 0) + 1;
    if (test === null) return;
    const known = this.#tests.get(fn) ?? new Map<string, Test>();
    this.#tests.set(fn, known.set(`${test.file}\n${test.name}`, test));
  }

  /** Counts a path to a function that was over the threshold, once. */
  countPath(path: number, fn: number): void {
    if (this.#countedPaths.has(path)) return;
    this.#countedPaths.add(path);
    this.#stacks[fn] = (this.#stacks[fn] ?? 0) + 1;
  }

  of(fn: number): PresenceFigures {
    const inClass = (number: number): number => this.#byClass[number * this.#functions + fn] ?? 0;
    return {
      worst: microseconds(this.#worst[fn] ?? 0),
      worstWarm: microseconds(this.#worstWarm[fn] ?? 0),
      worstSamples: this.#worstSamples[fn] ?? 0,
      estimated: this.#estimated[fn] === 1 || mayBeMore(this.#worst[fn] ?? 0, this.#most[fn] ?? 0),
      longCount: this.#longCount[fn] ?? 0,
      distinctStacks: this.#stacks[fn] ?? 0,
      tests: [...(this.#tests.get(fn)?.values() ?? [])],
      byClass: {
        fast: inClass(0),
        medium: inClass(1),
        slow: inClass(2),
        verySlow: inClass(3),
        monster: inClass(4),
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
