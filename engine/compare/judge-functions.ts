import {
  changeVerdicts,
  type ChangeVerdict,
  type ComparedFunction,
  type ComparedMachine,
  type MatchedBy,
} from '../../protocol/comparison.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { firstDifference } from '../basics/lists.ts';
import {
  blockRule,
  changeBy,
  changeByStages,
  type ChangeRule,
  comparedTimes,
  confirmingRule,
  countChange,
  countsOf,
  firstRule,
  type FunctionPair,
  isAlwaysBelow,
  isClearTogether,
  isNoChange,
  type Order,
  runsOf,
  worstsOf,
  type Direction,
  factor,
} from './change-rules.ts';
import { matchFunctions } from './match-functions.ts';
import type { SideFunction } from './side.ts';
import { median } from '../../protocol/median.ts';

/** The runs of two sides, in the order in which they were made. */
export interface ComparedSides {
  readonly base: readonly SideFunction[];
  readonly head: readonly SideFunction[];
  readonly baseRuns: number;
  readonly headRuns: number;
  readonly order: Order;
  readonly thresholdUs: Microseconds;
  /** The runs that confirm what the ones before have shown; null where none does. */
  readonly confirm: Confirmation | null;
  /**
   * `candidates`: many functions are looked at, so a change must be seen twice. `stages`: one function is, which is run
   * until it is clear.
   */
  readonly rule: 'candidates' | 'stages';
  /** Whether the command failed on a side, so that what was not seen there may not have run. */
  readonly failed?: { readonly base: boolean; readonly head: boolean };
}

export interface Confirmation {
  /** Index of the first of these runs of each side; they go on to the last. */
  readonly from: number;
  /** True where they ran only the tests that reach what had changed: of other functions they tell nothing. */
  readonly isNarrow: boolean;
}

export interface ComparedFunctions {
  readonly machine: ComparedMachine;
  readonly functions: readonly ComparedFunction[];
}

/** A function that held the loop over the threshold in a run of either side. */
interface Candidate {
  readonly was: SideFunction | undefined;
  readonly is: SideFunction | undefined;
  readonly by: MatchedBy | null;
  readonly textChanged: boolean | null;
  readonly first: FunctionPair;
  /** Null where nothing confirms. */
  readonly confirming: FunctionPair | null;
  /** All runs that tell of it. */
  readonly all: FunctionPair;
  /** By the rule for the first runs. */
  readonly change: Direction | null;
  /** Whether it would pass as changed where no run counts as disturbed. */
  readonly hasMoved: boolean;
}

/** Judges each function that held the loop in a run of either side (docs/verify.md says how). */
export function compareSides(sides: ComparedSides): ComparedFunctions {
  const candidates = candidatesOf(sides);
  const machine = machineOf(candidates);
  const compared = candidates.map((one) => judged(one, candidates, machine, sides));
  const functions = withMoves(compared).toSorted((a, b) =>
    firstDifference(rankOf(a.verdict) - rankOf(b.verdict), sizeOf(b) - sizeOf(a)),
  );
  return { machine, functions };
}

function candidatesOf({ base, head, baseRuns, headRuns, order, thresholdUs, confirm, rule }: ComparedSides) {
  const matches = matchFunctions(
    base.map(({ identity }) => identity),
    head.map(({ identity }) => identity),
  );
  const first: ChangeRule = order === 'blocks' && confirm === null ? blockRule : firstRule;
  const changeOf = (pair: FunctionPair): Direction | null =>
    rule === 'stages' && order === 'interleaved'
      ? changeByStages(pair, thresholdUs)
      : changeBy(first, pair, thresholdUs);
  const candidate = (was: SideFunction | undefined, is: SideFunction | undefined, by: MatchedBy | null): Candidate => {
    const runs = { was: runsOf(was, baseRuns), is: runsOf(is, headRuns) };
    const early = { was: runs.was.slice(0, confirm?.from), is: runs.is.slice(0, confirm?.from) };
    const rest = confirm === null ? null : { was: runs.was.slice(confirm.from), is: runs.is.slice(confirm.from) };
    const all = confirm?.isNarrow === true ? early : runs;
    const isKnown = was !== undefined && is !== undefined && was.identity.tokens.length > 0;
    return {
      ...{ was, is, by, first: early, all, confirming: rest },
      textChanged: isKnown ? was.identity.tokens.join(' ') !== is.identity.tokens.join(' ') : null,
      change: changeOf(early),
      hasMoved: changeBy({ ...first, mayBeDisturbed: false }, early, thresholdUs) !== null,
    };
  };
  const taken = new Set([...matches.values()].map(({ is }) => is));
  return [
    ...base.map((was, index) => candidate(was, head[matches.get(index)?.is ?? -1], matches.get(index)?.by ?? null)),
    ...head.flatMap((is, index) => (taken.has(index) ? [] : [candidate(undefined, is, null)])),
  ].filter(({ all }) => !isAlwaysBelow(all.was) || !isAlwaysBelow(all.is));
}

/** What functions whose text did not change tell of the machine: they move where it was busier for one side. */
function machineOf(candidates: readonly Candidate[]): ComparedMachine {
  const same = candidates.filter(({ textChanged }) => textChanged === false);
  const flagged = same.filter((one) => one.hasMoved).length;
  const ratios = same
    .map(({ first }) => median(worstsOf(first.is)) / median(worstsOf(first.was)))
    .filter((ratio) => Number.isFinite(ratio) && ratio > 0);
  // The median is that of the logarithms, so that twice as long and half as long are equally far from no change.
  const medianRatio = ratios.length === 0 ? null : Math.exp(median(ratios.map(Math.log)));
  const hasMoved =
    medianRatio !== null && ratios.length >= leastForMedian && Math.max(medianRatio, 1 / medianRatio) > 1.1;
  return { medianRatio, flagged, of: same.length, shifted: hasMoved || (flagged > 1 && flagged > same.length / 10) };
}

