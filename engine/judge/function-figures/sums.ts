/** Sums of samples by place in an operation's tree. */
export interface SampleSums {
  /** Sum of the weights in µs. */
  readonly weight: Float64Array;
  readonly samples: Int32Array;
  /**
   * Weight of the longest sample in µs. One over 71 minutes counts as 71 minutes. 0 in inferred operations, whose figures
   * are estimates without it.
   */
  readonly longest: Uint32Array;
}

/** Sums that are made anew for each operation, such as those of its culprits. */
export class NodeSums implements SampleSums {
  readonly weight: Float64Array;
  readonly samples: Int32Array;
  readonly longest: Uint32Array;

  constructor(size: number) {
    this.weight = new Float64Array(size);
    this.samples = new Int32Array(size);
    this.longest = new Uint32Array(size);
  }

  clear(place: number): void {
    this.weight[place] = 0;
    this.samples[place] = 0;
    this.longest[place] = 0;
  }

  /** Adds all samples at a place of other sums. */
  addAll(to: number, from: SampleSums, place: number): void {
    this.weight[to] = (this.weight[to] ?? 0) + (from.weight[place] ?? 0);
    this.samples[to] = (this.samples[to] ?? 0) + (from.samples[place] ?? 0);
    const longest = from.longest[place] ?? 0;
    if (longest > (this.longest[to] ?? 0)) this.longest[to] = longest;
  }
}

/** Sums by index, in the unit of what is added. */
export class Sums extends Float64Array {
  add(index: number, value: number): void {
    this[index] = (this[index] ?? 0) + value;
  }
}
