import type { ComparedFunction, ComparedTimes } from '../../protocol/comparison.ts';
import { median, maxOf, minOf } from '../../protocol/figures.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { isCold, type Measured, type SideFunction } from './side.ts';

export type Direction = 'faster' | 'slower';
export type Order = 'interleaved' | 'blocks';

/** One function in the runs of both sides; null for a run without a sample of it. */
export interface FunctionPair {
  readonly was: readonly (Measured | null)[];
  readonly is: readonly (Measured | null)[];
}

/** Whether it was long in a run, and in each such run in its first call only. */
export function isFirstCall({ was, is }: FunctionPair, thresholdUs: Microseconds): boolean {
  const long = [...was, ...is].filter((run) => run !== null && run.longCount > 0);
  return long.length > 0 && long.every((run) => run !== null && isCold(run, thresholdUs));
}

/** The function in the runs of one side; a function that the side does not have was in none of its runs. */
export function runsOf(side: SideFunction | undefined, count: number): readonly (Measured | null)[] {
  return side?.runs ?? Array.from({ length: count }, () => null);
}

/** Own parts, or presences where those of runs cannot be compared. */
export interface ComparablePair extends FunctionPair {
  /** True where `worst` is the presence. */
  readonly withCallees: boolean;
}

/**
 * A callee near the threshold has a part of its own in some runs, and belongs to its caller's own part in others. The
 * caller's own part then jumps, and its presences are compared. Own parts stay where the two moved in opposite directions,
 * because a callee changed, where an edit (`textChanged` other than false) split the function on one side, and below the
 * threshold.
 */
export function comparablePair({ was, is }: FunctionPair, textChanged: boolean | null): ComparablePair {
  const groups = textChanged === false ? [[...was, ...is]] : [was, is];
  const isBelow = [...was, ...is].some((run) => run?.isBelow === true);
  const moved = (of: 'worst' | 'presence'): number => Math.sign(median(valuesOf(is, of)) - median(valuesOf(was, of)));
  if (isBelow || !groups.some(isUnsteady) || moved('worst') === -moved('presence'))
    return { was, is, withCallees: false };
  return { ...presences({ was, is }), withCallees: true };
}

/** The presences of a function in the place of its own parts. */
export function presences({ was, is }: FunctionPair): FunctionPair {
  const present = (run: Measured | null): Measured | null =>
    run === null ? null : { ...run, worst: run.presence, isBelow: run.isBelow && run.presence <= run.worst };
  return { was: was.map(present), is: is.map(present) };
}

/** Whether the function has nearly all of its presence in some runs, and in others a callee holds a part of it. */
function isUnsteady(runs: FunctionPair['was']): boolean {
  return new Set(runs.flatMap((run) => (run === null ? [] : run.worst >= run.presence * NEARLY_ALL))).size === 2;
}

const NEARLY_ALL = 0.95;

/** A run without a sample of a function: it took next to nothing. */
const absent: Measured = {
  worst: microseconds(0),
  isBelow: true,
  warm: microseconds(0),
  estimated: false,
  presence: microseconds(0),
  longCount: 0,
  stacks: 0,
  inWorker: null,
};

type Figure = 'worst' | 'presence' | 'longCount' | 'stacks';

/** A figure in each run of one side. */
export function valuesOf<Of extends Figure>(runs: FunctionPair['was'], of: Of): readonly Measured[Of][] {
  return runs.map((run) => (run ?? absent)[of]);
}

/** What counts as a change of times. */
export interface ChangeRule {
  /** Minimum factor between the medians. */
  readonly factor: number;
  /** Minimum difference of the medians in µs. */
  readonly difference: number;
  /** Whether to ignore the longest run of each side, which something may have disturbed. */
  readonly mayBeDisturbed: boolean;
}

/**
 * What can have changed a function. `edited`: its text differs, is unknown, or is on one side only. `reached`: it may have
 * other inputs. `untouched`: as far as is seen, changed code does not call it, is not called by it, and gives it nothing.
 */
export type Touched = 'edited' | 'reached' | 'untouched';

/** For the runs that show a change first. */
export const firstRule: ChangeRule = { factor: 1.2, difference: 2000, mayBeDisturbed: true };
/** For the runs that show a change first, and those that confirm it: what was not edited needs more evidence. */
export const evidence: Readonly<Record<Touched, { readonly first: ChangeRule; readonly confirming: ChangeRule }>> = {
  edited: { first: firstRule, confirming: { factor: 1.1, difference: 0, mayBeDisturbed: true } },
  reached: {
    first: { factor: 1.5, difference: 2000, mayBeDisturbed: true },
    confirming: { factor: 1.3, difference: 0, mayBeDisturbed: true },
  },
  untouched: {
    first: { factor: 1.7, difference: 2000, mayBeDisturbed: false },
    confirming: { factor: 1.5, difference: 0, mayBeDisturbed: false },
  },
};
/**
 * For blocks without confirming runs: the same code took 241 to 273 ms of CPU time in one block, and 140 to 157 ms in
 * another a few minutes later.
 */
