import { firstFunctionNode, metaNodes } from '../../read/samples/call-tree.ts';
import type { SampledNodes } from '../../read/samples/cpu-profile.ts';
import type { SampleStream } from '../../read/samples/sample-stream.ts';
import type { BridgedSamples } from './operation.ts';
import type { SampleRange } from './operation-bounds.ts';

/**
 * Gives samples without a stack to the code that they interrupted (rule 6), for one isolate. It works on a copy,
 * because at another threshold the same stream is bridged again.
 */
export class Bridge {
  readonly #nodes: SampledNodes;
  readonly #sampled: SampledNodes;
  readonly #parent: Int32Array;

  constructor({ nodes, tree }: SampleStream) {
    this.#nodes = nodes.slice();
    this.#sampled = nodes;
    this.#parent = tree.parent;
  }

  /** All samples so far. Outside of the ranges that were bridged they are as sampled. */
  get samples(): Pick<BridgedSamples, 'nodes' | 'sampled'> {
    return { nodes: this.#nodes, sampled: this.#sampled };
  }

  /**
   * Bridges one operation. A collection takes the stack of the last sample before it that is not a collection, if that
   * sample has a stack. Then each run of samples that are still without a stack takes the frames that the stacks on
   * both sides share. At an edge of the operation it takes nothing. Idling counts as `(program)`.
   */
  bridge({ first, last }: SampleRange): void {
    const nodes = this.#nodes;
    let interrupted: number = metaNodes.gc;
    for (let sample = first; sample < last; sample++) {
      const node = nodes[sample] ?? 0;
      if (node >= firstFunctionNode) interrupted = node;
      else if (node === metaNodes.gc && interrupted >= firstFunctionNode) nodes[sample] = interrupted;
      else sample = this.#bridgeBare(sample, first, last) - 1;
    }
  }

  /** The range without the samples at both ends whose stack is still empty. */
  trimmed({ first, last }: SampleRange): SampleRange {
    let from = first;
    let to = last;
    while (from < to && (this.#nodes[from] ?? 0) < firstFunctionNode) from++;
    while (to > from && (this.#nodes[to - 1] ?? 0) < firstFunctionNode) to--;
    return { first: from, last: to };
  }

  /** Bridges the run of samples without a stack that begins at `start`, and gives where it ends. */
  #bridgeBare(start: number, first: number, last: number): number {
    const nodes = this.#nodes;
    let end = start;
    for (; end < last && (nodes[end] ?? 0) < firstFunctionNode; end++) {
      if (nodes[end] === metaNodes.idle) nodes[end] = metaNodes.program;
    }
    const isAtEdge = start === first || end === last;
    const common = isAtEdge ? metaNodes.root : this.#common(nodes[start - 1] ?? 0, nodes[end] ?? 0);
    if (common >= firstFunctionNode) nodes.fill(common, start, end);
    return end;
  }

  /**
   * The lowest node that both nodes are at or below; the root where they share nothing. Parents have lower numbers than
   * their callees.
   */
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
