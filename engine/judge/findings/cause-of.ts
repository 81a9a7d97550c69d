import type { RemedyPage } from '../../../protocol/ids.ts';
import type { Cause } from './causes.ts';
import type { Finding, FindingCause, Found } from './finding.ts';
import { MOST, type SourceFacts, sourceFacts } from './source-facts.ts';
import { pageOfCall, pageOfPackage } from '../remedies/remedies.ts';
import type { PartMeasures } from './measure-parts.ts';
import { sumOf } from '../../basics/lists.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import { firstFunctionNode, type CallTree } from '../../read/samples/call-tree.ts';
import { eachSample, weightOf } from './together.ts';
import type { FunctionInfo } from '../../read/functions/function-table.ts';

interface CauseContext {
  readonly measures: PartMeasures;
  readonly indexes: SourceIndexes;
  readonly callers: readonly number[];
  /** True if its sources may be read: only for the first findings. */
  readonly isRead: boolean;
}

type WithRemedy = Pick<Finding, 'cause' | 'remedy'>;

/** Share of the time that garbage needs to be the cause where nothing else is one. */
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
  const found =
    causeOfTime(shares, source) ??
    causeOfInlined(source) ??
    causeOfText(shares, source) ??
    (shares.recursive >= MOST && !loopsInLeaves(source) && source?.wraps !== true ? plain('recursion') : null) ??
    causeOfCalls(cause, shares, source);
  return { cause: found, remedy: source?.pages.find(({ page }) => suits(page, found))?.page ?? null };
}

/** Whether the hottest line of a function that calls itself is in a loop, and does not lead to the next call. */
function loopsInLeaves(source: SourceFacts | null): boolean {
  return source !== null && source.share >= MOST && source.loop !== null && !source.callsItself;
}

/** Whether a remedy for what the line says is one for this cause. */
function suits(page: RemedyPage, { kind, name }: FindingCause): boolean {
  if (page === 'twins') return kind === 'package' || kind === 'syncCall';
  const ofText = kindOfPage[page];
  if (ofText === undefined) return kind !== 'package' && kind !== 'syncCall' && kind !== 'waiting';
  return ofText === kind && (kind !== 'syncCall' || name === null || page === pageOfCall(name));
}

/** What the stacks and the sleep show. */
function causeOfTime(shares: TimeShares, source: SourceFacts | null): FindingCause | null {
  const { waited, garbage, regex, self, called } = shares;
  const line = source?.isOneOf === true ? null : (source?.line ?? null);
  if (isWaiting(shares)) {
    const { name } = waited;
    const kind =
      name !== null && name.endsWith('Sync') && !/^(?:exec|execFile|spawn)Sync$/.test(name) ? 'syncCall' : 'waiting';
    return { kind, name, share: waited.share, line };
  }
  // The function of Node that copies is not to blame where the hottest line makes a copy to add to it.
  const isOther = called !== null && called.share >= MOST && !/cop(?:y|ies)|concat/i.test(called.name);
  const copiesAll = source !== null && source.share >= MOST && source.pages[0]?.page === 'growing-copies' && !isOther;
  const doubt = copiesAll && callsMore(source, 'allocation') ? 'calls' : null;
  if (garbage >= MOST || copiesAll) return { kind: 'allocation', name: null, share: garbage, line, doubt };
  if (regex >= MOST) {
    const ofLine = line !== null && source?.onlyMatches === true ? Math.min(self, source.share) : 0;
    return { kind: 'regex', name: null, share: Math.max(regex, ofLine), line };
  }
  if (called === null || called.share < MOST) return null;
  const { kind, name, share } = called;
  if (kind === 'package') return { kind: 'package', name, share, line };
  // Of some functions V8 has an inner name: the source has the one that people know.
  const known = pageOfCall(name) === 'compression' ? (source?.compression ?? name) : name;
  return { kind: 'syncCall', name: known, share, line: source?.inCalls === true ? line : null };
}

function isWaiting({ waited }: TimeShares): boolean {
  return waited.share >= MOST;
}

