import type { Microseconds } from '../../protocol/units.ts';
import type { OperationTree } from './operation-tree.ts';
import type { PreparedStream } from './prepared-stream.ts';
import { Sums } from './sums.ts';

/**
 * Finds the *culprits* of an operation, as nodes. From the leaves up, the *rest* of a node is its weight without what
 * deeper culprits took; own code whose rest is over the threshold, and at least a tenth of its weight, takes it.
 * Of a module body both leave out what lies under a loader frame deeper than it.
 */
export function createCulpritFinder(
  { stream, functions }: PreparedStream,
  threshold: Microseconds,
): (tree: OperationTree) => ReadonlySet<number> {
  const { parent, functionId, size } = stream.tree;
  const isOwn = Uint8Array.from(functions, (fn) => Number(fn.own));
  /** By node, in µs: the rest, and how much of it is under a deeper loader frame. */
  const rest = new Sums(size);
  const restLoad = new Sums(size);
  /** By node, in µs: of its whole weight, what is under a deeper loader frame. */
  const load = new Sums(size);
  const isLongOwn = (node: number, weight: number): boolean => weight > threshold && isOwn[functionId[node] ?? 0] === 1;
  return (tree) => {
    const culprits = new Set<number>();
    const { weight: total } = tree.total;
    // Most operations have none, and the sums below are most of the work.
    if (!someNode(tree, isLongOwn)) return culprits;
    const self = tree.self();
    for (const node of tree.nodes) {
      rest[node] = self.weight[node] ?? 0;
      restLoad[node] = 0;
      load[node] = 0;
    }
    for (let index = tree.nodes.length - 1; index >= 0; index--) {
      const node = tree.nodes[index] ?? 0;
      const fn = functions[functionId[node] ?? -1];
      if (fn === undefined) continue;
      const weight = total[node] ?? 0;
      const mine = (rest[node] ?? 0) - (fn.moduleBody ? (restLoad[node] ?? 0) : 0);
      const whole = weight - (fn.moduleBody ? (load[node] ?? 0) : 0);
      const isCulprit = fn.own && mine > threshold && mine * 10 >= whole;
      if (isCulprit) culprits.add(node);
      const left = (rest[node] ?? 0) - (isCulprit ? mine : 0);
      const leftLoad = isCulprit && !fn.moduleBody ? 0 : (restLoad[node] ?? 0);
      const above = parent[node] ?? 0;
      rest.add(above, left);
      restLoad.add(above, fn.loader ? left : leftLoad);
      load.add(above, fn.loader ? weight : (load[node] ?? 0));
    }
    return culprits;
  };
}

/** Is there a node for which this is true? `weight`, in µs, is that of all below it too. */
function someNode({ nodes, total }: OperationTree, isSought: (node: number, weight: number) => boolean): boolean {
  for (const node of nodes) if (isSought(node, total.weight[node] ?? 0)) return true;
  return false;
}
