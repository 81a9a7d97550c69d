import type {
  ChangeVerdict,
  ComparedFunction,
  ComparedMachine,
  Comparison,
  MatchedBy,
} from '../../protocol/comparison.ts';
import { changeVerdicts, isChange } from '../../protocol/comparison.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { compareTexts, firstDifference } from '../basics/lists.ts';
import type { ChangeRule, FunctionPair, Touched, Order, Direction } from './change-rules.ts';
import {
  blockRule,
  changeBy,
  changeByStages,
  comparablePair,
  comparedTimes,
  countChange,
  doubtRule,
  evidence,
  firstRule,
  isAlwaysBelow,
  isFar,
  isFarBeyondRanges,
  isFirstCall,
  isMedianBelow,
  isNoChange,
  presences,
  runsOf,
  undisturbed,
  valuesOf,
  factor,
} from './change-rules.ts';
import { type FunctionIdentity, type Matches, hasText, matchFunctions, ownTextKey } from './match-functions.ts';
import { moveOf, withMoves } from './moves.ts';
import type { RanOnHead } from './ran-on-head.ts';
import type { SideFunction } from './side.ts';
import { testFilesOfBoth } from './tests-to-run.ts';
import { median, maxOf } from '../../protocol/figures.ts';

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
  /**
   * The functions of both sides that may have other inputs where these functions differ. Null where any function may, or
   * that is not known.
   */
  readonly reachedBy?: ((changed: ReadonlySet<FunctionIdentity>) => ReadonlySet<FunctionIdentity>) | null;
  /** Whether the command failed, or was not all recorded, on a side: then what has no sample may not have been reached. */
  readonly partial?: { readonly base: boolean; readonly head: boolean };
  /** What is known of the tests or requests of the base; null where the command has none. */
  readonly ranOnHead?: RanOnHead | null;
  /**
   * The function of a re-check: it also has a row where no run of a side reached it. `lost`: whether the command failed, or
   * was not all recorded, in every run of a side.
   */
  readonly asked?: { readonly fn: SideFunction; readonly lost: { readonly base: boolean; readonly head: boolean } };
}

export interface Confirmation {
  /** Index of the first confirming run of each side; all later ones confirm, too. */
  readonly from: number;
  /** True where they ran only the tests of changed functions: they say nothing about others. */
  readonly isNarrow: boolean;
}

/** Judges each function that held the loop over the threshold in a run of either side, as docs/verify.md defines. */
export function compareSides(sides: ComparedSides): Pick<Comparison, 'machine' | 'functions' | 'leftOut'> {
  const candidates = candidatesOf(sides);
  const shift = shiftOf(candidates, sides);
  const compared = withMoves(
    candidates.map((one) => judged(one, shift, sides)),
    (number) => presenceChange(candidates[number], shift, sides),
  );
  const isRow = (fn: ComparedFunction, index: number): boolean =>
    candidates[index]?.touched !== 'untouched' || isChange(fn);
  const functions = compared
    .filter(isRow)
    .toSorted((a, b) =>
      firstDifference(
        ranks.indexOf(a.verdict) - ranks.indexOf(b.verdict),
        sizeOf(b) - sizeOf(a),
        compareTexts(placeText(a), placeText(b)),
      ),
    );
  return { machine: shift.machine, functions, leftOut: compared.length - functions.length };
}

type Candidate = ReturnType<ReturnType<typeof candidateMaker>>;

/** The functions that are over the threshold in a run, and the one asked for where a side did not reach it. */
function candidatesOf(sides: ComparedSides): readonly Candidate[] {
  const { base, head, baseRuns, asked } = sides;
  const matches = matchFunctions(
    base.map(({ identity }) => identity),
    head.map(({ identity }) => identity),
  );
  const candidate = candidateMaker(sides, matches);
  const taken = new Set([...matches.values()].map(({ is }) => is));
  const all = [
    ...base.map((was, index) => candidate(was, head[matches.get(index)?.is ?? -1], matches.get(index)?.by ?? null)),
    ...head.flatMap((is, index) => (taken.has(index) ? [] : [candidate(undefined, is, null)])),
  ];
  const long = all.filter(isLong);
  if (asked === undefined) return long;
  const identities = all.map(({ was, is }) => (was ?? is ?? asked.fn).identity);
  const found = matchFunctions([asked.fn.identity], identities).get(0)?.is ?? -1;
  const one = all[found] ?? candidate({ ...asked.fn, runs: runsOf(undefined, baseRuns) }, undefined, null);
  const isUnreached = (asked.lost.base && isUnseen(one.all.was)) || (asked.lost.head && isUnseen(one.all.is));
  return isUnreached && !isLong(one) ? [...long, { ...one, isUnreached }] : long;
}

