import { milliseconds, type Microseconds } from './units.ts';

/** How long something held the event loop, from short to long. */
export type DurationClass = 'fast' | 'medium' | 'slow' | 'verySlow' | 'monster';

/** Upper bounds of the classes, inclusive, in µs. The class `monster` has none. */
const upperBounds = { fast: 1_000, medium: 10_000, slow: 100_000, verySlow: 1_000_000 } as const;

export const durationClasses = ['fast', 'medium', 'slow', 'verySlow', 'monster'] as const;

export function durationClassOf(duration: Microseconds): DurationClass {
  if (duration <= upperBounds.fast) return 'fast';
  if (duration <= upperBounds.medium) return 'medium';
  if (duration <= upperBounds.slow) return 'slow';
  if (duration <= upperBounds.verySlow) return 'verySlow';
  return 'monster';
}

/** Threshold of a *long* operation by default. It is passed when a duration is strictly greater. */
export const defaultThresholdUs = milliseconds(10);
