import type { Cause } from './causes.ts';
import type { Found } from './finding.ts';
import type { HotLine } from '../lines/hot-lines.ts';
import type { CulpritFigures } from '../function-figures/function-figures.ts';
import { isBundleBody, isTextKnown } from '../../read/functions/function-table.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import { isBefore } from '../../read/source-code/source-index.ts';
import type { LoopLines, SourceCall, SourceFunction, SourceIndex } from '../../read/source-code/source-index.ts';
import { ownCode, sourceOf } from '../../read/source-code/own-code.ts';
import { meaningOf } from '../../read/source-code/name-meanings.ts';
import { onlyMatches, regExpLines } from '../lines/call-lines.ts';
import { inlinedOn } from '../lines/line-shares.ts';
import { type MatchedPage, matchedPages, pageOfCall } from '../remedies/remedies.ts';
import { type Line1, toLine0 } from '../../../protocol/units.ts';
import { maxOf } from '../../../protocol/figures.ts';
import { groupBy, sumOf } from '../../basics/lists.ts';

/** Share of the time that something needs to be the cause. */
export const MOST = 0.5;

const sorting = /^(?:sort|toSorted)$/;

/** Built-in functions that cost next to nothing, and those of Node whose time a profile shows. */
const cheap =
  /^(?:push|set|get|has|add|delete|write|end|send|status|log|resolve|then|emit|slice|keys|values|entries|\w+Sync)$/;

/** Methods that call what they are given for each item. */
const eachItem =
  /^(?:forEach|map|flatMap|filter|reduce|reduceRight|some|every|find|findIndex|findLast|from|replace|replaceAll)$/;

/** What a function's source says about its hottest line, and about how it is called. */
export interface SourceFacts {
  /** Its hottest line; null where none is marked. */
  readonly line: Line1 | null;
  /** Whether another line may be the hottest: then no sentence names it. */
  readonly isOneOf: boolean;
  /** The function that V8 has inlined, or may have, where the line is its; else null. */
  readonly inlined: string | null;
  /** Share of the function's worst that this line has, or the inlined function where several take turns, 0 to 1. */
  readonly share: number;
  /** Remedies for what the function does on the line, the most specific first. */
  readonly pages: readonly MatchedPage[];
  /** Whether functions that the line calls have half of its time. */
  readonly inCalls: boolean;
  /** A call on the line whose name ends in `Sync`; null where there is none. */
  readonly syncCall: string | null;
  /** The call on the line that compresses; null where there is none. */
  readonly compression: string | null;
  /** The built-in functions that the line may call, without those that cost next to nothing. */
  readonly builtIns: readonly string[];
  readonly callsItself: boolean;
  /** Whether several closures of it may call each other: no code around it calls it, or what it is in. */
  readonly wraps: boolean;
  /**
   * Whether the line, in no loop, calls a function that takes turns with this one: then V8 has lost frames of that one,
   * and what else the line does says nothing.
   */
  readonly callsPartner: boolean;
  /** Whether the line uses a regular expression. */
  readonly isMatching: boolean;
  /** Whether it does nothing else: V8 has no frame for what interprets one, as in its first calls. */
  readonly onlyMatches: boolean;
  /** True where it is passed to a sort as its comparator. */
  readonly isSorting: boolean;
  /** Line of its own loop around the line, without `await` and `yield`; null where there is none. */
  readonly loop: Line1 | null;
  /** The own function that calls it in such a loop, and the line of the call; null where none is known to. */
  readonly calledInLoop: { readonly name: string; readonly line: Line1 } | null;
}

