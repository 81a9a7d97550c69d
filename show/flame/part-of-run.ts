import type { RunPart, TimeRange } from '../../protocol/time.ts';
import type { Analysis } from '../../engine/analysis.ts';
import type { Operation } from '../../engine/cut/operations/operation.ts';
import { ListedWeights, noWeights, type Weights } from '../../engine/read/samples/weights.ts';
import type { SampleStream } from '../../engine/read/samples/sample-stream.ts';
import { onClockOf, type RunClock, runClock } from './run-clock.ts';

/** Times of the samples, by thread, as far as they are in the part. A sample that reaches over an end has its share. */
export function weightsIn(analysis: Analysis, part: RunPart | null): readonly Weights[] {
  const clock = runClock(analysis);
  return analysis.bridged.map(({ weights }, index) => {
    const stream = analysis.streams[index];
    if (part === null || stream === undefined) return weights;
    if (part.lane !== null && part.lane !== index) return noWeights;
    return part.range === null ? weights : within(weights, stream, onClockOf(index, clock, part.range));
  });
}

/** Whether any time of an operation is in the part. */
export function isIn({ stream, start, end }: Operation, part: RunPart | null, clock: RunClock): boolean {
  if (part === null) return true;
  if (part.lane !== null && part.lane !== stream) return false;
  if (part.range === null) return true;
  const { from, until } = onClockOf(stream, clock, part.range);
  return start < until && end > from;
}

/** A text that is equal for equal parts. */
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
