import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { numberOf } from '../../protocol/json-value.ts';

/** A hundred years in µs. A clock that is further from its zero is broken. */
const latest = 3e15;

/** A time in µs; `otherwise` where the value is not a number, or not one that a clock can show. */
export function plausibleTime(time: unknown, otherwise: number): number {
  const given = numberOf(time, otherwise);
  return Math.abs(given) < latest ? given : otherwise;
}

/** Three years in µs. A time that is further from the start of a profile is not part of it. So all sums stay exact. */
export const longestProfile = 1e14;

/** The median time between two samples; 0 where there are fewer than two. */
export function medianInterval(times: Float64Array): Microseconds {
  return intervalAt(times, 0.5);
}

/**
 * The time between two samples below which `share` of all such times are; 0 where there are fewer than two samples.
 * `times` are whole µs, ascending. Intervals are counted and not sorted: sorting those of a long recording took as long
 * as all its figures.
 */
export function intervalAt(times: Float64Array, share: number): Microseconds {
  if (times.length < 2) return microseconds(0);
  const counts = new Int32Array(shortGaps);
  let before = times[0] ?? 0;
  for (let sample = 1; sample < times.length; sample++) {
    const time = times[sample] ?? 0;
    const gap = time - before;
    before = time;
    if (gap < shortGaps) counts[gap] = (counts[gap] ?? 0) + 1;
  }
  let rank = Math.floor((times.length - 1) * share);
  for (let gap = 0; gap < shortGaps; gap++) {
    const count = counts[gap] ?? 0;
    if (rank < count) return microseconds(gap);
    rank -= count;
  }
  return microseconds(longGaps(times)[rank] ?? 0);
}

/** Longest gap in µs that is counted in a table. */
const shortGaps = 2 ** 16;

/** Ascending. */
function longGaps(times: Float64Array): Float64Array {
  const gaps = times.subarray(1).map((time, sample) => time - (times[sample] ?? time));
  return gaps.filter((gap) => gap >= shortGaps).toSorted();
}
