import type { FigureRuns, Tone } from '../../protocol/figures.ts';
import type { FunctionInfo } from '../../engine/read/functions/function-table.ts';
import { type SourceIndex, functionAt } from '../../engine/read/source-code/source-index.ts';
import type { ChangedFile } from '../../engine/read/texts/todays-texts.ts';
import { fileKey, filePathOf, olderTextOf } from '../../engine/read/files/file-path.ts';
import { waitOf, type HotFunction, hotFunctions } from '../../engine/hot-functions.ts';
import { type Line0, type Microseconds, line0, toLine0, microseconds } from '../../protocol/units.ts';
import type { FunctionExtent } from '../placement/code-map.ts';
import type { ReportLine } from '../../protocol/report-code.ts';
import type { LineReason } from '../../engine/judge/lines/line-shares.ts';
import { firstDifference } from '../../engine/basics/lists.ts';
import type { HotLine } from '../../engine/judge/lines/hot-lines.ts';
import type { MarkedFunction } from '../../recordings/kept-files.ts';
import { spellingIn } from '../../protocol/path-spelling.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { IndexedTexts } from '../../engine/read/source-code/source-indexes.ts';
import { diskWorld } from '../../recordings/disk-world.ts';

/** What is known of one file, in lines of the text at the time of reading. */
export interface FileAnnotations {
  readonly text: string;
  readonly functions: readonly AnnotatedFunction[];
  readonly lines: readonly AnnotatedLine[];
  /** Own functions below the threshold, for marks by total time. */
  readonly quiet: readonly QuietFunction[];
  readonly imports: readonly AnnotatedImport[];
  readonly reached: readonly FunctionExtent[];
  /** How the text differs from what ran in a plain profile; null where it does not. */
  readonly changed: ChangedFile | null;
  /** Hot functions of the file that were not found in its text. */
  readonly lost: readonly NamedFunction[];
}

export interface AnnotatedFunction extends NamedFunction {
  readonly extent: FunctionExtent;
}

export interface QuietFunction {
  readonly functionId: number;
  readonly extent: FunctionExtent;
  readonly totalUs: Microseconds;
  /** The largest presence. */
  readonly worstUs: Microseconds;
  readonly estimated: boolean;
  readonly runs?: FigureRuns;
  readonly tone: Tone;
}

/** A line to mark. `owner`: index in `functions` of its hot function; −1 for none. */
export interface AnnotatedLine extends Omit<ReportLine, 'url' | 'line' | 'changed'> {
  readonly line: Line0;
  readonly owner: number;
  /** True where functions that it calls have half of its worst or more. */
  readonly inCalls: boolean;
  /** Why the line is not exact; null where it is. */
  readonly reason: LineReason | null;
  /** The functions with a good part of its time, in any file, largest part first. */
  readonly functions: readonly NamedFunction[];
  /** The function of the line, if it is in another file (as the body of a bundle may be); else null. */
  readonly elsewhere: LineFunction | null;
}

/** A hot function by the name that all surfaces have for it. */
export interface NamedFunction extends HotFunction {
  readonly label: string;
  /** True where it was over the threshold in the run before, and is slightly below it now. */
  readonly kept: boolean;
}

/** A hot function in another file than its line. */
export interface LineFunction extends NamedFunction {
  readonly changed: boolean;
}

/** An import of a package that holds the loop, or of a slow-loading module. */
export interface AnnotatedImport {
  readonly line: Line0;
  readonly worstUs: Microseconds;
  /** Null for a loaded module. */
  readonly package: BlamedFigures | null;
  /** True where the time may belong to another line as well. */
  readonly isOneOf: boolean;
}

interface BlamedFigures {
  readonly name: string;
  readonly longCount: number;
  readonly estimated: boolean;
  readonly runs?: FigureRuns;
}

/** A file at an absolute path. `index` is null where its text cannot be parsed. */
interface IndexedFile {
  readonly path: string;
  readonly text: string;
  readonly index: SourceIndex | null;
}