/** Null where the source cannot be read. `callers`: ids, the nearest first. */
export async function sourceFacts(
  run: Found,
  cause: Cause,
  { indexes, callers }: { readonly indexes: SourceIndexes; readonly callers: readonly number[] },
  waited: boolean,
): Promise<SourceFacts | null> {
  const { subject, members } = cause;
  const fn = subject.type === 'function' ? run.functions.functions[subject.functionId] : undefined;
  if (fn === undefined || !isTextKnown(fn)) return null;
  const index = await indexes.of(fn.url);
  const source = sourceOf(index, fn);
  const hottest = hottestLine(run, fn.id);
  const { line = null, inCalls = false } = hottest ?? {};
  const text = hottest === undefined ? null : await indexes.textOf(hottest.url);
  const called = members[0]?.functionId ?? fn.id;
  const here = source?.calls.filter((call) => call.line === line) ?? [];
  const syncCalls = here.flatMap(({ callee }) => (callee.endsWith('Sync') ? [callee] : []));
  const loop = line === null ? null : loopAround(source, line);
  const together = inlinedIntoMembers(run, cause);
  const calledInLoop = await callInLoop(run, called === fn.id ? callers : [fn.id], called, indexes);
  const pages = text === null || line === null ? [] : pagesOn({ source: text, line, waited, inCalls }, source, index);
  return {
    line,
    isOneOf: together === null && hottest?.precision === 'oneOf',
    inlined: together?.name ?? (hottest === undefined ? null : inlinedOn(hottest)),
    share: together?.share ?? shareOn(hottest, run.figures[fn.id]?.culprit),
    pages: calledInLoop !== null || (line !== null && repeats(source, line)) ? pages : pages.filter(isForOneRun),
    inCalls,
    syncCall: syncCalls[0] ?? null,
    compression: syncCalls.find((name) => pageOfCall(name) === 'compression') ?? null,
    builtIns: here.filter((call) => mayTakeTime(call, source, index)).map(({ callee }) => callee),
    callsItself: here.some(({ callee }) => callee === fn.name),
    wraps: index !== null && source !== undefined && isUncalledClosure(source, index),
    callsPartner: loop === null && callsMember(here, cause, run),
    ...matchesOn(line, source, index),
    isSorting: sorting.test(source?.callbackOf ?? '') || (await isHandedToSort(run, callers, fn.name, indexes)),
    loop,
    calledInLoop,
  };
}

function matchesOn(
  line: Line1 | null,
  source: SourceFunction | undefined,
  index: SourceIndex | null,
): Pick<SourceFacts, 'isMatching' | 'onlyMatches'> {
  if (line === null || source === undefined || index === null) return { isMatching: false, onlyMatches: false };
  return { isMatching: regExpLines(source, index).lines.includes(line), onlyMatches: onlyMatches(source, line, index) };
}

/** Whether one of these calls names a function that takes turns in a cause. */
function callsMember(calls: readonly SourceCall[], { members }: Cause, { functions: { functions } }: Found): boolean {
  const names = new Set(members.map(({ functionId }) => functions[functionId]?.name));
  return calls.some(({ callee }) => callee !== '' && names.has(callee));
}

/** The line with the largest part of a function, of those on which no other one has more. */
function hottestLine({ lines }: Found, id: number): HotLine | undefined {
  const own = lines.filter(({ functionIds, decorated }) => decorated && functionIds[0] === id);
  return own.toSorted((a, b) => (b.partsUs[0] ?? 0) - (a.partsUs[0] ?? 0))[0];
}

/** Share of a function's worst that it has on its hottest line. */
function shareOn(hottest: HotLine | undefined, culprit: CulpritFigures | null | undefined): number {
  return Math.min(1, (hottest?.partsUs[0] ?? 0) / Math.max(1, culprit?.worst ?? 1));
}

/** Remedies for what a function does on a line; of a source that cannot be parsed, for all that is on the line. */
function pagesOn(
  { line, ...asked }: { source: string; line: Line1; waited: boolean; inCalls: boolean },
  fn: SourceFunction | undefined,
  index: SourceIndex | null,
): readonly MatchedPage[] {
  const own = fn === undefined || index === null ? null : ownCode(asked.source, line, fn, index);
  return matchedPages({ ...asked, line: toLine0(line), own });
}

/** Whether a function lies in another one, and no code there calls it, or what it lies in. */
function isUncalledClosure(closure: SourceFunction, { functions }: SourceIndex): boolean {
  const around: SourceFunction[] = [];
  for (let at = functions[closure.parent]; at !== undefined && at.kind !== 'module'; at = functions[at.parent])
    around.push(at);
  const outermost = around.at(-1);
  if (outermost === undefined || !around.some(({ kind }) => kind === 'function')) return false;
  const titles = new Set([closure, ...around].flatMap(({ title }) => title ?? []));
  const isNamed = ({ callee, passed }: SourceCall): boolean => [callee, ...passed].some((name) => titles.has(name));
  const isInside = ({ start }: SourceFunction): boolean =>
    !isBefore(start, outermost.start) && isBefore(start, outermost.end);
  return !functions.some((fn) => isInside(fn) && fn.calls.some(isNamed));
}

/** Whether a remedy helps where the line runs once: a copy costs little. */
function isForOneRun({ page }: MatchedPage): boolean {
  return page !== 'growing-copies';
}

