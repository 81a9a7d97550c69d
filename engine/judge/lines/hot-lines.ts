import type { FunctionInfo } from '../../read/functions/function-table.ts';
import type { CulpritFigures, Waited } from '../function-figures/function-figures.ts';
import type { SourceMapper } from '../../read/sourcemap/source-mapper.ts';
import type { FigureRuns } from '../../../protocol/figures.ts';
import { toLine1, type Line1, type Microseconds } from '../../../protocol/units.ts';
import { type PlacedParts, figuresOfLine } from './line-figures.ts';
import type { LineReason } from './line-reason.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import { firstDifference, compareTexts, groupBy } from '../../basics/lists.ts';
import { type Found, placedParts } from './placed-parts.ts';
import { once } from '../../basics/once.ts';
import { isBackground } from '../../read/samples/sample-stream.ts';
import type { LinePrecision } from '../../../protocol/report-code.ts';

/** One line of the person's own code that holds a loop up, with the figures of rule 16 (docs/definition.md). */
export interface HotLine {
  /** Url as that of the function: the original's where a source map tells it. */
  readonly url: string;
  readonly line: Line1;
  /** The largest part in one operation. */
  readonly worst: Microseconds;
  /** Number of operations in which its part is over the threshold. */
  readonly longCount: number;
  readonly distinctStacks: number;
  readonly precision: LinePrecision;
  /** Why the line is not exact; null where it is. */
  readonly reason: LineReason | null;
  /** True where its worst is an estimate: by its precision, or because its culprits' parts are. */
  readonly estimated: boolean;
  /** How the thread slept in the worst; null where that is next to nothing, or unknown. */
  readonly waited: Waited | null;
  /** Ids of the culprits whose line it is, the one with the largest part on it first. */
  readonly functionIds: readonly number[];
  /** The largest part of each of them on this line. */
  readonly partsUs: readonly Microseconds[];
  /**
   * True for the program's own workers and children. Nobody waits for their loops, so the line is shown grey, and not
   * counted.
   */
  readonly background: boolean;
  /**
   * True where it gets a mark: its long count is at least 1, or it stands for a culprit none of whose lines has one.
   */
  readonly decorated: boolean;
  /** Only where several runs are shown together. */
  readonly runs?: FigureRuns;
}

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
  const lines = [false, true].flatMap((background) => linesOfThreads(parts, found, background));
  return lines.toSorted((a, b) => firstDifference(b.worst - a.worst, compareTexts(a.url, b.url), a.line - b.line));
}

function linesOfThreads(placed: PlacedParts, found: Found, background: boolean): readonly HotLine[] {
  const isHere = found.streams.map((stream) => isBackground(stream) === background);
  if (!isHere.includes(true)) return [];
  const streamOf = (number: number): number => found.operations[placed.operationOf(number)]?.stream ?? -1;
  const groups = placed.byLine((number) => isHere[streamOf(number)] === true);
  const all = linesOf(placed, groups, found, background);
  const standing = new Map(standIns(all, found, background).map((line) => [line.functionIds[0], line]));
  if (standing.size === 0) return all.flatMap((line) => unite([line]));
  const others = groups.map((numbers) =>
    numbers.filter((number) => {
      const part = placed.partOf(number);
      const own = standing.get(placed.functionOf(number));
      return own?.line !== part?.line || own?.url !== part?.url;
    }),
  );
  const besides = linesOf(placed, others, found, background);
  return byPlace([...besides, ...standing.values()]).flatMap(unite);
}

/** A line with its operations and paths. `stacks` is their number where the paths themselves are not known. */
interface OwnLine extends Omit<HotLine, 'longCount' | 'distinctStacks'> {
  readonly longOperations: readonly number[];
  readonly paths: ReadonlySet<number>;
  readonly stacks: number;
}

/**
 * Lines from the numbers of their parts. Parts never overlap: those of several functions on one line are added up,
 * operation by operation.
 */
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

/** Numbers of parts by the id of their culprit. Nearly always they are of one. */
function byFunction(placed: PlacedParts, numbers: Int32Array): readonly (readonly [number, Int32Array])[] {
  const first = placed.functionOf(numbers[0] ?? -1);
  if (numbers.every((number) => placed.functionOf(number) === first)) return [[first, numbers]];
  const found = groupBy(numbers, (number) => placed.functionOf(number));
  return [...found].map(([id, own]) => [id, Int32Array.from(own)]);
}

/**
 * First lines, where known, of culprits none of whose lines is over the threshold, with the figures of the function.
 */
function standIns(lines: readonly OwnLine[], found: Found, background: boolean): readonly OwnLine[] {
  const placed = new Set(lines.filter(({ decorated }) => decorated).flatMap(({ functionIds }) => functionIds));
  const parts = once(() => {
    const { ownParts, operations, streams } = found;
    const streamOf = (part: number) => streams[operations[ownParts.operationOf(part)]?.stream ?? -1];
    const here = ownParts.numbersOf((part) => isBackground(streamOf(part)) === background);
    return groupBy(here, (part) => ownParts.functionOf(part));
  });
  return found.functions.functions.flatMap((fn) => {
    const figures = found.figures[fn.id];
    const culprit = background ? figures?.backgroundCulprit : figures?.culprit;
    if (culprit === undefined || culprit === null || placed.has(fn.id) || fn.line < 0) return [];
    const operations = (parts().get(fn.id) ?? []).map((part) => found.ownParts.operationOf(part));
    return [standIn(fn, culprit, operations, background)];
  });
}

function standIn(
  fn: FunctionInfo,
  culprit: CulpritFigures,
  longOperations: readonly number[],
  background: boolean,
): OwnLine {
  return {
    url: fn.url,
    line: toLine1(fn.line),
    functionIds: [fn.id],
    partsUs: [culprit.worst],
    worst: culprit.worst,
    longOperations,
    stacks: culprit.distinctStacks,
    paths: new Set(),
    precision: 'shared',
    reason: { type: 'wholeFunction' },
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
  const isOne = all.length === 1;
  const { url, line, worst, precision, reason, estimated, waited, background } = first;
  const paths = new Set(all.flatMap((own) => [...own.paths]));
  return [
    {
      url,
      line,
      worst,
      longCount: isOne ? first.longOperations.length : new Set(all.flatMap((own) => own.longOperations)).size,
      distinctStacks: paths.size + sum(all.map((own) => own.stacks)),
      precision,
      reason,
      estimated,
      waited,
      functionIds: all.flatMap(({ functionIds }) => functionIds),
      partsUs: all.flatMap(({ partsUs }) => partsUs),
      background,
      decorated: all.some((own) => own.decorated),
    },
  ];
}

/** Groups by url first, and then by line. */
function byPlace(all: readonly OwnLine[]): readonly (readonly OwnLine[])[] {
  return [...groupBy(all, ({ url }) => url).values()].flatMap((here) => [
    ...groupBy(here, ({ line }) => line).values(),
  ]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
