import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { Operation } from '../../cut/operations/operation.ts';
import { isEstimated, mayBeMore } from './estimates.ts';
import type { PresenceFigures } from './function-figures.ts';
import type { OperationTree, PreparedStream } from './operation-tree.ts';
import { createLongPathFinder } from './cut-paths.ts';
import type { Test } from '../../read/samples/sample-stream.ts';
import { durationClasses } from '../../../protocol/figures.ts';
import type { Kernel } from '../../basics/kernel/kernel.ts';

/** How far the presence of a function in an operation may be wrong, in µs. */
export type MarginOf = (functionId: number) => number;

/** Tallies, over operations, how long each function, with all that it calls, held the loop in one go. */
export interface PresenceTally {
  /** Adds the operation that the kernel weighed last. `marginOf` is null where its parts have no margin. */
  readonly add: (
    operation: Operation,
    tree: OperationTree,
    prepared: PreparedStream,
    marginOf: MarginOf | null,
  ) => void;
  readonly figuresOf: (functionId: number) => PresenceFigures;
}

/** What presences are tallied by: those of event loops, or of background threads. */
interface Tallied {
  readonly functionCount: number;
  /** The kernel's figure of the first function. */
  readonly firstFigure: number;
  /** The function that a path leads to. */
  readonly lastOf: (path: number) => number;
  readonly threshold: Microseconds;
}

export function createPresenceTally(
  kernel: Kernel,
  { functionCount, firstFigure, lastOf, threshold }: Tallied,
): PresenceTally {
  const figures = new GrowingFigures(kernel, functionCount, firstFigure);
  const eachLongPath = createLongPathFinder(functionCount, lastOf, threshold);
  const { calls } = kernel;
  return {
    add: (operation, tree, prepared, marginOf) => {
      const { start, held, firstSample, lastSample } = operation;
      const isNews = calls.countPresences(start, held, firstSample, lastSample, firstFigure) === 1;
      if (marginOf !== null) figures.addMargins(operation, marginOf);
      if (!isNews) return;
      if (calls.numberOfWorst() > 0) {
        calls.countSamples();
        figures.setWorst(operation, marginOf, prepared.stream.interval);
      }
      const longCount = calls.numberOfLong();
      if (longCount === 0) return;
      const { long } = kernel.functions;
      eachLongPath(long, longCount, tree, prepared, (path) => figures.countPath(path, lastOf(path)));
      for (let at = 0; at < longCount; at++) figures.countLong(long[at] ?? 0, operation.test);
    },
    figuresOf: (functionId) => figures.of(functionId),
  };
}

/**
 * Growing figures of all functions, by function id. An object for each presence took as long as all the rest: a profile
 * of a few seconds with many short operations has a million presences. What each of them changes is in the kernel.
 */
class GrowingFigures {
  readonly #kernel: Kernel;
  readonly #firstFigure: number;
  readonly #worstSamples: Int32Array;
  readonly #estimated: Uint8Array;
  readonly #longCount: Int32Array;
  readonly #countedPaths = new Set<number>();
  /** Number of counted paths. */
  readonly #stacks: Int32Array;
  /** Tests by function. Each test counts once, whatever processes it ran in. */
  readonly #tests = new Map<number, Map<string, Test>>();

  constructor(kernel: Kernel, functions: number, firstFigure: number) {
    this.#kernel = kernel;
    this.#firstFigure = firstFigure;
    this.#worstSamples = new Int32Array(functions);
    this.#estimated = new Uint8Array(functions);
    this.#longCount = new Int32Array(functions);
    this.#stacks = new Int32Array(functions);
  }

  /** The presences of the last operation may have been longer than they were. */
  addMargins({ held }: Operation, marginOf: MarginOf): void {
    const { present, functionWeights } = this.#kernel.functions;
    const { mostWeights } = this.#kernel.figures;
    const count = this.#kernel.calls.numberOfPresent();
    for (let at = 0; at < count; at++) {
      const fn = present[at] ?? 0;
      const figure = this.#firstFigure + fn;
      const most = Math.min(held, (functionWeights[fn] ?? 0) + marginOf(fn));
      if (most > (mostWeights[figure] ?? 0)) mostWeights[figure] = most;
    }
  }

  /** Sets what is known of the worst, for the functions whose worst was in the last operation. */
  setWorst(operation: Operation, marginOf: MarginOf | null, interval: Microseconds): void {
    const { worst, functionWeights, functionSamples, functionLongest } = this.#kernel.functions;
    const count = this.#kernel.calls.numberOfWorst();
    for (let at = 0; at < count; at++) {
      const fn = worst[at] ?? 0;
      const samples = functionSamples[fn] ?? 0;
      const evidence = {
        weight: functionWeights[fn] ?? 0,
        samples,
        longest: functionLongest[fn] ?? 0,
        margin: marginOf?.(fn) ?? 0,
      };
      this.#worstSamples[fn] = samples;
      this.#estimated[fn] = Number(isEstimated(operation, evidence, interval));
    }
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
    const { classCounts } = this.#kernel;
    const { worstWeights, worstWarmWeights, mostWeights } = this.#kernel.figures;
    const figure = this.#firstFigure + fn;
    const worst = worstWeights[figure] ?? 0;
    const inClass = (number: number): number => classCounts[figure * durationClasses.length + number] ?? 0;
    return {
      worst: microseconds(worst),
      worstWarm: microseconds(worstWarmWeights[figure] ?? 0),
      worstSamples: this.#worstSamples[fn] ?? 0,
      estimated: this.#estimated[fn] === 1 || mayBeMore(worst, mostWeights[figure] ?? 0),
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