export const blockRule: ChangeRule = { factor: 2, difference: 2000, mayBeDisturbed: false };

/**
 * The direction in which the function's worst changed: the ranges of the two sides do not overlap, and the medians are
 * far enough from each other. Where one side was always below the threshold, the other must be clearly over it.
 */
export function changeBy(rule: ChangeRule, { was, is }: FunctionPair, threshold: Microseconds): Direction | null {
  const [before, now] = [valuesOf(was, 'worst'), valuesOf(is, 'worst')];
  if (isAlwaysBelow(was) && isAlwaysBelow(is)) return null;
  const over = isAlwaysBelow(was) ? now : isAlwaysBelow(is) ? before : null;
  const isChange = over === null ? isFar(rule, before, now) : over.every((us) => us > threshold * CLEARLY_OVER);
  return isChange ? apartBy(rule, before, now) : null;
}

const CLEARLY_OVER = 1.25;

/** Medians this far apart leave a change in doubt if the runs do not show one. */
export const doubtRule = { factor: 1.5, difference: 2000 } as const;

/** The direction in which times changed, in µs for each run: exact times, with no threshold below which they are unknown. */
export function changeOfTimes(rule: ChangeRule, was: readonly number[], is: readonly number[]): Direction | null {
  return isFar(rule, was, is) ? apartBy(rule, was, is) : null;
}

function apartBy({ mayBeDisturbed }: ChangeRule, was: readonly number[], is: readonly number[]): Direction | null {
  return mayBeDisturbed ? apart(undisturbed(was), undisturbed(is)) : apart(was, is);
}

export function isFar(
  rule: Pick<ChangeRule, 'factor' | 'difference'>,
  was: readonly number[],
  is: readonly number[],
): boolean {
  return factor(was, is) >= rule.factor && Math.abs(median(was) - median(is)) >= rule.difference;
}

/** Whether the runs leave open that a function of the application changed: more runs of its tests may say. */
export function isDoubtful({ verdict, isTest, worst, testFiles }: ComparedFunction): boolean {
  return !isTest && testFiles.length > 0 && verdict === 'tooNoisy' && isFar(doubtRule, worst.wasUs, worst.isUs);
}

/** Whether the ranges of two sides are apart, and their medians differ by at least `times` the wider range. */
export function isFarBeyondRanges(was: readonly number[], is: readonly number[], times = 1.5): boolean {
  const widest = maxOf([was, is].map((side) => (side.length === 0 ? 0 : maxOf(side) - minOf(side))));
  return apart(was, is) !== null && Math.abs(median(was) - median(is)) >= times * widest;
}

/**
 * The direction in which one function changed, by the rule for this many pairs: 3 and 4 need a factor of 2 and medians
 * that differ by 1.5 × the wider range; 5 need a factor of 2, or 15 % and the wider range; 8 need 15 % and a probability
 * below 0.2 % that it is chance.
 * Of 21,037 functions of unchanged code 10 changed by it (lab/docs/verdict-errors.md).
 */
export function changeByStages(pair: FunctionPair, threshold: Microseconds): Direction | null {
  const pairs = Math.min(pair.was.length, pair.is.length);
  if (pairs < 3) return null;
  const twice = changeBy(blockRule, pair, threshold);
  if (twice !== null && (pairs >= 5 || isBeyondRanges(pair, 1.5))) return twice;
  if (pairs < 5) return null;
  const clear = changeBy(stageRule, pair, threshold);
  if (clear !== null && isBeyondRanges(pair, 1)) return clear;
  if (pairs < 8 || isAlwaysBelow(pair.was) || isAlwaysBelow(pair.is)) return null;
  const [before, now] = [valuesOf(pair.was, 'worst'), valuesOf(pair.is, 'worst')];
  if (factor(before, now) < stageRule.factor || chanceOf(before, now) >= 0.002) return null;
  return median(now) < median(before) ? 'faster' : 'slower';
}

/** As `isFarBeyondRanges`; times below the threshold have no range. */
function isBeyondRanges({ was, is }: FunctionPair, times: number): boolean {
  if (isAlwaysBelow(was) || isAlwaysBelow(is)) return true;
  return isFarBeyondRanges(valuesOf(was, 'worst'), valuesOf(is, 'worst'), times);
}

const stageRule: ChangeRule = { factor: 1.15, difference: 0, mayBeDisturbed: false };

/** Whether the median is an upper bound, not a measured time: one of the middle runs is below the lower threshold. */
export function isMedianBelow(runs: readonly (Measured | null)[]): boolean {
  const sorted = runs.map((run) => run ?? absent).toSorted((a, b) => a.worst - b.worst);
  const middle = (sorted.length - 1) / 2;
  return [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]].some((run) => run?.isBelow === true);
}

/** Whether the function was below the lower threshold in all runs of a side. */
export function isAlwaysBelow(runs: readonly (Measured | null)[]): boolean {
  return runs.every((run) => (run ?? absent).isBelow);
}

