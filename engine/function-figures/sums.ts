/** Longest weight of a sample in µs that is kept. */
export const longestSample = 2 ** 32 - 1;

/** Sums of samples by index: a place in an operation's tree, or a function. */
export class NodeSums {
  /** Sum of the weights in µs. */
  readonly weight: Float64Array;
  /** Number of samples. */
  readonly samples: Int32Array;
  /**
   * Weight of the longest sample in µs. One over 71 minutes counts as 71 minutes. 0 in inferred operations, whose figures
   * are estimates without it.
   */
  readonly longest: Uint32Array;

  constructor(size: number) {
    this.weight = new Float64Array(size);
    this.samples = new Int32Array(size);
    this.longest = new Uint32Array(size);
  }

  /** Copies the first `size` entries of other sums. */
  copy(from: NodeSums, size: number): void {
    // Most operations have few places: an array of a part of another takes longer than these.
    for (let index = 0; index < size; index++) {
      this.weight[index] = from.weight[index] ?? 0;
      this.samples[index] = from.samples[index] ?? 0;
      this.longest[index] = from.longest[index] ?? 0;
    }
  }

  clear(index: number): void {
    this.weight[index] = 0;
    this.samples[index] = 0;
    this.longest[index] = 0;
  }

  /** Adds all samples at an index of these or other sums. */
  addAll(to: number, from: NodeSums, index: number): void {
    this.weight[to] = (this.weight[to] ?? 0) + (from.weight[index] ?? 0);
    this.samples[to] = (this.samples[to] ?? 0) + (from.samples[index] ?? 0);
    const longest = from.longest[index] ?? 0;
    if (longest > (this.longest[to] ?? 0)) this.longest[to] = longest;
  }
}

/** Sums by index, in the unit of what is added. */
export class Sums extends Float64Array {
  add(index: number, value: number): void {
    this[index] = (this[index] ?? 0) + value;
  }
}
