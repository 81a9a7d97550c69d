import type { Analysis } from '../../engine/analysis.ts';
import type { FunctionInfo } from '../../engine/functions/function-table.ts';
import { indexSource } from '../../engine/source-code/index-source.ts';
import { type SourceIndex, functionAt } from '../../engine/source-code/source-index.ts';
import { filePathOf, olderTextOf } from '../../engine/files/file-path.ts';
import { optimizedText } from '../../words/tier-words.ts';
import { waitOf, type HotFunction, hotFunctions } from '../../engine/hot-functions.ts';
import type { Tone } from '../../protocol/requests.ts';
import { type Line0, type Microseconds, line0, toLine0 } from '../../protocol/units.ts';
import type { FunctionExtent } from '../placement/place-function.ts';
import type { LinePrecision, ReportWait } from '../../protocol/report-code.ts';
import type { HotLine } from '../../engine/lines/hot-lines.ts';
import type { LineReason } from '../../engine/lines/line-reason.ts';
import type { KeptMarks } from './kept-marks.ts';
import { firstDifference } from '../../engine/basics/lists.ts';

/** What is known of one file, in lines of the text that was there when the recording was read. */
export interface FileAnnotations {
  readonly text: string;
  readonly functions: readonly AnnotatedFunction[];
  readonly lines: readonly AnnotatedLine[];
  /** Own functions that are no hotspots but take time. They are shown by total time. */
  readonly quiet: readonly QuietFunction[];
  readonly imports: readonly AnnotatedImport[];
}

export interface AnnotatedFunction extends HotFunction {
  readonly extent: FunctionExtent;
  /** A text such as `41 % optimized`; null where tiers are not known, or the function was seen too little. */
  readonly optimized: string | null;
  /** True where it was over the threshold in the run before, and is only a little below it now. */
  readonly kept: boolean;
  /** True where it is in a file that a tool made, without a source map. */
  readonly isBuilt: boolean;
}

export interface QuietFunction {
  readonly functionId: number;
  readonly extent: FunctionExtent;
  readonly totalUs: Microseconds;
  /** The largest presence. */
  readonly worstUs: Microseconds;
  readonly tone: Tone;
}

/** A line to be marked. `owner` is the number, among `functions`, of the hot function whose line it is; −1 for none. */
export interface AnnotatedLine {
  readonly line: Line0;
  readonly owner: number;
  readonly worstUs: Microseconds;
  readonly longCount: number;
  readonly distinctStacks: number;
  readonly precision: LinePrecision;
  readonly estimated: boolean;
  /** How long the thread slept in the worst operation; null where that is next to nothing, or unknown. */
  readonly waited: ReportWait | null;
  /** Why the line is not exact; null where it is. */
  readonly reason: LineReason | null;
  /**
   * The function of the line, where that is in another file (a line of a bundle may belong to the bundle's body); else
   * null.
   */
  readonly elsewhere: LineFunction | null;
}

/** A hot function that has no place in the file of its line. */
export interface LineFunction extends HotFunction {
  /** The same as in {@link AnnotatedFunction}. */
  readonly kept: boolean;
  /** True where its text has changed since. */
  readonly changed: boolean;
}

/** An import of a package that holds the loop, or of a module that took long to load. */
export interface AnnotatedImport {
  readonly line: Line0;
  readonly worstUs: Microseconds;
  /** The imported package; null for a module that was loaded. */
  readonly package: { readonly name: string; readonly longCount: number; readonly estimated: boolean } | null;
  /** True where the time may belong to another line as well. */
  readonly isOneOf: boolean;
}

/**
 * Annotations of the file at the absolute `path`, which has `text`. In a text that cannot be parsed, functions have one
 * line. `keeps` is what is marked although it is no longer over the threshold.
 */
