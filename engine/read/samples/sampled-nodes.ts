import { firstFunctionNode } from './call-tree.ts';

/** Node by sample. Each takes 2 bytes where the tree has few nodes, else 4. */
export type SampledNodes = Uint16Array | Int32Array;

/** Whether 2 bytes are enough for the nodes of a profile, and for those of its call tree, which may be some more. */
export function areFew(nodes: number): boolean {
  return nodes + firstFunctionNode < 2 ** 16;
}

/** Memory for so many samples of profiles with so many nodes. */
export function roomForNodes(samples: number, nodes: number): SampledNodes {
  return areFew(nodes) ? new Uint16Array(samples) : new Int32Array(samples);
}

/** The same samples, in memory that has room for this node. */
export function withRoomFor(node: number, sampled: SampledNodes): SampledNodes {
  return sampled instanceof Uint16Array && node >= 2 ** 16 ? Int32Array.from(sampled) : sampled;
}
