import { type CallTree, metaNodes } from '../samples/call-tree.ts';

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
 * `isSampled`: 1 for the nodes that samples are at.
 */
export function cutNodes(tree: CallTree, isSampled: Uint8Array): CutNodes | null {
  const depth = depthsOf(tree);
  const outermost = outermostFunctions(tree);
  const isEntry = new Set<number>();
  const single: number[] = [];
  for (let node = 0; node < tree.size; node++) {
    if (isSampled[node] === 0) continue;
    const frames = depth[node] ?? 0;
    if (frames > 1 && frames < fewestFrames) isEntry.add(outermost[node] ?? 0);
    if (frames === 1) single.push(node);
  }
  const isTruncated = new Uint8Array(tree.size);
  for (let node = 0; node < tree.size; node++) {
    if ((depth[node] ?? 0) >= fewestFrames && !isEntry.has(outermost[node] ?? 0)) isTruncated[node] = 1;
  }
  const suspects = single.filter((node) => !isEntry.has(outermost[node] ?? 0));
  const lone = loneFunctions(tree, isSampled, suspects, outermost);
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

/**
 * By node of `suspects`, each of one frame: the outermost functions of the longer sampled stacks that its function stands
 * in; none where it was sampled in no other. `isSampled`: 1 for the nodes that samples are at.
 */
function loneFunctions(
  { size, parent, functionId }: CallTree,
  isSampled: Uint8Array,
  suspects: readonly number[],
  outermost: Int32Array,
): ReadonlyMap<number, ReadonlySet<number>> {
  const callers = new Map(suspects.map((node) => [functionId[node] ?? -1, new Set<number>()]));
  if (callers.size === 0) return new Map();
  /** Or something below it. */
  const isReached = isSampled.slice();
  // From the leaves up: what is below a node has told it when its turn comes.
  for (let node = size - 1; node >= 0; node--) {
    const above = parent[node] ?? -1;
    if (isReached[node] === 0 || above < 0) continue;
    isReached[above] = 1;
    if ((functionId[above] ?? -1) >= 0) callers.get(functionId[node] ?? -1)?.add(outermost[node] ?? -1);
  }
  return new Map(suspects.map((node) => [node, callers.get(functionId[node] ?? -1) ?? new Set()]));
}