export function annotationsOf(analysis: Analysis, keeps: KeptMarks, path: string, text: string): FileAnnotations {
  const index = indexSource(text, path);
  const known = functionsOfFile(analysis, path).filter(({ url }) => olderTextOf(url) === null);
  const extents = new Map(known.map((fn) => [fn.id, extentOf(fn, index, text)]));
  const hot = [...hotFunctions(analysis).map((fn) => ({ ...fn, kept: false })), ...keeps.functions];
  const functions = hot.flatMap((fn): readonly AnnotatedFunction[] => {
    const extent = extents.get(fn.functionId);
    if (extent === undefined) return [];
    const isBuilt = analysis.functions.functions[fn.functionId]?.role === 'built';
    return [{ ...fn, extent, optimized: optimizedText(analysis.tiers?.functions.get(fn.functionId)), isBuilt }];
  });
  const hotIds = new Set(functions.map(({ functionId }) => functionId));
  return {
    text,
    functions,
    lines: linesOf([...analysis.lines, ...keeps.lines], path, { functions, hot }, analysis),
    quiet: known
      .filter(({ id, moduleBody }) => !moduleBody && !hotIds.has(id))
      .flatMap((fn) => quietFunction(analysis, fn, extents.get(fn.id))),
    imports: importsOf(analysis, path),
  };
}

type KeptOrHot = Omit<LineFunction, 'changed'>;

function linesOf(
  lines: readonly HotLine[],
  path: string,
  { functions, hot }: { readonly functions: readonly AnnotatedFunction[]; readonly hot: readonly KeptOrHot[] },
  analysis: Analysis,
): readonly AnnotatedLine[] {
  const numbers = new Map(functions.map(({ functionId }, number) => [functionId, number]));
  const byId = new Map(hot.map((fn) => [fn.functionId, fn]));
  return lines
    .filter(
      ({ url, line, decorated }) => decorated && line > 0 && olderTextOf(url) === null && filePathOf(url) === path,
    )
    .map(({ line, worst, longCount, distinctStacks, precision, estimated, waited, reason, functionIds }) => {
      const [functionId = -1] = functionIds;
      const owner = numbers.get(functionId) ?? -1;
      const figures = { worstUs: worst, longCount, distinctStacks, precision, estimated, reason };
      const fn = owner < 0 ? byId.get(functionId) : undefined;
      const elsewhere = fn === undefined ? null : { ...fn, changed: analysis.changed.functionIds.has(functionId) };
      return { line: toLine0(line), owner, ...figures, waited: waitOf(waited, functionId, analysis), elsewhere };
    });
}

function importsOf({ packages, importLines, streams }: Analysis, path: string): readonly AnnotatedImport[] {
  const estimated = streams.some(({ turns }) => turns === null);
  const isHere = ({ url }: { readonly url: string }): boolean => filePathOf(url) === path;
  const blamed = packages.flatMap(({ name, worst, longCount, imports }) =>
    imports
      .filter((one) => one.seen && isHere(one))
      .map(({ line }) => ({
        line: toLine0(line),
        worstUs: worst,
        package: { name, longCount, estimated },
        isOneOf: imports.length > 1,
      })),
  );
  const loaded = importLines.filter(isHere).map(({ line, us, precision }) => {
    return { line: toLine0(line), worstUs: us, package: null, isOneOf: precision === 'oneOf' };
  });
  return [...blamed, ...loaded];
}

function extentOf(fn: FunctionInfo, index: SourceIndex | null, text: string): FunctionExtent {
  if (fn.moduleBody) return { name: '', firstLine: line0(0), lastLine: line0(text.split('\n').length - 1) };
  const source = index?.functions[functionAt(index, fn.line, fn.column, fn.name)];
  const firstLine = source === undefined ? fn.line : toLine0(source.start.line);
  const lastLine = source === undefined ? fn.line : toLine0(source.end.line);
  return { name: fn.name.split('.').at(-1) ?? '', firstLine, lastLine };
}

function quietFunction(
  analysis: Analysis,
  fn: FunctionInfo,
  extent: FunctionExtent | undefined,
): readonly QuietFunction[] {
  const figures = analysis.figures[fn.id];
  if (figures === undefined || extent === undefined || figures.total <= analysis.thresholdUs) return [];
  return [
    {
      functionId: fn.id,
      extent,
      totalUs: figures.total,
      worstUs: figures.presence.worst,
      tone: fn.role === 'app' ? 'plain' : 'dim',
    },
  ];
}

/** The functions of a file whose line is known, by line and column. `path` is absolute and decoded. */
function functionsOfFile(analysis: Analysis, path: string): readonly FunctionInfo[] {
  return analysis.functions.functions
    .filter((fn) => fn.path === path && fn.line >= 0)
    .toSorted((a, b) => firstDifference(a.line - b.line, a.column - b.column));
}
