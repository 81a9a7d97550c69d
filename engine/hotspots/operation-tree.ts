import type { BridgedSamples, Operation } from '../operations/operation.ts';
import { firstFunctionNode } from '../samples/call-tree.ts';
import type { SampleStream } from '../samples/sample-stream.ts';

/**
 * The call tree of one operation: the nodes of the isolate's tree that it was in, with their weights in it.
 * The arrays are indexed by node and hold sense for `nodes` alone; they are reused for the next operation.
 */
export interface OperationTree {
  /** Ascending, so parents before children. Without meta nodes. */
  readonly nodes: Int32Array;
  /** In µs: of the samples at the node itself. */
  readonly self: Float64Array;
  /** In µs: of the samples at the node and below. */
  readonly total: Float64Array;
  /** Number of samples at the node itself. */
  readonly selfSamples: Int32Array;
  readonly totalSamples: Int32Array;
  /** Weight of the longest single sample at the node itself, in µs. */
  readonly selfLongest: Float64Array;
  readonly totalLongest: Float64Array;
  /** Number of the first sample at the node or below. */
  readonly firstSample: Int32Array;
  /** In µs: samples that have no stack; all of an operation that has no samples is native. */
  readonly collecting: number;
  readonly native: number;
  /** In µs: all garbage collection, whatever it interrupted. */
  readonly gc: number;
}

/** Weighs the operations of one isolate one after the other. */
export function createOperationWeigher(
  stream: SampleStream,
  bridged: BridgedSamples,
): (of: Operation) => OperationTree {
  const { parent, size } = stream.tree;
  const arrays = {
    self: new Float64Array(size),
    total: new Float64Array(size),
    selfSamples: new Int32Array(size),
    totalSamples: new Int32Array(size),
    selfLongest: new Float64Array(size),
    totalLongest: new Float64Array(size),
    firstSample: new Int32Array(size),
  };
  const touched = new Int32Array(size);
  const round = new Int32Array(size);
  let current = 0;

  const touch = (leaf: number, sample: number, size: number): number => {
    let count = size;
    for (let node = leaf; node >= firstFunctionNode && round[node] !== current; node = parent[node] ?? 0) {
      round[node] = current;
      touched[count++] = node;
      arrays.self[node] = 0;
      arrays.selfSamples[node] = 0;
      arrays.selfLongest[node] = 0;
      arrays.firstSample[node] = sample;
    }
    return count;
  };

  const sumUp = (nodes: Int32Array): void => {
    const { self, total, selfSamples, totalSamples, selfLongest, totalLongest } = arrays;
    for (const node of nodes) {
      total[node] = self[node] ?? 0;
      totalSamples[node] = selfSamples[node] ?? 0;
      totalLongest[node] = selfLongest[node] ?? 0;
    }
    for (let index = nodes.length - 1; index >= 0; index--) {
      const node = nodes[index] ?? 0;
      const above = parent[node] ?? 0;
      total[above] = (total[above] ?? 0) + (total[node] ?? 0);
      totalSamples[above] = (totalSamples[above] ?? 0) + (totalSamples[node] ?? 0);
      totalLongest[above] = Math.max(totalLongest[above] ?? 0, totalLongest[node] ?? 0);
    }
  };

  return (operation) => {
    current++;
    let count = 0;
    const hasSamples = operation.firstSample < operation.lastSample;
    const without = { collecting: 0, native: hasSamples ? 0 : operation.end - operation.start, gc: 0 };
    for (let sample = operation.firstSample; sample < operation.lastSample; sample++) {
      const node = bridged.nodes[sample] ?? 0;
      const weight = weightIn(operation, stream.times, sample);
      const isGc = bridged.collecting[sample] === 1;
      if (isGc) without.gc += weight;
      if (node < firstFunctionNode) {
        without[isGc ? 'collecting' : 'native'] += weight;
        continue;
      }
      count = touch(node, sample, count);
      arrays.self[node] = (arrays.self[node] ?? 0) + weight;
      arrays.selfSamples[node] = (arrays.selfSamples[node] ?? 0) + 1;
      arrays.selfLongest[node] = Math.max(arrays.selfLongest[node] ?? 0, weight);
    }
    const nodes = touched.subarray(0, count).sort();
    sumUp(nodes);
    return { nodes, ...arrays, ...without };
  };
}

/** In µs. The first sample of an operation counts from its start, the last to its end. */
function weightIn(operation: Operation, times: Float64Array, sample: number): number {
  const { firstSample, lastSample, start, end } = operation;
  const from = sample === firstSample ? start : (times[sample] ?? start);
  return (sample + 1 === lastSample ? end : (times[sample + 1] ?? end)) - from;
}
