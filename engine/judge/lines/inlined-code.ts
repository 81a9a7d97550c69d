import type { FunctionInfo, FunctionTable } from '../../read/functions/function-table.ts';
import type { SourceCall, SourceFunction, SourceIndex } from '../../read/source-code/source-index.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import { sourceOf } from '../../read/source-code/own-code.ts';
import { meaningOf } from '../../read/source-code/name-meanings.ts';
import { filesOfImport } from '../../read/sourcemap/made-of.ts';
import { plainUrl } from '../../read/files/file-path.ts';
import { groupBy } from '../../basics/lists.ts';
import { firstFunctionNode } from '../../read/samples/call-tree.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';
import type { Line1 } from '../../../protocol/units.ts';

/** The lines of a function that V8 may have inlined into its caller: then it counts them for the caller. */
export interface InlinedCode {
  readonly label: string;
  readonly url: string;
  readonly first: Line1;
  readonly last: Line1;
  /**
   * V8 may have inlined it wherever it ran: it is called again and again, and V8 does not show it below its caller for a
   * good part of the caller's own time.
   */
  readonly isEverywhere: boolean;
}

/** What is needed to find code that may be inlined, once for all callers. */
export interface InlinedSources {
  readonly indexes: SourceIndexes;
  /** Own functions by their name. */
  readonly byName: ReadonlyMap<string, readonly FunctionInfo[]>;
}

export function inlinedSources({ functions }: FunctionTable, indexes: SourceIndexes): InlinedSources {
  return {
    indexes,
    byName: groupBy(
      functions.filter(({ kind, line }) => kind === 'own' && line >= 0),
      (fn) => fn.name,
    ),
  };
}

/** A function in its source. */
interface Written {
  readonly url: string;
  readonly index: SourceIndex;
  readonly body: SourceFunction;
}

interface Code extends Written {
  /** Whether it is called in a loop, or for each item. */
  readonly isRepeated: boolean;
}

/** Time of a function itself, and of the functions directly below it, by their ids; in µs. */
export interface CalledTimes {
  readonly called: ReadonlyMap<number, number>;
  readonly self: number;
}

/** Time of each of these functions itself, and of the functions directly below it with all that they called, over all isolates. */
export function timesBelow(
  functions: ReadonlySet<number>,
  { streams, selfTimes }: Pick<JudgedRun, 'streams' | 'selfTimes'>,
): ReadonlyMap<number, CalledTimes> {
  const found = new Map([...functions].map((id) => [id, { self: 0, called: new Map<number, number>() }]));
  for (const [stream, { tree }] of streams.entries()) {
    const total = Float64Array.from(selfTimes[stream] ?? []);
    for (let node = tree.size - 1; node >= firstFunctionNode; node--) {
      const [id = -1, above = 0, us = 0] = [tree.functionId[node], tree.parent[node], total[node]];
      total[above] = (total[above] ?? 0) + us;
      const own = found.get(id);
      if (own !== undefined) own.self += selfTimes[stream]?.[node] ?? 0;
      const caller = above < firstFunctionNode ? undefined : found.get(tree.functionId[above] ?? -1);
      caller?.called.set(id, (caller.called.get(id) ?? 0) + us);
    }
  }
  return found;
}

const MAX_DEPTH = 3;
const MAX_CODE = 30;
/** A good part is a quarter. */
const MUCH_APART = 4;

