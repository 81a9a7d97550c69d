import { type CallTree, metaNodes } from '../../read/samples/call-tree.ts';

/** Minimum depth of a truncated stack: V8 keeps the innermost 255 *raw* frames, at least 128 of them JavaScript. */
const fewestFrames = 100;

/** Nodes whose stacks may lack outer frames. */
export interface CutNodes {
  /** Has 1 for nodes with a truncated stack: ≥ 100 frames, and the outermost function is not an entry. */
  readonly isTruncated: Uint8Array;
  /**
   * Nodes of a single frame that is not an entry: the outermost functions of other stacks with that function, by node.
   */
  readonly lone: ReadonlyMap<number, ReadonlySet<number>>;
}

/**
 * Finds such nodes; null if there are none. An *entry* is outermost in a sample of 2 to 99 frames; not of one frame,
 * because V8 gives the innermost function alone in a few samples of a long run (Node 24 and 26: 7 to 12 of 18,000 in
 * `tsc`). `isSampled` has 1 for the nodes of samples.
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
 * The outermost functions of the longer sampled stacks that contain the function of a suspect (a node of a single
 * frame), by node; empty where no other sample contains it.
 */
function loneFunctions(
  { size, parent, functionId }: CallTree,
  isSampled: Uint8Array,
  suspects: readonly number[],
  outermost: Int32Array,
): ReadonlyMap<number, ReadonlySet<number>> {
  const callers = new Map(suspects.map((node) => [functionId[node] ?? -1, new Set<number>()]));
  if (callers.size === 0) return new Map();
  /** Has 1 where the node or one below it has a sample. */
  const isReached = isSampled.slice();
  // The loop goes from the leaves up, so all nodes below a node come before it and have marked it.
  for (let node = size - 1; node >= 0; node--) {
    const above = parent[node] ?? -1;
    if (isReached[node] === 0 || above < 0) continue;
    isReached[above] = 1;
    if ((functionId[above] ?? -1) >= 0) callers.get(functionId[node] ?? -1)?.add(outermost[node] ?? -1);
  }
  return new Map(suspects.map((node) => [node, callers.get(functionId[node] ?? -1) ?? new Set()]));
}
