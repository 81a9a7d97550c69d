import type { FunctionInfo } from '../../read/functions/function-table.ts';
import type { FunctionFigures, CulpritFigures, PresenceFigures, OwnParts } from './function-figures.ts';
import { type LoadTally, createLoadTally } from './module-load.ts';
import { type PathFinder, createPathFinder, createLongPathFinder } from './cut-paths.ts';
import { mayBeMore, isEstimated } from './estimates.ts';
import type { BridgedSamples, Operation } from '../../cut/operations/operation.ts';
import { firstFunctionNode, metaNodes } from '../../read/samples/call-tree.ts';
import type { SampleStream, Test } from '../../read/samples/sample-stream.ts';
import type { TreeFacts } from '../../cut/streams/tree-facts.ts';
import { Sums, type OperationTree, type PreparedStream } from './operation-tree.ts';
import { groupBy } from '../../basics/lists.ts';
import { NumberList } from '../../basics/number-list.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import { durationClasses } from '../../../protocol/figures.ts';
import type { Kernel } from '../../basics/kernel/kernel.ts';

/** Sums over all operations and isolates. */
export interface FigureTally {
  readonly times: TimeTally;
  readonly presences: PresenceTally;
  readonly background: PresenceTally;
  readonly load: LoadTally;
  readonly paths: PathFinder;
  /** The figures of each function, by id. `isOnLoop` is false for operations of background threads. */
  readonly figures: (ownParts: OwnParts, isOnLoop: readonly boolean[]) => readonly FunctionFigures[];
}

export function createFigureTally(
  functions: readonly FunctionInfo[],
  kernel: Kernel,
  threshold: Microseconds,
): FigureTally {
  const times = createTimeTally(functions);
  const paths = createPathFinder(functions);
  const tallied = { functionCount: functions.length, lastOf: paths.lastOf, threshold };
  const presences = createPresenceTally(kernel, { ...tallied, firstFigure: 0 });
  const background = createPresenceTally(kernel, { ...tallied, firstFigure: functions.length });
  return {
    times,
    presences,
    background,
    load: createLoadTally(functions),
    paths,
    figures: (ownParts, isOnLoop) => {
      const isLoop = (part: number): boolean => isOnLoop[ownParts.operationOf(part)] === true;
      const culprits = culpritFigures(ownParts, ownParts.numbersOf(isLoop));
      const grey = culpritFigures(
        ownParts,
        ownParts.numbersOf((part) => !isLoop(part)),
      );
      const { self, total, gc, load } = times.times;
      return functions.map(({ id }) => ({
        self: microseconds(self[id] ?? 0),
        total: microseconds(total[id] ?? 0),
        gc: microseconds(gc[id] ?? 0),
        load: microseconds(load[id] ?? 0),
        presence: presences.figuresOf(id),
        background: background.figuresOf(id),
        culprit: culprits.get(id) ?? null,
        backgroundCulprit: grey.get(id) ?? null,
      }));
    },
  };
}

/** Figures of the own parts of these numbers, by function. */
export function culpritFigures(ownParts: OwnParts, numbers: Iterable<number>): ReadonlyMap<number, CulpritFigures> {
  const byFunction = groupBy(numbers, (number) => ownParts.functionOf(number));
  return new Map([...byFunction].map(([id, its]) => [id, figuresOf(ownParts, its)]));
}

/** Figures of own parts, of which there is at least one. All own parts are over the threshold, so each counts. */
function figuresOf(ownParts: OwnParts, numbers: readonly number[]): CulpritFigures {
  const { places } = ownParts;
  const heavier = (a: number, b: number): number => (ownParts.weightOf(b) > ownParts.weightOf(a) ? b : a);
  const worst = numbers.reduce(heavier);
  const warm = numbers.filter((number) => !ownParts.isCold(number));
  const weight = ownParts.weightOf(worst);
  const paths = new Set<number>();
  for (const number of numbers) {
    for (const place of ownParts.placesOf(number)) paths.add(places.pathOf(place));
  }
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
interface FunctionTimes {
  readonly self: Float64Array;
  readonly total: Float64Array;
  /** Garbage collection within `self`. */
  readonly gc: Float64Array;
  /** Time within `total` that was under a loader frame deeper than the function. */
  readonly load: Float64Array;
}

interface TimeTally {
  readonly add: (stream: SampleStream, bridged: BridgedSamples, facts: TreeFacts) => IsolateTimes;
  readonly times: FunctionTimes;
}

interface IsolateTimes {
  /** Number of the first sample with the function on its stack, by function id; −1 where there is none. */
  readonly firstSeen: Int32Array;
  /** Time of the node's own samples in µs, by node. */
  readonly selfTime: Float64Array;
  /** Numbers of the samples that were collections, ascending. */
  readonly collections: Int32Array;
}

function createTimeTally(functions: readonly FunctionInfo[]): TimeTally {
  const self = new Sums(functions.length);
  const total = new Sums(functions.length);
  const gc = new Sums(functions.length);
  const load = new Sums(functions.length);
  const loaders = Uint8Array.from(functions, (fn) => Number(fn.loader));
  return {
    times: { self, total, gc, load },
    add: (stream, bridged, facts) => {
      const { parent, functionId, size } = stream.tree;
      const byNode = sampledNodes(stream, bridged);
      const firstSeen = new Int32Array(functions.length).fill(-1);
      // This goes from the leaves up: when it reaches a node, all that is below the node has been added to it.
      for (let node = size - 1; node >= firstFunctionNode; node--) {
        const above = parent[node] ?? 0;
        const fn = functionId[node] ?? 0;
        self.add(fn, byNode.self[node] ?? 0);
        gc.add(fn, byNode.gc[node] ?? 0);
        const weight = (byNode.self[node] ?? 0) + (byNode.below[node] ?? 0);
        const underLoader = byNode.load[node] ?? 0;
        const first = byNode.first[node] ?? -1;
        byNode.below.add(above, weight);
        byNode.load.add(above, loaders[fn] === 1 ? weight : underLoader);
        byNode.first[above] = earlier(byNode.first[above] ?? -1, first);
        if (facts.outermost[node] === 0) continue;
        total.add(fn, weight);
        load.add(fn, underLoader);
        firstSeen[fn] = earlier(firstSeen[fn] ?? -1, first);
      }
      return { firstSeen, selfTime: byNode.self, collections: byNode.collections };
    },
  };
}

/** By node: weight of its own samples and of the collections among them, in µs, and its first sample (−1 for none). */
function sampledNodes({ tree }: SampleStream, { nodes, sampled, weights }: BridgedSamples) {
  const self = new Sums(tree.size);
  const gc = new Sums(tree.size);
  const first = new Int32Array(tree.size).fill(-1);
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
  return { self, gc, first, collections: collections.toInt32(), below: new Sums(tree.size), load: new Sums(tree.size) };
}

/** The lower of two sample numbers; −1 means none. */
function earlier(a: number, b: number): number {
  if (a === -1) return b;
  return b === -1 ? a : Math.min(a, b);
}

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

function createPresenceTally(
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
 * Growing figures by function id. A profile of a few seconds can have a million presences: an object for each doubled
 * the time. What changes with each presence is in the kernel.
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
