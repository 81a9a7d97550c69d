import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import type { FunctionFigures, CulpritFigures, OwnPart } from './function-figures.ts';
import { type LoadTally, createLoadTally } from './module-load.ts';
import { type PathFinder, createPathFinder } from './cut-paths.ts';
import { type PresenceTally, createPresenceTally } from './presence-tally.ts';
import { mayBeMore } from './estimates.ts';
import type { BridgedSamples } from '../operations/operation.ts';
import { firstFunctionNode, metaNodes } from '../samples/call-tree.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import type { TreeFacts } from '../streams/tree-facts.ts';
import { Sums } from './sums.ts';
import { groupBy } from '../basics/lists.ts';

/** Sums over all operations and isolates. */
export interface FigureTally {
  readonly times: TimeTally;
  readonly presences: PresenceTally;
  readonly background: PresenceTally;
  readonly load: LoadTally;
  readonly paths: PathFinder;
  /** The figures of each function, by id. `isOnLoop` tells for each operation whether somebody waits for its loop. */
  readonly figures: (ownParts: readonly OwnPart[], isOnLoop: readonly boolean[]) => readonly FunctionFigures[];
}

export function createFigureTally(functions: readonly FunctionInfo[], threshold: Microseconds): FigureTally {
  const times = createTimeTally(functions);
  const paths = createPathFinder(functions);
  const presences = createPresenceTally(functions.length, paths.lastOf, threshold);
  const background = createPresenceTally(functions.length, paths.lastOf, threshold);
  return {
    times,
    presences,
    background,
    load: createLoadTally(functions),
    paths,
    figures: (ownParts, isOnLoop) => {
      const culprits = culpritFigures(ownParts.filter((part) => isOnLoop[part.operation] === true));
      const grey = culpritFigures(ownParts.filter((part) => isOnLoop[part.operation] !== true));
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

/** Figures of these own parts, by function. */
export function culpritFigures(ownParts: readonly OwnPart[]): ReadonlyMap<number, CulpritFigures> {
  const byFunction = groupBy(ownParts, ({ functionId }) => functionId);
  return new Map([...byFunction].flatMap(([id, parts]) => figuresOf(parts).map((figures) => [id, figures] as const)));
}

/** Figures of own parts. All own parts are over the threshold, so each counts. Empty for no parts. */
function figuresOf(parts: readonly OwnPart[]): readonly CulpritFigures[] {
  const [first] = parts;
  if (first === undefined) return [];
  const paths = new Set<number>();
  for (const { places } of parts) for (const { path } of places) paths.add(path);
  const worst = parts.reduce((found, part) => (part.weight > found.weight ? part : found), first);
  return [
    {
      worst: worst.weight,
      worstWarm: largest(parts.filter((part) => !part.cold)),
      samples: worst.samples,
      estimated: worst.estimated || parts.some(({ most }) => mayBeMore(worst.weight, most)),
      longCount: parts.length,
      waited: worst.waited,
      loaded: parts.every(({ cold, loaded }) => cold && loaded !== null) ? worst.loaded : null,
      distinctStacks: paths.size,
    },
  ];
}

function largest(parts: readonly OwnPart[]): Microseconds {
  return parts.reduce((most, { weight }) => (weight > most ? weight : most), microseconds(0));
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
  /**
   * Adds one isolate, and gives the number of the first sample of each function in it, by function id; −1 where there
   * is none.
   */
  readonly add: (stream: SampleStream, bridged: BridgedSamples, facts: TreeFacts) => Int32Array;
  readonly times: FunctionTimes;
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
      return firstSeen;
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
  const { length } = nodes;
  for (let sample = 0; sample < length; sample++) {
    const node = nodes[sample] ?? 0;
    const weight = weights[sample] ?? 0;
    self[node] = (self[node] ?? 0) + weight;
    if (sampled[sample] === metaNodes.gc) gc.add(node, weight);
    if (first[node] === -1) first[node] = sample;
  }
  return { self, gc, first, below: new Sums(tree.size), load: new Sums(tree.size) };
}

/** The lower of two sample numbers, where −1 stands for none. */
function earlier(a: number, b: number): number {
  if (a === -1) return b;
  return b === -1 ? a : Math.min(a, b);
}
