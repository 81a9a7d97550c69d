import type { RunPart, TimeRange } from '../../protocol/time.ts';
import type { Operation } from '../../engine/cut/operations/operation.ts';
import { ListedWeights, noWeights, type Weights } from '../../engine/read/samples/weights.ts';
import { type SampleStream, startOf } from '../../engine/read/samples/sample-stream.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Analysis } from '../../engine/analysis.ts';

/** Times of the samples in the part, by thread. A sample across an end of the part has a share of its time. */
export function weightsIn(analysis: Analysis, part: RunPart | null): readonly Weights[] {
  const clock = runClock(analysis);
  return analysis.bridged.map(({ weights }, index) => {
    const stream = analysis.streams[index];
    if (part === null || stream === undefined) return weights;
    if (part.lane !== null && part.lane !== index) return noWeights;
    return part.range === null ? weights : within(weights, stream, onClockOf(index, clock, part.range));
  });
}

/** Whether an operation overlaps with the part. */
export function isIn({ stream, start, end }: Operation, part: RunPart | null, clock: RunClock): boolean {
  if (part === null) return true;
  if (part.lane !== null && part.lane !== stream) return false;
  if (part.range === null) return true;
  const { from, until } = onClockOf(stream, clock, part.range);
  return start < until && end > from;
}

/** Equal for equal parts. */
export function partKey(part: RunPart | null): string {
  return part === null ? 'whole' : `${part.lane ?? 'all'} ${part.range?.from ?? ''}-${part.range?.until ?? ''}`;
}

function within(weights: Weights, { times, end }: SampleStream, { from, until }: TimeRange): Weights {
  const kept = new Float64Array(weights.length);
  for (let sample = Math.max(0, times.firstFrom(from) - 1); (times.at(sample) ?? until) < until; sample += 1) {
    const begin = times.at(sample) ?? end;
    const next = times.at(sample + 1) ?? end;
    const inside = Math.min(next, until) - Math.max(begin, from);
    if (inside > 0) kept[sample] = (weights.at(sample) * inside) / (next - begin);
  }
  return new ListedWeights(kept);
}

/** The zeros of times since the start of a run. */
export interface RunClock {
  /** By thread, on the clock of its samples, in µs. */
  readonly zeros: readonly number[];
  /** False where clocks differ: then each thread has its own zero. */
  readonly isOne: boolean;
  /** From zero to the end of the last thread. */
  readonly durationUs: Microseconds;
}

/**
 * All processes of a run have one clock, whose zero is the first sample of any. Logs of V8, and parts of a run on other
 * machines, have their own clocks.
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

/** A range since the start of the run, on the clock of a thread's samples. */
function onClockOf(stream: number, { zeros }: RunClock, { from, until }: TimeRange): TimeRange {
  const zero = zeros[stream] ?? 0;
  return { from: microseconds(from + zero), until: microseconds(until + zero) };
}
