import { type FunctionInfo, type FunctionTable, isBuiltIn, isBundleBody } from '../../read/functions/function-table.ts';
import { type CallLines, asksIterator, callLines, guessed, onlyCalls, regExpLines } from './call-lines.ts';
import { type LineOrigins, type LineShare, originsOfTicks, sharesOf, type Ticks } from './line-shares.ts';
import { type CalledTimes, codeInlinedInto, type InlinedSources } from './inlined-code.ts';
import { calledName } from './call-targets.ts';
import { unpacked } from '../../read/source-code/packed-index.ts';
import { type SourceFunction, type SourceIndex, functionAt } from '../../read/source-code/source-index.ts';
import { type CallTree, firstFunctionNode, noTicks } from '../../read/samples/call-tree.ts';
import type { SampleStream } from '../../read/samples/sample-stream.ts';
import type { SourceMapper } from '../../read/sourcemap/source-mapper.ts';
import type { LostCalls, ReadRun } from '../../cut/streams/build-streams.ts';
import { firstDifference, groupBy, sumOf } from '../../basics/lists.ts';
import type { OriginalLine } from '../../read/sourcemap/ask-map.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import { type Line1, line1, milliseconds } from '../../../protocol/units.ts';
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

/**
 * Of each stream, by node: its ticks at lines that only call functions, and the nodes of these. V8 loses the frame of a
 * function where it interrupts some built-in code in it (`'x' + i`, `slice`, `new`), and counts the sample at the line
 * of the function's call.
 */
export async function findLostCalls(
  { functions: table, streams }: ReadRun,
  mapper: Pick<SourceMapper, 'lines'> | null,
  indexes: SourceIndexes,
): Promise<readonly ReadonlyMap<number, LostCalls>[]> {
  const found = streams.map(() => new Map<number, LostCalls>());
  const callers = callersIn(streams, table);
  const origins = await originsOfTicks(
    [...callers.values()].flat().flatMap(({ ticks }) => ticks),
    table,
    mapper,
  );
  for (const [id, callersOfId] of callers) {
    const isNode = table.functions[id]?.kind === 'node';
    const callsAt = isNode ? null : await callsAlone(id, table, origins, indexes);
    if (callsAt === null && !isNode) continue;
    const isRecursive = callersOfId.some(({ stream, node }) => isBelowItself(node, streams[stream]?.tree));
    for (const caller of callersOfId) {
      const lost = callsAt === null ? callsOfNode(caller) : lostCallsOf(caller, callsAt, isRecursive);
      if (lost.callees.size > 0) found[caller.stream]?.set(caller.node, lost);
    }
  }
  return found;
}

function isBelowItself(node: number, tree: CallTree | undefined): boolean {
  const fn = tree?.functionId[node];
  let above = tree?.parent[node] ?? 0;
  while (above >= firstFunctionNode && tree?.functionId[above] !== fn) above = tree?.parent[above] ?? 0;
  return above >= firstFunctionNode;
}

/**
 * Calls that are made again and again, also by a function that calls itself, count only where the caller has nearly no
 * other samples, as of its loop.
 */
function lostCallsOf({ ticks, callees }: Caller, callsAt: CallsAlone, isRecursive: boolean): LostCalls {
  const found = ticks.flatMap(({ number, count, ...tick }) => {
    const calls = callsAt(tick);
    const called = callees.map(({ node, id }) => ({ node, how: calls(id) })).filter(({ how }) => how !== null);
    const isRepeated = isRecursive || called.some(({ how }) => how === 'repeated');
    return called.length === 0 || called.some(({ how }) => how === 'read')
      ? []
      : [{ number, count, isRepeated, nodes: called.map(({ node }) => node) }];
  });
  const isAll = sumOf(found, ({ count }) => count) >= NEARLY_ALL * sumOf(ticks, ({ count }) => count);
  const lost = found.filter(({ isRepeated }) => isAll || !isRepeated);
  return {
    ticks: new Set(lost.map(({ number }) => number)),
    callees: new Set(lost.flatMap(({ nodes }) => nodes)),
    isSure: true,
  };
}

/** Node's sources are not read: a line of it with nearly all samples calls the program's functions, and does little else. */
function callsOfNode({ ticks, callees }: Caller): LostCalls {
  const lines = groupBy(ticks, ({ line }) => line);
  const all = sumOf(ticks, ({ count }) => count);
  const main = [...lines.values()].find((line) => sumOf(line, ({ count }) => count) >= NEARLY_ALL * all) ?? [];
  return {
    ticks: new Set(main.map(({ number }) => number)),
    callees: new Set(main.length === 0 ? [] : callees.map(({ node }) => node)),
    isSure: callees.length === 1,
  };
}

const NEARLY_ALL = 0.9;

