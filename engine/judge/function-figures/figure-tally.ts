import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import { durationClasses } from '../../../protocol/figures.ts';
import type { FunctionInfo } from '../../read/functions/function-table.ts';
import type { FunctionFigures, CulpritFigures, OwnParts, PresenceFigures } from './function-figures.ts';
import { LoadTally } from './module-load.ts';
import { LongPaths, PathFinder } from './cut-paths.ts';
import { mayBeMore, isEstimated } from './estimates.ts';
import type { BridgedSamples, Operation } from '../../cut/operations/operation.ts';
import { firstFunctionNode, metaNodes } from '../../read/samples/call-tree.ts';
import { type SampleStream, type Test, testKey } from '../../read/samples/sample-stream.ts';
import type { TreeFacts } from '../../cut/streams/tree-facts.ts';
import { Sums, type OperationTree, type PreparedStream } from './operation-tree.ts';
import { groupBy } from '../../basics/lists.ts';
import { NumberList } from '../../basics/number-list.ts';
import type { Kernel } from '../../basics/kernel/kernel.ts';

export class FigureTally {
  readonly times: TimeTally;
  readonly paths: PathFinder;
  readonly presences: PresenceTally;
  readonly background: PresenceTally;
  readonly load: LoadTally;
  readonly #functions: readonly FunctionInfo[];

  constructor(functions: readonly FunctionInfo[], kernel: Kernel, threshold: Microseconds) {
    this.#functions = functions;
    this.times = new TimeTally(functions);
    this.paths = new PathFinder(functions);
    const { length } = functions;
    [this.presences, this.background] = [
      new PresenceTally(kernel, length, 0, new LongPaths(length, this.paths, threshold)),
      new PresenceTally(kernel, length, length, new LongPaths(length, this.paths, threshold)),
    ];
    this.load = new LoadTally(functions);
  }

  /** The figures of each function, by id. `isOnLoop` is false for operations of background threads. */
  figures(ownParts: OwnParts, isOnLoop: readonly boolean[]): readonly FunctionFigures[] {
    const { self, total, gc, load } = this.times;
    const culpritsOf = culpritsByThreads(ownParts, isOnLoop);
    return this.#functions.map(({ id }) => ({
      self: microseconds(self[id] ?? 0),
      total: microseconds(total[id] ?? 0),
      gc: microseconds(gc[id] ?? 0),
      load: microseconds(load[id] ?? 0),
      presence: this.presences.of(id),
      background: this.background.of(id),
      ...culpritsOf(id),
    }));
  }
}

/** Gives the figures of a function's own parts. `isOnLoop`: false for operations of background threads, by number. */
export function culpritsByThreads(
  ownParts: OwnParts,
  isOnLoop: readonly boolean[],
): (functionId: number) => Pick<FunctionFigures, 'culprit' | 'backgroundCulprit'> {
  const [culprits, grey] = [true, false].map((is) =>
    culpritFigures(
      ownParts,
      ownParts.numbersOf((part) => isOnLoop[ownParts.operationOf(part)] === is),
    ),
  );
  return (id) => ({ culprit: culprits?.get(id) ?? null, backgroundCulprit: grey?.get(id) ?? null });
}

/** Figures of the own parts of these numbers, by function. */
export function culpritFigures(ownParts: OwnParts, numbers: Iterable<number>): ReadonlyMap<number, CulpritFigures> {
  const byFunction = groupBy(numbers, (number) => ownParts.functionOf(number));
  return new Map([...byFunction].map(([id, its]) => [id, figuresOf(ownParts, its)]));
}

