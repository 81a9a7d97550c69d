import { type Microseconds, microseconds } from '../../../protocol/units.ts';

/** Below so many µs a gap is counted in a table. */
const shortGaps = 2 ** 16;

/**
 * Counts the times between two samples, in whole µs. They are counted and not sorted: sorting those of a long recording
 * took as long as all its figures.
 */
export class GapCounts {
  /** Number of gaps by their length, of those that are shorter than the table. */
  readonly counts = new Int32Array(shortGaps);
  readonly #long: number[] = [];
  readonly #all: number;

  /** `all` is how many gaps will be counted. */
  constructor(all: number) {
    this.#all = all;
  }

  add(gap: number): void {
    if (gap < shortGaps) this.counts[gap] = (this.counts[gap] ?? 0) + 1;
    else this.#long.push(gap);
  }

  /** Sum of all gaps up to a limit, in µs. */
  sumUpTo(limit: number): number {
    let sum = 0;
    for (let gap = 0; gap <= limit && gap < shortGaps; gap++) sum += gap * (this.counts[gap] ?? 0);
    if (limit >= shortGaps) for (const gap of this.#long) if (gap <= limit) sum += gap;
    return sum;
  }

  /** The gap below which `share` of all gaps are; 0 where there is none. */
  at(share: number): Microseconds {
    if (this.#all === 0) return microseconds(0);
    const short = this.#all - this.#long.length;
    let left = Math.floor(this.#all * share);
    if (left >= short) return microseconds(Float64Array.from(this.#long).toSorted()[left - short] ?? 0);
    let gap = 0;
    for (; left >= (this.counts[gap] ?? Infinity); gap++) left -= this.counts[gap] ?? 0;
    return microseconds(gap);
  }
}
