import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Operation } from '../operations/operation.ts';
import { type Evidence, isCold, isEstimated, mayBeMore } from './estimates.ts';
import type { PresenceFigures } from './function-figures.ts';
import type { OperationTree, PreparedStream } from './operation-tree.ts';
import { createLongPathFinder } from './cut-paths.ts';
import type { Test } from '../samples/sample-stream.ts';
import type { TreeFacts } from '../streams/tree-facts.ts';
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
  const meter = new Meter(functionCount);
  const eachLongPath = createLongPathFinder(functionCount, lastOf, threshold);
  /**
   * Functions over the threshold in one operation, and those whose worst it is. Lists of them, and iterators, were a fifth
   * of all garbage.
   */
  const long = new Int32Array(functionCount);
  const worst = new Int32Array(functionCount);
  return {
    add: (operation, tree, prepared, marginOf) => {
      const count = meter.weigh(tree, prepared.facts);
      const { present, weights } = meter;
      let [longCount, worstCount] = [0, 0];
      for (let at = 0; at < count; at++) {
        const fn = present[at] ?? 0;
        const weight = weights[fn] ?? 0;
        if (figures.count(fn, weight, marginOf(fn), operation, prepared.firstSeen)) worst[worstCount++] = fn;
        if (weight > threshold) long[longCount++] = fn;
      }
      if (worstCount > 0) meter.countSamples(tree, prepared.facts, count);
      for (let at = 0; at < worstCount; at++) {
        const fn = worst[at] ?? 0;
        const evidence = { ...meter.evidenceOf(fn), margin: marginOf(fn) };
        figures.setWorst(fn, operation, evidence, prepared.stream.interval);
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
  readonly #worst: Float64Array;
  readonly #worstWarm: Float64Array;
  readonly #worstSamples: Int32Array;
  readonly #worstStart: Float64Array;
  readonly #estimated: Uint8Array;
  /** The most that the longest presence may have been. */
  readonly #most: Float64Array;
  readonly #longCount: Int32Array;
  /** Number of presences: of a function those of all classes, the shortest first, then those of the next function. */
  readonly #byClass: Int32Array;
  readonly #countedPaths = new Set<number>();
  /** Number of counted paths. */
  readonly #stacks: Int32Array;
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
    this.#stacks = new Int32Array(functions);
    this.#byClass = new Int32Array(functions * durationClasses.length);
  }

  /**
   * Counts a presence, and says whether it is the worst so far. Of equally long presences the first in time is the worst,
   * because isolates come one after the other.
   */
  count(fn: number, weight: number, margin: number, operation: Operation, firstSeen: Int32Array): boolean {
    const most = Math.min(operation.held, weight + margin);
    if (most > (this.#most[fn] ?? 0)) this.#most[fn] = most;
    const ofClass = fn * durationClasses.length + durationClassNumber(weight);
    this.#byClass[ofClass] = (this.#byClass[ofClass] ?? 0) + 1;
    const isWorstWarm = weight > (this.#worstWarm[fn] ?? 0);
    if (isWorstWarm && !isCold(operation, firstSeen[fn] ?? -1, weight)) this.#worstWarm[fn] = weight;
    const worst = this.#worst[fn] ?? 0;
    if (weight === 0 || weight < worst) return false;
    return weight > worst || operation.start < (this.#worstStart[fn] ?? 0);
  }

  setWorst(fn: number, operation: Operation, evidence: Evidence, interval: Microseconds): void {
    this.#worst[fn] = evidence.weight;
    this.#worstStart[fn] = operation.start;
    this.#worstSamples[fn] = evidence.samples;
    this.#estimated[fn] = Number(isEstimated(operation, evidence, interval));
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
    const inClass = (number: number): number => this.#byClass[fn * durationClasses.length + number] ?? 0;
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

/** Sums the outermost nodes of each function in one operation after the other. Arrays are by function id. */
class Meter {
  /** The functions that were in the operation: as many as `weigh` gave. */
  readonly present: Int32Array;
  /** In µs; valid for these functions alone, as all other sums are. */
  readonly weights: Float64Array;
  readonly #samples: Int32Array;
  readonly #longest: Uint32Array;
  /** Number of the last operation in which a function was. */
  readonly #lastIn: Int32Array;
  #operation = 0;

  constructor(functions: number) {
    this.present = new Int32Array(functions);
    this.weights = new Float64Array(functions);
    this.#samples = new Int32Array(functions);
    this.#longest = new Uint32Array(functions);
    this.#lastIn = new Int32Array(functions);
  }

  /** Weighs all functions, and gives their number. */
  weigh({ size, nodes, functionId, total }: OperationTree, { outermost }: TreeFacts): number {
    const [present, weights, lastIn] = [this.present, this.weights, this.#lastIn];
    this.#operation++;
    const operation = this.#operation;
    let count = 0;
    for (let place = 1; place < size; place++) {
      if (outermost[nodes[place] ?? 0] === 0) continue;
      const fn = functionId[place] ?? 0;
      const weight = total[place] ?? 0;
      if (lastIn[fn] === operation) weights[fn] = (weights[fn] ?? 0) + weight;
      else {
        lastIn[fn] = operation;
        present[count++] = fn;
        weights[fn] = weight;
      }
    }
    return count;
  }

  /** Counts the samples of the `count` functions that were weighed last. */
  countSamples(tree: OperationTree, { outermost }: TreeFacts, count: number): void {
    const { size, nodes, functionId } = tree;
    const { samples, longest } = tree.below();
    for (let at = 0; at < count; at++) {
      const fn = this.present[at] ?? 0;
      this.#samples[fn] = 0;
      this.#longest[fn] = 0;
    }
    for (let place = 1; place < size; place++) {
      if (outermost[nodes[place] ?? 0] === 0) continue;
      const fn = functionId[place] ?? 0;
      this.#samples[fn] = (this.#samples[fn] ?? 0) + (samples[place] ?? 0);
      this.#longest[fn] = Math.max(this.#longest[fn] ?? 0, longest[place] ?? 0);
    }
  }

  evidenceOf(fn: number): Omit<Evidence, 'margin'> {
    return { weight: this.weights[fn] ?? 0, samples: this.#samples[fn] ?? 0, longest: this.#longest[fn] ?? 0 };
  }
}