/** Figures of own parts, of which there is at least one. All own parts are over the threshold, so each counts. */
function figuresOf(ownParts: OwnParts, numbers: readonly number[]): CulpritFigures {
  const heavier = (a: number, b: number): number => (ownParts.weightOf(b) > ownParts.weightOf(a) ? b : a);
  const worst = numbers.reduce(heavier);
  const warm = numbers.filter((number) => !ownParts.isCold(number));
  const weight = ownParts.weightOf(worst);
  const paths = new Set<number>();
  for (const number of numbers) for (const place of ownParts.placesOf(number)) paths.add(ownParts.places.pathOf(place));
  const isLoading = numbers.every((number) => ownParts.isCold(number) && ownParts.loadedOf(number) !== null);
  return {
    worst: weight,
    worstWarm: warm.length === 0 ? microseconds(0) : ownParts.weightOf(warm.reduce(heavier)),
    samples: ownParts.samplesOf(worst),
    estimated: ownParts.isEstimated(worst) || numbers.some((number) => mayBeMore(weight, ownParts.mostOf(number))),
    longCount: numbers.length,
    waited: ownParts.waitedOf(worst),
    loaded: isLoading ? ownParts.loadedOf(worst) : null,
    distinctStacks: paths.size,
  };
}

/** Times over the whole recording, each sample once, in µs by function id. */
class TimeTally {
  readonly self: Sums;
  readonly total: Sums;
  /** Garbage collection within `self`. */
  readonly gc: Sums;
  /** Time within `total` that was under a loader frame deeper than the function. */
  readonly load: Sums;
  readonly #loaders: Uint8Array;

  constructor(functions: readonly FunctionInfo[]) {
    const sums = (): Sums => new Sums(functions.length);
    [this.self, this.total, this.gc, this.load] = [sums(), sums(), sums(), sums()];
    this.#loaders = Uint8Array.from(functions, (fn) => Number(fn.loader));
  }

  /**
   * Adds an isolate. Gives `firstSeen`: its first sample with a function on the stack, by function id, −1 for none;
   * `selfTime`: time of each node's own samples in µs; `collections`: numbers of the samples that were collections,
   * ascending.
   */
  add({ tree }: SampleStream, bridged: BridgedSamples, { outermost }: TreeFacts) {
    const { parent, functionId, size } = tree;
    const { self, gc, first, collections } = sampledNodes(size, bridged);
    const [below, load] = [new Sums(size), new Sums(size)];
    const firstSeen = new Int32Array(this.self.length).fill(-1);
    // This goes from the leaves up: when it reaches a node, all that is below the node has been added to it.
    for (let node = size - 1; node >= firstFunctionNode; node--) {
      const above = parent[node] ?? 0;
      const fn = functionId[node] ?? 0;
      this.self.add(fn, self[node] ?? 0);
      this.gc.add(fn, gc[node] ?? 0);
      const weight = (self[node] ?? 0) + (below[node] ?? 0);
      const underLoader = load[node] ?? 0;
      const firstHere = first[node] ?? -1;
      below.add(above, weight);
      load.add(above, this.#loaders[fn] === 1 ? weight : underLoader);
      first[above] = earlier(first[above] ?? -1, firstHere);
      if (outermost[node] === 0) continue;
      this.total.add(fn, weight);
      this.load.add(fn, underLoader);
      firstSeen[fn] = earlier(firstSeen[fn] ?? -1, firstHere);
    }
    return { firstSeen, selfTime: self, collections };
  }
}

/** By node: weight of its own samples and of the collections among them, in µs, and its first sample (−1 for none). */
function sampledNodes(size: number, { nodes, sampled, weights }: BridgedSamples) {
  const [self, gc] = [new Sums(size), new Sums(size)];
  const first = new Int32Array(size).fill(-1);
  const collections = new NumberList();
  weights.addTo(self, nodes);
  // From the last one down, so that nothing has to be asked: there may be millions.
  for (let sample = nodes.length - 1; sample >= 0; sample--) first[nodes[sample] ?? 0] = sample;
  // Collections are few, and most of them follow each other.
  for (let sample = sampled.indexOf(metaNodes.gc); sample !== -1; sample = sampled.indexOf(metaNodes.gc, sample)) {
    for (; sampled[sample] === metaNodes.gc; sample++) {
      gc.add(nodes[sample] ?? 0, weights.at(sample));
      collections.push(sample);
    }
  }
  return { self, gc, first, collections: collections.toInt32() };
}

/** The lower of two sample numbers; −1 means none. */
function earlier(a: number, b: number): number {
  if (a === -1) return b;
  return b === -1 ? a : Math.min(a, b);
}

/** How far the presence of a function in an operation may be wrong, in µs. */
type MarginOf = (functionId: number) => number;

/**
 * Tallies how long each function, with all that it calls, held the loop in one operation, by function id. A profile of a
 * few seconds can have a million presences: an object for each doubled the time. What changes with each presence is in
 * the kernel.
 */
class PresenceTally {
  readonly #kernel: Kernel;
  /** The kernel's figure of the first function. */
  readonly #firstFigure: number;
  readonly #longPaths: LongPaths;
  readonly #worstSamples: Int32Array;
  readonly #estimated: Uint8Array;
  readonly #longCount: Int32Array;
  readonly #countedPaths = new Set<number>();
  readonly #stacks: Int32Array;
  /** Tests by function. Each test counts once, whatever processes it ran in. */
  readonly #tests = new Map<number, Map<string, Test>>();

