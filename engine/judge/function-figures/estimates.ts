import { type Microseconds, milliseconds } from '../../../protocol/units.ts';
import type { Doubt, Operation } from '../../cut/operations/operation.ts';
import type { OwnPart } from './function-figures.ts';

/** Evidence for a figure: its weight, its longest single sample and its possible error, in µs, and its samples. */
export interface Evidence {
  readonly weight: number;
  readonly samples: number;
  readonly longest: number;
  readonly margin: number;
}

/**
 * Whether a figure is an estimate (`≈`): its turns were inferred, its operation is in doubt, it has under 3 samples,
 * its margin is over 15 % and 3 ms, or one sample covers over 5 intervals and a tenth of it (anything may have run in
 * so long a gap, unless the function has nearly all other samples).
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
 * Whether the operation has the thread's first sample of the function and may be warm-up (as kernel/wasm/presences.ts).
 */
export function isCold(operation: Operation, firstSeen: number, weight: number): boolean {
  return weight <= longestWarmUp && firstSeen >= operation.firstSample && firstSeen < operation.lastSample;
}

/**
 * Maximum warm-up. A longer call had more to do. Without this limit a hotspot could count as a first time by chance (a
 * later short call may not be sampled), and no limit in a CI would notice it.
 */
export const longestWarmUp = milliseconds(100);

/** Facts about a function's part in one operation. Times in µs. */
export interface PartFacts {
  /** How long its samples last by the clock. */
  readonly clock: number;
  /** Wait for a CPU that may have been in this part or in others. */
  readonly spread: number;
  /** Weights of the samples in which the part began or ended, summed, and their number. */
  readonly edges: number;
  readonly edgeCount: number;
  /** Time of long gaps and of samples without a stack that are not within the part. */
  readonly gaps: number;
}

/** Clock time of a part whose thread waited for a CPU during a good part of it; else null. */
export function stretchedTime(
  { clock, weight }: Pick<OwnPart, 'clock' | 'weight'>,
  { thread }: Pick<Operation, 'thread'>,
): Microseconds | null {
  const wait = Math.min(clock - weight, thread.wait ?? 0);
  return wait > MIN_WAIT && wait * 10 > clock ? clock : null;
}

/** `turnSlept`: the operation is a part of a turn that slept, and its own sleep is not known to be long. */
export type ShownDoubt = Doubt | 'turnSlept';

/** The doubt of an operation as it is shown. */
export function shownDoubt({ doubt, thread }: Pick<Operation, 'doubt' | 'thread'>): ShownDoubt | null {
  return doubt === 'slept' && (thread.slept ?? 0) < MIN_WAIT ? 'turnSlept' : doubt;
}

/** Minimum wait, and sleep, in µs that is reported. */
const MIN_WAIT = milliseconds(3);

/** Whether parts have a margin: short operations have no error over their length, and inferred ones are estimates. */
export function hasMargin({ measured, held }: Operation): boolean {
  return measured && held > MAX_ERROR;
}

/**
 * Possible error of a part, in µs. An operation's time is measured, its distribution is not: the wait for a CPU may be
 * in any part, parts begin and end between samples, and anything may run in a gap.
 */
export function marginOf({ spread, edges, edgeCount, gaps }: PartFacts): number {
  return spread + edgeError(edges, edgeCount) + gaps;
}

/**
 * What a part will have had at least, in µs; 0 where its samples do not tell. The wait for a CPU comes in many pieces, so
 * in a part with many samples chance, not the worst case, limits the spread. Of an operation whose sleep is in doubt, only
 * the share that ran counts.
 */
export function leastOf(
  { doubt, held, thread }: Operation,
  { weight, samples }: Pick<Evidence, 'weight' | 'samples'>,
  facts: PartFacts,
): number {
  if (samples === 0 || held <= 0) return 0;
  const certain = doubt === null ? Math.max(0, weight - marginOf(facts)) : 0;
  const chance = (DEVIATIONS * weight) / Math.sqrt(samples);
  const margin = marginOf({ ...facts, spread: Math.min(facts.spread, chance) });
  const ran = doubt === null ? held : doubt === 'slept' ? Math.min(thread.run ?? 0, held) : 0;
  const byChance = margin * 2 > weight ? 0 : ((weight - margin) * ran) / held;
  return Math.round(Math.max(certain, byChance));
}

/** A count by chance is more than three times its square root off in one of 400 cases. */
const DEVIATIONS = 3;

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
  return margin <= Math.max(MAX_ERROR, 0.15 * weight);
}

/** Whether another operation may have had clearly more than the shown worst: at most `most`. */
export function mayBeMore(worst: number, most: number): boolean {
  return !isWithinMargin(worst, most - worst);
}

/** Maximum error in µs of a figure that does not count as an estimate. */
const MAX_ERROR = milliseconds(3);

/**
 * Error at the edges: half a sample for each begin and end, all in one direction, because short pieces may beat with
 * the sampler (measured: twelve of 2.7 ms were 17 % off). For more pieces it grows with the square root of their
 * number.
 */
function edgeError(edges: number, count: number): number {
  return count === 0 ? 0 : (edges / 4) * Math.min(1, Math.sqrt(MAX_IN_BEAT / count));
}

/** Edges of 12 pieces. */
const MAX_IN_BEAT = 24;