/** The function whose inlined code the hottest line is, or may be. */
function causeOfInlined(source: SourceFacts | null): FindingCause | null {
  const { inlined = null, share = 0, isOneOf = false } = source ?? {};
  return inlined === null || share < MOST
    ? null
    : { ...plain('own'), name: inlined, share, doubt: isOneOf ? 'line' : null };
}

/** What the hottest line says, where it has most of the time. */
function causeOfText({ regex, self }: TimeShares, source: SourceFacts | null): FindingCause | null {
  if (source === null) return null;
  const { line, share } = source;
  if (source.isSorting) return { kind: 'sort', name: null, share: 1, line };
  const [first] = source.pages;
  const kind = kindOfPage[first?.page ?? 'stacks'] ?? null;
  if (share < MOST) return null;
  // These have no frames: what is in frames below the line is not theirs.
  if ((kind === 'json' || kind === 'regex') && source.inCalls) return null;
  const isSeen = kind === 'syncCall' || (kind === 'regex' && regex >= SOME_MATCHING);
  const doesMore = source.pages.length > 1 || callsMore(source, kind);
  const doubt = isSeen ? null : doesMore ? 'calls' : first?.byName === true ? 'name' : null;
  // Of a line that runs once between samples of what it calls, these may be of that function: V8 lost its frame.
  if (kind !== null && source.callsPartner) return plain('own');
  if (kind !== null) return { kind, name: source.syncCall, share, line, doubt };
  // V8 counts much of matching, such as what `replace` puts together, for the function that asks for it.
  const isRegex = source.isMatching && regex >= SOME_MATCHING && self >= MOST;
  return isRegex ? { kind: 'regex', name: null, share, line } : null;
}

/** Whether the line may call another built-in function that takes time than one of this kind. */
function callsMore({ builtIns }: SourceFacts, kind: FindingCause['kind'] | null): boolean {
  return builtIns.some((callee) => kind === null || builtInsOf[kind]?.test(callee) !== true);
}

const builtInsOf: Partial<Readonly<Record<FindingCause['kind'], RegExp>>> = {
  json: /^(?:parse|stringify|json)$/,
  sort: /^(?:sort|toSorted)$/,
  regex: /^(?:test|exec|match|matchAll|replace|replaceAll|search)$/,
  allocation: /^(?:concat|assign)$/,
};

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
  const { loop = null, calledInLoop = null } = source ?? {};
  if (loop !== null) return { ...plain('loop'), line: loop };
  return calledInLoop === null ? plain('own') : { ...plain('manyCalls'), ...calledInLoop };
}

function plain(kind: FindingCause['kind']): FindingCause {
  return { kind, name: null, share: 1, line: null };
}

/**
 * The package that is innermost for most of the time below another one, in the operations blamed on that one (of a body
 * parser, the query parser), and its share of that time. Null where no sample shows one.
 */
function innerPackage(run: Found, { operations }: Cause, below: string) {
  const times = new Map<string, number>();
  for (const number of operations) {
    const tree = run.streams[run.operations[number]?.stream ?? -1]?.tree;
    eachSample(run, number, (node, weight) => {
      const name = tree === undefined ? null : innermost(run, tree, node, below);
      if (name !== null) times.set(name, (times.get(name) ?? 0) + weight);
    });
  }
  const most = longest(times);
  return most === null ? null : { name: most.key, share: most.us / Math.max(1, totalOf(times)) };
}

/** The package of the innermost frame of one, if the wanted one is on the path; null otherwise. */
function innermost(run: Found, { parent, functionId }: CallTree, node: number, wanted: string): string | null {
  let found: string | null = null;
  for (let at = node; at >= firstFunctionNode; at = parent[at] ?? 0) {
    const fn = run.functions.functions[functionId[at] ?? -1];
    const name = fn?.kind === 'dependency' ? fn.packageName : null;
    found ??= name;
    if (name === wanted) return found;
  }
  return null;
}

type TimeShares = ReturnType<typeof timeShares>;

interface Called {
  readonly kind: 'package' | 'node';
  readonly name: string;
}

