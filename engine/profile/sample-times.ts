import { firstDifference } from '../functions/first-difference.ts';
import type { NumberList } from './number-list.ts';
import { longestProfile, plausibleTime } from './plausible-time.ts';

/** As they stand in the file. */
export interface GivenTimes {
  readonly deltas: NumberList;
  readonly startTime: unknown;
  readonly endTime: unknown;
}

export interface SampleTimes {
  /** Whole µs, ascending. */
  readonly times: Float64Array;
  /** Position in the file of the sample at each time. */
  readonly order: Int32Array;
  /** Not before the last sample. */
  readonly end: number;
  readonly unpaired: number;
  /** Deltas that are no number, or lead out of every recording: taken as 0. */
  readonly implausible: number;
  readonly endsEarly: boolean;
}

/**
 * When samples were taken: `timeDeltas[i]` is the time *before* sample `i`, the first one the profiler's own start-up.
 * Deltas can be negative: samples are sorted by time, those of one time as they stand in the file.
 */
export function sampleTimes(samples: number, given: GivenTimes): SampleTimes {
  const { deltas } = given;
  const unsorted = new Float64Array(Math.min(deltas.size, samples));
  const start = plausibleTime(given.startTime, 0);
  let now = start;
  let implausible = 0;
  for (let sample = 0; sample < unsorted.length; sample++) {
    const next = now + deltas.at(sample);
    if (Math.abs(next - start) < longestProfile) now = next;
    else implausible++;
    unsorted[sample] = Math.round(now);
  }
  const order = inOrder(unsorted);
  const times = unsorted.map((_, index) => unsorted[order[index] ?? 0] ?? 0);
  const last = times.at(-1) ?? 0;
  const named = plausibleTime(given.endTime, last);
  const end = Math.abs(named - start) < longestProfile ? Math.round(named) : last;
  return {
    times,
    order,
    end: Math.max(end, last),
    unpaired: Math.abs(deltas.size - samples),
    implausible,
    endsEarly: end < last,
  };
}

/**
 * Positions sorted by their times, equal ones as they stand. Times are nearly sorted: each one goes back past the few
 * that are later; where they are not few, all are sorted the long way.
 */
function inOrder(times: Float64Array): Int32Array {
  const order = new Int32Array(times.length);
  let steps = times.length * 4 + 1024;
  for (let sample = 0; sample < times.length; sample++) {
    const time = times[sample] ?? 0;
    let at = sample;
    for (; at > 0 && (times[order[at - 1] ?? 0] ?? 0) > time && steps > 0; at--, steps--)
      order[at] = order[at - 1] ?? 0;
    order[at] = sample;
  }
  if (steps > 0) return order;
  for (let sample = 0; sample < times.length; sample++) order[sample] = sample;
  return order.toSorted((a, b) => firstDifference((times[a] ?? 0) - (times[b] ?? 0), a - b));
}
