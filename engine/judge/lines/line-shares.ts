import { type FunctionInfo, type FunctionTable, isBundleBody } from '../../read/functions/function-table.ts';
import type { OriginalLine } from '../../read/sourcemap/origin.ts';
import type { SourceMapper } from '../../read/sourcemap/source-mapper.ts';
import { type Line1, toLine1 } from '../../../protocol/units.ts';
import type { Ticks } from './line-samples.ts';
import type { SourceFunction } from '../../read/source-code/source-index.ts';
import { firstDifference } from '../../basics/lists.ts';

/** The share of a function's self time that a line has. */
export interface LineShare {
  readonly url: string;
  readonly line: Line1;
  /** Share from 0 to 1. Those of one function add up to 1. */
  readonly share: number;
  readonly doubt: LineDoubt | null;
}

/**
 * Why time may belong to another line. `severalLines`: one built line has several source lines. `noMap`: no map is sure
 * of the line. `noFile`: what ran is in no file.
 */
export type LineDoubt = 'severalLines' | 'noMap' | 'noFile';

/** The source lines of lines of scripts. They are asked for once for each script. */
export type LineOrigins = ReadonlyMap<string, ReadonlyMap<Line1, readonly OriginalLine[]>>;

/** Source lines of ticks. Scripts without a usable map are left out. `mapper` is null without source maps. */
export async function originsOfTicks(
  ticks: Iterable<Ticks>,
  table: FunctionTable,
  mapper: Pick<SourceMapper, 'lines'> | null,
): Promise<LineOrigins> {
  const wanted = new Map<string, Set<Line1>>();
  for (const { frame, line } of mapper === null ? [] : ticks) {
    const url = table.frames[frame]?.url ?? '';
    const lines = wanted.get(url) ?? new Set();
    wanted.set(url, lines.add(line));
  }
  const origins = new Map<string, ReadonlyMap<Line1, readonly OriginalLine[]>>();
  for (const [url, lines] of wanted) {
    const found = (await mapper?.lines(url, [...lines])) ?? null;
    if (found !== null) origins.set(url, found);
  }
  return origins;
}

/** A function in its source; nulls where that cannot be read, or has no such function. */
export interface SourceText {
  readonly body: SourceFunction | null;
  readonly lastLine: Line1 | null;
  readonly callLines: ReadonlySet<Line1>;
}

/** Shares of a function's lines in its samples, largest first; empty where no sample has a source line. */
export function sharesOf(
  ticks: readonly Ticks[],
  fn: FunctionInfo,
  source: SourceText,
  table: FunctionTable,
  origins: LineOrigins,
): readonly LineShare[] {
  const counts = new Map<string, LineShare>();
  if (fn.line < 0 && !isBundleBody(fn)) return [];
  for (const { frame, line, count } of ticks) {
    const here = originOf(line, table.frames[frame]?.url ?? fn.url, fn, source, origins);
    if (here === null) continue;
    const key = `${here.line}\n${here.url}`;
    const before = counts.get(key);
    const doubt = here.doubt ?? before?.doubt ?? null;
    counts.set(key, { url: here.url, line: here.line, share: count + (before?.share ?? 0), doubt });
  }
  const all = [...counts.values()].reduce((sum, { share }) => sum + share, 0);
  return [...counts.values()]
    .map((line) => ({ ...line, share: line.share / all }))
    .toSorted((a, b) => firstDifference(b.share - a.share, a.line - b.line));
}

/**
 * The source line of a script's line. Of several in the function: the only one with a call (so `(text) =>` is not taken
 * for the next line), else the first; the function's first line if they are many. Null outside the function: V8 counts
 * inlined code at its own line, which may be in another file.
 */
function originOf(
  line: Line1,
  script: string,
  fn: FunctionInfo,
  { body, lastLine, callLines }: SourceText,
  origins: LineOrigins,
): Pick<LineShare, 'url' | 'line' | 'doubt'> | null {
  const all = origins.has(script) ? (origins.get(script)?.get(line) ?? []) : [{ url: fn.url, line, isGuess: false }];
  const inside = all.filter((place) => place.url === fn.url && isInside(place.line, fn, body?.end.line ?? lastLine));
  const choice = inside.length === 0 && fn.moduleBody && origins.has(script) ? all : inside;
  if (isBundleBody(fn) && (choice.length > MAX_ORIGINS || !origins.has(script))) return null;
  const calling = choice.filter(({ line: written }) => callLines.has(written));
  const [first] = calling.length === 1 ? calling : choice.length > MAX_ORIGINS ? [firstLineOf(fn)] : choice;
  if (first === undefined) return null;
  const loop = isBundleBody(fn) ? undefined : body?.endsOfLoops.get(first.line);
  return { url: first.url, line: loop ?? first.line, doubt: doubtOf(choice, fn) };
}

function doubtOf(choice: readonly OriginalLine[], { generated, url }: FunctionInfo): LineDoubt | null {
  if (choice.length > 1) return 'severalLines';
  if (choice.some(({ isGuess }) => isGuess)) return 'noMap';
  return generated === null && url.startsWith('webpack') ? 'noFile' : null;
}

/** Maximum source lines of one built line. More of them (minified code) say nothing about any of them. */
const MAX_ORIGINS = 3;

function firstLineOf({ url, line }: FunctionInfo): OriginalLine {
  return { url, line: toLine1(line), isGuess: true };
}

function isInside(line: Line1, fn: FunctionInfo, lastLine: Line1 | null): boolean {
  return line > fn.line && (lastLine === null || line <= lastLine);
}

/** Why a line's time may not be its own. Sentences: `words/line-reasons.ts`. `callee` is a function's label. */
export type LineReason =
  | { readonly type: LineDoubt }
  /** The samples of the function are on this number of lines, and its time was split in their proportion. */
  | { readonly type: 'splitBySamples'; readonly lines: number }
  /** In these calls no line was sampled: the time was split as in the other calls of the function. */
  | { readonly type: 'splitAsElsewhere' }
  /** The time was split between a regular expression and the rest of the function, in proportion to the samples. */
  | { readonly type: 'splitFromRegExp' }
  /** The time is that of a regular expression, and this number of lines is known to use one. */
  | { readonly type: 'regExpOnLines'; readonly lines: number }
  /** V8 may have inlined a function that the line calls, and may have counted some of its samples at the line. */
  | { readonly type: 'mayBeInlined'; readonly callee: string }
  | CallReason
  /** The file was deleted before the program ended, and no source map leads to its source. */
  | { readonly type: 'fileGone' }
  /** The source has no function at that place. */
  | { readonly type: 'functionNotThere' }
  /** No line is known to have the time. The line is the first one of the function, and its figures are the function's. */
  | { readonly type: 'wholeFunction' };

/** The time was spent in a function that the line may call. */
export interface CallReason {
  /**
   * `callOnLines`, `unnamedCallOnLines`: a function (without a name) may be called on several lines.
   * `calledByAnotherName`: the source never names it.
   */
  readonly type: 'callOnLines' | 'unnamedCallOnLines' | 'calledByAnotherName';
  readonly callee: string;
  readonly lines: number;
  /** True where Sparkplug's code ran, which has no positions: otherwise V8's log would have the line. */
  readonly withoutPositions: boolean;
}
