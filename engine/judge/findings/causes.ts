import { groupBy, firstDifference, sumOf } from '../../basics/lists.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';
import type { FindingPart, FindingSubject, RunWithPauses } from './finding.ts';
import type { PartMeasures } from './measure-parts.ts';
import { collectionsRecur, sleepIn } from './pauses.ts';
import { compareIds, MIN_SHARE, ownPresences, partsByCause, type Presences, weightsByFunction } from './together.ts';
import { type IsWrittenInside, mostReached } from './written-inside.ts';
import { microseconds } from '../../../protocol/units.ts';

/** Operations, ascending by number, and the time of each that a cause would remove, in µs. */
interface CoverPart {
  readonly operations: readonly number[];
  readonly us: readonly number[];
  /** The part of `us` that one change reaches: in one function, and in what is written inside it. */
  readonly core: readonly number[];
}

/** What could be removed: a cause with its part of each operation, without the time that other causes have there. */
export interface Cause extends CoverPart {
  readonly subject: FindingSubject;
  /** Numbers of its own parts, ascending; empty where it has none. */
  readonly parts: readonly number[];
  /** The functions that take turns in it, the largest part first; empty where it is one function. */
  readonly members: readonly FindingPart[];
  /** Time of garbage collections, of sleep in no known call, and of loading in its parts, in µs. */
  readonly gc: number;
  readonly unexplained: number;
  readonly load: number;
  /** True where the pauses in it recur, so that they are its own. */
  readonly allocates: boolean;
  /** True where it also covers operations in which no function has a part of its own. */
  readonly isSpread: boolean;
}

export interface CauseInput {
  readonly measures: PartMeasures;
  /** Numbers of the long operations on counted loops, ascending, and of the own parts in them. */
  readonly long: readonly number[];
  readonly parts: ArrayLike<number>;
  readonly isInside: IsWrittenInside;
}

/** All causes of long operations, each microsecond of an operation in one of them. */
export function findCauses(run: RunWithPauses, input: CauseInput): readonly Cause[] {
  const presences = ownPresences(run);
  const byFunction = partsByCause(run, input.parts, { ...input, presences });
  const own = new Map([...byFunction].map(([id, parts]) => [id, functionCause(run, id, parts, input)]));
  const blamed = groupBy(input.long, (number) => run.verdicts[number]?.blame?.kind);
  for (const found of spreadCauses(run, blamed.get('own') ?? [], presences))
    own.set(found.functionId, withSpread(own.get(found.functionId), found));
  const causes = [...own.values()];
  const packages = groupBy(blamed.get('package') ?? [], (number) => run.verdicts[number]?.blame?.name ?? '');
  const ofPackages = [...packages].map(([name, operations]): Cause => {
    const us = operations.map((number) => run.verdicts[number]?.blame?.us ?? 0);
    return { ...noTime, subject: { type: 'package', name }, operations, us, core: us };
  });
  const known = [...causes, ...ofPackages];
  return [...known, garbageCause(run, known, input), loadingCause(run, causes, input)];
}

const noTime = { parts: [], members: [], gc: 0, unexplained: 0, load: 0, allocates: false, isSpread: false };

/** The cause of a function, plus the spread operations that it covers. They never overlap. */
function withSpread(cause: Cause | undefined, { functionId, operations, us }: SpreadCause): Cause {
  if (cause === undefined)
    return { ...noTime, subject: { type: 'function', functionId }, operations, us, core: us, isSpread: true };
  const all = [
    ...cause.operations.map((number, at) => ({ number, us: cause.us[at] ?? 0, core: cause.core[at] ?? 0 })),
    ...operations.map((number, at) => ({ number, us: us[at] ?? 0, core: us[at] ?? 0 })),
  ].toSorted((a, b) => a.number - b.number);
  return {
    ...cause,
    operations: all.map(({ number }) => number),
    us: all.map((one) => one.us),
    core: all.map(({ core }) => core),
    isSpread: true,
  };
}

function functionCause(run: RunWithPauses, functionId: number, parts: readonly number[], input: CauseInput): Cause {
  const { ownParts } = run;
  const { measures } = input;
  const unexplainedIn = sleepIn(run);
  const gcIn = (part: number): number => measures.gc[part] ?? 0;
  const allocates = collectionsRecur(run, parts, measures);
  const takes = (part: number): number => {
    const others = (allocates ? 0 : gcIn(part)) + unexplainedIn(part) + ownParts.loadOf(part);
    return Math.max(0, ownParts.weightOf(part) - others);
  };
  const sums = weightsByFunction(run, parts).toSorted(([, a], [, b]) => b - a);
  const isOne = sums.length === 1 && sums[0]?.[0] === functionId;
  const reached = mostReached(sums, input.isInside, [functionId]);
  const members = sums.map(([id, us]) => {
    return { functionId: id, us: microseconds(us), isInside: input.isInside(id, functionId) };
  });
  return {
    subject: { type: 'function', functionId },
    ...takenIn(ownParts, parts, (part) => ({ us: takes(part), isCore: reached.has(ownParts.functionOf(part)) })),
    parts,
    members: isOne ? [] : members,
    gc: sumOf(parts, gcIn),
    unexplained: sumOf(parts, unexplainedIn),
    load: sumOf(parts, (part) => ownParts.loadOf(part)),
    allocates,
    isSpread: false,
  };
}

