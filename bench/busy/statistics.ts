/** The value below which a `share` (0 to 1) of the values lies; NaN where there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 1 / 2);
}

export function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Standard deviation divided by the mean. */
export function variation(values: readonly number[]): number {
  const mean = total(values) / values.length;
  const squares = total(values.map((value) => (value - mean) ** 2));
  return Math.sqrt(squares / (values.length - 1)) / mean;
}

export interface Interval {
  readonly middle: number;
  readonly from: number;
  readonly to: number;
}

/** The median, and the range in which it lies with 95 % certainty (bootstrap). */
export function medianInterval(values: readonly number[]): Interval {
  const medians = Array.from({ length: 4000 }, () =>
    median(values.map(() => values[Math.floor(Math.random() * values.length)] ?? Number.NaN)),
  );
  return { middle: median(values), from: quantile(medians, 0.025), to: quantile(medians, 0.975) };
}
