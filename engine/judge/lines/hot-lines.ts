import type { OwnParts } from '../function-figures/function-figures.ts';
import type { FigureRuns } from '../../../protocol/figures.ts';
import { toLine1, type Line1, type Microseconds } from '../../../protocol/units.ts';
import { figuresOfLine, PlacedParts, type LineFigures } from './line-figures.ts';
import type { LineOrigins, SelfSamples, Ticks, SeenLines } from './line-shares.ts';
import { originsOfTicks, noSamples, selfSamplesOf, firstFrames, seenLinesOf } from './line-shares.ts';
import { firstDifference, compareTexts, groupBy } from '../../basics/lists.ts';
import { once } from '../../basics/once.ts';
import { isBackground } from '../../read/samples/sample-stream.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';
import { isBundleBody } from '../../read/functions/function-table.ts';
import type { SourceMapper } from '../../read/sourcemap/source-mapper.ts';
import { createCulpritSource, withSureCalls } from './culprit-source.ts';
import { inlinedSources, timesBelow } from './inlined-code.ts';
import { type LinePart, type SeenAtPlace, type SplitPlace, createSplitPlace } from './line-parts.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import { type CallTree, firstFunctionNode } from '../../read/samples/call-tree.ts';

/** One line of own code that holds the loop, with the figures of rule 16 (docs/definition.md). */
export interface HotLine extends Omit<LineFigures, 'longOperations' | 'paths'> {
  /** Same url as the function: the original's if a source map has it. */
  readonly url: string;
  readonly line: Line1;
  /** Number of operations in which its part is over the threshold. */
  readonly longCount: number;
  readonly distinctStacks: number;
  /** Ids of the culprits whose line it is, the one with the largest part on it first. */
  readonly functionIds: readonly number[];
  /** The largest part of each of them on this line. */
  readonly partsUs: readonly Microseconds[];
  /** True for the program's own workers and children: shown grey, and not counted. */
  readonly background: boolean;
  /** True if it has a mark: its long count is ≥ 1, or it represents a culprit none of whose lines has one. */
  readonly decorated: boolean;
  /** Only where several runs are shown together. */
  readonly runs?: FigureRuns;
}

/**
 * The lines of all culprits, by worst, then url and line; those of background threads are separate. `mapper` is null
 * without source maps. Source: docs/definition.md, rule 16.
 */
export async function hotLines(found: Found, read: ReadTexts): Promise<readonly HotLine[]> {
  const parts = await placedParts(found, read);
  const lines = [false, true].flatMap((background) => linesOfThreads(parts, found, background));
  return lines.toSorted((a, b) => firstDifference(b.worst - a.worst, compareTexts(a.url, b.url), a.line - b.line));
}

interface ReadTexts {
  readonly mapper: Pick<SourceMapper, 'lines'> | null;
  readonly indexes: SourceIndexes;
  /** The program ran before it was recorded: V8 does not tell what it had inlined. */
  readonly isAttached: boolean;
}

function linesOfThreads(placed: PlacedParts, found: Found, background: boolean): readonly HotLine[] {
  const { ownParts, operations, streams } = found;
  const isHere = streams.map((stream) => isBackground(stream) === background);
  if (!isHere.includes(true)) return [];
  const isOperationHere = (number: number): boolean => isHere[operations[number]?.stream ?? -1] === true;
  const groups = placed.byLine((number) => isOperationHere(placed.operationOf(number)));
  const all = linesOf(placed, groups, found, background);
  const partsHere = once(() => ownParts.numbersOf((part) => isOperationHere(ownParts.operationOf(part))));
  const standing = new Map(standIns(all, found, background, partsHere).map((line) => [line.functionIds[0], line]));
  if (standing.size === 0) return all.flatMap((line) => unite([line]));
  const others = groups.map((numbers) =>
    numbers.filter((number) => {
      const part = placed.partOf(number);
      const own = standing.get(placed.functionOf(number));
      return own?.line !== part?.line || own?.url !== part?.url;
    }),
  );
  const lines = [...linesOf(placed, others, found, background), ...standing.values()];
  return [...groupBy(lines, ({ url }) => url).values()]
    .flatMap((ofUrl) => [...groupBy(ofUrl, ({ line }) => line).values()])
    .flatMap(unite);
}

/** A line with its operations and paths. `stacks` is their number where the paths themselves are not known. */
interface OwnLine extends Omit<HotLine, 'longCount' | 'distinctStacks'> {
  readonly longOperations: readonly number[];
  readonly paths: ReadonlySet<number>;
  readonly stacks: number;
}

