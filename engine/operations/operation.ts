import type { Microseconds } from '../../protocol/units.ts';
import type { Test } from '../samples/test-timeline.ts';

/** A stretch in which the event loop of one thread did one thing and nothing else: a turn, or what looks like one. */
export interface Operation {
  /** Index into `Analysis.streams`. */
  readonly stream: number;
  /** By the clock. */
  readonly start: Microseconds;
  readonly end: Microseconds;
  /** How long it held the loop: by the clock, without what its thread waited for a processor that others had. */
  readonly held: Microseconds;
  /** Its samples: from `firstSample` up to, not including, `lastSample`; equal where it has none. */
  readonly firstSample: number;
  readonly lastSample: number;
  /** Of `held`, what its last sample has; the others have their weight of `BridgedSamples`. */
  readonly lastWeight: Microseconds;
  /** False where it was inferred from the samples: then every figure of it is an estimate. */
  readonly measured: boolean;
  /** How its thread spent the time by the clock; null where nobody knows. */
  readonly thread: ThreadTimes;
  /** 0 to 1: of the time in its calls that wait for something, what the thread slept; null where nobody knows. */
  readonly asleep: number | null;
  /** Why its figures are estimates although it was measured; null where they are none. */
  readonly doubt: Doubt | null;
  /** The test that ran; null where none did, several did at once, or nobody knows. */
  readonly test: Test | null;
}

export interface ThreadTimes {
  /** It had a processor. */
  readonly run: Microseconds | null;
  /** It was ready, and others had the processors. */
  readonly wait: Microseconds | null;
  /** It waited for something else: a disk, another process, another thread. */
  readonly slept: Microseconds | null;
}

export const unknownTimes: ThreadTimes = { run: null, wait: null, slept: null };

/**
 * `recorder`: over a tenth of the turn was for the recorder's own hooks. `slept`: the thread slept for long while the machine
 * was busy, so whoever it waited for may have waited, too. `noProcessor`: the thread had the processor for less than seven
 * tenths of it, and nobody counted what it did else.
 */
export type Doubt = 'recorder' | 'slept' | 'noProcessor';

/**
 * The samples of one isolate as every table shows them: collections and native stretches have taken the stack that they
 * interrupted.
 */
export interface BridgedSamples {
  /** Node per sample; a meta node only where the stack stayed empty. */
  readonly nodes: Int32Array;
  /** 1 where the sample was a garbage collection. */
  readonly collecting: Uint8Array;
  /** How long each counts, in µs: until the next one, without what its thread waited for a processor. */
  readonly weights: Float64Array;
  readonly spans: Spans;
}

/**
 * Parts of turns of which the held time is known: whole turns, or less where somebody read meanwhile what the thread waited.
 * Within a span, weights are estimates. In µs.
 */
export interface Spans {
  /** Number of the span per sample; −1 outside of measured turns. */
  readonly of: Int32Array;
  /** By number: by the clock, and held. */
  readonly wall: readonly number[];
  readonly held: readonly number[];
  /** By number, 0 to 1: what of the time by the clock of its waiting calls was asleep. */
  readonly asleep: readonly number[];
}

/** How long one of its samples counts in an operation, in µs. */
export function weightIn({ lastSample, lastWeight }: Operation, sample: number, weights: Float64Array): number {
  return sample + 1 === lastSample ? lastWeight : (weights[sample] ?? 0);
}
