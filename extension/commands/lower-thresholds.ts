const steps = [50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1] as const;

/**
 * Thresholds below the one of now, in ms, at most four; those that are below the longest time come first, as the others
 * would show nothing again.
 */
export function lowerThresholds(now: number, longest: number | null): readonly number[] {
  const lower = steps.filter((step) => step < now);
  const useful = lower.filter((step) => longest === null || step < longest);
  return (useful.length > 0 ? useful : lower).slice(0, 4);
}