/** Lines from the numbers of their parts. Parts of several functions on one line are added up by operation. */
function linesOf(
  placed: PlacedParts,
  lines: readonly Int32Array[],
  found: Found,
  background: boolean,
): readonly OwnLine[] {
  const { thresholdUs } = found;
  return lines.flatMap((here) => {
    const first = placed.partOf(here[0] ?? -1);
    if (first === undefined) return [];
    const figures = figuresOfLine(placed, here, thresholdUs);
    const functions = byFunction(placed, here).map(([id, own]) => ({
      id,
      worst: own.length === here.length ? figures.worst : figuresOfLine(placed, own, thresholdUs).worst,
    }));
    const sorted = functions.toSorted((a, b) => firstDifference(b.worst - a.worst, a.id - b.id));
    const functionIds = sorted.map(({ id }) => id);
    const { url, line } = first;
    const { culprit, backgroundCulprit } = found.figures[functionIds[0] ?? -1] ?? {};
    // A line has the estimate mark of its function.
    const estimated = figures.estimated || (background ? backgroundCulprit : culprit)?.estimated === true;
    return [
      {
        ...figures,
        estimated,
        url,
        line,
        functionIds,
        partsUs: sorted.map(({ worst }) => worst),
        background,
        decorated: figures.longOperations.length > 0,
        stacks: 0,
      },
    ];
  });
}

/** Numbers of parts by culprit. Usually there is one. */
function byFunction(placed: PlacedParts, numbers: Int32Array): readonly (readonly [number, Int32Array])[] {
  const first = placed.functionOf(numbers[0] ?? -1);
  if (numbers.every((number) => placed.functionOf(number) === first)) return [[first, numbers]];
  const found = groupBy(numbers, (number) => placed.functionOf(number));
  return [...found].map(([id, own]) => [id, Int32Array.from(own)]);
}

/** First lines of culprits none of whose lines is over the threshold, with the figures of the function. */
function standIns(
  lines: readonly OwnLine[],
  { functions, figures, ownParts }: Found,
  background: boolean,
  partsHere: () => Int32Array,
): readonly OwnLine[] {
  const placed = new Set(lines.filter(({ decorated }) => decorated).flatMap(({ functionIds }) => functionIds));
  const parts = once(() => groupBy(partsHere(), (part) => ownParts.functionOf(part)));
  return functions.functions.flatMap((fn): readonly OwnLine[] => {
    const culprit = figures[fn.id]?.[background ? 'backgroundCulprit' : 'culprit'] ?? null;
    if (culprit === null || placed.has(fn.id) || fn.line < 0) return [];
    return [
      {
        url: fn.url,
        line: toLine1(fn.line),
        functionIds: [fn.id],
        partsUs: [culprit.worst],
        worst: culprit.worst,
        longOperations: (parts().get(fn.id) ?? []).map((part) => ownParts.operationOf(part)),
        stacks: culprit.distinctStacks,
        paths: new Set(),
        precision: 'shared',
        reason: { type: fn.byName ? 'foundByName' : 'wholeFunction' },
        estimated: true,
        waited: culprit.waited,
        inCalls: false,
        background,
        decorated: true,
      },
    ];
  });
}

/** Merges functions without known lines with others on their line: the largest worst, united operations and stacks. */
function unite(lines: readonly OwnLine[]): readonly HotLine[] {
  const all = lines.toSorted((a, b) =>
    firstDifference(b.worst - a.worst, (a.functionIds[0] ?? 0) - (b.functionIds[0] ?? 0)),
  );
  const [first] = all;
  if (first === undefined) return [];
  const { longOperations, paths: _, stacks, ...line } = first;
  if (all.length === 1)
    return [{ ...line, longCount: longOperations.length, distinctStacks: first.paths.size + stacks }];
  const paths = new Set(all.flatMap((own) => [...own.paths]));
  return [
    {
      ...line,
      longCount: new Set(all.flatMap((own) => own.longOperations)).size,
      distinctStacks: all.reduce((sum, own) => sum + own.stacks, paths.size),
      functionIds: all.flatMap(({ functionIds }) => functionIds),
      partsUs: all.flatMap(({ partsUs }) => partsUs),
      decorated: all.some(({ decorated }) => decorated),
    },
  ];
}

type Found = Pick<
  JudgedRun,
  'thresholdUs' | 'functions' | 'streams' | 'selfTimes' | 'operations' | 'figures' | 'ownParts'
>;