/** Fewer functions than that have no median that says anything of the machine. */
const leastForMedian = 3;

function judged(
  one: Candidate,
  candidates: readonly Candidate[],
  machine: ComparedMachine,
  { order, thresholdUs, failed = { base: false, head: false } }: ComparedSides,
): ComparedFunction {
  const worst = comparedTimes(one.all, order, 'worst');
  const isConfirmed =
    one.confirming !== null &&
    one.change !== null &&
    changeBy(confirmingRule, one.confirming, thresholdUs) === one.change &&
    isClearTogether(one.all);
  const isSeen = one.change !== null && (one.confirming === null || isConfirmed);
  const stands = isSeen && (!machine.shifted || isLargest(one, candidates));
  const longCount = countChange(one.first, one.confirming, 'longCount');
  const verdict = stands && one.change !== null ? verdictOf(one, one.change, failed) : quietVerdict(worst, longCount);
  const stacks = countChange(one.first, one.confirming, 'stacks');
  return {
    was: one.was?.place ?? null,
    is: one.is?.place ?? null,
    matchedBy: one.by,
    textChanged: one.textChanged,
    worst,
    presence: comparedTimes(one.all, order, 'presence'),
    longCount: { ...countsBy(one.all, 'longCount'), changed: longCount !== null },
    stacks: { ...countsBy(one.all, 'stacks'), changed: stacks !== null },
    isTest: one.is?.isTest ?? one.was?.isTest ?? false,
    verdict,
    confirmed: isConfirmed,
    pairs: Math.min(one.first.was.length, one.first.is.length) + (one.confirming?.was.length ?? 0),
    testFiles: [...new Set([...(one.was?.testFiles ?? []), ...(one.is?.testFiles ?? [])])],
  };
}

function countsBy({ was, is }: FunctionPair, of: 'longCount' | 'stacks') {
  return { was: countsOf(was, of), is: countsOf(is, of) };
}

/** Whether a function moved more than each other one whose text did not change. */
function isLargest(one: Candidate, candidates: readonly Candidate[]): boolean {
  const moved = ({ first }: Candidate): number => factor(worstsOf(first.was), worstsOf(first.is));
  return candidates.every((other) => other === one || other.textChanged !== false || moved(other) < moved(one));
}

function verdictOf(
  { all, was, is, textChanged }: Candidate,
  change: Direction,
  failed: { readonly base: boolean; readonly head: boolean },
): ChangeVerdict {
  const isUnseen = (runs: FunctionPair['was']): boolean => runs.every((run) => run === null);
  if (isUnseen(all.is) && (textChanged === false || failed.head)) return 'notReached';
  if (isUnseen(all.was) && failed.base) return 'notReached';
  if (was === undefined || isUnseen(all.was)) return 'new';
  return is === undefined ? 'gone' : change;
}

/** The verdict where no change of the worst was seen. */
function quietVerdict(worst: ComparedFunction['worst'], longCount: Direction | null): ChangeVerdict {
  if (!isNoChange(worst)) return 'tooNoisy';
  if (longCount === null) return 'noChangeSeen';
  return longCount === 'slower' ? 'moreOften' : 'lessOften';
}

/**
 * A function that was split has less own time, but what it calls has the rest: then its presence has not changed with it,
 * and the verdict is `moved`. The function with about that much more or less is where the time is, or was.
 */
function withMoves(functions: readonly ComparedFunction[]): readonly ComparedFunction[] {
  return functions.map((fn) => {
    if (!moving.has(fn.verdict) || fn.was === null || fn.is === null) return fn;
    const own = median(fn.worst.isUs) - median(fn.worst.wasUs);
    const whole = median(fn.presence.isUs) - median(fn.presence.wasUs);
    // It was called by somebody else all the time: nothing moved within it.
    if (Math.sign(whole) === Math.sign(own) && Math.abs(whole) > Math.abs(own) / 2) return fn;
    const partner = functions
      .filter((other) => other !== fn && Math.sign(moveOf(other)) === -Math.sign(own))
      .toSorted((a, b) => Math.abs(moveOf(a) + own) - Math.abs(moveOf(b) + own))[0];
    const isLikely = partner !== undefined && Math.abs(moveOf(partner) + own) < Math.abs(own) / 2;
    const movedTo = isLikely ? (partner.is ?? partner.was) : null;
    return { ...fn, verdict: 'moved' as const, ...(movedTo === null ? {} : { movedTo }) };
  });
}

const moving: ReadonlySet<ChangeVerdict> = new Set<ChangeVerdict>(['faster', 'slower', 'gone', 'new']);

function moveOf({ worst }: ComparedFunction): number {
  return median(worst.isUs) - median(worst.wasUs);
}

/** The order of the list. */
const ranks: readonly ChangeVerdict[] = [...changeVerdicts, 'tooNoisy', 'noChangeSeen'];

function rankOf(verdict: ChangeVerdict): number {
  return ranks.indexOf(verdict);
}

/** By how much it changed, or how long it is. */
function sizeOf({ verdict, worst }: ComparedFunction): number {
  const [was, is] = [median(worst.wasUs), median(worst.isUs)];
  return rankOf(verdict) < ranks.indexOf('notReached') ? Math.abs(is - was) : Math.max(was, is);
}
