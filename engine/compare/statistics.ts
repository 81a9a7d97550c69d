/** The middle of some numbers; NaN where there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
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
