import type { Microseconds } from '../../protocol/units.ts';
import type { Operation } from '../operations/operation.ts';

/** A figure is "≈" with inferred turns, fewer than 3 samples behind it, or one that covers more than 5 intervals. */
export function isEstimated(operation: Operation, samples: number, longest: number, interval: Microseconds): boolean {
  return !operation.measured || samples < 3 || (interval > 0 && longest > 5 * interval);
}

/** The operation holds the first sample of the function in its thread. */
export function isCold(operation: Operation, firstSeen: number): boolean {
  return firstSeen >= operation.firstSample && firstSeen < operation.lastSample;
}
