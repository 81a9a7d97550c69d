import type { NumberList, NumberMemory } from '../../../basics/number-list.ts';
import { firstDifference } from '../../../basics/lists.ts';
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
  const short = deltas instanceof Int32Array && Number.isInteger(start) ? shortTimes(ids, deltas) : null;
  const isShort = short?.done === ids.length;
  const { implausible, ...timed } = isShort ? { ...short, implausible: 0 } : longTimes(ids, deltas, start, short);
  const sorted = timed.isSorted ? { ids, times: timed.times } : sortedByTime(ids, timed.times);
  const times = new SampleTimes(sorted.times, isShort ? start : 0);
  const last = times.last ?? 0;
  const named = plausibleTime(given.endTime, last);
  const end = Math.abs(named - start) < longestProfile ? Math.round(named) : last;
  const unpaired = Math.abs(given.deltas.size - samples.size);
  return { ids: sorted.ids, times, end: Math.max(end, last), unpaired, implausible, endsEarly: end < last };
}

/** Times from the start on, in the memory of the deltas. */
interface ShortTimes {
  readonly times: Uint32Array;
  /** Number of samples that have their time; the first that has not needs more than 4 bytes. */
  readonly done: number;
  /** Time of the last sample in the file that has one. */
  readonly now: number;
  /** False where the times are still to be sorted. */
  readonly isSorted: boolean;
}

function shortTimes(ids: NumberMemory, deltas: Int32Array): ShortTimes {
  const { length } = deltas;
  const times = new Uint32Array(deltas.buffer, deltas.byteOffset, length);
  const order = new TimeOrder(ids, times);
  let now = 0;
  let latest = 0;
  for (let sample = 0; sample < length; sample++) {
    const next = now + (deltas[sample] ?? 0);
    if (next < 0 || next >= 2 ** 32) return { times, done: sample, now, isSorted: order.isSorted };
    now = next;
    times[sample] = now;
    if (now >= latest) latest = now;
    else order.putBack(sample);
  }
  return { times, done: length, now, isSorted: order.isSorted };
}

/** All times, 8 bytes each. Those that have one in `short` keep it. */
function longTimes(ids: NumberMemory, deltas: NumberMemory, start: number, short: ShortTimes | null) {
  const times = deltas instanceof Float64Array ? deltas : new Float64Array(deltas.length);
  const order = new TimeOrder(ids, times);
  const done = short?.done ?? 0;
  for (let sample = 0; sample < done; sample++) times[sample] = start + (short?.times[sample] ?? 0);
  let now = start + (short?.now ?? 0);
  let latest = times[done - 1] ?? -Infinity;
  let implausible = 0;
  for (let sample = done; sample < deltas.length; sample++) {
    const next = now + (deltas[sample] ?? 0);
    if (Math.abs(next - start) < longestProfile) now = next;
    else implausible++;
    const time = Math.round(now);
    times[sample] = time;
    if (time >= latest) latest = time;
    else order.putBack(sample);
  }
  return { times, implausible, isSorted: order.isSorted && short?.isSorted !== false };
}

/** Keeps samples in the order of time while they come. Times are nearly sorted. */
class TimeOrder {
  readonly #ids: NumberMemory;
  readonly #times: Uint32Array | Float64Array;
  /** Steps that may still be taken: a clock that jumps again and again would take one for each pair of samples. */
  #steps: number;

  constructor(ids: NumberMemory, times: Uint32Array | Float64Array) {
    this.#ids = ids;
    this.#times = times;
    this.#steps = times.length * 4 + 1024;
  }

  /** False where the steps were not enough, and all are to be sorted at once. */
  get isSorted(): boolean {
    return this.#steps > 0;
  }

  /** Puts a sample back past the few that are later. */
  putBack(sample: number): void {
    const [ids, times] = [this.#ids, this.#times];
    const id = ids[sample] ?? 0;
    const time = times[sample] ?? 0;
    let at = sample;
    for (; at > 0 && (times[at - 1] ?? 0) > time && this.#steps > 0; at--, this.#steps--) {
      times[at] = times[at - 1] ?? 0;
      ids[at] = ids[at - 1] ?? 0;
    }
    times[at] = time;
    ids[at] = id;
  }
}

/** Sorts in general. */
function sortedByTime(ids: NumberMemory, times: Uint32Array | Float64Array) {
  const order = Int32Array.from(times, (_, sample) => sample).toSorted((a, b) =>
    firstDifference((times[a] ?? 0) - (times[b] ?? 0), a - b),
  );
  return {
    ids: Float64Array.from(order, (sample) => ids[sample] ?? 0),
    times: Float64Array.from(order, (sample) => times[sample] ?? 0),
  };
}
