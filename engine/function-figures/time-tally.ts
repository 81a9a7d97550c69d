import type { FunctionInfo } from '../functions/function-table.ts';
import type { BridgedSamples } from '../operations/operation.ts';
import { firstFunctionNode } from '../samples/call-tree.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import type { TreeFacts } from '../streams/tree-facts.ts';
import { Sums } from '../basics/sums.ts';

/** Times over the whole recording, each sample once, in µs by function id. */
export interface FunctionTimes {
  readonly self: Float64Array;
  readonly total: Float64Array;
  /** Garbage collection within `self`. */
  readonly gc: Float64Array;
  /** Time within `total` that was under a loader frame deeper than the function. */
  readonly load: Float64Array;
}

export interface TimeTally {
  /**
   * Adds one isolate, and gives the number of the first sample of each function in it, by function id; −1 where there
   * is none.
   */
  readonly add: (stream: SampleStream, bridged: BridgedSamples, facts: TreeFacts) => Int32Array;
  readonly times: FunctionTimes;
}

export function createTimeTally(functions: readonly FunctionInfo[]): TimeTally {
  const self = new Sums(functions.length);
  const total = new Sums(functions.length);
  const gc = new Sums(functions.length);
  const load = new Sums(functions.length);
  const loaders = Uint8Array.from(functions, (fn) => Number(fn.loader));
  return {
    times: { self, total, gc, load },
    add: (stream, bridged, facts) => {
      const { parent, functionId, size } = stream.tree;
      const byNode = sampledNodes(stream, bridged);
      const firstSeen = new Int32Array(functions.length).fill(-1);
      // This goes from the leaves up: when it reaches a node, all that is below the node has been added to it.
      for (let node = size - 1; node >= firstFunctionNode; node--) {
        const above = parent[node] ?? 0;
        const fn = functionId[node] ?? 0;
        self.add(fn, byNode.self[node] ?? 0);
        gc.add(fn, byNode.gc[node] ?? 0);
        const weight = (byNode.self[node] ?? 0) + (byNode.below[node] ?? 0);
        const underLoader = byNode.load[node] ?? 0;
        const first = byNode.first[node] ?? -1;
        byNode.below.add(above, weight);
        byNode.load.add(above, loaders[fn] === 1 ? weight : underLoader);
        byNode.first[above] = earlier(byNode.first[above] ?? -1, first);
        if (facts.outermost[node] === 0) continue;
        total.add(fn, weight);
        load.add(fn, underLoader);
        firstSeen[fn] = earlier(firstSeen[fn] ?? -1, first);
      }
      return firstSeen;
    },
  };
}

/**
 * By node: weight of its own samples, and of collections among them, in µs, and the number of the first one (−1 for
 * none).
 */
function sampledNodes({ tree }: SampleStream, { nodes, collecting, weights }: BridgedSamples) {
  const self = new Sums(tree.size);
  const gc = new Sums(tree.size);
  const first = new Int32Array(tree.size).fill(-1);
  for (let sample = 0; sample < nodes.length; sample++) {
    const node = nodes[sample] ?? 0;
    const weight = weights[sample] ?? 0;
    self.add(node, weight);
    if (collecting[sample] === 1) gc.add(node, weight);
    if (first[node] === -1) first[node] = sample;
  }
  return { self, gc, first, below: new Sums(tree.size), load: new Sums(tree.size) };
}

/** The lower of two sample numbers, where −1 stands for none. */
function earlier(a: number, b: number): number {
  if (a === -1) return b;
  return b === -1 ? a : Math.min(a, b);
}
