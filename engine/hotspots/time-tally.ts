import type { FunctionInfo } from '../functions/function-table.ts';
import type { BridgedSamples } from '../operations/operation.ts';
import { firstFunctionNode } from '../samples/call-tree.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import type { TreeFacts } from '../samples/tree-facts.ts';
import { Sums } from './sums.ts';

/** Times of the whole recording, each sample once; in µs by function id. */
export interface FunctionTimes {
  readonly self: Float64Array;
  readonly total: Float64Array;
  /** Of `self`, garbage collection. */
  readonly gc: Float64Array;
  /** Of `total`, what was under a loader frame deeper than the function. */
  readonly load: Float64Array;
}

export interface TimeTally {
  /** Adds one isolate; answers the first sample of each function in it, by function id, −1 where there is none. */
  readonly add: (stream: SampleStream, bridged: BridgedSamples, facts: TreeFacts) => Int32Array;
  readonly times: FunctionTimes;
}

export function createTimeTally(functions: readonly FunctionInfo[]): TimeTally {
  const times = {
    self: new Sums(functions.length),
    total: new Sums(functions.length),
    gc: new Sums(functions.length),
    load: new Sums(functions.length),
  };
  return {
    times,
    add: (stream, bridged, facts) => {
      const { functionId, size } = stream.tree;
      const sampled = sampledNodes(stream, bridged);
      for (let node = firstFunctionNode; node < size; node++) {
        times.self.add(functionId[node] ?? 0, sampled.weight[node] ?? 0);
        times.gc.add(functionId[node] ?? 0, sampled.gc[node] ?? 0);
      }
      const { total, load, first } = summedUp(stream, sampled, functions);
      const firstSeen = new Int32Array(functions.length).fill(-1);
      for (let node = firstFunctionNode; node < size; node++) {
        if (facts.outermost[node] === 0) continue;
        const fn = functionId[node] ?? 0;
        times.total.add(fn, total[node] ?? 0);
        times.load.add(fn, load[node] ?? 0);
        firstSeen[fn] = earlier(firstSeen[fn] ?? -1, first[node] ?? -1);
      }
      return firstSeen;
    },
  };
}

/** By node: weight and garbage collection of its own samples in µs, number of the first one (−1: none). */
function sampledNodes({ tree, times, end }: SampleStream, { nodes, collecting }: BridgedSamples) {
  const weights = new Sums(tree.size);
  const gc = new Sums(tree.size);
  const first = new Int32Array(tree.size).fill(-1);
  for (const [sample, node] of nodes.entries()) {
    const weight = (times[sample + 1] ?? end) - (times[sample] ?? end);
    weights.add(node, weight);
    if (collecting[sample] === 1) gc.add(node, weight);
    if (first[node] === -1) first[node] = sample;
  }
  return { weight: weights, gc, first };
}

/** By node, the nodes below it included: weight, what of it is under a deeper loader frame, the first sample. */
function summedUp(
  { tree }: SampleStream,
  sampled: ReturnType<typeof sampledNodes>,
  functions: readonly FunctionInfo[],
) {
  const total = new Sums(sampled.weight);
  const load = new Sums(tree.size);
  const first = sampled.first.slice();
  for (let node = tree.size - 1; node >= firstFunctionNode; node--) {
    const above = tree.parent[node] ?? 0;
    const isLoader = functions[tree.functionId[node] ?? -1]?.loader === true;
    total.add(above, total[node] ?? 0);
    load.add(above, (isLoader ? total : load)[node] ?? 0);
    first[above] = earlier(first[above] ?? -1, first[node] ?? -1);
  }
  return { total, load, first };
}

/** The lesser of two numbers of samples; −1 is none. */
function earlier(a: number, b: number): number {
  if (a === -1) return b;
  return b === -1 ? a : Math.min(a, b);
}