/** The function whose lines have most of the time of several functions, because V8 inlined it into them; else null. */
function inlinedIntoMembers({ lines }: Found, { members, us }: Cause) {
  const ids = new Set(members.map(({ functionId }) => functionId));
  // What may be inlined stands on two lines.
  const isTheirs = ({ functionIds, precision }: (typeof lines)[number]): boolean =>
    precision !== 'oneOf' && functionIds.some((id) => ids.has(id));
  const all = Math.max(1, maxOf(us));
  const [most] = [...groupBy(lines.filter(isTheirs), (line) => inlinedOn(line))]
    .flatMap(([name, its]) =>
      name === null ? [] : [{ name, share: Math.min(1, sumOf(its, ({ worst }) => worst) / all) }],
    )
    .toSorted((a, b) => b.share - a.share);
  return most !== undefined && most.share >= MOST && ids.size > 1 ? most : null;
}

/** Whether a call may be of a built-in function that takes time, for which V8 has no frame. */
function mayTakeTime(
  { kind, callee, isMember }: SourceCall,
  source: SourceFunction | undefined,
  index: SourceIndex | null,
): boolean {
  if ((kind !== 'call' && kind !== 'new') || cheap.test(callee)) return false;
  return isMember || source === undefined || index === null || meaningOf(callee, source, index).type === 'global';
}

/** Whether the nearest of these callers hands a function to a sort by its name. */
async function isHandedToSort(
  { functions: { functions } }: Found,
  [caller]: readonly number[],
  name: string,
  indexes: SourceIndexes,
): Promise<boolean> {
  const fn = functions[caller ?? -1];
  if (fn === undefined || !isTextKnown(fn) || name === '') return false;
  const calls = sourceOf(await indexes.of(fn.url), fn)?.calls ?? [];
  const isHanded = calls.some(({ callee, passed }) => sorting.test(callee) && passed.includes(name));
  return isHanded && !calls.some(({ callee }) => callee === name);
}

/** Line of the only call by which a function may call that of a cause; null where its source does not show one. */
export async function lineOfCall(
  { functions: { functions } }: Found,
  caller: number | null,
  { subject }: Cause,
  indexes: SourceIndexes,
): Promise<Line1 | null> {
  const fn = functions[caller ?? -1];
  const name = subject.type === 'function' ? functions[subject.functionId]?.name : '';
  if (fn === undefined || !isTextKnown(fn) || isBundleBody(fn)) return null;
  const calls = sourceOf(await indexes.of(fn.url), fn)?.calls ?? [];
  const [call, other] = calls.filter(({ callee }) => callee !== '' && callee === name);
  return call === undefined || other !== undefined ? null : call.line;
}

/** First line of the innermost loop of a function around a line whose runs no other code comes between. */
function loopAround(source: SourceFunction | undefined, line: Line1): Line1 | null {
  const isIt = ({ first, last, isPaused }: LoopLines): boolean => !isPaused && first <= line && line <= last;
  return source?.repeats.findLast(isIt)?.first ?? null;
}

/** Whether a function runs a line again and again, also where it waits in between. */
function repeats(source: SourceFunction | undefined, line: Line1): boolean {
  if (source === undefined) return false;
  return isForEachItem(source) || source.repeats.some(({ first, last }) => first <= line && line <= last);
}

/** Whether a function is called for each item of a list, one right after the other. */
function isForEachItem({ callbackOf, isAsync }: SourceFunction): boolean {
  return !isAsync && eachItem.test(callbackOf ?? '');
}

/** Whether the nearest of these callers calls the function in a loop of its own, or for each item of a list. */
async function callInLoop(
  { functions: { functions } }: Found,
  [caller]: readonly number[],
  called: number,
  indexes: SourceIndexes,
): Promise<{ readonly name: string; readonly line: Line1 } | null> {
  const [fn, callee] = [functions[caller ?? -1], functions[called]];
  if (fn === undefined || callee === undefined || !isTextKnown(fn)) return null;
  const index = await indexes.of(fn.url);
  const source = sourceOf(index, fn);
  if (index === null || source === undefined) return null;
  const calls = source.calls.filter(({ callee: name }) => name === callee.name);
  const [call] = calls;
  if (call !== undefined && calls.every(({ line }) => loopAround(source, line) !== null))
    return { name: fn.label, line: call.line };
  if (call !== undefined && isForEachItem(source)) return { name: fn.label, line: source.start.line };
  const own = callee.url === fn.url ? sourceOf(index, callee) : undefined;
  return own !== undefined && isForEachItem(own) ? { name: fn.label, line: own.start.line } : null;
}
