import type { BridgedSamples, Operation } from '../operations/operation.ts';
import { type CallTree, firstFunctionNode } from '../samples/call-tree.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import { Sums } from './sums.ts';

/**
 * The call tree of one operation: the nodes of the isolate's tree that it was in, with their weights in it.
 * The arrays are indexed by node and hold sense for `nodes` alone; they are reused for the next operation.
 */
export interface OperationTree {
  /** Ascending, so parents before children. Without meta nodes. */
  readonly nodes: Int32Array;
  /** Of the samples at the node itself. */
  readonly self: NodeSums;
  /** Of the samples at the node and below. */
  readonly total: NodeSums;
  /** Number of the first sample at the node or below. */
  readonly firstSample: Int32Array;
  /** In µs: samples that have no stack. Nothing where the operation has no samples: nobody knows who held the loop. */
  readonly collecting: number;
  readonly native: number;
  /** In µs: all garbage collection, whatever it interrupted. */
  readonly gc: number;
}

export interface NodeSums {
  /** In µs. */
  readonly weight: Sums;
  /** How many they are. */
  readonly samples: Sums;
  /** The longest one of them, in µs. */
  readonly longest: Sums;
}

/** Weighs the operations of one isolate one after the other. */
export class OperationWeigher {
  readonly #times: Float64Array;
  readonly #bridged: BridgedSamples;
  readonly #tree: CallTree;
  readonly #self: NodeSums;
  readonly #total: NodeSums;
  readonly #firstSample: Int32Array;
  /** In which operation, counted from 1, a node was seen last. */
  readonly #seen: Int32Array;
  readonly #nodes: Int32Array;
  #operations = 0;

  constructor({ times, tree }: SampleStream, bridged: BridgedSamples) {
    this.#times = times;
    this.#bridged = bridged;
    this.#tree = tree;
    this.#self = nodeSums(tree.size);
    this.#total = nodeSums(tree.size);
    this.#firstSample = new Int32Array(tree.size);
    this.#seen = new Int32Array(tree.size);
    this.#nodes = new Int32Array(tree.size);
  }

  weigh(operation: Operation): OperationTree {
    this.#operations++;
    const { firstSample, lastSample } = operation;
    const without = { collecting: 0, native: 0, gc: 0 };
    let count = 0;
    for (let sample = firstSample; sample < lastSample; sample++) {
      const node = this.#bridged.nodes[sample] ?? 0;
      const weight = weightIn(operation, this.#times, sample);
      const isGc = this.#bridged.collecting[sample] === 1;
      if (isGc) without.gc += weight;
      if (node < firstFunctionNode) {
        without[isGc ? 'collecting' : 'native'] += weight;
        continue;
      }
      count = this.#enter(node, sample, count);
      this.#self.weight.add(node, weight);
      this.#self.samples.add(node, 1);
      this.#self.longest.raise(node, weight);
    }
    const nodes = this.#nodes.subarray(0, count);
    // In place: a copy for each of a hundred thousand operations would be work for the garbage collector.
    nodes.sort();
    this.#sumUp(nodes);
    return { nodes, self: this.#self, total: this.#total, firstSample: this.#firstSample, ...without };
  }

  /** Notes the nodes on the way to this one that are new in this operation; answers how many it has now. */
  #enter(leaf: number, sample: number, before: number): number {
    let count = before;
    for (let node = leaf; node >= firstFunctionNode; node = this.#tree.parent[node] ?? 0) {
      if (this.#seen[node] === this.#operations) break;
      this.#seen[node] = this.#operations;
      this.#nodes[count++] = node;
      this.#firstSample[node] = sample;
      this.#self.weight[node] = 0;
      this.#self.samples[node] = 0;
      this.#self.longest[node] = 0;
    }
    return count;
  }

  #sumUp(nodes: Int32Array): void {
    const { weight, samples, longest } = this.#total;
    for (const node of nodes) {
      weight[node] = this.#self.weight[node] ?? 0;
      samples[node] = this.#self.samples[node] ?? 0;
      longest[node] = this.#self.longest[node] ?? 0;
    }
    for (let index = nodes.length - 1; index >= 0; index--) {
      const node = nodes[index] ?? 0;
      const above = this.#tree.parent[node] ?? 0;
      weight.add(above, weight[node] ?? 0);
      samples.add(above, samples[node] ?? 0);
      longest.raise(above, longest[node] ?? 0);
    }
  }
}

function nodeSums(size: number): NodeSums {
  return { weight: new Sums(size), samples: new Sums(size), longest: new Sums(size) };
}

/** In µs. The first sample of an operation counts from its start, the last to its end. */
function weightIn({ firstSample, lastSample, start, end }: Operation, times: Float64Array, sample: number): number {
  const from = sample === firstSample ? start : (times[sample] ?? start);
  return (sample + 1 === lastSample ? end : (times[sample + 1] ?? end)) - from;
}
