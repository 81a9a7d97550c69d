import type { JudgedRun } from '../hotspots/judged-run.ts';
import type { CallTree } from '../samples/call-tree.ts';

/** The functions called directly from a node on the path to an own part of the operation, by operation and node. */
type Ways = ReadonlyMap<number, ReadonlyMap<number, ReadonlySet<number>>>;

export function waysToOwnParts({
  ownParts,
  operations,
  streams,
}: Pick<JudgedRun, 'ownParts' | 'operations' | 'streams'>): Ways {
  const ways = new Map<number, Map<number, Set<number>>>();
  for (const { operation, places } of ownParts) {
    const tree = streams[operations[operation]?.stream ?? -1]?.tree;
    const here = ways.get(operation) ?? new Map<number, Set<number>>();
    ways.set(operation, here);
    if (tree !== undefined) for (const { node } of places) markWay(node, tree, here);
  }
  return ways;
}

/** Marks the path up to where another one was marked. */
function markWay(node: number, { parent, functionId }: CallTree, ways: Map<number, Set<number>>): void {
  for (let at = node; at > 0;) {
    const caller = parent[at] ?? 0;
    const called = ways.get(caller) ?? new Set();
    ways.set(caller, called);
    const callee = functionId[at] ?? -1;
    if (called.has(callee)) return;
    called.add(callee);
    at = caller;
  }
}
