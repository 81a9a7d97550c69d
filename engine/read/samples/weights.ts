/** How long each sample of one isolate counts, in µs. */
export interface Weights {
  readonly length: number;
  /** Weight of a sample; 0 for others. */
  readonly at: (sample: number) => number;
  /** Writes the weights from `first` up to, but not including, `end` to the start of a list. */
  readonly copyTo: (list: Float64Array, first: number, end: number) => void;
  /** Adds the weight of each sample to the sum at its place; −1 is no place. The quickest way through all of them. */
  readonly addTo: (sums: Float64Array, places: ArrayLike<number>) => void;
}

/**
 * The time from each sample to the next one, or to the end. Not a list, which would take as much memory as the times.
 */
export class ClockWeights implements Weights {
  readonly length: number;
  readonly #times: Int32Array | Uint32Array | Float64Array;
  readonly #end: number;

  /** `times` are whole, and ascend from 0 or later up to `end`. */
  constructor(times: Uint32Array | Float64Array, end: number) {
    this.length = times.length;
    const isShort = times instanceof Uint32Array && Math.max(end, times.at(-1) ?? 0) < 2 ** 31;
    this.#times = isShort ? signed(times) : times;
    this.#end = isShort ? end | 0 : end;
  }

  at(sample: number): number {
    const next = sample + 1;
    if (sample < 0 || next > this.length) return 0;
    return (next < this.length ? (this.#times[next] ?? 0) : this.#end) - (this.#times[sample] ?? 0);
  }

  copyTo(list: Float64Array, first: number, end: number): void {
    const times = this.#times;
    const copied = list.subarray(0, end - first);
    const next = Math.min(end, this.length - 1);
    let time = times[first] ?? 0;
    for (let sample = first; sample < next; sample++) {
      const until = times[sample + 1] ?? 0;
      copied[sample - first] = until - time;
      time = until;
    }
    if (first <= next && next < end) copied[next - first] = this.at(next);
  }

  addTo(sums: Float64Array, places: ArrayLike<number>): void {
    const added = sums;
    const times = this.#times;
    const last = this.length - 1;
    let time = times[0] ?? 0;
    for (let sample = 0; sample < last; sample++) {
      const until = times[sample + 1] ?? 0;
      const place = places[sample] ?? -1;
      if (place >= 0) added[place] = (added[place] ?? 0) + until - time;
      time = until;
    }
    const place = places[last] ?? -1;
    if (place >= 0) added[place] = (added[place] ?? 0) + this.at(last);
  }

  eachAbove(limit: number, call: (sample: number, weight: number) => void): void {
    const times = this.#times;
    const last = this.length - 1;
    let time = times[0] ?? 0;
    for (let sample = 0; sample < last; sample++) {
      const until = times[sample + 1] ?? 0;
      if (until - time > limit) call(sample, until - time);
      time = until;
    }
    if (this.at(last) > limit) call(last, this.at(last));
  }
}

/**
 * The same memory, of numbers below 2^31, so that V8 keeps differences as integers. In optimized code, differences of
 * unsigned numbers become fractions, an object for each operation: 60 ms more for 57,000 of them.
 */
function signed(list: Uint32Array): Int32Array {
  return new Int32Array(list.buffer, list.byteOffset, list.length);
}

export class ListedWeights implements Weights {
  readonly length: number;
  readonly #list: Float64Array;

  constructor(list: Float64Array) {
    this.length = list.length;
    this.#list = list;
  }

  at(sample: number): number {
    return this.#list[sample] ?? 0;
  }

  copyTo(list: Float64Array, first: number, end: number): void {
    list.set(this.#list.subarray(first, end));
  }

  addTo(sums: Float64Array, places: ArrayLike<number>): void {
    const added = sums;
    const list = this.#list;
    for (let sample = 0; sample < list.length; sample++) {
      const place = places[sample] ?? -1;
      if (place >= 0) added[place] = (added[place] ?? 0) + (list[sample] ?? 0);
    }
  }
}

export const noWeights = new ListedWeights(new Float64Array(0));
