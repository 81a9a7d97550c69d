import type { JudgedRun } from '../hotspots/judged-run.ts';
import { isBundleBody } from '../functions/function-table.ts';
import type { SourceMapper } from '../sourcemap/source-mapper.ts';
import { type CulpritSource, createCulpritSource } from './culprit-source.ts';
import type { PlacedPart } from './line-figures.ts';
import { type SeenAtPlace, partsOfPlace } from './line-parts.ts';
import { originsOfTicks } from './line-shares.ts';
import { type SelfSamples, type Ticks, noSamples, selfSamplesOf, type SeenLines, seenLinesOf } from './line-samples.ts';
import type { SourceIndexes } from '../source-code/source-indexes.ts';
import type { CallTree } from '../samples/call-tree.ts';
import type { OwnPart } from '../function-figures/function-figures.ts';

export type Found = Pick<
  JudgedRun,
  'thresholdUs' | 'functions' | 'streams' | 'bridged' | 'operations' | 'figures' | 'ownParts'
>;

export async function placedParts(
  found: Found,
  mapper: Pick<SourceMapper, 'lines'> | null,
  indexes: SourceIndexes,
): Promise<readonly PlacedPart[]> {
  const { functions: table, operations, ownParts } = found;
  const samples = samplesOfCulprits(found);
  const ticks = ticksByFunction(samples, found);
  const seen = seenInOwnParts(found);
  const calls = mapper === null ? [] : await callsInBundles(ticks, table, indexes);
  const origins = await originsOfTicks([...[...ticks.values()].flat(), ...ticksOfSeen(seen), ...calls], table, mapper);
  const sources = new Map<number, CulpritSource>();
  const callees = calleesOf(ownParts);
  for (const [functionId, own] of ticks) {
    const fn = table.functions[functionId];
    if (fn === undefined) continue;
    const called = callees.get(functionId) ?? new Set();
    sources.set(functionId, await createCulpritSource(fn, own, called, indexes, table, origins));
  }
  const ways = waysToOwnParts(found);
  return ownParts.flatMap((whole, number) => {
    const { operation, functionId, places } = whole;
    const here = samples[operations[operation]?.stream ?? -1];
    const culprit = sources.get(functionId);
    if (culprit === undefined) return [];
    return places.flatMap((place) => {
      const towards = [...(ways.get(operation)?.get(place.node) ?? [])].flatMap((id) => table.functions[id] ?? []);
      const all = seen[number] ?? null;
      const ticked = all === null ? null : (all.get(place.node) ?? nothingSeen);
      const parts = partsOfPlace(place, here?.get(place.node) ?? noSamples, culprit, towards, ticked, table);
      return parts.map((part) => ({ ...part, functionId, operation, path: place.path, whole }));
    });
  });
}

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
function calleesOf(ownParts: readonly OwnPart[]): ReadonlyMap<number, ReadonlySet<number>> {
  const called = new Map<number, Set<number>>();
  for (const { functionId, places } of ownParts) {
    const here = called.get(functionId) ?? new Set();
    called.set(functionId, here);
    for (const { callees } of places) for (const callee of callees) here.add(callee.functionId);
  }
  return called;
}

const nothingSeen: SeenAtPlace = new Map();

/** Lines seen in ticks, one for each own part; null for those in profiles, which show none. */
function seenInOwnParts({ ownParts, operations, streams }: Found): readonly (SeenLines | null)[] {
  return ownParts.map(({ operation: number, places }) => {
    const operation = operations[number];
    const stream = streams[operation?.stream ?? -1];
    if (operation === undefined || stream === undefined) return null;
    return seenLinesOf(stream, operation, new Set(places.map(({ node }) => node)));
  });
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
  bridged,
  functions,
}: Found): readonly ReadonlyMap<number, SelfSamples>[] {
  const culprits = new Set(ownParts.map(({ functionId }) => functionId));
  if (culprits.size === 0) return []; // Without culprits, there is no need to look at every node and sample.
  return streams.map((stream, index) => {
    const samples = bridged[index];
    return samples === undefined ? new Map() : selfSamplesOf(stream, samples, (id) => culprits.has(id), functions);
  });
}

/** Samples by line of each culprit, over all isolates and stacks. */
function ticksByFunction(
  samples: readonly ReadonlyMap<number, SelfSamples>[],
  { ownParts, streams }: Found,
): ReadonlyMap<number, readonly Ticks[]> {
  const ticks = new Map<number, Ticks[]>(ownParts.map(({ functionId }) => [functionId, []]));
  for (const [index, nodes] of samples.entries()) {
    for (const [node, own] of nodes) {
      const all = ticks.get(streams[index]?.tree.functionId[node] ?? -1);
      for (const tick of own.ticks) all?.push(tick);
    }
  }
  return ticks;
}

/** The functions called directly from a node on the path to an own part of the operation, by operation and node. */
type Ways = ReadonlyMap<number, ReadonlyMap<number, ReadonlySet<number>>>;

function waysToOwnParts({
  ownParts,
  operations,
  streams,
}: Pick<JudgedRun, 'ownParts' | 'operations' | 'streams'>): Ways {
  const ways = new Map<number, Map<number, Set<number>>>();
  for (const { operation, places } of ownParts) {
    const tree = streams[operations[operation]?.stream ?? -1]?.tree;
    const here = ways.get(operation) ?? new Map<number, Set<number>>();
    ways.set(operation, here);
    if (tree !== undefined) for (const { node } of places) markWay(node, tree, here);
  }
  return ways;
}

/** Marks the path from a node upwards, up to where it is marked already. */
function markWay(node: number, { parent, functionId }: CallTree, ways: Map<number, Set<number>>): void {
  for (let at = node; at > 0;) {
    const caller = parent[at] ?? 0;
    const called = ways.get(caller) ?? new Set();
    ways.set(caller, called);
    const callee = functionId[at] ?? -1;
    if (called.has(callee)) return;
    called.add(callee);
    at = caller;
  }
}
