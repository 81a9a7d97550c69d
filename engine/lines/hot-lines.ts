import type { JudgedRun } from '../hotspots/judged-run.ts';
import { type FunctionInfo, isBundleBody } from '../functions/function-table.ts';
import type { CulpritFigures } from '../function-figures/function-figures.ts';
import type { OwnPart } from '../function-figures/own-part.ts';
import type { SourceMapper } from '../sourcemap/source-mapper.ts';
import { toLine1 } from '../../protocol/units.ts';
import { groupBy } from '../basics/group-by.ts';
import { type CulpritSource, createCulpritSource } from './culprit-source.ts';
import { type SeenLines, seenLinesOf } from './seen-lines.ts';
import type { HotLine } from './hot-line.ts';
import { type PlacedPart, figuresOfLine } from './line-figures.ts';
import { type SeenAtPlace, partsOfPlace } from './line-parts.ts';
import { originsOfTicks } from './line-shares.ts';
import { type SelfSamples, type Ticks, noSamples, selfSamplesOf } from './self-samples.ts';
import type { SourceIndexes } from '../source-code/source-indexes.ts';
import { waysToOwnParts } from './ways-to-own-parts.ts';
import { firstDifference, compareTexts } from '../basics/compare.ts';

type Found = Pick<
  JudgedRun,
  'thresholdUs' | 'functions' | 'streams' | 'bridged' | 'operations' | 'figures' | 'ownParts'
>;

/**
 * The lines of all culprits, by worst descending, then by url and line. A line of the program's background threads is a
 * line of its own. Source: docs/definition.md, rule 16. `mapper` is null without source maps.
 */
export async function hotLines(
  found: Found,
  mapper: Pick<SourceMapper, 'lines'> | null,
  indexes: SourceIndexes,
): Promise<readonly HotLine[]> {
  const parts = await placedParts(found, mapper, indexes);
  const lines = [false, true].flatMap((background) => {
    const here = parts.filter((part) => isBackground(part.operation, found) === background);
    return linesOfThreads(here, found, background);
  });
  return lines.toSorted((a, b) => firstDifference(b.worst - a.worst, compareTexts(a.url, b.url), a.line - b.line));
}

async function placedParts(
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

/** The lines with calls in the bodies of bundles. Maps tell which lines of which sources they are. */
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
  if (culprits.size === 0) return []; // This saves a look at every node and sample.
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

function linesOfThreads(parts: readonly PlacedPart[], found: Found, background: boolean): readonly HotLine[] {
  const all = linesOf(parts, found, background);
  const standing = new Map(standIns(all, found, background).map((line) => [line.functionIds[0], line]));
  if (standing.size === 0) return all.flatMap((line) => unite([line]));
  const others = parts.filter(({ url, line, functionId }) => {
    const own = standing.get(functionId);
    return own?.line !== line || own.url !== url;
  });
  return byPlace([...linesOf(others, found, background), ...standing.values()]).flatMap(unite);
}

/** A line with its operations and paths. `stacks` is their number where the paths themselves are not known. */
interface OwnLine extends Omit<HotLine, 'longCount' | 'distinctStacks'> {
  readonly longOperations: ReadonlySet<number>;
  readonly paths: ReadonlySet<number>;
  readonly stacks: number;
}

/**
 * Lines from parts. Parts never overlap: those of several functions on one line are added up, operation by operation.
 */
function linesOf(parts: readonly PlacedPart[], found: Found, background: boolean): readonly OwnLine[] {
  const { thresholdUs } = found;
  return byPlace(parts).flatMap((here) => {
    const [first] = here;
    if (first === undefined) return [];
    const figures = figuresOfLine(here, thresholdUs);
    const functions = [...groupBy(here, ({ functionId }) => functionId)].map(([id, own]) => ({
      id,
      worst: figuresOfLine(own, thresholdUs).worst,
    }));
    const functionIds = functions
      .toSorted((a, b) => firstDifference(b.worst - a.worst, a.id - b.id))
      .map(({ id }) => id);
    const { url, line } = first;
    const { culprit, backgroundCulprit } = found.figures[functionIds[0] ?? -1] ?? {};
    // What is said of a function is said of its line, too.
    const estimated = figures.estimated || (background ? backgroundCulprit : culprit)?.estimated === true;
    return [
      {
        ...figures,
        estimated,
        url,
        line,
        functionIds,
        background,
        decorated: figures.longOperations.size > 0,
        stacks: 0,
      },
    ];
  });
}

/**
 * First lines, where known, of culprits none of whose lines is over the threshold, with the figures of the function.
 */
function standIns(lines: readonly OwnLine[], found: Found, background: boolean): readonly OwnLine[] {
  const placed = new Set(lines.filter(({ decorated }) => decorated).flatMap(({ functionIds }) => functionIds));
  const parts = groupBy(
    found.ownParts.filter(({ operation }) => isBackground(operation, found) === background),
    ({ functionId }) => functionId,
  );
  return found.functions.functions.flatMap((fn) => {
    const figures = found.figures[fn.id];
    const culprit = background ? figures?.backgroundCulprit : figures?.culprit;
    if (culprit === undefined || culprit === null || placed.has(fn.id) || fn.line < 0) return [];
    return [standIn(fn, culprit, parts.get(fn.id) ?? [], background)];
  });
}

function standIn(fn: FunctionInfo, culprit: CulpritFigures, parts: readonly OwnPart[], background: boolean): OwnLine {
  return {
    url: fn.url,
    line: toLine1(fn.line),
    functionIds: [fn.id],
    worst: culprit.worst,
    longOperations: new Set(parts.map(({ operation }) => operation)),
    stacks: culprit.distinctStacks,
    paths: new Set(),
    precision: 'shared',
    reason: 'the whole function: no one line is known to have its time',
    estimated: true,
    waited: culprit.waited,
    background,
    decorated: true,
  };
}

/**
 * Merges functions whose own lines are not known with what else is on a line: the largest worst, and operations and
 * stacks united.
 */
function unite(lines: readonly OwnLine[]): readonly HotLine[] {
  const all = lines.toSorted((a, b) =>
    firstDifference(b.worst - a.worst, (a.functionIds[0] ?? 0) - (b.functionIds[0] ?? 0)),
  );
  const [first] = all;
  if (first === undefined) return [];
  const { url, line, worst, precision, reason, estimated, waited, background } = first;
  const paths = new Set(all.flatMap((own) => [...own.paths]));
  return [
    {
      url,
      line,
      worst,
      longCount: new Set(all.flatMap((own) => [...own.longOperations])).size,
      distinctStacks: paths.size + sum(all.map((own) => own.stacks)),
      precision,
      reason,
      estimated,
      waited,
      functionIds: all.flatMap(({ functionIds }) => functionIds),
      background,
      decorated: all.some((own) => own.decorated),
    },
  ];
}

function isBackground(operation: number, { operations, streams }: Found): boolean {
  return streams[operations[operation]?.stream ?? -1]?.isolate.threadKind === 'background';
}

/**
 * Groups by url first: there may be a million parts, and a text of url and line for each takes longer than counting
 * them.
 */
function byPlace<Placed extends Pick<HotLine, 'url' | 'line'>>(all: readonly Placed[]): readonly (readonly Placed[])[] {
  return [...groupBy(all, ({ url }) => url).values()].flatMap((here) => [
    ...groupBy(here, ({ line }) => line).values(),
  ]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
