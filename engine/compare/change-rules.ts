import type { ComparedTimes } from '../../protocol/comparison.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Measured, SideFunction } from './side.ts';
import { median } from '../../protocol/median.ts';

/** One function on both sides. `firstRuns` of each side's runs show a change, the others confirm it. */
export interface FunctionPair {
  readonly was: readonly (Measured | null)[];
  readonly is: readonly (Measured | null)[];
}

export type Order = 'interleaved' | 'blocks';

/** The function in the runs of one side; a function that the side does not have was in none of its runs. */
export function runsOf(side: SideFunction | undefined, count: number): readonly (Measured | null)[] {
  return side?.runs ?? Array.from({ length: count }, () => null);
}

/** Times of a run that has no sample of a function: it took next to nothing. */
const absent: Measured = {
  worst: microseconds(0),
  isBelow: true,
  warm: microseconds(0),
  estimated: false,
  presence: microseconds(0),
  longCount: 0,
  stacks: 0,
};

export function worstsOf(runs: readonly (Measured | null)[]): readonly Microseconds[] {
  return runs.map((run) => (run ?? absent).worst);
}

export function countsOf(runs: readonly (Measured | null)[], of: 'longCount' | 'stacks'): readonly number[] {
  return runs.map((run) => (run ?? absent)[of]);
}

/** How a change must look in the runs that show it first, and in those that confirm it. */
export interface ChangeRule {
  /** Least factor between the medians. */
  readonly factor: number;
  /** Least difference of the medians in µs. */
  readonly difference: number;
  /** Whether the longest run of each side may be one that something disturbed. */
  readonly mayBeDisturbed: boolean;
}

export const firstRule: ChangeRule = { factor: 1.2, difference: 2000, mayBeDisturbed: true };
export const confirmingRule: ChangeRule = { factor: 1.1, difference: 0, mayBeDisturbed: true };
/**
 * For blocks that nothing confirms: the same code took 241 to 273 ms of the processor in one block, and 140 to 157 ms
 * in another some minutes later.
 */
export const blockRule: ChangeRule = { factor: 2, difference: 2000, mayBeDisturbed: false };

/**
 * The direction in which the function's worst changed by a rule: the ranges of the two sides are apart, and the medians
 * far enough from each other. Where one side was always below the threshold, the other must be clearly over it.
 */
export function changeBy(rule: ChangeRule, { was, is }: FunctionPair, threshold: Microseconds): Direction | null {
  const direction = apartBy(rule, worstsOf(was), worstsOf(is));
  if (direction === null) return null;
  if (isAlwaysBelow(was) && isAlwaysBelow(is)) return null;
  const over = isAlwaysBelow(was) ? is : isAlwaysBelow(is) ? was : null;
  if (over !== null) return worstsOf(over).every((us) => us > threshold * clearlyOver) ? direction : null;
  return isFar(rule, worstsOf(was), worstsOf(is)) ? direction : null;
}

const clearlyOver = 1.25;

/** The direction in which times changed by a rule, in µs for each run: of a time that each run tells as it is. */
export function changeOfTimes(rule: ChangeRule, was: readonly number[], is: readonly number[]): Direction | null {
  return isFar(rule, was, is) ? apartBy(rule, was, is) : null;
}

function apartBy({ mayBeDisturbed }: ChangeRule, was: readonly number[], is: readonly number[]): Direction | null {
  return mayBeDisturbed ? apart(undisturbed(was), undisturbed(is)) : apart(was, is);
}

function isFar(rule: ChangeRule, was: readonly number[], is: readonly number[]): boolean {
  return factor(was, is) >= rule.factor && Math.abs(median(was) - median(is)) >= rule.difference;
}

/**
 * Whether the runs that show a change and those that confirm it show it together, too: without the longest of each side
 * the ranges are apart, and the medians are farther from each other than either range is wide.
 */
export function isClearTogether({ was, is }: FunctionPair): boolean {
  return isFarBeyondRanges(undisturbed(worstsOf(was)), undisturbed(worstsOf(is)));
}

/** Whether the ranges of two sides are apart, and their medians farther from each other than either range is wide. */
export function isFarBeyondRanges(was: readonly number[], is: readonly number[]): boolean {
  const widest = Math.max(range(was), range(is));
  return apart(was, is) !== null && Math.abs(median(was) - median(is)) >= 1.5 * widest;
}

/**
 * The direction in which one function changed, by the rule for as many pairs as there are: from 3 on twice as long, from
 * 5 on by 15 % and apart, from 8 on by 15 % and with a probability below 1 % that it is chance.
 */
