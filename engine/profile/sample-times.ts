import { firstDifference } from '../functions/first-difference.ts';
import { isList, numberOf } from '../json-value.ts';

export interface SampleTimes {
  /** Whole µs, ascending. */
  readonly times: Float64Array;
  /** Position in the file of the sample at each time. */
  readonly order: Int32Array;
  /** Not before the last sample. */
  readonly end: number;
  readonly unpaired: number;
  readonly endsEarly: boolean;
}

/**
 * When samples were taken: `timeDeltas[i]` is the time *before* sample `i`, the first one the profiler's own start-up.
 * Deltas can be negative: samples are sorted by time, those of one time as they stand in the file.
 */
export function sampleTimes(profile: Readonly<Record<string, unknown>>): SampleTimes {
  const deltas = isList(profile['timeDeltas']) ? profile['timeDeltas'] : [];
  const samples = isList(profile['samples']) ? profile['samples'].length : 0;
  const size = Math.min(deltas.length, samples);
  const unsorted = new Float64Array(size);
  let now = plausible(profile['startTime'], 0);
  let isSorted = true;
  for (let sample = 0; sample < size; sample++) {
    const delta = plausible(deltas[sample], 0);
    if (delta < 0 && sample > 0) isSorted = false;
    now += delta;
    unsorted[sample] = Math.round(now);
  }
  const order = Int32Array.from({ length: size }, (_, sample) => sample);
  if (!isSorted) order.sort((a, b) => firstDifference((unsorted[a] ?? 0) - (unsorted[b] ?? 0), a - b));
  const times = Float64Array.from(order, (sample) => unsorted[sample] ?? 0);
  const last = times.at(-1) ?? 0;
  const end = Math.round(plausible(profile['endTime'], last));
  return {
    times,
    order,
    end: Math.max(end, last),
    unpaired: Math.abs(deltas.length - samples),
    endsEarly: end < last,
  };
}

/** In µs; the other one where it is no number, or more than a hundred years. */
function plausible(time: unknown, otherwise: number): number {
  const given = numberOf(time, otherwise);
  return Math.abs(given) < 3e15 ? given : otherwise;
}