/** The direction in which a count changed: its ranges are apart in the first runs, and in those that confirm, if any. */
export function countChange(
  first: FunctionPair,
  confirming: FunctionPair | null,
  of: 'longCount' | 'stacks',
): Direction | null {
  const [direction, again] = [first, confirming ?? first].map(({ was, is }) =>
    apart(valuesOf(was, of), valuesOf(is, of)),
  );
  return direction === again ? (direction ?? null) : null;
}

/** The times of all runs, as the result shows them. */
export function comparedTimes({ was, is }: FunctionPair, order: Order, of: 'worst' | 'presence'): ComparedTimes {
  const [wasUs, isUs] = [valuesOf(was, of), valuesOf(is, of)];
  const before = median(wasUs);
  return {
    wasUs,
    isUs,
    wasBelow: of === 'worst' && isMedianBelow(was),
    isBelow: of === 'worst' && isMedianBelow(is),
    ratio: before > 0 ? median(isUs) / before : null,
    ...(ratioInterval(wasUs, isUs, order) ?? { low: null, high: null }),
  };
}

/** Whether the interval has no change worth mentioning: within 15 % of the smaller side, or all times within 2 ms. */
export function isNoChange({ wasUs, isUs, low, high }: ComparedTimes): boolean {
  if (low !== null && high !== null && low >= 1 / 1.15 && high <= 1.15) return true;
  return Math.max(maxOf(wasUs), maxOf(isUs)) - Math.min(minOf(wasUs), minOf(isUs)) <= 2000;
}

/**
 * The direction from `was` to `is` where all values of one side are below all of the other. Null where the ranges overlap,
 * or a side has no value.
 */
export function apart(was: readonly number[], is: readonly number[]): Direction | null {
  if (was.length === 0 || is.length === 0) return null;
  if (maxOf(is) < minOf(was)) return 'faster';
  return minOf(is) > maxOf(was) ? 'slower' : null;
}

/**
 * The values without the largest: a disturbance makes a run's worst longer, never shorter, and one of three runs may be
 * disturbed. Fewer than three stay.
 */
export function undisturbed(values: readonly number[]): readonly number[] {
  return values.length < 3 ? values : values.toSorted((a, b) => a - b).slice(0, -1);
}

/** The larger of two medians divided by the smaller. */
export function factor(was: readonly number[], is: readonly number[]): number {
  const [before, now] = [median(was), median(is)];
  return Math.max(before, now) / Math.max(Number.EPSILON, Math.min(before, now));
}

/**
 * Interval of the ratio of `is` to `was`. Interleaved runs give one ratio for each pair: the interval is from the smallest
 * to the largest (with six pairs it contains the true median in 97 % of all cases), from eight pairs on without these two
 * (93 %). Blocks give the ratios of all runs with all runs, without a tenth at each end. Null where a run of `was` took no
 * time.
 */
export function ratioInterval(
  was: readonly number[],
  is: readonly number[],
  order: Order,
): { readonly low: number; readonly high: number } | null {
  const ratios =
    order === 'interleaved'
      ? is.slice(0, was.length).map((now, pair) => now / (was[pair] ?? 0))
      : is.flatMap((now) => was.map((before) => now / before));
  if (ratios.length === 0 || ratios.some((ratio) => !Number.isFinite(ratio))) return null;
  const sorted = ratios.toSorted((a, b) => a - b);
  const cut = order === 'interleaved' ? (ratios.length < 8 ? 0 : 1) : Math.floor(ratios.length / 10);
  return { low: sorted[cut] ?? 0, high: sorted[sorted.length - 1 - cut] ?? 0 };
}

/**
 * Probability that two samples of one distribution differ at least as much as these, in either direction: the exact
 * Mann-Whitney U test. Equal values count half, and a half is rounded towards chance.
 */
export function chanceOf(was: readonly number[], is: readonly number[]): number {
  const larger = is.flatMap((now) => was.map((before): number => (now > before ? 1 : now === before ? 0.5 : 0)));
  const sum = larger.reduce((all, one) => all + one, 0);
  const extreme = Math.min(sum, was.length * is.length - sum);
  const ways = waysBySum(was.length, is.length);
  const all = ways.reduce((total, count) => total + count, 0);
  const below = ways.slice(0, Math.ceil(extreme) + 1).reduce((total, count) => total + count, 0);
  return Math.min(1, (2 * below) / all);
}

/** The number of orders of `n` and `m` values by U, the number of pairs in the wrong order. */
function waysBySum(n: number, m: number): readonly number[] {
  let byRows: readonly (readonly number[])[] = Array.from({ length: m + 1 }, () => [1]);
  for (let row = 1; row <= n; row++) {
    const next: (readonly number[])[] = [[1]];
    for (let column = 1; column <= m; column++) {
      const shifted = byRows[column] ?? [];
      const before = next[column - 1] ?? [];
      next.push(Array.from({ length: row * column + 1 }, (_, at) => (shifted[at - column] ?? 0) + (before[at] ?? 0)));
    }
    byRows = next;
  }
  return byRows[m] ?? [];
}
