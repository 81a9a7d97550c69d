import { type FunctionInfo, type FunctionTable, isBundleBody } from '../../read/functions/function-table.ts';
import { type CallLines, asksIterator, callLines, guessed, regExpLines } from './call-lines.ts';
import { type LineOrigins, type LineShare, sharesOf, type Ticks } from './line-shares.ts';
import { type CalledTimes, codeInlinedInto, type InlinedSources } from './inlined-code.ts';
import { calledName } from './call-targets.ts';
import { unpacked } from '../../read/source-code/packed-index.ts';
import { type SourceFunction, type SourceIndex, functionAt } from '../../read/source-code/source-index.ts';
import type { OriginalLine } from '../../read/sourcemap/ask-map.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import type { Line1 } from '../../../protocol/units.ts';
import { onceEach } from '../../basics/once.ts';
import { plainUrl } from '../../read/files/file-path.ts';

/** A culprit and its text. Each question is answered once: a function may be a culprit in thousands of operations. */
export interface CulpritSource {
  readonly fn: FunctionInfo;
  /** Its function in the source; null where the source cannot be read, or has no such function. */
  readonly body: SourceFunction | null;
  /** True where the source can be read, and has no such function. */
  readonly isNotThere: boolean;
  /** All samples of its lines, in any stack. */
  readonly ticks: readonly Ticks[];
  /** The lines that may call a function; empty for an unknown text. */
  readonly linesCalling: (callee: FunctionInfo) => CallLines;
  /** The same for what the function called before its first `await`. */
  readonly linesCallingFirst: (callee: FunctionInfo) => CallLines;
  /** True where these may be fewer, because the text that ran has its own `await`. */
  readonly hasAwaits: boolean;
  readonly regExps: ReturnType<typeof regExpLines>;
  /** The places in the sources of a line of `linesCalling`: one place, but in the body of a bundle none or several. */
  readonly writtenAt: (line: Line1) => readonly Pick<OriginalLine, 'url' | 'line'>[];
  /** The share of these samples that each of its lines has. The same list gives the same answer. */
  readonly sharesOf: (ticks: readonly Ticks[]) => readonly LineShare[];
  /** The same for ticks of V8's log, which has the functions of inlined code. */
  readonly sharesOfLog: (ticks: readonly Ticks[]) => readonly LineShare[];
}

interface Called {
  /** Ids of the functions in which it spent time. */
  readonly called: ReadonlySet<number>;
  readonly times: CalledTimes;
  readonly sources: InlinedSources;
}

export async function createCulpritSource(
  fn: FunctionInfo,
  ticks: readonly Ticks[],
  { called, times, sources }: Called,
  table: FunctionTable,
  origins: LineOrigins,
): Promise<CulpritSource> {
  const { indexes } = sources;
  const index = fn.byName ? null : await indexes.of(fn.url);
  const at = index === null ? -1 : fn.moduleBody ? 0 : functionAt(index, fn.line, fn.column, fn.name);
  const body = index === null ? null : bodyAt(at, fn, index);
  const callLinesOfBody = new Set(body?.calls.map(({ line }) => line));
  const text = { body, lastLine: index?.functions[0]?.end.line ?? null, callLines: callLinesOfBody };
  const mayRunGenerators = body?.calls.some(asksIterator) === true;
  const generators = mayRunGenerators ? await generatorsAmong(called, table, indexes) : new Set();
  const inlined =
    index === null || body === null || isBundleBody(fn)
      ? []
      : await codeInlinedInto({ url: fn.url, index, body }, sources, times);
  const linesCalling = onceEach((callee: FunctionInfo) => {
    if (index === null || body === null) return noCall;
    const number = numberIn(index, fn, callee, table);
    return callLines(body, { fn: callee, number, isGenerator: generators.has(callee.id) }, index);
  });
  const behind = body?.behindAwaits ?? new Set();
  return {
    fn,
    body,
    isNotThere: index !== null && body === null,
    ticks,
    linesCalling,
    linesCallingFirst: onceEach((callee: FunctionInfo) => notBehind(behind, linesCalling(callee), callLinesOfBody)),
    // Compilers make generators of async functions, and those go on below their callers.
    hasAwaits: behind.size > 0 && fn.generated === null,
    regExps: body === null || index === null ? { lines: [], isSure: false } : regExpLines(body, index),
    sharesOf: onceEach((wanted: readonly Ticks[]) => sharesOf(wanted, fn, text, table, origins, inlined)),
    sharesOfLog: onceEach((wanted: readonly Ticks[]) => sharesOf(wanted, fn, text, table, origins, [])),
    writtenAt: (line) => (isBundleBody(fn) ? (origins.get(fn.url)?.get(line) ?? []) : [{ url: fn.url, line }]),
  };
}

