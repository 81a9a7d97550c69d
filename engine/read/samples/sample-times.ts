import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import { firstFrom } from '../../basics/lists.ts';
import { ClockWeights } from './weights.ts';
import { numberOf } from '../../../protocol/json-value.ts';

/** Shorter gaps, in µs, are counted in a table. */
const SHORT_GAPS = 2 ** 16;

/**
 * Counts the times between two samples, in whole µs. Sorting those of a long recording took as long as all its figures.
 */
class GapCounts {
  /** Number of gaps by their length, of those that are shorter than the table. */
  readonly #counts = new Int32Array(SHORT_GAPS);
  readonly #long: number[] = [];
  readonly #all: number;

  /** One loop without calls, because there may be millions of samples. */
  constructor(offsets: Uint32Array | Float64Array) {
    this.#all = Math.max(0, offsets.length - 1);
    const counts = this.#counts;
    let offset = offsets[0] ?? 0;
    for (let sample = 1; sample < offsets.length; sample++) {
      const next = offsets[sample] ?? 0;
      const gap = next - offset;
      offset = next;
      if (gap < SHORT_GAPS) counts[gap] = (counts[gap] ?? 0) + 1;
      else this.#long.push(gap);
    }
  }

  /** Sum of all gaps up to a limit, in µs. */
  sumUpTo(limit: number): number {
    let sum = 0;
    for (let gap = 0; gap <= limit && gap < SHORT_GAPS; gap++) sum += gap * (this.#counts[gap] ?? 0);
    if (limit >= SHORT_GAPS) for (const gap of this.#long) if (gap <= limit) sum += gap;
    return sum;
  }

  /** The longest gap, where it does not fit into the table; else 0. */
  get longest(): Microseconds {
    return microseconds(this.#long.reduce((most, gap) => Math.max(most, gap), 0));
  }

  /** The gap below which `share` of all gaps are; 0 without gaps. */
  at(share: number): Microseconds {
    if (this.#all === 0) return microseconds(0);
    const short = this.#all - this.#long.length;
    let left = Math.floor(this.#all * share);
    if (left >= short) return microseconds(Float64Array.from(this.#long).toSorted()[left - short] ?? 0);
    let gap = 0;
    for (; left >= (this.#counts[gap] ?? Infinity); gap++) left -= this.#counts[gap] ?? 0;
    return microseconds(gap);
  }
}

/**
 * When the samples of one isolate were taken, in whole µs, ascending. Each takes 4 bytes where all are within 71
 * minutes, else 8: new memory costs half a millisecond for each MB.
 */
export class SampleTimes {
  readonly length: number;
  readonly #base: number;
  /** Times from the base on. */
  readonly #offsets: Uint32Array | Float64Array;

  /** `offsets` are whole, and ascend; the times are those from `base` on. The array must not be written to any more. */
  constructor(offsets: Uint32Array | Float64Array, base = 0) {
    this.length = offsets.length;
    this.#base = base;
    this.#offsets = offsets;
  }

  /** When a sample was taken; undefined for others. */
  at(sample: number): number | undefined {
    const offset = this.#offsets[sample];
    return offset === undefined ? undefined : this.#base + offset;
  }

  get last(): number | undefined {
    return this.at(this.length - 1);
  }

  /** Number of the first sample at or after a time; how many there are where all are before it. */
  firstFrom(time: number): number {
    return firstFrom(this.#offsets, time - this.#base);
  }

  *[Symbol.iterator](): Generator<number, void> {
    for (const offset of this.#offsets) yield this.#base + offset;
  }

  /** How long each sample lasts: until the next one, or, for the last, until `end`. */
  lasts(end: number): ClockWeights {
    return new ClockWeights(this.#offsets, end - this.#base);
  }

  /** The same samples, with time taken out of the clock behind some of them. `gaps`: in µs, ascending by sample. */
  withoutGaps(gaps: readonly { readonly sample: number; readonly time: number }[]): SampleTimes {
    const offsets = this.#offsets.slice();
    let [next, left] = [0, 0];
    for (let sample = gaps[0]?.sample ?? offsets.length; sample < offsets.length; sample++) {
      offsets[sample] = (offsets[sample] ?? 0) - left;
      if (gaps[next]?.sample === sample) left += gaps[next++]?.time ?? 0;
    }
    return new SampleTimes(offsets, this.#base);
  }

  /** The same samples, moved. */
  moved(shifts: readonly Shift[]): SampleTimes {
    const start = this.at(0) ?? 0;
    const isEarlier = shifts.some(({ from, until }) => from <= start && start < until);
    // Times before the base have no place in 4 bytes.
    const offsets = isEarlier ? new Float64Array(this.#offsets) : this.#offsets.slice();
    for (const { from, until, by, to } of shifts) {
      const end = this.firstFrom(until);
      for (let sample = this.firstFrom(from); sample < end; sample++)
        offsets[sample] = Math.max(to - this.#base, (this.#offsets[sample] ?? 0) - by);
    }
    return new SampleTimes(offsets, this.#base);
  }

  durations(end: number): Durations {
    const gaps = new GapCounts(this.#offsets);
    const onTime = gaps.at(0.1);
    const late = microseconds(5 * onTime);
    const all = end - (this.at(0) ?? end);
    const last = this.lasts(end).at(this.length - 1);
    const longest = microseconds(Math.max(gaps.longest, last));
    return {
      median: gaps.at(0.5),
      onTime,
      longest,
      late,
      sumOfLate: all - gaps.sumUpTo(late) - (last > late ? 0 : last),
    };
  }
}

/**
 * The part of a turn from one of the recorder's own works to the next one, or to the turn's end. All in it moves forward
 * by what the recorder had of the turn up to then, as if it had worked at the turn's end. In µs.
 */
export interface Shift {
  /** When the work began. */
  readonly from: number;
  readonly until: number;
  readonly by: number;
  /** Nothing moves before this time, to which all in the work itself moves. */
  readonly to: number;
}

export const noTimes = new SampleTimes(new Uint32Array(0));

/** How long the samples of one isolate last by the clock, in µs. */
export interface Durations {
  /** The median of all but the last sample; 0 without any. */
  readonly median: Microseconds;
  /** The duration below which a tenth are: that of those which came on time, even where few did; 0 without any. */
  readonly onTime: Microseconds;
  /** The longest, the last sample included, if it is over 65 ms. */
  readonly longest: Microseconds;
  /** After a sample that lasts longer than this, the next one came late: five times `onTime`. */
  readonly late: Microseconds;
  /** Sum of all that are longer, in µs. */
  readonly sumOfLate: number;
}

/** A hundred years. A clock that is further from its zero is broken. */
const MAX_TIME_US = 3e15;

/** A time in µs; `otherwise` where the value is not a number, or not one that a clock can show. */
export function plausibleTime(time: unknown, otherwise: number): number {
  const given = numberOf(time, otherwise);
  return Math.abs(given) < MAX_TIME_US ? given : otherwise;
}

/** Three years. A time further from the start is not part of a profile, so all sums stay exact. */
export const MAX_PROFILE_US = 1e14;