function isLong({ all: { was, is } }: Candidate): boolean {
  return !isAlwaysBelow(was) || !isAlwaysBelow(is);
}

function isUnseen(runs: FunctionPair['was']): boolean {
  return runs.every((run) => run === null);
}

function candidateMaker(sides: ComparedSides, matches: Matches) {
  const { baseRuns, headRuns, order, thresholdUs, confirm, rule } = sides;
  const isReached = reachIn(sides, matches);
  const changeOf = (pair: FunctionPair, first: ChangeRule): Direction | null =>
    rule === 'stages' && order === 'interleaved'
      ? changeByStages(pair, thresholdUs)
      : changeBy(first, pair, thresholdUs);
  const touchedOf = (
    was: SideFunction | undefined,
    is: SideFunction | undefined,
    textChanged: boolean | null,
  ): Touched => (textChanged !== false ? 'edited' : isReached(was) || isReached(is) ? 'reached' : 'untouched');
  return (was: SideFunction | undefined, is: SideFunction | undefined, by: MatchedBy | null) => {
    const haveTexts = was !== undefined && is !== undefined && hasText(was.identity) && hasText(is.identity);
    const textChanged = haveTexts ? ownTextKey(was.identity) !== ownTextKey(is.identity) : null;
    const runs = comparablePair({ was: runsOf(was, baseRuns), is: runsOf(is, headRuns) }, textChanged);
    const early: FunctionPair = { was: runs.was.slice(0, confirm?.from), is: runs.is.slice(0, confirm?.from) };
    const touched = touchedOf(was, is, textChanged);
    const first = order === 'blocks' && confirm === null ? blockRule : evidence[touched].first;
    return {
      ...{ was, is, by, touched, rule: first, first: early },
      confirming: confirm === null ? null : { was: runs.was.slice(confirm.from), is: runs.is.slice(confirm.from) },
      runs,
      /** All runs that can contain it. */
      all: confirm?.isNarrow === true ? early : runs,
      withCallees: runs.withCallees,
      isTest: (is ?? was)?.isTest ?? false,
      isUnreached: false,
      textChanged,
      /** By the rule for the first runs. */
      change: changeOf(early, first),
    };
  };
}

/** Tells which functions may have other inputs: they name changed code, or share stacks or test files with it. */
function reachIn({ base, head, reachedBy = null }: ComparedSides, matches: Matches) {
  if (reachedBy === null) return () => true;
  const changed = changedIn(base, head, matches);
  const reached = reachedBy(changed);
  const files = new Set([...changed].map(({ file }) => file));
  return (fn: SideFunction | undefined): boolean =>
    fn !== undefined &&
    (changed.has(fn.identity) || reached.has(fn.identity) || [...fn.testFiles.keys()].some((file) => files.has(file)));
}

/** The functions of both sides whose text differs; all of a file in which the text outside of functions differs. */
function changedIn(
  base: readonly SideFunction[],
  head: readonly SideFunction[],
  matches: Matches,
): ReadonlySet<FunctionIdentity> {
  const changed = new Set([...base, ...head].map(({ identity }) => identity));
  const files = new Set<string>();
  for (const [one, { is, by }] of matches) {
    const [was, now] = [base[one]?.identity, head[is]?.identity];
    if (was === undefined || now === undefined) continue;
    if (was.topLevel !== now.topLevel) files.add(was.file).add(now.file);
    if (by === 'same' || by === 'text' || ownTextKey(was) === ownTextKey(now))
      for (const fn of [was, now]) changed.delete(fn);
  }
  for (const { identity } of [...base, ...head]) if (files.has(identity.file)) changed.add(identity);
  return changed;
}

/** What unchanged functions say of the machine: they take longer where one side had a busier one. */
interface Shift {
  readonly machine: ComparedMachine;
  /** By how much a change in a direction must be larger than a factor, and which factor it must exceed. */
  readonly of: (direction: Direction) => { readonly median: number; readonly largest: number };
}

/**
 * Uses functions with unchanged text as a control for machine load. One that may have other inputs and is far apart is
 * left out, unless over half of them moved far in one direction: that is the machine.
 */
