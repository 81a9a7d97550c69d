import type { RemedyPage } from '../../../protocol/remedy-pages.ts';
import type { Cause } from './causes.ts';
import type { Finding, FindingCause, Found } from './finding.ts';
import type { PartMeasures } from './measure-parts.ts';
import { timeShares, type TimeShares } from './time-shares.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import { weightIn } from '../../cut/operations/operation.ts';
import { firstFunctionNode } from '../../read/samples/call-tree.ts';
import { regExpLines } from '../lines/call-lines.ts';
import { remedyPagesFor } from '../remedies/remedies.ts';
import { functionAt, type SourceFunction, type SourceIndex } from '../../read/source-code/source-index.ts';
import { line0, type Line1 } from '../../../protocol/units.ts';

const sorting = /^(?:sort|toSorted)$/;

/** Methods that call what they are given for each item. */
const eachItem =
  /^(?:forEach|map|flatMap|filter|reduce|reduceRight|some|every|find|findIndex|findLast|from|replace|replaceAll)$/;

export interface CauseContext {
  readonly measures: PartMeasures;
  readonly indexes: SourceIndexes;
  /** Ids of the nearest own callers. */
  readonly callers: readonly number[];
  /** True where sources may be read for it: only what a person looks at is worth that. */
  readonly isRead: boolean;
}

type WithRemedy = Pick<Finding, 'cause' | 'remedy'>;

/** Share of the time that something needs to be the cause, and that garbage needs where nothing else is one. */
const MOST = 0.5;
const MUCH_GARBAGE = 0.25;
/** Share that V8 names as matching where the rest of it may be the line's: less can be a frame that V8 lost. */
const SOME_MATCHING = 0.1;

/** Why the time of a cause is spent (docs/definition.md, rule 21), and what helps. */
export async function causeOf(run: Found, cause: Cause, context: CauseContext): Promise<WithRemedy> {
  const { subject } = cause;
  if (subject.type === 'garbage') return { cause: plain('gc'), remedy: null };
  if (subject.type === 'loading') return { cause: plain('own'), remedy: null };
  if (subject.type === 'package') {
    const inner = context.isRead ? innerPackage(run, cause, subject.name) : null;
    const { name, share } = inner !== null && inner.share >= MOST ? inner : { name: subject.name, share: 1 };
    return {
      cause: { ...plain('package'), name, share: name === subject.name ? 1 : share },
      remedy: pageOfPackage(name),
    };
  }
  const shares = timeShares(run, cause, context.measures);
  const source = context.isRead ? await sourceFacts(run, cause, context, isWaiting(shares)) : null;
  const remedy = source?.pages[0] ?? null;
  const found =
    causeOfTime(shares, source) ??
    causeOfText(shares, source) ??
    (shares.recursive >= MOST ? plain('recursion') : null);
  return { cause: found ?? causeOfCalls(cause, shares, source), remedy };
}

/** What the stacks and the sleep show. */
function causeOfTime(shares: TimeShares, source: SourceFacts | null): FindingCause | null {
  const { waited, garbage, regex, called } = shares;
  const line = source?.isOneOf === true ? null : (source?.line ?? null);
  if (isWaiting(shares)) {
    const { name } = waited;
    const kind =
      name !== null && name.endsWith('Sync') && !/^(?:exec|execFile|spawn)Sync$/.test(name) ? 'syncCall' : 'waiting';
    return { kind, name, share: waited.share, line };
  }
  if (garbage >= MOST || copiesAll(source)) return { kind: 'allocation', name: null, share: garbage, line };
  if (regex >= MOST) return { kind: 'regex', name: null, share: regex, line };
  if (called === null || called.share < MOST) return null;
  const { kind, name, share } = called;
  if (kind === 'package') return { kind: 'package', name, share, line };
  // Of some functions V8 has an inner name: the source has the one that people know.
  return { kind: 'syncCall', name: name.endsWith('Sync') ? name : (source?.syncCall ?? name), share, line };
}

function isWaiting({ waited }: TimeShares): boolean {
  return waited.share >= MOST;
}

/** Whether the hottest line makes a copy to add to it: the function of Node that copies is not to blame for that. */
function copiesAll(source: SourceFacts | null): boolean {
  return source !== null && source.share >= MOST && source.pages[0] === 'growing-copies';
}

/** What the hottest line says, where it has most of the time. */
function causeOfText({ regex, self }: TimeShares, source: SourceFacts | null): FindingCause | null {
  if (source === null) return null;
  const { line, share } = source;
  if (source.isSorting) return { kind: 'sort', name: null, share: 1, line };
  const kind = kindOfPage[source.pages[0] ?? 'stacks'] ?? null;
  if (share < MOST) return null;
  if (kind !== null) return { kind, name: source.syncCall, share, line };
  // V8 counts much of matching, such as what `replace` puts together, for the function that asks for it.
  const isRegex = source.isMatching && regex >= SOME_MATCHING && self >= MOST;
  return isRegex ? { kind: 'regex', name: null, share, line } : null;
}

