import { firstFunctionNode, metaNodes } from '../samples/call-tree.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import type { TreeFacts } from '../samples/tree-facts.ts';
import type { SampleRange } from './infer-operations.ts';
import type { BridgedSamples } from './operation.ts';

/** Gives the samples that have no stack of their own to what they interrupted, one operation at a time. */
export interface Bridge {
  readonly range: (first: number, last: number) => void;
  /** The range without the samples at both ends whose stack is still empty. */
  readonly trimmed: (first: number, last: number) => SampleRange;
  /** Everything so far; outside the ranges that were bridged as sampled. */
  readonly samples: BridgedSamples;
}

export function createBridge(stream: SampleStream, { depth }: TreeFacts): Bridge {
  const nodes = stream.nodes.slice();
  const collecting = Uint8Array.from(nodes, (node) => (node === metaNodes.gc ? 1 : 0));
  const { parent } = stream.tree;

  /** A collection takes the stack of the last sample before it that was none; idling counts as `(program)`. */
  const bridgeCollections = (first: number, last: number): void => {
    let interrupted: number = metaNodes.gc;
    for (let sample = first; sample < last; sample++) {
      const node = nodes[sample] ?? 0;
      if (node === metaNodes.idle) nodes[sample] = metaNodes.program;
      if (node !== metaNodes.gc) interrupted = node;
      else if (interrupted >= firstFunctionNode) nodes[sample] = interrupted;
    }
  };

  /** Each run of native samples takes what the stacks around it have in common. */
  const bridgeNative = (first: number, last: number): void => {
    for (let start = first; start < last; start++) {
      if (!isNative(nodes[start])) continue;
      let end = start + 1;
      while (end < last && isNative(nodes[end])) end++;
      const isAtEdge = start === first || end === last;
      const common = isAtEdge ? metaNodes.root : commonNode(nodes[start - 1] ?? 0, nodes[end] ?? 0);
      if (common >= firstFunctionNode) nodes.fill(common, start, end);
      start = end;
    }
  };

  /** The lowest node that both are at or under; the root where there is nothing in common. */
  const commonNode = (a: number, b: number): number => {
    if (a < firstFunctionNode || b < firstFunctionNode) return metaNodes.root;
    let left = a;
    let right = b;
    while (left !== right) {
      if ((depth[left] ?? 0) >= (depth[right] ?? 0)) left = parent[left] ?? metaNodes.root;
      else right = parent[right] ?? metaNodes.root;
    }
    return left;
  };

  return {
    range: (first, last) => {
      bridgeCollections(first, last);
      bridgeNative(first, last);
    },
    trimmed: (first, last) => {
      let from = first;
      let to = last;
      while (from < to && (nodes[from] ?? 0) < firstFunctionNode) from++;
      while (to > from && (nodes[to - 1] ?? 0) < firstFunctionNode) to--;
      return { first: from, last: to };
    },
    samples: { nodes, collecting },
  };
}

function isNative(node: number | undefined): boolean {
  return node === metaNodes.program || node === metaNodes.root;
}
