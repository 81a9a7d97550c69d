import { type Microseconds, milliseconds } from './units.ts';

/** How long something held the event loop, from short to long. */
export type DurationClass = 'fast' | 'medium' | 'slow' | 'verySlow' | 'monster';

export const durationClasses = ['fast', 'medium', 'slow', 'verySlow', 'monster'] as const;

/** Upper bounds of these classes, inclusive, in µs. The last class has none. */
export const classBounds = [1_000, 10_000, 100_000, 1_000_000] as const;

export function durationClassOf(duration: Microseconds): DurationClass {
  return durationClasses[classBounds.findIndex((bound) => duration <= bound)] ?? 'monster';
}

/** Default threshold of a *long* operation, exclusive. */
export const defaultThresholdUs = milliseconds(10);

/** The three figures of a function or a line: worst time, number of long operations, number of stacks in these. */
export interface Figures extends WorstFigure {
  readonly longCount: number;
  readonly distinctStacks: number;
}

export interface WorstFigure {
  readonly worstUs: Microseconds;
  readonly estimated: boolean;
  /** Sleep within the worst, and the call, where they are known. */
  readonly waited?: { readonly us: Microseconds; readonly in: string | null } | null;
  /** What each run measured, if several are shown; the other figures are medians then. */
  readonly runs?: FigureRuns;
}

/** Figures of several runs, in their order; null below the threshold, which the medians leave out. */
export interface FigureRuns {
  readonly worstUs: readonly (Microseconds | null)[];
  readonly longCount: readonly (number | null)[];
  /** Absent for packages, of which stacks say nothing. */
  readonly distinctStacks?: readonly (number | null)[];
}

/** A function that was long only the first time in its thread. */
export interface FirstTime {
  /** What it loaded then, such as `ejs`; null where it did something else. */
  readonly loads: string | null;
  /** How long it takes since then; null where it was not seen again. */
  readonly thenUs: Microseconds | null;
}

/** `dim`: first times, test code, changed functions. `background`: a worker that no request or user waits for. */
export type Tone = 'plain' | 'dim' | 'background';

/** The middle number, or the mean of the two middle ones; NaN where there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** The largest number; −∞ where there are none. (`Math.max(...values)` overflows the stack with some 120,000 of them.) */
export function maxOf(values: Iterable<number>): number {
  let most = -Infinity;
  for (const value of values) most = Math.max(most, value);
  return most;
}

/** The least number; ∞ where there are none. */
export function minOf(values: Iterable<number>): number {
  let least = Infinity;
  for (const value of values) least = Math.min(least, value);
  return least;
}