/** Splits all own parts over lines. */
async function placedParts(found: Found, read: ReadTexts): Promise<PlacedParts> {
  const { mapper, indexes } = read;
  const { functions: table, operations, ownParts } = found;
  const culprits = new Set(Array.from({ length: ownParts.size }, (_, part) => ownParts.functionOf(part)));
  const samples = samplesOf(culprits, found);
  const ticks = ticksByFunction(culprits, samples, found);
  const seen = seenInOwnParts(found);
  const calls = mapper === null ? [] : await callsInBundles(culprits, table, indexes);
  const origins = await originsOfTicks([...[...ticks.values()].flat(), ...ticksOfSeen(seen), ...calls], table, mapper);
  const { splits, awaiting } = await splitsOf(ticks, found, read, origins);
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
    const ways = waysOf(number);
    const all = seen[number] ?? null;
    for (const place of ownParts.placesOf(number)) {
      const node = places.nodeOf(place);
      path = places.pathOf(place);
      const isFirst = awaiting.has(id) && isCalled(node, stream, found);
      const self = samples[stream]?.get(node) ?? noSamples;
      const own = { place, samples: self, towards: ways.get(node) ?? noFunctions, isFirst };
      split(own, all === null ? null : (all.get(node) ?? nothingSeen), add);
    }
  }
  return placed;
}

const noFunctions: ReadonlySet<number> = new Set();

/** How places of each culprit are split over lines, and the culprits whose text has an `await`. */
async function splitsOf(
  ticks: ReadonlyMap<number, readonly Ticks[]>,
  found: Found,
  { indexes, isAttached }: ReadTexts,
  origins: LineOrigins,
): Promise<{ readonly splits: ReadonlyMap<number, SplitPlace>; readonly awaiting: ReadonlySet<number> }> {
  const splits = new Map<number, SplitPlace>();
  const awaiting = new Set<number>();
  const table = found.functions;
  const callees = calleesOf(found.ownParts);
  const below = timesBelow(new Set(ticks.keys()), found);
  const sources = inlinedSources(table, indexes);
  for (const [functionId, own] of ticks) {
    const fn = table.functions[functionId];
    if (fn === undefined) continue;
    const called = callees.get(functionId) ?? new Set();
    const times = below.get(functionId) ?? { called: new Map(), self: 0 };
    const source = await createCulpritSource(fn, own, { called, times, sources }, table, origins);
    const { places } = found.ownParts;
    splits.set(functionId, createSplitPlace(isAttached ? withSureCalls(source) : source, table, places));
    if (source.hasAwaits) awaiting.add(functionId);
  }
  return { splits, awaiting };
}

/**
 * Whether a function called this node directly. Code after an `await` runs at the top, below Node, or below helpers.
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
  culprits: ReadonlySet<number>,
  { functions, frames }: Found['functions'],
  indexes: SourceIndexes,
): Promise<readonly Ticks[]> {
  const calls: Ticks[] = [];
  for (const id of culprits) {
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
    for (const place of ownParts.placesOf(part))
      for (let callee = places.firstCalleeOf(place); callee < places.firstCalleeOf(place + 1); callee++)
        here.add(places.functionOf(callee));
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

function nodesOf(part: number, ownParts: OwnParts): readonly number[] {
  return ownParts.placesOf(part).map((place) => ownParts.places.nodeOf(place));
}

function ticksOfSeen(seen: readonly (SeenLines | null)[]): readonly Ticks[] {
  return seen.flatMap((own) =>
    [...(own?.values() ?? [])].flatMap((byCallee) => [...byCallee.values()].flatMap(({ ticks }) => ticks)),
  );
}

/** Samples of the culprits of each isolate, by node. */
function samplesOf(
  culprits: ReadonlySet<number>,
  { streams, selfTimes, functions }: Found,
): readonly ReadonlyMap<number, SelfSamples>[] {
  if (culprits.size === 0) return []; // Without culprits, there is no need to look at every node and sample.
  const frameOf = firstFrames(functions);
  return streams.map((stream, index) => {
    const times = selfTimes[index];
    return times === undefined ? new Map() : selfSamplesOf(stream, times, (id) => culprits.has(id), functions, frameOf);
  });
}

/** Samples by line of each culprit, over all isolates and stacks. */
function ticksByFunction(
  culprits: ReadonlySet<number>,
  samples: readonly ReadonlyMap<number, SelfSamples>[],
  { streams }: Found,
): ReadonlyMap<number, readonly Ticks[]> {
  const ticks = new Map(Array.from(culprits, (id): [number, Ticks[]] => [id, []]));
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
function createWays({ ownParts, operations, streams }: Found) {
  let known = { operation: -1, ways: noWays };
  return (number: number): Ways => {
    const operation = ownParts.operationOf(number);
    if (known.operation === operation) return known.ways;
    const isAlone = ownParts.operationOf(number + 1) !== operation && ownParts.placesOf(number).length === 1;
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