function shiftOf(candidates: readonly Candidate[], { thresholdUs }: ComparedSides): Shift {
  // Where a side was below the threshold, its time is only an upper bound.
  const isMeasured = ({ first }: Candidate): boolean => !isMedianBelow(first.was) && !isMedianBelow(first.is);
  const same = candidates.filter((one) => one.textChanged === false && isMeasured(one));
  const far = same.filter((one) => one.touched === 'reached' && isFarMoved(one));
  const alike = (['faster', 'slower'] as const).some(
    (way) => same.length >= MIN_FOR_MEDIAN && far.filter(({ change }) => change === way).length * 2 > same.length,
  );
  const controls = alike ? same : same.filter((one) => !far.includes(one));
  const ratios = controls
    .map(({ first }) => median(valuesOf(first.is, 'worst')) / median(valuesOf(first.was, 'worst')))
    .filter((ratio) => Number.isFinite(ratio) && ratio > 0);
  // The median of the logarithms: twice and half as long are equally far from no change.
  const medianRatio = ratios.length === 0 ? null : Math.exp(median(ratios.map(Math.log)));
  const wayOf = ({ first }: Candidate) => changeBy({ ...firstRule, mayBeDisturbed: false }, first, thresholdUs);
  const moved = controls.flatMap((one) => {
    const way = wayOf(one);
    return way === null ? [] : [{ way, factor: factorOf(one.first) }];
  });
  const of = (direction: Direction) => {
    const along = moved.filter(({ way }) => way === direction);
    const ratio = medianRatio === null || ratios.length < MIN_FOR_MEDIAN ? 1 : medianRatio;
    const typical = Math.max(1, direction === 'slower' ? ratio : 1 / ratio);
    const net = 2 * along.length - moved.length;
    const isShifted = typical > 1.1 || net > Math.max(1, controls.length / 10);
    const largest = Math.max(0, maxOf(along.map((one) => one.factor)));
    return { isShifted, along: along.length, median: isShifted ? typical : 1, largest: isShifted ? largest : 0 };
  };
  const [faster, slower] = [of('faster'), of('slower')];
  const shifted = faster.isShifted || slower.isShifted;
  const flagged = Math.max(faster.along, slower.along);
  return {
    machine: { medianRatio, flagged, of: controls.length, shifted },
    of: (direction) => (direction === 'faster' ? faster : slower),
  };
}

function isFarMoved(one: Candidate): boolean {
  const [was, is] = [undisturbed(valuesOf(one.first.was, 'worst')), undisturbed(valuesOf(one.first.is, 'worst'))];
  return one.change !== null && factorOf(one.first) >= evidence.reached.first.factor && isFarBeyondRanges(was, is);
}

function factorOf({ was, is }: FunctionPair): number {
  return factor(valuesOf(was, 'worst'), valuesOf(is, 'worst'));
}

/** The median of fewer functions says nothing about the machine. */
const MIN_FOR_MEDIAN = 3;

function judged(one: Candidate, shift: Shift, sides: ComparedSides): ComparedFunction {
  const { order, thresholdUs } = sides;
  const confirmed = confirmedChange(one, sides);
  const change = one.confirming === null ? one.change : confirmed;
  const all = one.change === null && confirmed !== null ? one.runs : one.all;
  const worst = comparedTimes(all, order, 'worst');
  const isValid = change !== null && isBeyond(shift.of(change), one, isSeenLater(one, change, sides));
  const longCount = countChange(one.first, one.confirming, 'longCount');
  const seen = isValid ? verdictOf(one, change, sides) : quietVerdict(one, worst, longCount, sides);
  const stacks = countChange(one.first, one.confirming, 'stacks');
  return {
    was: one.was?.place ?? null,
    is: one.is?.place ?? null,
    matchedBy: one.by,
    textChanged: one.textChanged,
    worst,
    ...(one.withCallees ? { withCallees: true as const } : {}),
    ...(isFirstCall(all, thresholdUs) ? { firstCall: true as const } : {}),
    presence: comparedTimes(all, order, 'presence'),
    longCount: { ...countsBy(all, 'longCount'), changed: longCount !== null },
    stacks: { ...countsBy(all, 'stacks'), changed: stacks !== null },
    isTest: one.isTest,
    verdict: one.isUnreached ? 'notReached' : seen,
    confirmed: confirmed !== null,
    pairs: Math.min(one.first.was.length, one.first.is.length) + (one.confirming?.was.length ?? 0),
    testFiles: testFilesOfBoth([one.was, one.is]),
  };
}

/** The direction in which the presence changed, by the rule for one function. */
function presenceChange(
  one: Candidate | undefined,
  shift: Shift,
  { order, thresholdUs }: ComparedSides,
): Direction | null {
  if (one === undefined) return null;
  const all = presences(one.all);
  const change = order === 'interleaved' ? changeByStages(all, thresholdUs) : changeBy(blockRule, all, thresholdUs);
  return change !== null && isBeyond(shift.of(change), { ...one, first: presences(one.first) }, false) ? change : null;
}

