import type { CallTree } from '../samples/call-tree.ts';

/**
 * By node of `suspects`, each of one frame: the outermost functions of the longer sampled stacks that its function stands
 * in; none where it was sampled in no other.
 */
export function loneFunctions(
  tree: CallTree,
  nodes: Int32Array,
  suspects: readonly number[],
  outermost: Int32Array,
): ReadonlyMap<number, ReadonlySet<number>> {
  const { parent, functionId } = tree;
  const callers = new Map(suspects.map((node) => [functionId[node] ?? -1, new Set<number>()]));
  if (callers.size === 0) return new Map();
  const isSampled = sampledPaths(tree, nodes);
  for (const [node, above] of parent.entries()) {
    const isCalled = isSampled[node] === 1 && (functionId[above] ?? -1) >= 0;
    if (isCalled) callers.get(functionId[node] ?? -1)?.add(outermost[node] ?? -1);
  }
  return new Map(suspects.map((node) => [node, callers.get(functionId[node] ?? -1) ?? new Set()]));
}

/** 1 for each node on the way to one that was sampled. */
function sampledPaths({ size, parent }: CallTree, nodes: Int32Array): Uint8Array {
  const isSampled = new Uint8Array(size);
  for (const node of nodes) isSampled[node] = 1;
  for (let node = size - 1; node >= 0; node--) {
    const above = parent[node] ?? -1;
    if (isSampled[node] === 1 && above >= 0) isSampled[above] = 1;
  }
  return isSampled;
}
