import type { TimeRange } from '../../protocol/time.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { startOf } from '../../engine/read/samples/sample-stream.ts';

/** What is zero in times since the start of a run. */
export interface RunClock {
  /** By thread, on the clock of its samples, in µs. */
  readonly zeros: readonly number[];
  /** False where clocks differ: then each thread begins at its own zero. */
  readonly isOne: boolean;
  /** From zero to the end of the last thread. */
  readonly durationUs: Microseconds;
}

/**
 * All processes of a run have one clock, whose zero is the first sample of any. Logs of V8 and parts of a run from other
 * machines have clocks of their own.
 */
export function runClock({ streams, several }: Pick<Analysis, 'streams' | 'several'>): RunClock {
  const starts = streams.map((stream) => startOf(stream));
  const isOne = several?.takenFor !== 'shards' && streams.every(({ tiered }) => tiered === null);
  const first = starts.reduce((least, start) => Math.min(least, start), Infinity);
  const zeros = isOne ? starts.map(() => first) : starts;
  const ends = streams.map(({ end }, stream) => end - (zeros[stream] ?? end));
  return {
    zeros,
    isOne: isOne || streams.length < 2,
    durationUs: microseconds(ends.reduce((last, end) => Math.max(last, end), 0)),
  };
}

/** A stretch of time on the clock of a thread's samples. */
export function onClockOf(stream: number, { zeros }: RunClock, { from, until }: TimeRange): TimeRange {
  const zero = zeros[stream] ?? 0;
  return { from: microseconds(from + zero), until: microseconds(until + zero) };
}