/** Only with the lines of callees that the source calls on one line: any other may have been called by inlined code. */
export function withSureCalls(source: CulpritSource): CulpritSource {
  const sure = (calls: CallLines): CallLines => (calls.by === 'guess' || calls.lines.length > 1 ? noCall : calls);
  return {
    ...source,
    linesCalling: (callee) => sure(source.linesCalling(callee)),
    linesCallingFirst: (callee) => sure(source.linesCallingFirst(callee)),
  };
}

/** The function at this index. A compiler's constructor also runs the calls of the class's fields. */
export function bodyAt(
  at: number,
  { generated, name }: FunctionInfo,
  { functions }: SourceIndex,
): SourceFunction | null {
  const found = functions[at] ?? null;
  if (found === null || generated === null || name.startsWith('<')) return found;
  const classAt = found.kind === 'class' ? at : found.parent;
  const fields = functions[classAt];
  if (fields?.kind !== 'class' || fields.title === null) return found;
  const made = functions.find(({ kind, parent, title }) => {
    return kind === 'function' && parent === classAt && title === fields.title;
  });
  const isMade = found === fields || found === made;
  if (!isMade) return found;
  const calls = [...fields.calls, ...(made?.calls ?? [])];
  return { ...unpacked(made ?? fields), calls, end: fields.end };
}

/** Index of a callee in its caller's text (in a bundle's body, the text that ran); −1 where it is in neither. */
export function numberIn(
  index: SourceIndex,
  caller: FunctionInfo,
  callee: FunctionInfo,
  { frames }: FunctionTable,
): number {
  const isBundle = isBundleBody(caller);
  const ran = isBundle
    ? frames.find(({ functionId, url }) => functionId === callee.id && url === caller.url)
    : undefined;
  if (isBundle ? ran === undefined : plainUrl(callee.url) !== plainUrl(caller.url)) return -1;
  const { line, column } = ran ?? callee;
  const found = functionAt(index, line, column, ran?.functionName ?? callee.name);
  return found >= 0 ? found : index.functions.findIndex(({ title }) => title !== null && title === calledName(callee));
}

/** Lines not behind an `await`. If none is left, a line that does not name the callee called it. */
function notBehind(behind: ReadonlySet<Line1>, { lines, by }: CallLines, all: ReadonlySet<Line1>): CallLines {
  const isFirst = (line: Line1): boolean => !behind.has(line);
  const first = lines.filter(isFirst);
  return first.length === 0 ? guessed([...all].filter(isFirst), []) : { lines: first, by };
}

const noCall: CallLines = { lines: [], by: 'guess' };

/** The generators among functions, by the text where each begins: parsing all dependencies would take too long. */
async function generatorsAmong(
  called: Iterable<number>,
  { functions }: FunctionTable,
  indexes: SourceIndexes,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  const files = new Map<string, readonly string[]>();
  for (const id of called) {
    const fn = functions[id];
    const text = typeof fn?.path === 'string' ? await indexes.textOf(fn.url) : null;
    if (fn === undefined || text === null) continue;
    const lines = files.get(fn.url) ?? text.split('\n');
    files.set(fn.url, lines);
    if (generatorHead.test(headOf(lines[Math.max(0, fn.line)] ?? '', fn.column))) found.add(id);
  }
  return found;
}

/** Matches what precedes a generator's parameters: `function* `, `, async *rows`, `*[Symbol.asyncIterator]`. */
const generatorHead = /(?:function\s*|^\s*|[;{},]\s*|\b(?:async|static)\s+)\*\s*(?:[\w$#]*|\[[^[\]]*\])\s*$/;

/** The line up to a function's parameters, where V8's position is; that of a map is at a word before them. */
function headOf(line: string, column: number): string {
  const end = line.indexOf('(', column);
  return end < 0 ? '' : line.slice(Math.max(0, end - MAX_HEAD), end);
}

/** Maximum UTF-16 units before the parameters. */
const MAX_HEAD = 400;
