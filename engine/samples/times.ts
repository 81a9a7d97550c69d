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
  if (times.length < 2) return microseconds(0);
  const counts = new Int32Array(shortGaps);
  let before = times[0] ?? 0;
  const { length } = times;
  for (let sample = 1; sample < length; sample++) {
    const time = times[sample] ?? 0;
    const gap = time - before;
    before = time;
    if (gap < shortGaps) counts[gap] = (counts[gap] ?? 0) + 1;
  }
  return countedGap(counts, (length - 1) * 0.5) ?? gapAt(gapsBetween(times), 0.5);
}

/** Below so many µs a gap is counted in a table. */
const shortGaps = 2 ** 16;

/** Number `rank` of the counted gaps, ascending; undefined where it is a longer one. */
function countedGap(counts: Int32Array, rank: number): Microseconds | undefined {
  let left = Math.floor(rank);
  for (let gap = 0; gap < shortGaps; gap++) {
    const count = counts[gap] ?? 0;
    if (left < count) return microseconds(gap);
    left -= count;
  }
  return undefined;
}

function gapsBetween(times: Float64Array): Float64Array {
  return times.subarray(1).map((time, sample) => time - (times[sample] ?? time));
}

/**
 * The time between two samples below which `share` of all such times are; 0 where there is none. `gaps` are whole µs.
 * They are counted and not sorted: sorting those of a long recording took as long as all its figures.
 */
export function gapAt(gaps: Float64Array | Int32Array, share: number): Microseconds {
  const { length } = gaps;
  if (length === 0) return microseconds(0);
  const counts = new Int32Array(shortGaps);
  for (let at = 0; at < length; at++) {
    const gap = gaps[at] ?? 0;
    if (gap < shortGaps) counts[gap] = (counts[gap] ?? 0) + 1;
  }
  const rank = Math.floor(length * share);
  const counted = countedGap(counts, rank);
  if (counted !== undefined) return counted;
  const long = Float64Array.from(gaps).filter((gap) => gap >= shortGaps);
  return microseconds(long.toSorted()[rank - (length - long.length)] ?? 0);
}
