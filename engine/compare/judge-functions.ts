import {
  changeVerdicts,
  type ChangeVerdict,
  type ComparedFunction,
  type ComparedMachine,
  type Comparison,
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
  firstRule,
  type FunctionPair,
  isAlwaysBelow,
  isFarBeyondRanges,
  isNoChange,
  type Order,
  runsOf,
  undisturbed,
  valuesOf,
  type Direction,
  factor,
} from './change-rules.ts';
import { matchFunctions, textKey } from './match-functions.ts';
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
  /** Null where no runs confirm the first ones. */
  readonly confirm: Confirmation | null;
  /** `candidates`: of many functions, a change must be seen twice. `stages`: one function runs until it is clear. */
  readonly rule: 'candidates' | 'stages';
  /** Whether the command failed on a side: then a function without a sample may not have been reached. */
  readonly failed?: { readonly base: boolean; readonly head: boolean };
}

export interface Confirmation {
  /** Index of the first confirming run of each side; all later ones confirm, too. */
  readonly from: number;
  /** True where they ran only the tests of changed functions: they say nothing about others. */
  readonly isNarrow: boolean;
}

/** Judges each function that held the loop over the threshold in a run of either side, as docs/verify.md defines. */
export function compareSides(sides: ComparedSides): Pick<Comparison, 'machine' | 'functions'> {
  const candidates = candidatesOf(sides);
  const machine = machineOf(candidates);
  const compared = candidates.map((one) => judged(one, candidates, machine, sides));
  const functions = withMoves(compared).toSorted((a, b) =>
    firstDifference(ranks.indexOf(a.verdict) - ranks.indexOf(b.verdict), sizeOf(b) - sizeOf(a)),
  );
  return { machine, functions };
}

type Candidate = ReturnType<typeof candidatesOf>[number];

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
  const candidate = (was: SideFunction | undefined, is: SideFunction | undefined, by: MatchedBy | null) => {
    const runs: FunctionPair = { was: runsOf(was, baseRuns), is: runsOf(is, headRuns) };
    const early: FunctionPair = { was: runs.was.slice(0, confirm?.from), is: runs.is.slice(0, confirm?.from) };
    const isKnown = was !== undefined && is !== undefined && was.identity.tokens.length > 0;
    return {
      ...{ was, is, by, first: early },
      confirming: confirm === null ? null : { was: runs.was.slice(confirm.from), is: runs.is.slice(confirm.from) },
      /** All runs that can contain it. */
      all: confirm?.isNarrow === true ? early : runs,
      textChanged: isKnown ? textKey(was.identity) !== textKey(is.identity) : null,
      /** By the rule for the first runs. */
      change: changeOf(early),
      /** Whether it changed by the rule in which no run counts as disturbed. */
      hasMoved: changeBy({ ...first, mayBeDisturbed: false }, early, thresholdUs) !== null,
    };
  };
  const taken = new Set([...matches.values()].map(({ is }) => is));
  return [
    ...base.map((was, index) => candidate(was, head[matches.get(index)?.is ?? -1], matches.get(index)?.by ?? null)),
    ...head.flatMap((is, index) => (taken.has(index) ? [] : [candidate(undefined, is, null)])),
  ].filter(({ all }) => !isAlwaysBelow(all.was) || !isAlwaysBelow(all.is));
}

/** Uses functions with unchanged text as a control for machine load: they change where one side had a busier machine. */
function machineOf(candidates: readonly Candidate[]): ComparedMachine {
  const same = candidates.filter(({ textChanged }) => textChanged === false);
  const flagged = same.filter((one) => one.hasMoved).length;
  const ratios = same
    .map(({ first }) => median(valuesOf(first.is, 'worst')) / median(valuesOf(first.was, 'worst')))
    .filter((ratio) => Number.isFinite(ratio) && ratio > 0);
  // The median of the logarithms: twice and half as long are equally far from no change.
  const medianRatio = ratios.length === 0 ? null : Math.exp(median(ratios.map(Math.log)));
  const hasMoved =
    medianRatio !== null && ratios.length >= MIN_FOR_MEDIAN && Math.max(medianRatio, 1 / medianRatio) > 1.1;
  return { medianRatio, flagged, of: same.length, shifted: hasMoved || (flagged > 1 && flagged > same.length / 10) };
}

/** The median of fewer functions says nothing about the machine. */
const MIN_FOR_MEDIAN = 3;

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
    isFarBeyondRanges(undisturbed(valuesOf(one.all.was, 'worst')), undisturbed(valuesOf(one.all.is, 'worst')));
  const isSeen = one.confirming === null || isConfirmed;
  const isValid = isSeen && (!machine.shifted || isLargest(one, candidates));
  const longCount = countChange(one.first, one.confirming, 'longCount');
  const verdict = isValid && one.change !== null ? verdictOf(one, one.change, failed) : quietVerdict(worst, longCount);
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
    testFiles: [...new Set([...(one.was?.testFiles.keys() ?? []), ...(one.is?.testFiles.keys() ?? [])])],
  };
}

function countsBy({ was, is }: FunctionPair, of: 'longCount' | 'stacks') {
  return { was: valuesOf(was, of), is: valuesOf(is, of) };
}

/** Whether a function changed more than each other function with unchanged text. */
function isLargest(one: Candidate, candidates: readonly Candidate[]): boolean {
  const moved = ({ first }: Candidate): number => factor(valuesOf(first.was, 'worst'), valuesOf(first.is, 'worst'));
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

/** The verdict where the worst did not change. */
function quietVerdict(worst: ComparedFunction['worst'], longCount: Direction | null): ChangeVerdict {
  if (!isNoChange(worst)) return 'tooNoisy';
  if (longCount === null) return 'noChangeSeen';
  return longCount === 'slower' ? 'moreOften' : 'lessOften';
}

/**
 * A function that was split has less own time, and its callees have the rest: then its presence did not change with its
 * own part, and the verdict is `moved`. `movedTo` is the function with about the opposite difference.
 */
function withMoves(functions: readonly ComparedFunction[]): readonly ComparedFunction[] {
  return functions.map((fn) => {
    if (!moving.has(fn.verdict) || fn.was === null || fn.is === null) return fn;
    const own = moveOf(fn);
    const whole = median(fn.presence.isUs) - median(fn.presence.wasUs);
    // The presence changed with the own part: nothing moved within it.
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

/** By how much a changed function changed; the longer time of others. */
function sizeOf(fn: ComparedFunction): number {
  if (ranks.indexOf(fn.verdict) < ranks.indexOf('notReached')) return Math.abs(moveOf(fn));
  return Math.max(median(fn.worst.wasUs), median(fn.worst.isUs));
}
