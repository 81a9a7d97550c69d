import type { Operation } from '../operations/operation.ts';
import { milliseconds } from '../../protocol/units.ts';

/** What is known of a function's part in one operation, beside its weight. Times in µs. */
export interface PartFacts {
  /** What the thread waited for a processor, as far as it may have been in this part as well as in others. */
  readonly spread: number;
  /** Weights of the samples in which it began or ended: where in them, nobody knows; and how many there are. */
  readonly edges: number;
  readonly edgeCount: number;
  /** Of the operation's long gaps between samples, and samples without a stack, those that are not within the part. */
  readonly gaps: number;
}

/** Of what is shorter, no part can be wrong by more; of what is inferred, every figure is an estimate. */
export function hasMargin({ measured, held }: Operation): boolean {
  return measured && held > mostOff;
}

/**
 * By how much a part of an operation may be wrong, in µs. The operation's own time is measured; which function had how much of
 * it is not: what the thread waited for a processor may have been in any of them, a function begins and ends between samples,
 * and in a gap between two samples anything may have run.
 */
export function marginOf({ spread, edges, edgeCount, gaps }: PartFacts): number {
  return spread + edgeError(edges, edgeCount) + gaps;
}

/** By how much a part of one span may be wrong, of which it has `clock` by the clock and `weight` held. */
export function spreadIn(
  span: { readonly wall: number; readonly held: number },
  part: { readonly clock: number; readonly weight: number },
): number {
  const { clock, weight } = part;
  const least = Math.max(0, clock - (span.wall - span.held), span.held - (span.wall - clock));
  const most = Math.min(clock, span.held);
  return Math.max(0, weight - least, most - weight);
}

/** Is a figure right to 15 % or 3 ms, whichever is more? */
export function isWithinMargin(weight: number, margin: number): boolean {
  return margin <= Math.max(mostOff, 0.15 * weight);
}

/** May it have been that much, although the worst that is shown is another one? `most`: what it is at most. */
export function mayBeMore(worst: number, most: number): boolean {
  return !isWithinMargin(worst, most - worst);
}

/** In µs. */
const mostOff = milliseconds(3);

/**
 * Half of a sample each time that it came or went, in the same direction: short pieces may fall in with the sampler's beat
 * (measured: twelve of 2.7 ms, 17 % off). Of many pieces that is no longer so, and errors grow with the root of their number.
 */
function edgeError(edges: number, count: number): number {
  return count === 0 ? 0 : (edges / 4) * Math.min(1, Math.sqrt(mostInBeat / count));
}

/** Edges: 12 pieces. */
const mostInBeat = 24;

/** In intervals: a longer gap between two samples is a long one. */
export const longGap = 2.5;