type CallsAlone = (tick: Pick<Ticks, 'frame' | 'line'>) => (callee: number) => ReturnType<typeof onlyCalls>;

/** How the line of a tick of this function calls another, if it does nothing else; null where no source shows it. */
async function callsAlone(
  id: number,
  table: FunctionTable,
  origins: LineOrigins,
  indexes: SourceIndexes,
): Promise<CallsAlone | null> {
  const fn = table.functions[id];
  const index = fn === undefined || fn.byName || isBundleBody(fn) ? null : await indexes.of(fn.url);
  if (fn === undefined || index === null) return null;
  const body = bodyAt(fn.moduleBody ? 0 : functionAt(index, fn.line, fn.column, fn.name), fn, index);
  if (body === null) return null;
  const text = { body, lastLine: null, callLines: new Set(body.calls.map(({ line }) => line)) };
  return (tick) => {
    const [place, ...others] = sharesOf([{ ...tick, count: 1 }], fn, text, table, origins, []);
    if (place === undefined || others.length > 0 || place.doubt !== null) return () => null;
    return (called) => {
      const callee = table.functions[called];
      if (callee === undefined) return null;
      const target = { fn: callee, number: numberIn(index, fn, callee, table), isGenerator: false };
      return onlyCalls(place.line, target, body, index);
    };
  };
}

/** A node that called functions, with its own ticks. */
interface Caller {
  readonly stream: number;
  readonly node: number;
  readonly ticks: readonly (Ticks & { readonly number: number })[];
  readonly callees: readonly { readonly node: number; readonly id: number }[];
}

/** The functions that may have such samples, by id, those with the most own time first. */
function callersIn(streams: readonly SampleStream[], table: FunctionTable): ReadonlyMap<number, readonly Caller[]> {
  const all = streams.flatMap((stream, number) => (stream.tiered === null ? callersOf(stream, number, table) : []));
  const timeOf = (callers: readonly Caller[]): number =>
    sumOf(callers, ({ stream, ticks }) => sumOf(ticks, ({ count }) => count) * (streams[stream]?.interval ?? 0));
  const byFunction = groupBy(all, ({ stream, node }) => streams[stream]?.tree.functionId[node] ?? -1);
  const sorted = [...byFunction]
    .map(([id, callers]) => ({ id, callers, time: timeOf(callers) }))
    .filter(({ time }) => time >= MIN_LOST)
    .toSorted((a, b) => firstDifference(b.time - a.time, a.id - b.id));
  const urls = new Set<string>();
  return new Map(
    sorted.flatMap(({ id, callers }): readonly [number, readonly Caller[]][] => {
      const url = table.functions[id]?.url ?? '';
      if (urls.size < MAX_FILES) urls.add(url);
      return urls.has(url) ? [[id, callers]] : [];
    }),
  );
}

/** Minimum own time of a caller in µs. An error below that makes no figure an estimate. */
const MIN_LOST = milliseconds(3);
/** Maximum files read for this: each costs some milliseconds. */
const MAX_FILES = 100;

function callersOf({ tree, nodes }: SampleStream, stream: number, { functions }: FunctionTable): readonly Caller[] {
  const { parent, functionId, size } = tree;
  const samples = new Int32Array(size);
  const { length } = nodes;
  for (let sample = 0; sample < length; sample++) samples[nodes[sample] ?? 0] = (samples[nodes[sample] ?? 0] ?? 0) + 1;
  const called = new Map<number, Caller['callees'][number][]>();
  for (let node = firstFunctionNode; node < size; node++) {
    const above = parent[node] ?? 0;
    const [caller, callee] = [functions[functionId[above] ?? -1], functions[functionId[node] ?? -1]];
    if (samples[above] === 0 || caller === undefined || callee === undefined || isBuiltIn(callee)) continue;
    if (!caller.own && !callee.own && (caller.kind !== 'node' || callee.kind === 'node')) continue;
    const callees = called.get(above) ?? [];
    called.set(above, callees);
    callees.push({ node, id: callee.id });
  }
  const { start, frame, line, count } = called.size === 0 ? noTicks : tree.ticks();
  return [...called].map(([node, callees]) => {
    const first = start[node] ?? 0;
    const ticks = Array.from({ length: (start[node + 1] ?? 0) - first }, (_, at) => {
      const number = first + at;
      return { number, frame: frame[number] ?? -1, line: line1(line[number] ?? 0), count: count[number] ?? 0 };
    });
    return { stream, node, callees, ticks };
  });
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
function bodyAt(at: number, { generated, name }: FunctionInfo, { functions }: SourceIndex): SourceFunction | null {
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
function numberIn(index: SourceIndex, caller: FunctionInfo, callee: FunctionInfo, { frames }: FunctionTable): number {
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
