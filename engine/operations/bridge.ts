import { firstFunctionNode, metaNodes } from '../samples/call-tree.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import type { SampleRange } from './infer-operations.ts';
import type { BridgedSamples } from './operation.ts';

/**
 * Gives the samples of one isolate that have no stack of their own to what they interrupted. In the stream's own array:
 * nobody asks for its nodes as they were, and a copy would be a third of the memory of a long recording.
 */
export class Bridge {
  readonly #nodes: Int32Array;
  readonly #collecting: Uint8Array;
  readonly #parent: Int32Array;

  constructor({ nodes, tree }: SampleStream) {
    this.#nodes = nodes;
    this.#collecting = collectionsAmong(nodes);
    this.#parent = tree.parent;
  }

  /** Everything so far; outside the ranges that were bridged as sampled. */
  get samples(): BridgedSamples {
    return { nodes: this.#nodes, collecting: this.#collecting };
  }

  /** Bridges one operation: first its collections, then its native samples. */
  bridge({ first, last }: SampleRange): void {
    this.#bridgeCollections(first, last);
    this.#bridgeNative(first, last);
  }

  /** The range without the samples at both ends whose stack is still empty. */
  trimmed({ first, last }: SampleRange): SampleRange {
    let from = first;
    let to = last;
    while (from < to && (this.#nodes[from] ?? 0) < firstFunctionNode) from++;
    while (to > from && (this.#nodes[to - 1] ?? 0) < firstFunctionNode) to--;
    return { first: from, last: to };
  }

  /** A collection takes the stack of the last sample before it that was none, if that has one; idling counts as `(program)`. */
  #bridgeCollections(first: number, last: number): void {
    let interrupted: number = metaNodes.gc;
    for (let sample = first; sample < last; sample++) {
      const node = this.#nodes[sample] ?? 0;
      if (node === metaNodes.idle) this.#nodes[sample] = metaNodes.program;
      if (node !== metaNodes.gc) interrupted = node;
      else if (interrupted >= firstFunctionNode) this.#nodes[sample] = interrupted;
    }
  }

  /** Each run of samples without a stack takes what the stacks around it have in common; at an edge, nothing. */
  #bridgeNative(first: number, last: number): void {
    for (let start = first; start < last; start++) {
      if (!isBare(this.#nodes[start])) continue;
      let end = start + 1;
      while (end < last && isBare(this.#nodes[end])) end++;
      const isAtEdge = start === first || end === last;
      const common = isAtEdge ? metaNodes.root : this.#common(this.#nodes[start - 1] ?? 0, this.#nodes[end] ?? 0);
      if (common >= firstFunctionNode) this.#nodes.fill(common, start, end);
      start = end;
    }
  }

  /** The lowest node that both are at or under; the root where there is nothing in common. Parents have lower numbers. */
  #common(a: number, b: number): number {
    if (a < firstFunctionNode || b < firstFunctionNode) return metaNodes.root;
    let left = a;
    let right = b;
    while (left !== right) {
      if (left > right) left = this.#parent[left] ?? metaNodes.root;
      else right = this.#parent[right] ?? metaNodes.root;
    }
    return left;
  }
}

/** 1 where the sample is a garbage collection. */
function collectionsAmong(nodes: Int32Array): Uint8Array {
  const collecting = new Uint8Array(nodes.length);
  for (let sample = 0; sample < nodes.length; sample++) if (nodes[sample] === metaNodes.gc) collecting[sample] = 1;
  return collecting;
}

/** Native code, or a collection that interrupted native code. */
function isBare(node: number | undefined): boolean {
  return node === metaNodes.program || node === metaNodes.root || node === metaNodes.gc;
}
