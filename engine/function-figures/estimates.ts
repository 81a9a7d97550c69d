import { type Microseconds, milliseconds } from '../../protocol/units.ts';
import { isWithinMargin } from './error-margin.ts';
import type { Operation } from '../operations/operation.ts';

/**
 * What a figure is based on: its weight, its longest single sample, how far it may be wrong (all in µs), and the number
 * of samples.
 */
interface Evidence {
  readonly weight: number;
  readonly samples: number;
  readonly longest: number;
  readonly margin: number;
}

/**
 * Whether a figure is an estimate (`≈`): its turns were inferred, its operation is in doubt, it has fewer than 3
 * samples, it may be wrong by more than 15 % and 3 ms (its margin), or one sample covers more than 5 intervals and more
 * than a tenth of it. In so long a gap anything may have run, but hardly so in a gap of a function that has nearly all
 * other samples of its operation.
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

/**
 * Whether the operation has the first sample of the function in its thread, and `weight`, in µs, may be its warming up.
 */
export function isCold(operation: Operation, firstSeen: number, weight: number): boolean {
  return weight <= longestWarmUp && firstSeen >= operation.firstSample && firstSeen < operation.lastSample;
}

/**
 * Longest time that counts as warming up. What takes longer had more to do that time (one large input of a test). Else
 * it would depend on chance whether a hotspot is a first time, because a later short call may or may not meet a sample,
 * and no limit in a CI would ever see it.
 */
const longestWarmUp = milliseconds(100);
