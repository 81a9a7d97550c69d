import { turnClassBounds } from '../../../protocol/recording-lines.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { Test } from '../../read/samples/sample-stream.ts';
import type { SampledNodes } from '../../read/samples/cpu-profile.ts';
import type { Weights } from '../../read/samples/weights.ts';

/** An uninterrupted period of work on one thread's event loop: a measured turn, or an inferred one. */
export interface Operation {
  /** Index into `Analysis.streams`. */
  readonly stream: number;
  /** Start by the clock. */
  readonly start: Microseconds;
  readonly end: Microseconds;
  /** Clock time without the wait for a CPU. */
  readonly held: Microseconds;
  /** Its samples: from `firstSample` up to, but not including, `lastSample`. The two are equal where it has none. */
  readonly firstSample: number;
  readonly lastSample: number;
  /** False where it was inferred from the samples: then each of its figures is an estimate. */
  readonly measured: boolean;
  /** How its thread spent the time by the clock; null where that is unknown. */
  readonly thread: ThreadTimes;
  /** Share of the time in waiting calls in which the thread slept, 0 to 1; null where that is unknown. */
  readonly asleep: number | null;
  /** Why its figures are estimates although it was measured; null where they are not. */
  readonly doubt: Doubt | null;
  /** The test that ran; null where none did, several did at once, or that is unknown. */
  readonly test: Test | null;
}

export interface ThreadTimes {
  /** Time on a CPU. */
  readonly run: Microseconds | null;
  /** Time in which it was ready to run, and waited for a CPU. */
  readonly wait: Microseconds | null;
  /** Time in which it waited for something else: a disk, another process, another thread. */
  readonly slept: Microseconds | null;
}

export const unknownTimes: ThreadTimes = { run: null, wait: null, slept: null };

/**
 * Why a measured operation is an estimate. `recorder`: over a tenth of the turn went to the recorder's hooks. `slept`:
 * a long sleep while the machine was busy, so that what it waited for may have waited too. `noProcessor`: under seven
 * tenths of run time, and no counts for the rest.
 */
export type Doubt = 'recorder' | 'slept' | 'noProcessor';

/** The samples of one isolate; collections and native samples have the stack that they interrupted. */
export interface BridgedSamples {
  /** Node by sample; a meta node only where the stack is still empty. */
  readonly nodes: SampledNodes;
  /** Node by sample before that, as in its stream: `metaNodes.gc` where the sample was a garbage collection. */
  readonly sampled: SampledNodes;
  /** Weight of each sample in µs: until the next one, without the wait for a CPU. */
  readonly weights: Weights;
  readonly spans: Spans;
}

/** Parts of turns between two reads of the wait, with known held times. Weights within are estimates. In µs. */
export interface Spans {
  /** Number of the span by sample; −1 outside of measured turns. It is empty where no turns were measured. */
  readonly of: Int32Array;
  /** Clock time, and held time, by number of the span. */
  readonly wall: readonly number[];
  readonly held: readonly number[];
  /** Share of the clock time of its waiting calls that was asleep, 0 to 1, by number of the span. */
  readonly asleep: readonly number[];
  /** The most of a sample that was on a CPU, by number of the span; Infinity where no stop of the process is known. */
  readonly awake: readonly number[];
}

export const noSpans: Spans = { of: new Int32Array(0), wall: [], held: [], asleep: [], awake: [] };

/** A turn, or the part of it between two changes of the running test. In µs by the clock. */
export interface TurnPiece {
  readonly turn: number;
  readonly start: number;
  readonly end: number;
  /** The test that ran, where it is known that it ran alone. */
  readonly test: Test | null;
}

/** Samples from `first` up to, but not including, `last`. */
export interface SampleRange {
  readonly first: number;
  readonly last: number;
}

/** The length, in µs, below which turns are in the histogram only (`protocol/recording-lines.ts`). */
export const MIN_TURN: Microseconds = microseconds(turnClassBounds[3]);

/** Minimum length of a long gap between samples, in intervals. */
export const longGap = 2.5;

/** For how long the process was stopped in a sample in no waiting call. `awake`: the most of it that was on a CPU. In µs. */
export function stopIn(weight: number, awake: number, interval: number): number {
  return weight > longGap * interval ? Math.max(0, weight - awake) : 0;
}
