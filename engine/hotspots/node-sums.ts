/** What samples add up to, by node (or by function). */
export class NodeSums {
  /** In µs. */
  readonly weight: Float64Array;
  /** How many they are. */
  readonly samples: Int32Array;
  /** The longest one of them, in µs; those over an hour count as one of 71 minutes. */
  readonly longest: Uint32Array;

  constructor(size: number) {
    this.weight = new Float64Array(size);
    this.samples = new Int32Array(size);
    this.longest = new Uint32Array(size);
  }

  clear(node: number): void {
    this.weight[node] = 0;
    this.samples[node] = 0;
    this.longest[node] = 0;
  }

  /** A sample of this weight. */
  add(node: number, weight: number): void {
    this.weight[node] = (this.weight[node] ?? 0) + weight;
    this.samples[node] = (this.samples[node] ?? 0) + 1;
    if (weight > (this.longest[node] ?? 0)) this.longest[node] = Math.min(weight, 2 ** 32 - 1);
  }

  /** All of a node of these or other sums. */
  addAll(to: number, from: NodeSums, node: number): void {
    this.weight[to] = (this.weight[to] ?? 0) + (from.weight[node] ?? 0);
    this.samples[to] = (this.samples[to] ?? 0) + (from.samples[node] ?? 0);
    this.longest[to] = Math.max(this.longest[to] ?? 0, from.longest[node] ?? 0);
  }
}