/** Annotations of a file. Without an index functions have one line. */
export function annotationsOf(
  analysis: Analysis,
  keeps: KeptMarks,
  { path, text, index }: IndexedFile,
): FileAnnotations {
  const known = functionsOfFile(analysis, path).filter(({ url }) => olderTextOf(url) === null);
  const extents = new Map(known.map((fn) => [fn.id, extentOf(fn, index, text)]));
  const hot = namedFunctions(analysis, keeps);
  const functions = hot.flatMap((fn): readonly AnnotatedFunction[] => {
    const extent = extents.get(fn.functionId);
    return extent === undefined ? [] : [{ ...fn, extent }];
  });
  const hotIds = new Set(functions.map(({ functionId }) => functionId));
  const all = analysis.functions.functions;
  const isLost = ({ functionId }: NamedFunction): boolean => {
    const fn = all[functionId];
    return fn?.path === path && fn.byName && fn.line < 0;
  };
  return {
    text,
    functions,
    lines: linesOf([...analysis.lines, ...keeps.lines], path, { functions, hot }, analysis),
    quiet: known
      .filter(({ id, moduleBody }) => !moduleBody && !hotIds.has(id))
      .flatMap((fn) => quietFunction(analysis, fn, extents.get(fn.id))),
    imports: importsOf(analysis, path),
    reached: known.filter(({ moduleBody }) => !moduleBody).flatMap(({ id }) => extents.get(id) ?? []),
    changed: changedFileOf(analysis, path),
    lost: hot.filter(isLost),
  };
}

/** What is said of the file itself, else of what was built from it. */
function changedFileOf({ changed: { profiled }, functions }: Analysis, path: string): ChangedFile | null {
  if (profiled.length === 0) return null;
  const own = functions.functions.filter((fn) => fn.path === path);
  const built = new Set(own.map(({ generated }) => fileKey(generated?.url ?? '')));
  return profiled.find((file) => file.path === path) ?? profiled.find((file) => built.has(fileKey(file.path))) ?? null;
}

function namedFunctions(analysis: Analysis, keeps: KeptMarks): readonly NamedFunction[] {
  const all = [...hotFunctions(analysis).map((fn) => ({ ...fn, kept: false })), ...keeps.functions];
  return all.map((fn) => ({ ...fn, label: analysis.functions.functions[fn.functionId]?.label ?? '' }));
}

export function markedFiles({ lines, packages, roots }: Analysis): readonly string[] {
  const urls = [
    ...lines.filter(({ decorated, line }) => decorated && line > 0),
    ...packages.flatMap((one) => one.imports),
  ];
  return [...new Set(urls.flatMap(({ url }) => (olderTextOf(url) === null ? (filePathOf(url, roots) ?? []) : [])))];
}

function linesOf(
  lines: readonly HotLine[],
  path: string,
  { functions, hot }: { readonly functions: readonly AnnotatedFunction[]; readonly hot: readonly NamedFunction[] },
  analysis: Analysis,
): readonly AnnotatedLine[] {
  const numbers = new Map(functions.map(({ functionId }, number) => [functionId, number]));
  const byId = new Map(hot.map((fn) => [fn.functionId, fn]));
  const file = fileKey(path);
  return lines
    .filter(({ url, line, decorated }) => decorated && line > 0 && olderTextOf(url) === null && fileKey(url) === file)
    .map((hotLine) => {
      const { line, worst, longCount, distinctStacks, precision, estimated, waited, inCalls, reason } = hotLine;
      const { functionIds, runs } = hotLine;
      const [functionId = -1] = functionIds;
      const owner = numbers.get(functionId) ?? -1;
      const median = { worstUs: worst, longCount, distinctStacks, precision, estimated, reason };
      const figures = runs === undefined ? median : { ...median, runs };
      const fn = owner < 0 ? byId.get(functionId) : undefined;
      const elsewhere = fn === undefined ? null : { ...fn, changed: analysis.changed.functionIds.has(functionId) };
      const names = goodPartsOf(hotLine).flatMap((id) => byId.get(id) ?? []);
      const wait = waitOf(waited, functionId, analysis);
      return { line: toLine0(line), owner, ...figures, waited: wait, inCalls, functions: names, elsewhere };
    });
}

/** The functions with a tenth or more of the line's worst. */
function goodPartsOf({ worst, functionIds, partsUs }: HotLine): readonly number[] {
  return functionIds.filter((_, index) => index === 0 || (partsUs[index] ?? 0) * 10 >= worst);
}