/** Shares of the time of a cause, 0 to 1. */
function timeShares(run: Found, cause: Cause, measures: PartMeasures) {
  const { gc, regex, nested } = measures;
  const { ownParts } = run;
  const { parts } = cause;
  const weight = Math.max(1, weightOf(run, parts));
  const shareOf = (time: (part: number) => number): number => sumOf(parts, time) / weight;
  const waited = waitedTimes(run, parts);
  const called = longest(calledTimes(run, parts, measures));
  return {
    /** Sleep in calls that can block, and the one that slept longest. */
    waited: { share: totalOf(waited) / weight, name: longest(waited)?.key ?? null },
    garbage: cause.allocates ? shareOf((part) => gc[part] ?? 0) : 0,
    regex: shareOf((part) => regex[part] ?? 0),
    /** At the functions themselves, with the built-in functions that they call. */
    self: shareOf((part) => sumOf(ownParts.placesOf(part), (place) => ownParts.places.selfOf(place))),
    /** What its functions call directly and spend most in: a package or a function of Node; null for none. */
    called: called === null ? null : { ...called.key, share: called.us / weight },
    recursive: shareOf((part) => nested[part] ?? 0),
  };
}

/** Sleep in these parts in µs, by the name of the call that can block. */
function waitedTimes(run: Found, parts: readonly number[]): ReadonlyMap<string, number> {
  const { ownParts, functions, atomicsWaiters } = run;
  const times = new Map<string, number>();
  for (const part of parts) {
    const waited = ownParts.waitedOf(part);
    if (waited === null) continue;
    const isAtomics = waited.in === null && atomicsWaiters.has(ownParts.functionOf(part));
    const name = isAtomics ? 'Atomics.wait' : functions.functions[typeof waited.in === 'number' ? waited.in : -1]?.name;
    if (name !== undefined) times.set(name, (times.get(name) ?? 0) + waited.us);
  }
  return times;
}

/** Time of the packages and of the functions of Node in the parts, in µs. */
function calledTimes(
  { functions: { functions } }: Pick<Found, 'functions'>,
  parts: readonly number[],
  { called }: PartMeasures,
): ReadonlyMap<Called, number> {
  const byFunction = new Map<number, number>();
  for (const part of parts)
    for (const [id, us] of called.get(part) ?? nothingCalled) byFunction.set(id, (byFunction.get(id) ?? 0) + us);
  const times = new Map<string, { key: Called; us: number }>();
  for (const [id, us] of byFunction) {
    const key = calledKey(functions[id]);
    if (key === null) continue;
    const text = `${key.kind} ${key.name}`;
    const known = times.get(text) ?? { key, us: 0 };
    times.set(text, { key: known.key, us: known.us + us });
  }
  return new Map([...times.values()].map(({ key, us }) => [key, us]));
}

const nothingCalled: ReadonlyMap<number, number> = new Map();

/** Time of these own parts in packages, without own code in between, in µs by name of the package. */
export function packageTimes(
  run: Pick<Found, 'functions'>,
  parts: readonly number[],
  measures: PartMeasures,
): ReadonlyMap<string, number> {
  const times = [...calledTimes(run, parts, measures)];
  return new Map(times.flatMap(([{ kind, name }, us]) => (kind === 'package' ? [[name, us]] : [])));
}

function calledKey(fn: FunctionInfo | undefined): Called | null {
  if (fn?.kind === 'dependency' && fn.packageName !== null) return { kind: 'package', name: fn.packageName };
  return fn?.kind === 'node' && !fn.loader && fn.name !== '' ? { kind: 'node', name: fn.name } : null;
}

function totalOf(times: ReadonlyMap<unknown, number>): number {
  return sumOf(times.values(), (us) => us);
}

/** The largest time, of equal ones the first; null where there is none. */
function longest<Key>(times: ReadonlyMap<Key, number>): { readonly key: Key; readonly us: number } | null {
  let most: { readonly key: Key; readonly us: number } | null = null;
  for (const [key, us] of times) if (most === null || us > most.us) most = { key, us };
  return most;
}
