import type { JudgedRun } from '../hotspots/judged-run.ts';
import { isBundleBody } from '../../read/functions/function-table.ts';
import type { SourceMapper } from '../../read/sourcemap/source-mapper.ts';
import { createCulpritSource } from './culprit-source.ts';
import { PlacedParts } from './line-figures.ts';
import { type LinePart, type SeenAtPlace, type SplitPlace, createSplitPlace } from './line-parts.ts';
import { type LineOrigins, originsOfTicks } from './line-shares.ts';
import { type SelfSamples, type Ticks, noSamples, selfSamplesOf, type SeenLines, seenLinesOf } from './line-samples.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import { type CallTree, firstFunctionNode } from '../../read/samples/call-tree.ts';
import type { OwnParts } from '../function-figures/own-parts.ts';

export type Found = Pick<
  JudgedRun,
  'thresholdUs' | 'functions' | 'streams' | 'selfTimes' | 'operations' | 'figures' | 'ownParts'
>;

export async function placedParts(
  found: Found,
  mapper: Pick<SourceMapper, 'lines'> | null,
  indexes: SourceIndexes,
): Promise<PlacedParts> {
  const { functions: table, operations, ownParts } = found;
  const samples = samplesOfCulprits(found);
  const ticks = ticksByFunction(samples, found);
  const seen = seenInOwnParts(found);
  const calls = mapper === null ? [] : await callsInBundles(ticks, table, indexes);
  const origins = await originsOfTicks([...[...ticks.values()].flat(), ...ticksOfSeen(seen), ...calls], table, mapper);
  const { splits, awaiting } = await splitsOf(ticks, ownParts, indexes, table, origins);
  const waysOf = createWays(found);
  const { places } = ownParts;
  const placed = new PlacedParts(ownParts);
  let [number, path] = [0, 0];
  const add = (part: LinePart, weight: number): void => placed.add(part, weight, path, number);
  for (; number < ownParts.size; number++) {
    const id = ownParts.functionOf(number);
    const split = splits.get(id);
    if (split === undefined) continue;
    const stream = operations[ownParts.operationOf(number)]?.stream ?? -1;
    const here = samples[stream];
    const ways = waysOf(number);
    const all = seen[number] ?? null;
    const first = ownParts.firstPlaceOf(number);
    for (let place = first; place < first + ownParts.placeCountOf(number); place++) {
      const node = places.nodeOf(place);
      path = places.pathOf(place);
      const isFirst = awaiting.has(id) && isCalled(node, stream, found);
      const own = { place, samples: here?.get(node) ?? noSamples, towards: ways.get(node) ?? noFunctions, isFirst };
      split(own, all === null ? null : (all.get(node) ?? nothingSeen), add);
    }
  }
  return placed;
}

const noFunctions: ReadonlySet<number> = new Set();

/** How places of each culprit are split over lines, and the culprits whose text has an `await`. */
async function splitsOf(
  ticks: ReadonlyMap<number, readonly Ticks[]>,
  ownParts: OwnParts,
  indexes: SourceIndexes,
  table: Found['functions'],
  origins: LineOrigins,
): Promise<{ readonly splits: ReadonlyMap<number, SplitPlace>; readonly awaiting: ReadonlySet<number> }> {
  const splits = new Map<number, SplitPlace>();
  const awaiting = new Set<number>();
  const callees = calleesOf(ownParts);
  for (const [functionId, own] of ticks) {
    const fn = table.functions[functionId];
    if (fn === undefined) continue;
    const called = callees.get(functionId) ?? new Set();
    const source = await createCulpritSource(fn, own, called, indexes, table, origins);
    splits.set(functionId, createSplitPlace(source, table, ownParts.places));
    if (source.hasAwaits) awaiting.add(functionId);
  }
  return { splits, awaiting };
}

/**
 * Whether a node stands directly below a function that called it. What goes on after an `await` does not: it stands at the
 * top, or below what runs microtasks. Functions of Node, and such as run the steps of a generator, may do that.
 */
function isCalled(node: number, stream: number, { streams, functions: { functions } }: Found): boolean {
  const tree = streams[stream]?.tree;
  const above = tree?.parent[node] ?? 0;
  const caller = above < firstFunctionNode ? undefined : functions[tree?.functionId[above] ?? -1];
  return caller !== undefined && !/^(node|native|other)$/.test(caller.kind) && !stepsOfGenerators.test(caller.name);
}

const stepsOfGenerators =
  /^(step|_?next|_?throw|fulfilled|rejected|adopt|asyncGeneratorStep|__awaiter|_asyncToGenerator)$/;

/** The lines with calls in the bodies of bundles. Source maps are asked for the source lines of these. */
async function callsInBundles(
  culprits: ReadonlyMap<number, readonly Ticks[]>,
  { functions, frames }: Found['functions'],
  indexes: SourceIndexes,
): Promise<readonly Ticks[]> {
  const calls: Ticks[] = [];
  for (const id of culprits.keys()) {
    const fn = functions[id];
    if (fn === undefined || !isBundleBody(fn)) continue;
    const body = (await indexes.of(fn.url))?.functions[0];
    const frame = frames.findIndex(({ functionId }) => functionId === id);
    for (const { line } of body?.calls ?? []) calls.push({ frame, line, count: 0 });
  }
  return calls;
}