/** The functions that a function calls, of other files those that it calls again and again, and what these call. */
export async function codeInlinedInto(
  caller: Written,
  sources: InlinedSources,
  { called, self }: CalledTimes,
): Promise<readonly InlinedCode[]> {
  const { indexes, byName } = sources;
  const found = new Map<SourceFunction, InlinedCode>();
  const isNew = ({ url, body, isRepeated }: Code): boolean => {
    const label = body.title ?? '';
    const shown = (byName.get(label) ?? []).filter((fn) => plainUrl(fn.url) === plainUrl(url));
    const isApart = shown.some(({ id }) => (called.get(id) ?? 0) * MUCH_APART >= self);
    if (body === caller.body || found.has(body)) return false;
    const lines = { first: body.start.line, last: body.end.line };
    found.set(body, { label, url: shown[0]?.url ?? url, ...lines, isEverywhere: isRepeated && !isApart });
    return true;
  };
  const own = { ...caller, isRepeated: false };
  let level: readonly Code[] = [own, ...(await codeSeenBelow(own, sources, called)).filter(isNew)];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0 && found.size < MAX_CODE; depth++) {
    const next = await Promise.all(level.map(async (from) => codeCalledBy(from, indexes)));
    level = next.flat().filter(isNew);
  }
  return [...found.values()];
}

/** Methods of other files that V8 showed below their caller: its source does not name their file. */
async function codeSeenBelow(
  from: Code,
  { indexes, byName }: InlinedSources,
  called: CalledTimes['called'],
): Promise<readonly Code[]> {
  const code = from.body.calls.map(async (call) => {
    const isSeen = ({ id, url }: FunctionInfo): boolean => called.has(id) && plainUrl(url) !== plainUrl(from.url);
    const seen = call.isMember ? (byName.get(call.callee) ?? []).filter(isSeen) : [];
    const written = seen.map(async (fn) => {
      const index = await indexes.of(fn.url);
      const body = sourceOf(index, fn);
      const isRepeated = isInLoop(call, from.body);
      return index === null || body === undefined ? [] : [{ url: fn.url, index, body, isRepeated }];
    });
    return (await Promise.all(written)).flat();
  });
  return (await Promise.all(code)).flat();
}

/** In other files only what is called again and again is looked for. */
async function codeCalledBy(from: Code, indexes: SourceIndexes): Promise<readonly Code[]> {
  const calls = from.body.calls.filter(({ kind }) => kind === 'call');
  const code = calls.map(async (call) => {
    const isRepeated = from.isRepeated || isInLoop(call, from.body);
    const called = await calledCode(call, from, isRepeated ? indexes : null);
    return called.map((one) => ({ ...one, isRepeated }));
  });
  return (await Promise.all(code)).flat();
}

/** Whether the caller makes the call in a loop, or is itself called for each item. */
function isInLoop({ line }: SourceCall, { callbackOf, repeats }: SourceFunction): boolean {
  return callbackOf !== null || repeats.some(({ first, last }) => first <= line && line <= last);
}

/**
 * The functions of the program that a call may run, as far as its names tell: of the same file, or imported. `indexes`:
 * null where no other file is to be read.
 */
async function calledCode(call: SourceCall, from: Code, indexes: SourceIndexes | null): Promise<readonly Written[]> {
  const { url, index, body } = from;
  const meaning = meaningOf(call.isMember ? call.root : call.callee, body, index);
  if (meaning.type === 'function' && !call.isMember) return codeAt(url, index, [meaning.index]);
  const alias = meaning.type === 'alias' ? meaning.alias : null;
  const name = call.isMember || alias === null || /^(?:default|\*)$/.test(alias.name) ? call.callee : alias.name;
  const file = alias?.from ?? null;
  if (file === null) return call.isMember || alias !== null ? codeCalled(name, url, index) : [];
  if (indexes === null || !file.startsWith('.')) return [];
  for (const place of filesOfImport(file, url)) {
    const there = await indexes.of(place);
    if (there !== null) return codeCalled(name, place, there);
  }
  return [];
}

function codeCalled(name: string, url: string, index: SourceIndex): readonly Written[] {
  return codeAt(
    url,
    index,
    index.functions.flatMap(({ kind, title }, at) => (kind === 'function' && title === name ? [at] : [])),
  );
}

function codeAt(url: string, index: SourceIndex, numbers: readonly number[]): readonly Written[] {
  return numbers.flatMap((at) => index.functions[at] ?? []).map((body) => ({ url, index, body }));
}
