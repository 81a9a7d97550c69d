import { type CallTree, metaNodes } from '../samples/call-tree.ts';

/** A stack with fewer frames has lost none: V8 keeps the innermost 255 *raw* ones, at least 128 of JavaScript. */
const fewestFrames = 100;

/**
 * 1 for nodes whose stack is truncated: it has 100 frames or more and its outermost function is no *entry*, which is
 * one that is outermost in a sample with fewer. Null where there is no such node.
 * A sample of one frame makes no entry: in 9 of 11 000 samples of a real `tsc` run V8 gave the innermost function alone.
 */
export function truncatedNodes(tree: CallTree, nodes: Int32Array): Uint8Array | null {
  const { parent, functionId, size } = tree;
  const depth = depthsOf(tree);
  if (depth.every((frames) => frames < fewestFrames)) return null;
  const outermost = functionId.slice();
  for (let node = 0; node < size; node++) {
    const above = parent[node] ?? metaNodes.root;
    if (above > metaNodes.root) outermost[node] = outermost[above] ?? 0;
  }
  const isEntry = new Uint8Array(functionId.reduce((most, id) => Math.max(most, id), 0) + 1);
  for (const node of nodes) {
    const frames = depth[node] ?? 0;
    if (frames > 1 && frames < fewestFrames) isEntry[outermost[node] ?? 0] = 1;
  }
  const isTruncated = depth.map((frames, node) =>
    Number(frames >= fewestFrames && isEntry[outermost[node] ?? 0] === 0),
  );
  return isTruncated.includes(1) ? Uint8Array.from(isTruncated) : null;
}

/** Number of frames down to each node, itself included; 0 for meta nodes. */
export function depthsOf({ parent, functionId, size }: CallTree): Int32Array {
  const depth = new Int32Array(size);
  for (let node = 0; node < size; node++) {
    if ((functionId[node] ?? -1) >= 0) depth[node] = (depth[parent[node] ?? 0] ?? 0) + 1;
  }
  return depth;
}
