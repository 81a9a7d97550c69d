import type { CallTree } from '../samples/call-tree.ts';

/**
 * By node of `suspects`, each of one frame: the outermost functions of the longer sampled stacks that its function stands
 * in; none where it was sampled in no other. `isSampled`: 1 for the nodes that samples are at.
 */
export function loneFunctions(
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