/** The change that the first runs show and the later ones confirm, or that all of them clear up; else null. */
function confirmedChange(one: Candidate, { order, thresholdUs }: ComparedSides): Direction | null {
  const { confirming, change } = one;
  if (confirming === null) return null;
  const isSeenAgain =
    change !== null &&
    changeBy(evidence[one.touched].confirming, confirming, thresholdUs) === change &&
    isFarBeyondRanges(undisturbed(valuesOf(one.all.was, 'worst')), undisturbed(valuesOf(one.all.is, 'worst')));
  if (isSeenAgain) return change;
  return order === 'interleaved' ? clearedChange(one, confirming, thresholdUs) : null;
}

/**
 * What the later runs say by themselves, or else all of them, by the rule for one function, of a function of the
 * application that may have changed by the first. Null if they do not agree with the first on the direction.
 */
function clearedChange(
  { first, runs, touched, isTest, change }: Candidate,
  confirming: FunctionPair,
  thresholdUs: Microseconds,
): Direction | null {
  if (touched === 'untouched' || isTest) return null;
  const isFarApart = [first, runs].every((pair) =>
    isFar(
      change === null ? doubtRule : evidence[touched].first,
      valuesOf(pair.was, 'worst'),
      valuesOf(pair.is, 'worst'),
    ),
  );
  const isSlower = median(valuesOf(first.is, 'worst')) > median(valuesOf(first.was, 'worst'));
  const isClear = isFarBeyondRanges(valuesOf(confirming.was, 'worst'), valuesOf(confirming.is, 'worst'));
  const direction = (isClear ? changeByStages(confirming, thresholdUs) : null) ?? changeByStages(runs, thresholdUs);
  return isFarApart && direction === (isSlower ? 'slower' : 'faster') ? direction : null;
}

function countsBy({ was, is }: FunctionPair, of: 'longCount' | 'stacks') {
  return { was: valuesOf(was, of), is: valuesOf(is, of) };
}

/**
 * Whether a function changed more than the machine did. `isSeenLater`: what moved with it in the first runs does not
 * explain why the later ones show it, too.
 */
function isBeyond(
  { median: typical, largest }: ReturnType<Shift['of']>,
  { first, runs, rule, touched }: Candidate,
  isSeenLater: boolean,
): boolean {
  if (isSeenLater) return factorOf(runs) / typical >= evidence[touched].confirming.factor;
  const moved = factorOf(first);
  return moved > largest && (typical === 1 || moved / typical >= rule.factor);
}

/** Whether at least five pairs that confirm show the change without the first ones. */
function isSeenLater({ confirming }: Candidate, change: Direction, { order, thresholdUs }: ComparedSides): boolean {
  if (confirming === null || confirming.was.length < 5 || order !== 'interleaved') return false;
  return changeByStages(confirming, thresholdUs) === change;
}

function verdictOf(
  { all, was, is, textChanged }: Candidate,
  change: Direction,
  { partial = { base: false, head: false }, ranOnHead = null }: ComparedSides,
): ChangeVerdict {
  if ((isUnseen(all.is) && partial.head) || (isUnseen(all.was) && partial.base)) return 'notReached';
  if (was === undefined || isUnseen(all.was)) return 'new';
  if (is === undefined) return 'gone';
  if (change === 'slower') return 'slower';
  // Of a command without tests, which came to its end, only an edit explains that a function is not seen.
  const ran = ranOnHead === null ? (textChanged === false ? null : true) : ranOnHead(was, 'worst');
  return (ran ?? !isUnseen(all.is)) ? 'faster' : 'notReached';
}

/** The verdict where the worst did not change. */
function quietVerdict(
  { was }: Candidate,
  worst: ComparedFunction['worst'],
  longCount: Direction | null,
  { ranOnHead = null }: ComparedSides,
): ChangeVerdict {
  if (!isNoChange(worst)) return 'tooNoisy';
  if (longCount === 'slower') return 'moreOften';
  const isLess = longCount === 'faster' && was !== undefined && ranOnHead?.(was, 'long') !== false;
  return isLess ? 'lessOften' : 'noChangeSeen';
}

/** The order of the list. */
const ranks: readonly ChangeVerdict[] = [...changeVerdicts, 'tooNoisy', 'noChangeSeen'];

/** By how much a changed function changed; the longer time of others. */
function sizeOf(fn: ComparedFunction): number {
  if (ranks.indexOf(fn.verdict) < ranks.indexOf('notReached')) return Math.abs(moveOf(fn));
  return Math.max(median(fn.worst.wasUs), median(fn.worst.isUs));
}

/** The same on every machine: the order in which functions were seen is not. */
function placeText({ is, was }: ComparedFunction): string {
  const place = is ?? was;
  return place === null ? '' : `${place.url} ${place.label} ${place.line}`;
}
