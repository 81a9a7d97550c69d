import type { Microseconds } from '../../protocol/units.ts';
import type { Test } from '../samples/test-timeline.ts';

/** A stretch in which the event loop of one thread did one thing and nothing else: a turn, or what looks like one. */
export interface Operation {
  /** Index into `Analysis.streams`. */
  readonly stream: number;
  readonly start: Microseconds;
  readonly end: Microseconds;
  /** Its samples: from `firstSample` up to, not including, `lastSample`; equal where it has none. */
  readonly firstSample: number;
  readonly lastSample: number;
  /** False where it was inferred from the samples: then every figure of it is an estimate. */
  readonly measured: boolean;
  /** CPU time of the thread meanwhile; null where it was not measured. */
  readonly cpu: Microseconds | null;
  /** Why its figures are estimates although it was measured; null where they are none. */
  readonly doubt: Doubt | null;
  /** The test that ran; null where none did, several did at once, or nobody knows. */
  readonly test: Test | null;
}

/**
 * `recorder`: over a tenth of the turn was for the recorder's own hooks. `waited`: the thread had the processor for less
 * than seven tenths of it, without a synchronous read or write to wait for: other processes had it.
 */
export type Doubt = 'recorder' | 'waited';

/**
 * The samples of one isolate as every table shows them: collections and native stretches have taken the stack that they
 * interrupted.
 */
export interface BridgedSamples {
  /** Node per sample; a meta node only where the stack stayed empty. */
  readonly nodes: Int32Array;
  /** 1 where the sample was a garbage collection. */
  readonly collecting: Uint8Array;
}