function importsOf({ packages, importLines }: Analysis, path: string): readonly AnnotatedImport[] {
  const file = fileKey(path);
  const isHere = ({ url }: { readonly url: string }): boolean => fileKey(url) === file;
  const blamed = packages.flatMap(({ name, worst, estimated, longCount, imports, runs }) =>
    imports
      .filter((one) => one.seen && isHere(one))
      .map(({ line }) => ({
        line: toLine0(line),
        worstUs: worst,
        package: { name, longCount, estimated, ...(runs === undefined ? {} : { runs }) },
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
  const { worst, estimated, runs } = figures.presence;
  return [
    {
      functionId: fn.id,
      extent,
      totalUs: figures.total,
      worstUs: worst,
      estimated,
      ...(runs === undefined ? {} : { runs }),
      tone: fn.role === 'app' ? 'plain' : 'dim',
    },
  ];
}

/** The functions of a file with a known line, sorted by place. `path` is absolute and decoded. */
function functionsOfFile(analysis: Analysis, path: string): readonly FunctionInfo[] {
  return analysis.functions.functions
    .filter((fn) => fn.path === path && fn.line >= 0)
    .toSorted((a, b) => firstDifference(a.line - b.line, a.column - b.column));
}

/** Functions that keep their mark from the run before, with the figures at the lower threshold. */
export interface KeptMarks {
  readonly functions: readonly (HotFunction & { readonly kept: true })[];
  readonly lines: readonly HotLine[];
}

export const noKeptMarks: KeptMarks = { functions: [], lines: [] };

/** A mark disappears below this share of the threshold, so that it does not flicker from run to run. */
const goesBelow = 0.8;

/** `marked` is from the run before. `at` analyses at another threshold, only if a mark would disappear. */
export async function keptMarks(
  analysis: Analysis,
  marked: readonly MarkedFunction[],
  at: (thresholdUs: Microseconds) => Promise<Analysis>,
): Promise<KeptMarks> {
  const still = new Set(hotFunctions(analysis).map(({ functionId }) => functionId));
  const wanted = new Set(marked.map(keyOf));
  const candidates = new Set(
    analysis.functions.functions.flatMap(({ id, path, label }) =>
      path !== null && !still.has(id) && wanted.has(keyOf({ path, label })) ? [id] : [],
    ),
  );
  if (candidates.size === 0) return noKeptMarks;
  const lower = await at(microseconds(Math.round(analysis.thresholdUs * goesBelow)));
  return {
    functions: hotFunctions(lower)
      .filter(({ functionId }) => candidates.has(functionId))
      .map((fn) => ({ ...fn, kept: true })),
    lines: lower.lines.filter(({ functionIds: [first] }) => first !== undefined && candidates.has(first)),
  };
}

export function markedFunctions(analysis: Analysis, { functions }: KeptMarks): readonly MarkedFunction[] {
  return [...hotFunctions(analysis), ...functions].flatMap(({ functionId }) => {
    const { path = null, label = '' } = analysis.functions.functions[functionId] ?? {};
    return path === null ? [] : [{ path, label }];
  });
}

function keyOf({ path, label }: MarkedFunction): string {
  return `${path}\n${label}`;
}

/** An analysis, with what else the editor and agents need. */
export interface AnalysedRecording {
  readonly analysis: Analysis;
  /** The open folders. `analysis.roots` may come from the recording, which must not decide what opens unasked. */
  readonly folders: readonly string[];
  readonly kept: KeptMarks;
  /** Texts of own files when the recording was read, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

/** What is known of a file (absolute path); null where the recording has no text of it. */
export async function annotationsIn(
  { analysis, kept, texts }: AnalysedRecording,
  asked: string,
): Promise<FileAnnotations | null> {
  const path = texts.has(asked) ? asked : spellingIn(texts.keys(), asked);
  const text = texts.get(path ?? '');
  if (path === undefined || text === undefined) return null;
  const index = await new IndexedTexts(diskWorld.keptIndexes).of(text, path); // In memory, all files would take too much.
  return annotationsOf(analysis, kept, { path, text, index });
}
