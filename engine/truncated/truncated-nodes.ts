import { type CallTree, metaNodes } from '../samples/call-tree.ts';
import { loneFunctions } from './lone-functions.ts';

/** A stack with fewer frames has lost none: V8 keeps the innermost 255 *raw* ones, at least 128 of JavaScript. */
const fewestFrames = 100;

/** Nodes of whose stacks outer frames may be missing. */
export interface CutNodes {
  /** 1 for nodes whose stack is truncated: it has 100 frames or more, and its outermost function is no entry. */
  readonly isTruncated: Uint8Array;
  /** By node of one frame whose function is no entry: the outermost functions of the other stacks that it stands in. */
  readonly lone: ReadonlyMap<number, ReadonlySet<number>>;
}

/**
 * Null where there is no such node. An *entry* is outermost in a sample of 2 to 99 frames: one of one frame makes none, as
 * V8 gives the innermost function alone in a few samples of a long run (Node 24 and 26: 7 to 12 of 18 000 in `tsc`).
 */
export function cutNodes(tree: CallTree, nodes: Int32Array): CutNodes | null {
  const depth = depthsOf(tree);
  const outermost = outermostFunctions(tree);
  const isEntry = new Set<number>();
  const single = new Set<number>();
  for (const node of nodes) {
    const frames = depth[node] ?? 0;
    if (frames > 1 && frames < fewestFrames) isEntry.add(outermost[node] ?? 0);
    if (frames === 1) single.add(node);
  }
  const isTruncated = Uint8Array.from(depth, (frames, node) =>
    Number(frames >= fewestFrames && !isEntry.has(outermost[node] ?? 0)),
  );
  const suspects = [...single].filter((node) => !isEntry.has(outermost[node] ?? 0));
  const lone = loneFunctions(tree, nodes, suspects, outermost);
  return lone.size > 0 || isTruncated.includes(1) ? { isTruncated, lone } : null;
}

function outermostFunctions({ parent, functionId, size }: CallTree): Int32Array {
  const outermost = functionId.slice();
  for (let node = 0; node < size; node++) {
    const above = parent[node] ?? metaNodes.root;
    if (above > metaNodes.root) outermost[node] = outermost[above] ?? 0;
  }
  return outermost;
}

/** Number of frames down to each node, itself included; 0 for meta nodes. */
export function depthsOf({ parent, functionId, size }: CallTree): Int32Array {
  const depth = new Int32Array(size);
  for (let node = 0; node < size; node++) {
    if ((functionId[node] ?? -1) >= 0) depth[node] = (depth[parent[node] ?? 0] ?? 0) + 1;
  }
  return depth;
}
