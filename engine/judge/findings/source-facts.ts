import { regExpLines } from '../lines/call-lines.ts';
import { remedyPagesFor } from '../remedies/remedies.ts';
import { functionAt, type SourceFunction, type SourceIndex } from '../../read/source-code/source-index.ts';
import type { RemedyPage } from '../../../protocol/remedy-pages.ts';
import { line0, type Line1 } from '../../../protocol/units.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import type { Cause } from './causes.ts';
import type { Found } from './finding.ts';

/** What the source of a finding's function says about its hottest line, and about how it is called. */
export interface SourceFacts {
  /** Its hottest line; null where none is marked. */
  readonly line: Line1 | null;
  /** Share of the function's worst that this line has, 0 to 1. */
  readonly share: number;
  /** Pages of remedies that fit the line. */
  readonly pages: readonly RemedyPage[];
  /** A call on the line whose name ends in `Sync`; null where there is none. */
  readonly syncCall: string | null;
  /** True where the line may run a regular expression. */
  readonly isMatching: boolean;
  /** True where it is handed to a sort as its comparator. */
  readonly isSorting: boolean;
  /** Line of its own loop around the line; null where there is none. */
  readonly loop: Line1 | null;
  /** The own function that calls it in a loop, and the line of the call; null where none is known to. */
  readonly calledInLoop: { readonly name: string; readonly line: Line1 } | null;
}

export async function sourceFacts(
  run: Found,
  { subject, members }: Cause,
  { indexes, callers }: { readonly indexes: SourceIndexes; readonly callers: readonly number[] },
  waited: boolean,
): Promise<SourceFacts | null> {
  const fn = subject.type === 'function' ? run.functions.functions[subject.functionId] : undefined;
  if (fn === undefined || fn.line < 0) return null;
  const index = await indexes.of(fn.url);
  const source = index?.functions[functionAt(index, fn.line, fn.column, fn.name)];
  const hottest = run.lines.find(({ functionIds, decorated }) => decorated && functionIds[0] === fn.id);
  const line = hottest?.line ?? null;
  const text = hottest === undefined ? null : await indexes.textOf(hottest.url);
  const worst = Math.max(1, run.figures[fn.id]?.culprit?.worst ?? 1);
  const called = members[0]?.functionId ?? fn.id;
  return {
    line,
    share: Math.min(1, (hottest?.worst ?? 0) / worst),
    pages: text === null || line === null ? [] : remedyPagesFor({ source: text, line: line0(line - 1), waited }),
    syncCall: source?.calls.find((call) => call.line === line && call.callee.endsWith('Sync'))?.callee ?? null,
    isMatching: index !== null && source !== undefined && regExpLines(source, index).lines.some((at) => at === line),
    isSorting: sorting.test(source?.callbackOf ?? '') || (await isHandedToSort(run, callers, fn.name, indexes)),
    loop: line === null ? null : loopAround(source, line),
    calledInLoop: await callInLoop(run, called === fn.id ? callers : [fn.id], called, indexes),
  };
}

const sorting = /^(?:sort|toSorted)$/;

/** Whether the nearest of these callers hands a function to a sort by its name. */
async function isHandedToSort(
  { functions: { functions } }: Found,
  [caller]: readonly number[],
  name: string,
  indexes: SourceIndexes,
): Promise<boolean> {
  const fn = functions[caller ?? -1];
  if (fn === undefined || fn.line < 0 || name === '') return false;
  const source = sourceOf(await indexes.of(fn.url), fn);
  return source?.calls.some(({ callee, passed }) => sorting.test(callee) && passed.includes(name)) ?? false;
}

/** First line of the innermost loop of a function around a line. */
function loopAround(source: SourceFunction | undefined, line: Line1): Line1 | null {
  return source?.repeats.findLast(({ first, last }) => first <= line && line <= last)?.first ?? null;
}

/** Methods that call what they are given for each item. */
const eachItem =
  /^(?:forEach|map|flatMap|filter|reduce|reduceRight|some|every|find|findIndex|findLast|from|replace|replaceAll)$/;

/** Whether the nearest of these callers calls the function in a loop of its own, or for each item of a list. */
async function callInLoop(
  { functions: { functions } }: Found,
  [caller]: readonly number[],
  called: number,
  indexes: SourceIndexes,
): Promise<SourceFacts['calledInLoop']> {
  const [fn, callee] = [functions[caller ?? -1], functions[called]];
  if (fn === undefined || callee === undefined || fn.line < 0) return null;
  const index = await indexes.of(fn.url);
  const source = sourceOf(index, fn);
  if (index === null || source === undefined) return null;
  const call = source.calls.find(({ callee: name, line }) => name === callee.name && loopAround(source, line) !== null);
  if (call !== undefined) return { name: fn.label, line: call.line };
  const isCallback =
    eachItem.test(source.callbackOf ?? '') && source.calls.some(({ callee: name }) => name === callee.name);
  if (isCallback) return { name: fn.label, line: source.start.line };
  const own = callee.url === fn.url ? sourceOf(index, callee) : undefined;
  return own !== undefined && eachItem.test(own.callbackOf ?? '') ? { name: fn.label, line: own.start.line } : null;
}

function sourceOf(index: SourceIndex | null, fn: Found['functions']['functions'][number]): SourceFunction | undefined {
  return index?.functions[functionAt(index, fn.line, fn.column, fn.name)];
}
