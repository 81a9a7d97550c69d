import type { Analysis } from '../analysis.ts';
import { compareTexts } from '../functions/compare-functions.ts';
import { firstDifference } from '../functions/first-difference.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import type { CulpritFigures } from '../hotspots/function-figures.ts';
import type { SourceMapper } from '../sourcemap/source-mapper.ts';
import { toLine1 } from '../../protocol/units.ts';
import { groupBy } from '../group-by.ts';
import type { HotLine } from './hot-line.ts';
import { type PlacedPart, figuresOfLine } from './line-figures.ts';
import { type CulpritSource, partsOfPlace } from './line-parts.ts';
import { originsOfTicks } from './line-shares.ts';
import { type SelfSamples, type Ticks, noSamples, selfSamplesOf } from './self-samples.ts';
import { functionAt } from './source-index.ts';
import type { SourceIndexes } from './source-indexes.ts';
import { waysToOwnParts } from './ways-to-own-parts.ts';

type Found = Pick<
  Analysis,
  'thresholdUs' | 'functions' | 'streams' | 'bridged' | 'operations' | 'figures' | 'ownParts'
>;

/**
 * The lines of all culprits, by worst descending, then url and line; a line of the program's background threads is one
 * of its own. Source: analysis.md 16. `mapper` null: no source maps.
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
  const origins = await originsOfTicks([...ticks.values()].flat(), table, mapper);
  const sources = new Map<number, CulpritSource>();
  for (const [functionId, own] of ticks) {
    const fn = table.functions[functionId];
    if (fn !== undefined) sources.set(functionId, await sourceOf(fn, own, indexes));
  }
  const ways = waysToOwnParts(found);
  return ownParts.flatMap(({ operation, functionId, places }) => {
    const here = samples[operations[operation]?.stream ?? -1];
    const culprit = sources.get(functionId);
    if (culprit === undefined) return [];
    return places.flatMap((place) => {
      const towards = [...(ways.get(operation)?.get(place.node) ?? [])].flatMap((id) => table.functions[id] ?? []);
      const parts = partsOfPlace(place, here?.get(place.node) ?? noSamples, culprit, towards, table, origins);
      return parts.map((part) => ({ ...part, functionId, operation, path: place.path }));
    });
  });
}

/** Of each isolate, by node. */
function samplesOfCulprits({
  ownParts,
  streams,
  bridged,
  functions,
}: Found): readonly ReadonlyMap<number, SelfSamples>[] {
  const culprits = new Set(ownParts.map(({ functionId }) => functionId));
  if (culprits.size === 0) return []; // A look at every node and sample saved.
  return streams.map((stream, index) => {
    return selfSamplesOf(stream, bridged[index]?.nodes ?? stream.nodes, (id) => culprits.has(id), functions);
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

async function sourceOf(fn: FunctionInfo, ticks: readonly Ticks[], indexes: SourceIndexes): Promise<CulpritSource> {
  const index = await indexes.of(fn.url);
  const at = index === null ? -1 : fn.moduleBody ? 0 : functionAt(index, fn.line, fn.column, fn.name);
  const body = index?.functions[at];
  return {
    fn,
    ticks,
    written: index === null || body === undefined ? null : { body, index },
    isNotThere: index !== null && body === undefined,
  };
}

function linesOfThreads(parts: readonly PlacedPart[], found: Found, background: boolean): readonly HotLine[] {
  const perFunction = groupBy(parts, (part) => `${part.functionId}:${part.line}:${part.url}`);
  const lines = [...perFunction.values()].flatMap((here) => lineOf(here, found, background));
  const united = [...lines, ...standIns(lines, found, background)];
  const standing = new Set(united.filter((line) => line.isStandIn).map(keyOf));
  const kept = united.filter((line) => line.isStandIn || !standing.has(keyOf(line)));
  return [...groupBy(kept, ({ line, url }) => `${line}:${url}`).values()].flatMap(unite);
}

/** A line of one culprit. */
interface OwnLine extends Omit<HotLine, 'distinctStacks' | 'functionIds'> {
  readonly functionId: number;
  readonly paths: ReadonlySet<number>;
  /** Stacks where the paths are not at hand. */
  readonly stacks: number;
  readonly isStandIn: boolean;
}

function lineOf(parts: readonly PlacedPart[], { thresholdUs }: Found, background: boolean): readonly OwnLine[] {
  const [first] = parts;
  if (first === undefined) return [];
  const figures = figuresOfLine(parts, thresholdUs);
  const { url, line, functionId } = first;
  return [
    { ...figures, url, line, functionId, background, decorated: figures.longCount >= 1, stacks: 0, isStandIn: false },
  ];
}

/** The first lines of culprits none of whose lines is over the threshold, with the figures of the function. */
function standIns(lines: readonly OwnLine[], found: Found, background: boolean): readonly OwnLine[] {
  const placed = new Set(lines.filter((line) => line.decorated).map((line) => line.functionId));
  return found.functions.functions.flatMap((fn) => {
    const figures = found.figures[fn.id];
    const culprit = background ? figures?.backgroundCulprit : figures?.culprit;
    if (culprit === undefined || culprit === null || placed.has(fn.id)) return [];
    return [standIn(fn, culprit, background)];
  });
}

function standIn(fn: FunctionInfo, culprit: CulpritFigures, background: boolean): OwnLine {
  return {
    url: fn.url,
    line: toLine1(fn.line),
    functionId: fn.id,
    worst: culprit.worst,
    longCount: culprit.longCount,
    stacks: culprit.distinctStacks,
    paths: new Set(),
    precision: 'estimated',
    reason: 'the whole function: no one line is known to have its time',
    background,
    decorated: true,
    isStandIn: true,
  };
}

/** Several functions on one line: the largest worst, counts added, stacks united. */
function unite(lines: readonly OwnLine[]): readonly HotLine[] {
  const [first, ...others] = lines.toSorted((a, b) => firstDifference(b.worst - a.worst, a.functionId - b.functionId));
  if (first === undefined) return [];
  const { url, line, worst, precision, reason, background } = first;
  const all = [first, ...others];
  const paths = new Set(all.flatMap((own) => [...own.paths]));
  return [
    {
      url,
      line,
      worst,
      longCount: sum(all.map((own) => own.longCount)),
      distinctStacks: paths.size + sum(all.map((own) => own.stacks)),
      precision,
      reason,
      functionIds: all.map((own) => own.functionId),
      background,
      decorated: all.some((own) => own.decorated),
    },
  ];
}

function isBackground(operation: number, { operations, streams }: Found): boolean {
  return streams[operations[operation]?.stream ?? -1]?.isolate.threadKind === 'background';
}

function keyOf({ functionId, url, line }: OwnLine): string {
  return `${functionId}:${line}:${url}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