/** The functions that a culprit called and in which its own parts were spent, by the culprit's id. */
function calleesOf(ownParts: OwnParts): ReadonlyMap<number, ReadonlySet<number>> {
  const { places } = ownParts;
  const called = new Map<number, Set<number>>();
  for (let part = 0; part < ownParts.size; part++) {
    const functionId = ownParts.functionOf(part);
    const here = called.get(functionId) ?? new Set();
    called.set(functionId, here);
    const first = ownParts.firstPlaceOf(part);
    const end = places.firstCalleeOf(first + ownParts.placeCountOf(part));
    for (let callee = places.firstCalleeOf(first); callee < end; callee++) here.add(places.functionOf(callee));
  }
  return called;
}

const nothingSeen: SeenAtPlace = new Map();

/** Lines seen in ticks, one for each own part; null for those in profiles, which show none. */
function seenInOwnParts({ ownParts, operations, streams }: Found): readonly (SeenLines | null)[] {
  if (streams.every(({ tiered }) => tiered === null)) return [];
  return Array.from({ length: ownParts.size }, (_, part) => {
    const operation = operations[ownParts.operationOf(part)];
    const stream = streams[operation?.stream ?? -1];
    if (operation === undefined || stream === undefined) return null;
    return seenLinesOf(stream, operation, new Set(nodesOf(part, ownParts)));
  });
}

/** Nodes at which an own part was taken. */
function nodesOf(part: number, ownParts: OwnParts): readonly number[] {
  const first = ownParts.firstPlaceOf(part);
  return Array.from({ length: ownParts.placeCountOf(part) }, (_, place) => ownParts.places.nodeOf(first + place));
}

function ticksOfSeen(seen: readonly (SeenLines | null)[]): readonly Ticks[] {
  return seen.flatMap((own) =>
    [...(own?.values() ?? [])].flatMap((byCallee) => [...byCallee.values()].flatMap(({ ticks }) => ticks)),
  );
}

/** Samples of the culprits of each isolate, by node. */
function samplesOfCulprits({
  ownParts,
  streams,
  selfTimes,
  functions,
}: Found): readonly ReadonlyMap<number, SelfSamples>[] {
  const culprits = culpritsOf(ownParts);
  if (culprits.size === 0) return []; // Without culprits, there is no need to look at every node and sample.
  return streams.map((stream, index) => {
    const times = selfTimes[index];
    return times === undefined ? new Map() : selfSamplesOf(stream, times, (id) => culprits.has(id), functions);
  });
}

/** Ids of the culprits, in the order in which they come first. */
function culpritsOf(ownParts: OwnParts): ReadonlySet<number> {
  const culprits = new Set<number>();
  for (let part = 0; part < ownParts.size; part++) culprits.add(ownParts.functionOf(part));
  return culprits;
}

/** Samples by line of each culprit, over all isolates and stacks. */
function ticksByFunction(
  samples: readonly ReadonlyMap<number, SelfSamples>[],
  { ownParts, streams }: Found,
): ReadonlyMap<number, readonly Ticks[]> {
  const ticks = new Map(Array.from(culpritsOf(ownParts), (id): [number, Ticks[]] => [id, []]));
  for (const [index, nodes] of samples.entries()) {
    for (const [node, own] of nodes) {
      const all = ticks.get(streams[index]?.tree.functionId[node] ?? -1);
      for (const tick of own.ticks) all?.push(tick);
    }
  }
  return ticks;
}

/** The functions called directly from an own part's node on the path to another one of the same operation, by node. */
type Ways = ReadonlyMap<number, ReadonlySet<number>>;

/** Gives the ways of the operation of an own part, by the part's number. Parts are asked for in their order. */
function createWays({ ownParts, operations, streams }: Pick<JudgedRun, 'ownParts' | 'operations' | 'streams'>) {
  let known = { operation: -1, ways: noWays };
  return (number: number): Ways => {
    const operation = ownParts.operationOf(number);
    if (known.operation === operation) return known.ways;
    const isAlone = ownParts.operationOf(number + 1) !== operation && ownParts.placeCountOf(number) === 1;
    if (isAlone) return noWays;
    const nodes: number[] = [];
    for (let at = number; ownParts.operationOf(at) === operation; at++)
      for (const node of nodesOf(at, ownParts)) nodes.push(node);
    const tree = streams[operations[operation]?.stream ?? -1]?.tree;
    known = { operation, ways: tree === undefined ? noWays : waysIn(nodes, tree) };
    return known.ways;
  };
}

const noWays: Ways = new Map();

/** Goes from each place upwards, up to where it has been already. */
function waysIn(nodes: readonly number[], { parent, functionId }: CallTree): Ways {
  const ways = new Map(nodes.map((node) => [node, new Set<number>()]));
  const passed = new Set<number>();
  for (const node of nodes) {
    for (let at = node; at > 0 && !passed.has(at); at = parent[at] ?? 0) {
      passed.add(at);
      ways.get(parent[at] ?? 0)?.add(functionId[at] ?? -1);
    }
  }
  return ways;
}
