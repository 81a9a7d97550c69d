import { type FunctionInfo, type FunctionTable, isBundleBody, isBuiltIn } from '../../read/functions/function-table.ts';
import type { InlinedCode } from './inlined-code.ts';
import type { OriginalLine } from '../../read/sourcemap/ask-map.ts';
import type { SourceMapper } from '../../read/sourcemap/source-mapper.ts';
import { type Line1, toLine1, line1 } from '../../../protocol/units.ts';
import type { SourceFunction } from '../../read/source-code/source-index.ts';
import { firstDifference, groupBy, sumOf } from '../../basics/lists.ts';
import type { LinePrecision } from '../../../protocol/report-code.ts';
import type { Operation } from '../../cut/operations/operation.ts';
import { type LineTicks, firstFunctionNode } from '../../read/samples/call-tree.ts';
import type { SampleStream } from '../../read/samples/sample-stream.ts';
import { tierNumbers } from '../../read/samples/tiered-samples.ts';

/** The share of a function's self time that a line has. */
export interface LineShare {
  readonly url: string;
  readonly line: Line1;
  /** Share from 0 to 1. Those of one function add up to 1 at most, without those that are one of two. */
  readonly share: number;
  readonly doubt: LineDoubt | null;
  /** The function whose code V8 has inlined, where the line is its. `isOneOf`: or that of the caller's own line. */
  readonly inlined: { readonly callee: string; readonly isOneOf: boolean } | null;
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
  const wanted = groupBy(mapper === null ? [] : ticks, ({ frame }) => table.frames[frame]?.url ?? '');
  const origins = new Map<string, ReadonlyMap<Line1, readonly OriginalLine[]>>();
  for (const [url, own] of wanted) {
    const found = (await mapper?.lines(url, [...new Set(own.map(({ line }) => line))])) ?? null;
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

/**
 * Shares of a function's lines in its samples, largest first; empty where no sample has a source line. `inlined`: code
 * of others that V8 may have counted for it. Samples on any other line count for no line.
 */
export function sharesOf(
  ticks: readonly Ticks[],
  fn: FunctionInfo,
  source: SourceText,
  table: FunctionTable,
  origins: LineOrigins,
  inlined: readonly InlinedCode[],
): readonly LineShare[] {
  if (fn.byName || (fn.line < 0 && !isBundleBody(fn))) return [];
  const counts = new Map<string, LineShare>();
  let [known, unknown] = [0, 0];
  for (const { frame, line, count } of ticks) {
    const script = table.frames[frame]?.url ?? fn.url;
    const here = originOf(line, script, fn, source, origins);
    const places = placesOfTick(here, line, script, origins, inlined);
    if (places.length > 0) known += count;
    else if (isCode(line, script, fn, origins)) unknown += count;
    for (const place of places) {
      const key = `${place.line}\n${place.url}`;
      const before = counts.get(key);
      const [share, doubt] = [count + (before?.share ?? 0), place.doubt ?? before?.doubt ?? null];
      counts.set(key, { ...place, inlined: before?.inlined ?? place.inlined, share, doubt });
    }
  }
  // Single samples may be off by a line.
  const all = unknown * MUCH <= known ? known : known + unknown;
  return [...counts.values()]
    .map((line) => ({ ...line, share: line.share / all }))
    .toSorted((a, b) => firstDifference(b.share - a.share, a.line - b.line));
}

/** The line of the function, or that of inlined code, or both where it may be either. */
function placesOfTick(
  here: Omit<LineShare, 'share' | 'inlined'> | null,
  line: Line1,
  script: string,
  origins: LineOrigins,
  inlined: readonly InlinedCode[],
): readonly Omit<LineShare, 'share'>[] {
  const others = inlinedAt(
    line,
    script,
    origins,
    inlined.filter(({ isEverywhere }) => here === null || isEverywhere),
  );
  const [other, ...more] = others;
  if (other === undefined || (here === null && more.length > 0))
    return here === null ? [] : [{ ...here, inlined: null }];
  const of = { callee: other.label, isOneOf: here !== null };
  const there = { url: other.url, line: other.line, doubt: null, inlined: of };
  return here === null ? [there] : [{ ...here, inlined: of }, there];
}

const MUCH = 10;

/** Whether a script's line is known to be code of the program, and not what a compiler or bundler made. */
function isCode(line: Line1, script: string, fn: FunctionInfo, origins: LineOrigins): boolean {
  if (isBundleBody(fn)) return false;
  return !origins.has(script) || (origins.get(script)?.get(line) ?? []).length > 0;
}

/** The places of inlined code that a script's line can be. Lines of other scripts have no source map here. */
function inlinedAt(
  line: Line1,
  script: string,
  origins: LineOrigins,
  inlined: readonly InlinedCode[],
): readonly { readonly url: string; readonly line: Line1; readonly label: string }[] {
  if (inlined.length === 0) return [];
  const all = origins.has(script) ? (origins.get(script)?.get(line) ?? []) : null;
  return inlined.flatMap(({ url, first, last, label }) => {
    const lines = all === null ? [line] : all.filter((place) => place.url === url).map((place) => place.line);
    return lines.filter((one) => first <= one && one <= last).map((one) => ({ url, line: one, label }));
  });
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
): Omit<LineShare, 'share' | 'inlined'> | null {
  const all = origins.has(script) ? (origins.get(script)?.get(line) ?? []) : [{ url: fn.url, line, isGuess: false }];
  const end = body?.end.line ?? lastLine ?? Infinity;
  const inside = all.filter((place) => place.url === fn.url && place.line > fn.line && place.line <= end);
  const choice = inside.length === 0 && fn.moduleBody && origins.has(script) ? all : inside;
  if (isBundleBody(fn) && (choice.length > MAX_ORIGINS || !origins.has(script))) return null;
  const calling = choice.filter(({ line: written }) => callLines.has(written));
  const [first] =
    calling.length === 1 ? calling : choice.length > MAX_ORIGINS ? [{ url: fn.url, line: toLine1(fn.line) }] : choice;
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

/** Why a line's time may not be its own. Sentences: `words/places.ts`. `callee` is a function's label. */
export type LineReason =
  | { readonly type: LineDoubt }
  /** The samples of the function are on this number of lines, and its time was split in their proportion. */
  | { readonly type: 'splitBySamples'; readonly lines: number }
  /** V8 gave many samples without the function, and so without a line: they may be of any line of it. */
  | { readonly type: 'linesLost' }
  /** In these calls no line was sampled: the time was split as in the other calls of the function. */
  | { readonly type: 'splitAsElsewhere' }
  /** The time was split between a regular expression and the rest of the function, in proportion to the samples. */
  | { readonly type: 'splitFromRegExp' }
  /** The time is that of a regular expression, and this number of lines is known to use one. */
  | { readonly type: 'regExpOnLines'; readonly lines: number }
  /** The line is of a function that V8 has inlined: it counts its samples for the caller. */
  | { readonly type: 'inlined'; readonly callee: string }
  /** V8 may have inlined a function that the line calls, and may have counted some of its samples at the line. */
  | { readonly type: 'mayBeInlined'; readonly callee: string }
  | CallReason
  /** The file was deleted before the program ended, and no source map leads to its source. */
  | { readonly type: 'fileGone' }
  /** The file has, or may have, another text than the one that ran: only the function is known. */
  | { readonly type: 'foundByName' }
  /** The source has no function at that place. */
  | { readonly type: 'functionNotThere' }
  /** No line is known to have the time. The line is the first one of the function, and its figures are the function's. */
  | { readonly type: 'wholeFunction' };

/** The function that V8 has inlined into the line's culprit, or may have, where the line is its; else null. */
export function inlinedOn({
  reason,
  precision,
}: {
  readonly reason: LineReason | null;
  readonly precision: LinePrecision;
}): string | null {
  const isInlined = reason?.type === 'inlined' || (reason?.type === 'mayBeInlined' && precision === 'oneOf');
  return isInlined ? reason.callee : null;
}

/** The time was spent in a function that the line may call. */
export interface CallReason {
  /**
   * `callOnLines`, `unnamedCallOnLines`: several lines may call it. `calledByAnotherName`: the source never names it.
   */
  readonly type: 'callOnLines' | 'unnamedCallOnLines' | 'calledByAnotherName';
  readonly callee: string;
  readonly lines: number;
  /** True where Sparkplug's code ran, which has no positions: otherwise V8's log would have the line. */
  readonly withoutPositions: boolean;
}

export interface Ticks {
  /** Index into `FunctionTable.frames`. */
  readonly frame: number;
  /** Line in the text that ran. */
  readonly line: Line1;
  readonly count: number;
}

/** The samples with one node on top of the stack, by line. Native functions called by it are included. */
export interface SelfSamples {
  readonly ticks: readonly Ticks[];
  /** Share of its time in compiled regular expressions, for which V8 gives no line. 0 to 1. */
  readonly regExpShare: number;
  /** Share of the samples that V8 gave without this frame, so that their line is not known. 0 to 1. */
  readonly lostShare: number;
}

export const noSamples: SelfSamples = { ticks: [], regExpShare: 0, lostShare: 0 };

/**
 * Samples of all nodes of these functions in one isolate, by node. `selfTimes` are in µs, by node; `frameOf` is what
 * `firstFrames` gives.
 */
export function selfSamplesOf(
  { tree, lost }: SampleStream,
  selfTimes: Float64Array,
  isWanted: (functionId: number) => boolean,
  table: FunctionTable,
  frameOf: Int32Array,
): ReadonlyMap<number, SelfSamples> {
  const ticks = tree.ticks();
  const found = new Map<number, { readonly ticks: Ticks[]; regExp: number; all: number }>();
  for (let node = firstFunctionNode; node < tree.size; node += 1) {
    const fn = table.functions[tree.functionId[node] ?? -1];
    const owner = fn !== undefined && isBuiltIn(fn) ? (tree.parent[node] ?? 0) : node;
    const caller = table.functions[tree.functionId[owner] ?? -1];
    if (fn === undefined || caller === undefined || !isWanted(caller.id)) continue;
    const time = selfTimes[node] ?? 0;
    const samples = found.get(owner) ?? { ticks: [], regExp: 0, all: 0 };
    found.set(owner, samples);
    for (const tick of ticksOfNode(ticks, node, caller, frameOf, table)) samples.ticks.push(tick);
    samples.all += time;
    if (fn.name.startsWith('RegExp: ')) samples.regExp += time;
  }
  return new Map(
    [...found].map(([node, { regExp, all, ticks: own }]) => {
      const gone = lost.get(node) ?? 0;
      const lostShare = gone === 0 ? 0 : gone / (gone + sumOf(own, ({ count }) => count));
      return [node, { ticks: own, regExpShare: all === 0 ? 0 : regExp / all, lostShare }];
    }),
  );
}

/** Ticks of a node. For a native function V8 gives the line of the caller at which it was called. */
function ticksOfNode(
  ticks: LineTicks,
  node: number,
  caller: FunctionInfo,
  frameOf: Int32Array,
  { frames }: FunctionTable,
): readonly Ticks[] {
  const found: Ticks[] = [];
  for (let entry = ticks.start[node] ?? 0; entry < (ticks.start[node + 1] ?? 0); entry += 1) {
    const line = ticks.line[entry] ?? 0;
    const count = ticks.count[entry] ?? 0;
    const given = ticks.frame[entry] ?? -1;
    const isOwn = frames[given]?.functionId === caller.id;
    const frame = isOwn ? given : (frameOf[caller.id] ?? -1);
    if (line > 0 && count > 0) found.push({ frame, line: line1(line), count });
  }
  return found;
}

/** First frame of each function, by function id. */
export function firstFrames({ frames, functions }: FunctionTable): Int32Array {
  const first = new Int32Array(functions.length).fill(-1);
  for (const [frame, { functionId }] of frames.entries()) if (first[functionId] === -1) first[functionId] = frame;
  return first;
}

/** Lines of ticks by node of the call tree, and by the function called from it (`ownText` if none was called). */
export type SeenLines = ReadonlyMap<number, ReadonlyMap<number, SeenTicks>>;

export interface SeenTicks {
  readonly ticks: readonly Ticks[];
  /** Number of ticks whose line is not known: V8 keeps no positions of Sparkplug's code before Node 26. */
  readonly unknown: number;
}

/** Key for the node's own text: no function was called. */
export const ownText = -1;

/**
 * Lines of these nodes in one operation. Grafted stacks are matched from the innermost function outwards, where the
 * stream's tree and the log's agree. Null for a profile, which has no such lines.
 */
export function seenLinesOf(
  { tree, nodes: sampled, tiered }: Pick<SampleStream, 'tree' | 'nodes' | 'tiered'>,
  { firstSample, lastSample }: Pick<Operation, 'firstSample' | 'lastSample'>,
  nodes: ReadonlySet<number>,
): SeenLines | null {
  if (tiered === null) return null;
  const { parent, callNode, functionId, frame, line, tier } = tiered.tree;
  const found = new Map<number, Map<number, LineCounts>>();
  for (let sample = firstSample; sample < lastSample; sample++) {
    let callee = ownText;
    let whole = sampled[sample] ?? -1;
    for (let node = tiered.nodes[sample] ?? -1; node >= 0; node = parent[node] ?? -1) {
      const here = tree.functionId[whole] === functionId[node] ? whole : (callNode[node] ?? -1);
      whole = tree.parent[here] ?? -1;
      if (tier[node] === tierNumbers.unknown) continue; // A native function is part of its caller's own time.
      if (nodes.has(here)) count(found, here, callee, (frame[node] ?? 0) * MAX_LINES + (line[node] ?? 0));
      callee = functionId[node] ?? -1;
    }
  }
  return new Map(
    [...found].map(([node, calls]) => [node, new Map([...calls].map(([callee, lines]) => [callee, seenTicks(lines)]))]),
  );
}

/** Number of ticks, by frame times `MAX_LINES`, plus line. */
type LineCounts = Map<number, number>;

const MAX_LINES = 2 ** 24;

function count(found: Map<number, Map<number, LineCounts>>, caller: number, callee: number, place: number): void {
  const calls = found.get(caller) ?? new Map<number, LineCounts>();
  const lines = calls.get(callee) ?? new Map<number, number>();
  found.set(caller, calls.set(callee, lines.set(place, (lines.get(place) ?? 0) + 1)));
}

function seenTicks(lines: LineCounts): SeenTicks {
  const all = [...lines].map(([place, ticks]) => ({
    frame: Math.floor(place / MAX_LINES),
    line: line1(place % MAX_LINES),
    count: ticks,
  }));
  const unknown = all.filter(({ line }) => line === 0).reduce((sum, ticks) => sum + ticks.count, 0);
  return { ticks: all.filter(({ line }) => line > 0), unknown };
}
