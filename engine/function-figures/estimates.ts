import { type Microseconds, milliseconds } from '../../protocol/units.ts';
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

/** What is known of a function's part in one operation, besides its weight. Times in µs. */
export interface PartFacts {
  /** Time for which the thread waited for a processor, and which may have been in this part or in others. */
  readonly spread: number;
  /**
   * Sum of the weights of the samples in which the part began or ended, and the number of them. Where within them,
   * nobody knows.
   */
  readonly edges: number;
  readonly edgeCount: number;
  /**
   * Time of the operation's long gaps between samples, and of samples without a stack, that are not within the part.
   */
  readonly gaps: number;
}

/**
 * Whether parts of an operation have a margin. No part of a short operation can be wrong by more, and every figure of
 * an inferred one is an estimate anyway.
 */
export function hasMargin({ measured, held }: Operation): boolean {
  return measured && held > mostOff;
}

/**
 * How far a part of an operation may be wrong, in µs. The operation's own time is measured. Which function had how much
 * of it is not: the wait for a processor may have been in any of them, a function begins and ends between samples, and
 * in a gap between two samples anything may have run.
 */
export function marginOf({ spread, edges, edgeCount, gaps }: PartFacts): number {
  return spread + edgeError(edges, edgeCount) + gaps;
}

/** How far a part of one span may be wrong, in µs. The part has `clock` of it by the clock, and `weight` held. */
export function spreadIn(
  span: { readonly wall: number; readonly held: number },
  part: { readonly clock: number; readonly weight: number },
): number {
  const { clock, weight } = part;
  const least = Math.max(0, clock - (span.wall - span.held), span.held - (span.wall - clock));
  const most = Math.min(clock, span.held);
  return Math.max(0, weight - least, most - weight);
}

/** Whether a figure is right to 15 % or 3 ms, whichever is more. */
function isWithinMargin(weight: number, margin: number): boolean {
  return margin <= Math.max(mostOff, 0.15 * weight);
}

/** Whether another operation may have had clearly more than the worst that is shown. `most` is what it had at most. */
export function mayBeMore(worst: number, most: number): boolean {
  return !isWithinMargin(worst, most - worst);
}

/** Largest error in µs of a figure that is no estimate. */
const mostOff = milliseconds(3);

/**
 * Error at the edges of a part: half of a sample each time that it came or went, in the same direction, because short
 * pieces may fall in with the sampler's beat (measured: twelve of 2.7 ms, 17 % off). Of many pieces that is no longer
 * so, and errors grow with the square root of their number.
 */
function edgeError(edges: number, count: number): number {
  return count === 0 ? 0 : (edges / 4) * Math.min(1, Math.sqrt(mostInBeat / count));
}

/** Number of edges of 12 pieces. */
const mostInBeat = 24;

/** Length in intervals above which a gap between two samples is a long one. */
export const longGap = 2.5;
