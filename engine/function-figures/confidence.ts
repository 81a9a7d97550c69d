import { type Microseconds, milliseconds } from '../../protocol/units.ts';
import { isWithinMargin } from './margin.ts';
import type { Operation } from '../operations/operation.ts';

/** What stands behind a figure: its weight, its longest single sample and what it may be wrong by in µs, and the number of samples. */
interface Evidence {
  readonly weight: number;
  readonly samples: number;
  readonly longest: number;
  readonly margin: number;
}

/**
 * A figure is "≈" with inferred turns, in an operation that is in doubt, with fewer than 3 samples behind it, when by its margin
 * it may be wrong by more than 15 % and 3 ms, or when one sample covers more than 5 intervals and more than a tenth of it: in so long a gap anything
 * may have run, but hardly in one of a function that has nearly all other samples of its operation.
 */
export function isEstimated(
  operation: Operation,
  { weight, samples, longest, margin }: Evidence,
  interval: Microseconds,
): boolean {
  const isShared = weight < nearlyAll * operation.held;
  const hasGap = isShared && interval > 0 && longest > 5 * interval && longest * 10 > weight;
  return !operation.measured || operation.doubt !== null || samples < 3 || hasGap || !isWithinMargin(weight, margin);
}

const nearlyAll = 0.9;

/** The operation holds the first sample of the function in its thread, and `weight`, in µs, may be its warming up. */
export function isCold(operation: Operation, firstSeen: number, weight: number): boolean {
  return weight <= longestWarmUp && firstSeen >= operation.firstSample && firstSeen < operation.lastSample;
}

/**
 * What takes longer was no warming up, but had more to do that time (a test's one large input). Else a hotspot would be
 * first or last by chance, as a later, short call of it meets a sample or not, and no limit in a CI would ever see it.
 */
const longestWarmUp = milliseconds(100);
