import type { NumberList, NumberMemory } from '../../basics/number-list.ts';
import { firstDifference } from '../../basics/lists.ts';
import { SampleTimes } from '../../samples/sample-times.ts';
import { longestProfile, plausibleTime } from '../../samples/times.ts';

/** Times in the form that they have in the file. */
export interface GivenTimes {
  readonly deltas: NumberList;
  readonly startTime: unknown;
  readonly endTime: unknown;
}

export interface TimedSamples {
  /** Ids of the sampled nodes, in the order of time. */
  readonly ids: NumberMemory;
  readonly times: SampleTimes;
  /** End of the profile, at or after the last sample. */
  readonly end: number;
  readonly unpaired: number;
  /** Number of deltas that are not a number, or that lead years away. They are taken as 0. */
  readonly implausible: number;
  readonly endsEarly: boolean;
}

/**
 * Samples with their times. `timeDeltas[i]` is the time *before* sample `i`, the first one the profiler's own start-up.
 * Deltas can be negative, so samples are sorted by time; those of one time keep the file's order. It works in the
 * memory of the lists, which must not be read afterwards, because copies would be as large as half the file.
 */
export function timedSamples(samples: NumberList, given: GivenTimes): TimedSamples {
  const ids = samples.values().subarray(0, given.deltas.size);
  const deltas = given.deltas.values().subarray(0, ids.length);
  const start = plausibleTime(given.startTime, 0);
  const short = deltas instanceof Int32Array && Number.isInteger(start) ? shortOffsets(deltas) : null;
  const { times: unsorted, implausible } = short === null ? longTimes(deltas, start) : { times: short, implausible: 0 };
  const sorted = inOrder({ ids, times: unsorted });
  const times = new SampleTimes(sorted.times, short === null ? 0 : start);
  const last = times.last ?? 0;
  const named = plausibleTime(given.endTime, last);
  const end = Math.abs(named - start) < longestProfile ? Math.round(named) : last;
  const unpaired = Math.abs(given.deltas.size - samples.size);
  return { ids: sorted.ids, times, end: Math.max(end, last), unpaired, implausible, endsEarly: end < last };
}

/** Times from the start on, in the memory of the deltas; null, and the deltas as they were, where 4 bytes are too few. */
function shortOffsets(deltas: Int32Array): Uint32Array | null {
  const { length } = deltas;
  const offsets = new Uint32Array(deltas.buffer, deltas.byteOffset, length);
  let now = 0;
  for (let sample = 0; sample < length; sample++) {
    now += deltas[sample] ?? 0;
    if (now < 0 || now >= 2 ** 32) {
      for (let done = sample - 1; done > 0; done--) offsets[done] = (offsets[done] ?? 0) - (offsets[done - 1] ?? 0);
      return null;
    }
    offsets[sample] = now;
  }
  return offsets;
}

function longTimes(deltas: NumberMemory, start: number): { times: Float64Array; implausible: number } {
  const times = deltas instanceof Float64Array ? deltas : new Float64Array(deltas.length);
  let now = start;
  let implausible = 0;
  for (let sample = 0; sample < deltas.length; sample++) {
    const next = now + (deltas[sample] ?? 0);
    if (Math.abs(next - start) < longestProfile) now = next;
    else implausible++;
    times[sample] = Math.round(now);
  }
  return { times, implausible };
}

interface OrderedSamples<Times> {
  readonly ids: NumberMemory;
  readonly times: Times;
}

/** Sorts samples in place. Times are nearly sorted: each one goes back past the few that are later. */
function inOrder<Times extends Uint32Array | Float64Array>(
  samples: OrderedSamples<Times>,
): OrderedSamples<Times | Float64Array> {
  const { ids, times } = samples;
  const { length } = times;
  let steps = length * 4 + 1024;
  let before = 0;
  for (let sample = 0; sample < length; sample++) {
    const time = times[sample] ?? 0;
    if (time >= before || sample === 0) {
      before = time;
      continue;
    }
    const id = ids[sample] ?? 0;
    let at = sample;
    for (; at > 0 && (times[at - 1] ?? 0) > time && steps > 0; at--, steps--) {
      times[at] = times[at - 1] ?? 0;
      ids[at] = ids[at - 1] ?? 0;
    }
    times[at] = time;
    ids[at] = id;
    before = times[sample] ?? 0;
  }
  return steps > 0 ? samples : sortedByTime(samples);
}

/** Sorts in general, for clocks that jump again and again. */
function sortedByTime({ ids, times }: OrderedSamples<Uint32Array | Float64Array>): OrderedSamples<Float64Array> {
  const order = Int32Array.from(times, (_, sample) => sample).toSorted((a, b) =>
    firstDifference((times[a] ?? 0) - (times[b] ?? 0), a - b),
  );
  return {
    ids: Float64Array.from(order, (sample) => ids[sample] ?? 0),
    times: Float64Array.from(order, (sample) => times[sample] ?? 0),
  };
}