const kindOfPage: Partial<Readonly<Record<RemedyPage, FindingCause['kind']>>> = {
  'json-clone': 'json',
  json: 'json',
  'key-derivation': 'syncCall',
  compression: 'syncCall',
  'child-processes': 'waiting',
  files: 'syncCall',
  twins: 'syncCall',
  bcryptjs: 'package',
  'crypto-in-javascript': 'package',
  'compression-in-javascript': 'package',
  'regular-expressions': 'regex',
  sorting: 'sort',
};

/** How it is called, where neither the stacks nor the line say what it does. */
function causeOfCalls({ parts, members }: Cause, { garbage }: TimeShares, source: SourceFacts | null): FindingCause {
  if (garbage >= MUCH_GARBAGE) return { ...plain('allocation'), share: garbage };
  if (parts.length === 0) return plain('manyCalls');
  if (members.length > 0) return { ...plain('manyCalls'), line: source?.loop ?? null };
  if (source?.loop !== null && source?.loop !== undefined) return { ...plain('loop'), line: source.loop };
  if (source?.calledInLoop !== null && source?.calledInLoop !== undefined) {
    const { name, line } = source.calledInLoop;
    return { ...plain('manyCalls'), name, line };
  }
  return plain('own');
}

function plain(kind: FindingCause['kind']): FindingCause {
  return { kind, name: null, share: 1, line: null };
}

function pageOfPackage(name: string): RemedyPage | null {
  if (name === 'bcryptjs') return 'bcryptjs';
  if (/^(?:crypto-js|node-forge|sha\.js|hash\.js|js-sha\d+|md5|blueimp-md5)$/.test(name)) return 'crypto-in-javascript';
  return /^(?:pako|jszip|fflate)$/.test(name) ? 'compression-in-javascript' : null;
}

/** A package, and its share of the time below another one, 0 to 1. */
interface InnerPackage {
  readonly name: string;
  readonly share: number;
}

/**
 * The package that is innermost on the stack for most of the time below another one, in the operations that are blamed on
 * that: of a parser of request bodies the parser of query strings. Null where no sample shows one.
 */
function innerPackage(run: Found, { operations }: Cause, below: string): InnerPackage | null {
  const times = new Map<string, number>();
  let all = 0;
  for (const number of operations) {
    const operation = run.operations[number];
    const stream = operation?.stream ?? -1;
    const [samples, tree] = [run.bridged[stream], run.streams[stream]?.tree];
    if (operation === undefined || samples === undefined || tree === undefined) continue;
    const last = Math.min(operation.lastSample, samples.weights.length);
    for (let sample = operation.firstSample; sample < last; sample++) {
      const name = innermost(run, tree, samples.nodes[sample] ?? 0, below);
      if (name === null) continue;
      const weight = weightIn(operation, sample, samples.weights);
      times.set(name, (times.get(name) ?? 0) + weight);
      all += weight;
    }
  }
  const [most] = [...times].toSorted(([, a], [, b]) => b - a);
  return most === undefined ? null : { name: most[0], share: most[1] / Math.max(1, all) };
}

/** The package of the innermost frame of one, if the wanted one is on the path; null otherwise. */
function innermost(
  { functions: { functions } }: Found,
  { parent, functionId }: Found['streams'][number]['tree'],
  node: number,
  wanted: string,
): string | null {
  let found: string | null = null;
  for (let at = node; at >= firstFunctionNode; at = parent[at] ?? 0) {
    const fn = functions[functionId[at] ?? -1];
    const name = fn?.kind === 'dependency' ? fn.packageName : null;
    found ??= name;
    if (name === wanted) return found;
  }
  return null;
}

/** What the source of a finding's function says about its hottest line, and about how it is called. */
interface SourceFacts {
  /** Its hottest line; null where none is marked. */
  readonly line: Line1 | null;
  /** True where it may be another line as well: then no sentence names it. */
  readonly isOneOf: boolean;
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

async function sourceFacts(
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
    isOneOf: hottest?.precision === 'oneOf',
    share: Math.min(1, (hottest?.worst ?? 0) / worst),
    pages: text === null || line === null ? [] : remedyPagesFor({ source: text, line: line0(line - 1), waited }),
    syncCall: source?.calls.find((call) => call.line === line && call.callee.endsWith('Sync'))?.callee ?? null,
    isMatching: index !== null && source !== undefined && regExpLines(source, index).lines.some((at) => at === line),
    isSorting: sorting.test(source?.callbackOf ?? '') || (await isHandedToSort(run, callers, fn.name, indexes)),
    loop: line === null ? null : loopAround(source, line),
    calledInLoop: await callInLoop(run, called === fn.id ? callers : [fn.id], called, indexes),
  };
}

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