export function changeByStages(pair: FunctionPair, threshold: Microseconds): Direction | null {
  const pairs = Math.min(pair.was.length, pair.is.length);
  if (pairs < 3) return null;
  const twice = changeBy(blockRule, pair, threshold);
  if (twice !== null || pairs < 5) return twice;
  const clear = changeBy(stageRule, pair, threshold);
  if (clear !== null || pairs < 8 || isAlwaysBelow(pair.was) || isAlwaysBelow(pair.is)) return clear;
  const [before, now] = [worstsOf(pair.was), worstsOf(pair.is)];
  if (factor(before, now) < stageRule.factor || chanceOf(before, now) >= 0.01) return null;
  return median(now) < median(before) ? 'faster' : 'slower';
}

const stageRule: ChangeRule = { factor: 1.15, difference: 0, mayBeDisturbed: false };

/** Whether the median of a side is no measured time, but the most that it can have been: of two middle runs, either. */
function isMedianBelow(runs: readonly (Measured | null)[]): boolean {
  const sorted = runs.map((run) => run ?? absent).toSorted((a, b) => a.worst - b.worst);
  const middle = (sorted.length - 1) / 2;
  return [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]].some((run) => run?.isBelow === true);
}

/** Whether the function was below the lower threshold in all runs of a side. */
export function isAlwaysBelow(runs: readonly (Measured | null)[]): boolean {
  return runs.every((run) => (run ?? absent).isBelow);
}

/** Whether a count changed: its ranges are apart in the first runs, and in those that confirm, if there are any. */
export function countChange(
  { was, is }: FunctionPair,
  confirming: FunctionPair | null,
  of: 'longCount' | 'stacks',
): Direction | null {
  const direction = apart(countsOf(was, of), countsOf(is, of));
  if (confirming === null) return direction;
  return apart(countsOf(confirming.was, of), countsOf(confirming.is, of)) === direction ? direction : null;
}

/** The times of all runs, as they are shown. */
export function comparedTimes({ was, is }: FunctionPair, order: Order, of: 'worst' | 'presence'): ComparedTimes {
  const wasUs = was.map((run) => (run ?? absent)[of]);
  const isUs = is.map((run) => (run ?? absent)[of]);
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

/** Whether all that the interval allows is no change to speak of: within 15 % of the smaller side, or within 2 ms. */
export function isNoChange({ wasUs, isUs, low, high }: ComparedTimes): boolean {
  if (low !== null && high !== null && low >= 1 / 1.15 && high <= 1.15) return true;
  return Math.max(...wasUs, ...isUs) - Math.min(...wasUs, ...isUs) <= 2000;
}

export type Direction = 'faster' | 'slower';

/**
 * Where all values of one side are below all of the other: the direction from `was` to `is`. Null where the ranges meet,
 * or a side has no value.
 */
export function apart(was: readonly number[], is: readonly number[]): Direction | null {
  if (was.length === 0 || is.length === 0) return null;
  if (Math.max(...is) < Math.min(...was)) return 'faster';
  return Math.min(...is) > Math.max(...was) ? 'slower' : null;
}

/**
 * The values without the largest. What disturbs a run makes its worst longer, and never shorter: of three runs one may be
 * disturbed. Fewer stay as they are.
 */
export function undisturbed(values: readonly number[]): readonly number[] {
  return values.length < 3 ? values : values.toSorted((a, b) => a - b).slice(0, -1);
}

/** From the smallest to the largest of some numbers; 0 where there are none. */
export function range(values: readonly number[]): number {
  return values.length === 0 ? 0 : Math.max(...values) - Math.min(...values);
}

/** How many times the larger of two medians is the smaller. */
export function factor(was: readonly number[], is: readonly number[]): number {
  const [before, now] = [median(was), median(is)];
  return Math.max(before, now) / Math.max(Number.EPSILON, Math.min(before, now));
}

/**
 * Interval of the ratio of `is` to `was`. Of runs that took turns, each pair has a ratio: the interval is from the
 * smallest to the largest (of six pairs it holds the true median in 97 % of all cases), from eight pairs on without these
 * two (93 %). Of blocks, which have no pairs, all are compared with all, and a tenth is cut off at both ends. Null
 * where a value is 0.
 */
export function ratioInterval(
  was: readonly number[],
  is: readonly number[],
  order: 'interleaved' | 'blocks',
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
 * How probable it is that two samples of one distribution are as far apart as these, or farther, to either side: the test
 * of Mann and Whitney, exact. Equal values count half, and a half is rounded to the side of chance.
 */
export function chanceOf(was: readonly number[], is: readonly number[]): number {
  const larger = is.flatMap((now) => was.map((before) => (now > before ? 1 : now === before ? 0.5 : 0)));
  const sum = larger.reduce<number>((all, one) => all + one, 0);
  const extreme = Math.min(sum, was.length * is.length - sum);
  const ways = waysBySum(was.length, is.length);
  const all = ways.reduce((total, count) => total + count, 0);
  const below = ways.slice(0, Math.ceil(extreme) + 1).reduce((total, count) => total + count, 0);
  return Math.min(1, (2 * below) / all);
}

/** In how many orders of `n` and `m` values each number of pairs is the wrong way round, by that number. */
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
