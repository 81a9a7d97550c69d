import { type Microseconds, microseconds } from '../../protocol/units.ts';

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

  add(gap: number): void {
    if (gap < shortGaps) this.counts[gap] = (this.counts[gap] ?? 0) + 1;
    else this.#long.push(gap);
  }

  /** Sum of all gaps that are longer than a limit, in µs. */
  sumAbove(limit: number): number {
    let sum = 0;
    for (let gap = Math.max(0, Math.floor(limit) + 1); gap < shortGaps; gap++) sum += gap * (this.counts[gap] ?? 0);
    for (const gap of this.#long) if (gap > limit) sum += gap;
    return sum;
  }

  /** The gap below which `share` of all gaps are; 0 where there is none. */
  at(share: number): Microseconds {
    const short = this.counts.reduce((sum, count) => sum + count, 0);
    const all = short + this.#long.length;
    if (all === 0) return microseconds(0);
    let left = Math.floor(all * share);
    if (left >= short) return microseconds(Float64Array.from(this.#long).toSorted()[left - short] ?? 0);
    let gap = 0;
    for (; left >= (this.counts[gap] ?? Infinity); gap++) left -= this.counts[gap] ?? 0;
    return microseconds(gap);
  }
}
