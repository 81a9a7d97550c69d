import type { NumberList } from '../../basics/number-list.ts';
import { firstDifference } from '../../basics/lists.ts';
import { longestProfile, plausibleTime } from '../../samples/times.ts';

/** Times in the form that they have in the file. */
export interface GivenTimes {
  readonly deltas: NumberList;
  readonly startTime: unknown;
  readonly endTime: unknown;
}

export interface TimedSamples {
  /** Ids of the sampled nodes, in the order of time. */
  readonly ids: Int32Array | Float64Array;
  /** Times of the samples in whole µs, ascending. */
  readonly times: Float64Array;
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
  const times = given.deltas.toFloat64().subarray(0, ids.length);
  const start = plausibleTime(given.startTime, 0);
  let now = start;
  let implausible = 0;
  for (let sample = 0; sample < times.length; sample++) {
    const next = now + (times[sample] ?? 0);
    if (Math.abs(next - start) < longestProfile) now = next;
    else implausible++;
    times[sample] = Math.round(now);
  }
  // Times are nearly sorted: each one goes back past the few that are later.
  let steps = times.length * 4 + 1024;
  for (let sample = 1; sample < times.length; sample++) {
    const time = times[sample] ?? 0;
    if (time >= (times[sample - 1] ?? 0)) continue;
    const id = ids[sample] ?? 0;
    let at = sample;
    for (; at > 0 && (times[at - 1] ?? 0) > time && steps > 0; at--, steps--) {
      times[at] = times[at - 1] ?? 0;
      ids[at] = ids[at - 1] ?? 0;
    }
    times[at] = time;
    ids[at] = id;
  }
  const sorted = steps > 0 ? { ids, times } : sortedByTime(ids, times);
  const last = sorted.times.at(-1) ?? 0;
  const named = plausibleTime(given.endTime, last);
  const end = Math.abs(named - start) < longestProfile ? Math.round(named) : last;
  const unpaired = Math.abs(given.deltas.size - samples.size);
  return { ...sorted, end: Math.max(end, last), unpaired, implausible, endsEarly: end < last };
}

/** Sorts in general, for clocks that jump again and again. */
function sortedByTime(ids: Int32Array | Float64Array, times: Float64Array): Pick<TimedSamples, 'ids' | 'times'> {
  const order = Int32Array.from(times, (_, sample) => sample).toSorted((a, b) =>
    firstDifference((times[a] ?? 0) - (times[b] ?? 0), a - b),
  );
  return {
    ids: Float64Array.from(order, (sample) => ids[sample] ?? 0),
    times: times.map((_, index) => times[order[index] ?? 0] ?? 0),
  };
}