/** What is taken of each operation. `parts` ascend, so that those of one operation are neighbours. */
function takenIn(
  ownParts: JudgedRun['ownParts'],
  parts: readonly number[],
  take: (part: number) => { readonly us: number; readonly isCore: boolean },
): CoverPart {
  const [operations, us, core]: [number[], number[], number[]] = [[], [], []];
  let last = -1;
  for (const part of parts) {
    const operation = ownParts.operationOf(part);
    if (operation !== operations[last]) last = operations.push(operation) - 1;
    const taken = take(part);
    us[last] = (us[last] ?? 0) + taken.us;
    core[last] = (core[last] ?? 0) + (taken.isCore ? taken.us : 0);
  }
  return { operations, us, core };
}

/** All garbage collection in long operations, without what functions keep in which it recurs. */
function garbageCause({ verdicts, ownParts }: JudgedRun, causes: readonly Cause[], input: CauseInput): Cause {
  const kept = new Map<number, number>();
  for (const part of causes.flatMap(({ parts, allocates }) => (allocates ? parts : []))) {
    const number = ownParts.operationOf(part);
    kept.set(number, (kept.get(number) ?? 0) + (input.measures.gc[part] ?? 0));
  }
  for (const [number, us] of input.measures.asleepInGc) kept.set(number, (kept.get(number) ?? 0) + us);
  const times = timesOf(input.long, (number) => (verdicts[number]?.gc ?? 0) - (kept.get(number) ?? 0));
  return { ...noTime, subject: { type: 'garbage' }, ...times };
}

function loadingCause({ verdicts, ownParts }: JudgedRun, causes: readonly Cause[], { long }: CauseInput): Cause {
  const loaded = new Map<number, number>();
  for (const part of causes.flatMap(({ parts }) => parts)) {
    const number = ownParts.operationOf(part);
    loaded.set(number, (loaded.get(number) ?? 0) + ownParts.loadOf(part));
  }
  const times = timesOf(long, (number) => (verdicts[number]?.load ?? 0) + (loaded.get(number) ?? 0));
  return { ...noTime, subject: { type: 'loading' }, ...times };
}

function timesOf(long: readonly number[], of: (number: number) => number): CoverPart {
  const some = long.map((number) => ({ number, us: of(number) })).filter(({ us }) => us > 0);
  const us = some.map((one) => one.us);
  return { operations: some.map(({ number }) => number), us, core: us };
}

/** An own function that covers operations in which no function has a part of its own over the threshold. */
interface SpreadCause {
  readonly functionId: number;
  /** Numbers of operations, ascending, and its presence in each in µs. */
  readonly operations: readonly number[];
  readonly us: readonly number[];
}

/** The lowest own functions that cover operations of many short calls (rule 18). `numbers` ascend. */
function spreadCauses(run: JudgedRun, numbers: readonly number[], presences: Presences): readonly SpreadCause[] {
  let left = numbers.map((number) => ({ number, us: presences.in(number) }));
  const found: SpreadCause[] = [];
  while (left.length > 0) {
    const functionId = covering(run, left);
    if (functionId === null) break;
    const isCovered = ({ number, us }: InOperation): boolean =>
      (us.get(functionId) ?? 0) * 2 >= (run.verdicts[number]?.blame?.us ?? 0);
    const its = left.filter(isCovered);
    if (its.length === 0) break;
    const us = its.map((one) => one.us.get(functionId) ?? 0);
    found.push({ functionId, operations: its.map(({ number }) => number), us });
    left = left.filter((one) => !isCovered(one));
  }
  return found;
}

interface InOperation {
  readonly number: number;
  /** Presence in µs by function id. */
  readonly us: ReadonlyMap<number, number>;
}

/** Of the own functions that explain ≥ 80 % of the most, the one with the least presence, test code last; else null. */
function covering({ functions: { functions }, verdicts }: JudgedRun, left: readonly InOperation[]): number | null {
  const sums = new Map<number, number>();
  for (const { number, us } of left) {
    const own = verdicts[number]?.blame?.us ?? 0;
    for (const [fn, presence] of us) if (presence * 2 >= own) sums.set(fn, (sums.get(fn) ?? 0) + presence);
  }
  const most = [...sums.values()].reduce((largest, us) => Math.max(largest, us), 0);
  const enough = [...sums].filter(([, us]) => us > 0 && us >= MIN_SHARE * most);
  const isTest = (id: number): number => Number(functions[id]?.role === 'test' || functions[id]?.moduleBody === true);
  const [lowest] = enough.toSorted(([a, x], [b, y]) =>
    firstDifference(isTest(a) - isTest(b), x - y, compareIds(functions, a, b)),
  );
  return lowest?.[0] ?? null;
}
