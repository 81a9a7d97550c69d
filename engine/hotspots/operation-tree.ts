import type { BridgedSamples, Operation } from '../operations/operation.ts';
import { type CallTree, firstFunctionNode } from '../samples/call-tree.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import { NodeSums } from './node-sums.ts';

/**
 * The call tree of one operation: the nodes of the isolate's tree that it was in, with their weights in it.
 * The arrays are indexed by node and hold sense for `nodes` alone; they are reused for the next operation.
 */
export interface OperationTree {
  /** Ascending, so parents before children. Without meta nodes. */
  readonly nodes: Int32Array;
  /** Of the samples at the node and below. */
  readonly total: NodeSums;
  /** In µs: of the samples at the node itself. */
  readonly selfWeight: Float64Array;
  /** The same with all sums; added up when it is asked for: few operations have a culprit. */
  readonly self: () => NodeSums;
  /** Number of the first sample at the node or below. */
  readonly firstSample: Int32Array;
  /** In µs: samples that have no stack. Nothing where the operation has no samples: nobody knows who held the loop. */
  readonly collecting: number;
  readonly native: number;
  /** In µs: all garbage collection, whatever it interrupted. */
  readonly gc: number;
}

/** Weighs the operations of one isolate one after the other. */
export class OperationWeigher {
  readonly #times: Float64Array;
  readonly #bridged: BridgedSamples;
  readonly #tree: CallTree;
  readonly #total: NodeSums;
  readonly #selfWeight: Float64Array;
  #self: NodeSums | null = null;
  readonly #firstSample: Int32Array;
  /** In which operation, counted from 1, a node was seen last. */
  readonly #seen: Int32Array;
  readonly #nodes: Int32Array;
  #operations = 0;

  constructor({ times, tree }: SampleStream, bridged: BridgedSamples) {
    this.#times = times;
    this.#bridged = bridged;
    this.#tree = tree;
    this.#total = new NodeSums(tree.size);
    this.#selfWeight = new Float64Array(tree.size);
    this.#firstSample = new Int32Array(tree.size);
    this.#seen = new Int32Array(tree.size);
    this.#nodes = new Int32Array(tree.size);
  }

  weigh(operation: Operation): OperationTree {
    this.#operations++;
    const { firstSample, lastSample } = operation;
    const without = { collecting: 0, native: 0, gc: 0 };
    const { nodes: sampled, collecting } = this.#bridged;
    const total = this.#total;
    let count = 0;
    for (let sample = firstSample; sample < lastSample; sample++) {
      const node = sampled[sample] ?? 0;
      const weight = weightIn(operation, this.#times, sample);
      const isGc = collecting[sample] === 1;
      if (isGc) without.gc += weight;
      if (node < firstFunctionNode) {
        without[isGc ? 'collecting' : 'native'] += weight;
        continue;
      }
      if (this.#seen[node] !== this.#operations) count = this.#enter(node, sample, count);
      total.add(node, weight);
    }
    const nodes = this.#sorted(count);
    this.#sumUp(nodes);
    return {
      nodes,
      total: this.#total,
      selfWeight: this.#selfWeight,
      self: () => this.#selfSums(operation, nodes),
      firstSample: this.#firstSample,
      ...without,
    };
  }

  /** Notes the nodes on the way to this one that are new in this operation; answers how many it has now. */
  #enter(leaf: number, sample: number, before: number): number {
    let count = before;
    for (let node = leaf; node >= firstFunctionNode; node = this.#tree.parent[node] ?? 0) {
      if (this.#seen[node] === this.#operations) break;
      this.#seen[node] = this.#operations;
      this.#nodes[count++] = node;
      this.#firstSample[node] = sample;
      this.#total.clear(node);
    }
    return count;
  }

  /** Of an operation that was nearly everywhere they are looked up, which takes a tenth of the time of sorting them. */
  #sorted(count: number): Int32Array {
    const nodes = this.#nodes.subarray(0, count);
    if (count * 64 < this.#tree.size) {
      // In place: a copy for each of a hundred thousand operations would be work for the garbage collector.
      nodes.sort();
      return nodes;
    }
    let next = 0;
    for (let node = firstFunctionNode; next < count; node++)
      if (this.#seen[node] === this.#operations) nodes[next++] = node;
    return nodes;
  }

  #sumUp(nodes: Int32Array): void {
    const { parent } = this.#tree;
    const total = this.#total;
    for (const node of nodes) this.#selfWeight[node] = total.weight[node] ?? 0;
    for (let index = nodes.length - 1; index >= 0; index--) {
      const node = nodes[index] ?? 0;
      total.addAll(parent[node] ?? 0, total, node);
    }
  }

  #selfSums(operation: Operation, nodes: Int32Array): NodeSums {
    this.#self ??= new NodeSums(this.#tree.size);
    const self = this.#self;
    for (const node of nodes) self.clear(node);
    for (let sample = operation.firstSample; sample < operation.lastSample; sample++) {
      const node = this.#bridged.nodes[sample] ?? 0;
      if (node >= firstFunctionNode) self.add(node, weightIn(operation, this.#times, sample));
    }
    return self;
  }
}

/** In µs. The first sample of an operation counts from its start, the last to its end. */
function weightIn({ firstSample, lastSample, start, end }: Operation, times: Float64Array, sample: number): number {
  const from = sample === firstSample ? start : (times[sample] ?? start);
  return (sample + 1 === lastSample ? end : (times[sample + 1] ?? end)) - from;
}