  constructor(kernel: Kernel, functions: number, firstFigure: number, longPaths: LongPaths) {
    this.#kernel = kernel;
    this.#firstFigure = firstFigure;
    this.#longPaths = longPaths;
    this.#worstSamples = new Int32Array(functions);
    this.#estimated = new Uint8Array(functions);
    this.#longCount = new Int32Array(functions);
    this.#stacks = new Int32Array(functions);
  }

  /** Adds the operation that the kernel weighed last. `marginOf` is null where its parts have no margin. */
  add(operation: Operation, tree: OperationTree, prepared: PreparedStream, marginOf: MarginOf | null): void {
    const { start, held, firstSample, lastSample } = operation;
    const { calls, functions } = this.#kernel;
    const isNews = calls.countPresences(start, held, firstSample, lastSample, this.#firstFigure) === 1;
    if (marginOf !== null) this.#addMargins(operation, marginOf);
    if (!isNews) return;
    if (calls.numberOfWorst() > 0) {
      calls.countSamples();
      this.#setWorst(operation, marginOf, prepared.stream.interval);
    }
    const longCount = calls.numberOfLong();
    if (longCount === 0) return;
    const { long } = functions;
    this.#longPaths.each(long, longCount, tree, prepared, (path, fn) => {
      if (this.#countedPaths.has(path)) return;
      this.#countedPaths.add(path);
      this.#stacks[fn] = (this.#stacks[fn] ?? 0) + 1;
    });
    for (let at = 0; at < longCount; at++) this.#countLong(long[at] ?? 0, operation.test);
  }

  /** The presences of the last operation may have been longer than they were. */
  #addMargins({ held }: Operation, marginOf: MarginOf): void {
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
  #setWorst(operation: Operation, marginOf: MarginOf | null, interval: Microseconds): void {
    const { worst, functionWeights, functionSamples, functionLongest } = this.#kernel.functions;
    const count = this.#kernel.calls.numberOfWorst();
    for (let at = 0; at < count; at++) {
      const fn = worst[at] ?? 0;
      const [weight, samples, longest] = [functionWeights[fn] ?? 0, functionSamples[fn] ?? 0, functionLongest[fn] ?? 0];
      const evidence = { weight, samples, longest, margin: marginOf?.(fn) ?? 0 };
      this.#worstSamples[fn] = samples;
      this.#estimated[fn] = Number(isEstimated(operation, evidence, interval));
    }
  }

  /** Counts a function that was over the threshold in one operation, and the test that ran there. */
  #countLong(fn: number, test: Test | null): void {
    this.#longCount[fn] = (this.#longCount[fn] ?? 0) + 1;
    if (test === null) return;
    const known = this.#tests.get(fn) ?? new Map<string, Test>();
    this.#tests.set(fn, known.set(testKey(test), test));
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
