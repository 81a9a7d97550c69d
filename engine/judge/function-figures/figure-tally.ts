import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { FunctionInfo } from '../../read/functions/function-table.ts';
import type { FunctionFigures, CulpritFigures } from './function-figures.ts';
import type { OwnParts } from './own-parts.ts';
import { type LoadTally, createLoadTally } from './module-load.ts';
import { type PathFinder, createPathFinder } from './cut-paths.ts';
import { type PresenceTally, createPresenceTally } from './presence-tally.ts';
import { mayBeMore } from './estimates.ts';
import type { BridgedSamples } from '../../cut/operations/operation.ts';
import { firstFunctionNode, metaNodes } from '../../read/samples/call-tree.ts';
import type { SampleStream } from '../../read/samples/sample-stream.ts';
import type { TreeFacts } from '../../cut/streams/tree-facts.ts';
import { Sums } from './sums.ts';
import { groupBy } from '../../basics/lists.ts';
import { NumberList } from '../../basics/number-list.ts';
import type { Kernel } from '../../basics/kernel/kernel.ts';

/** Sums over all operations and isolates. */
export interface FigureTally {
  readonly times: TimeTally;
  readonly presences: PresenceTally;
  readonly background: PresenceTally;
  readonly load: LoadTally;
  readonly paths: PathFinder;
  /** The figures of each function, by id. `isOnLoop` tells for each operation whether somebody waits for its loop. */
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
    const first = ownParts.firstPlaceOf(number);
    const end = first + ownParts.placeCountOf(number);
    for (let place = first; place < end; place++) paths.add(places.pathOf(place));
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

/**
 * By node: weight of its own samples, and of collections among them, in µs, and the number of the first one (−1 for
 * none).
 */
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

/** The lower of two sample numbers, where −1 stands for none. */
function earlier(a: number, b: number): number {
  if (a === -1) return b;
  return b === -1 ? a : Math.min(a, b);
}
