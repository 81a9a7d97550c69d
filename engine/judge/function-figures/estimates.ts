import { type Microseconds, milliseconds } from '../../../protocol/units.ts';
import type { Operation } from '../../cut/operations/operation.ts';

/**
 * What a figure is based on: its weight, its longest single sample and how far it may be wrong, all in µs, and its
 * number of samples.
 */
export interface Evidence {
  readonly weight: number;
  readonly samples: number;
  readonly longest: number;
  readonly margin: number;
}

/**
 * Whether a figure is an estimate (`≈`): its turns were inferred, its operation is in doubt, it has fewer than 3
 * samples, it may be wrong by more than 15 % and 3 ms (its margin), or one sample covers more than 5 intervals and more
 * than a tenth of it. Anything may have run in so long a gap. This is unlikely only where the function has nearly all
 * other samples of the operation.
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
 * Whether the operation has the first sample of the function in its thread, and `weight` (in µs) is short enough to be
 * warming up. The kernel asks the same of presences (kernel/wasm/presences.ts).
 */
export function isCold(operation: Operation, firstSeen: number, weight: number): boolean {
  return weight <= longestWarmUp && firstSeen >= operation.firstSample && firstSeen < operation.lastSample;
}

/**
 * Longest time that counts as warming up. A call that takes longer had more to do (one large input of a test). Without
 * this limit it would depend on chance whether a hotspot counts as a first time, because a later short call may or may
 * not be sampled, and no limit in a CI would ever notice the hotspot.
 */
export const longestWarmUp = milliseconds(100);

/** What is known of a function's part in one operation, besides its weight. Times in µs. */
export interface PartFacts {
  /** Time for which the thread waited for a processor, and which may have been in this part or in others. */
  readonly spread: number;
  /**
   * Sum of the weights of the samples in which the part began or ended, and their number. It is not known where within
   * these samples that was.
   */
  readonly edges: number;
  readonly edgeCount: number;
  /**
   * Time of the operation's long gaps between samples, and of samples without a stack, that are not within the part.
   */
  readonly gaps: number;
}

/**
 * Whether parts of an operation have a margin. In a short operation, no part can be wrong by more than its length; in
 * an inferred one, every figure is an estimate anyway.
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

/**
 * Whether another operation may have had clearly more than the shown worst. `most` is the most that it can have had.
 */
export function mayBeMore(worst: number, most: number): boolean {
  return !isWithinMargin(worst, most - worst);
}

/** Largest error in µs of a figure that is no estimate. */
const mostOff = milliseconds(3);

/**
 * Error at the edges of a part: half a sample for each begin and each end. All these errors may go in the same
 * direction, because short pieces may come in step with the sampler (measured: twelve pieces of 2.7 ms were 17 % off).
 * Many pieces do not stay in step, and their errors grow only with the square root of their number.
 */
function edgeError(edges: number, count: number): number {
  return count === 0 ? 0 : (edges / 4) * Math.min(1, Math.sqrt(mostInBeat / count));
}

/** Number of edges of 12 pieces. */
const mostInBeat = 24;

/** Length in intervals above which a gap between two samples is a long one. */
export const longGap = 2.5;
