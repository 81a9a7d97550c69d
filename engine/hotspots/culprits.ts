import type { Microseconds } from '../../protocol/units.ts';
import type { OperationTree } from '../function-figures/operation-tree.ts';
import type { PreparedStream } from '../function-figures/prepared-stream.ts';
import { Sums } from '../basics/sums.ts';

/**
 * Finds the *culprits* of an operation: 1 by place in its tree, or null where there is none. From the leaves up, the
 * *rest* of a node is its weight without what deeper culprits took. Own code whose rest is over the threshold, and at
 * least a tenth of its weight, takes it. For a module body both leave out what is under a loader frame deeper than it.
 * Source: docs/definition.md, rule 12.
 */
export function createCulpritFinder(
  { stream, flags }: PreparedStream,
  threshold: Microseconds,
): (tree: OperationTree) => Uint8Array | null {
  const { size } = stream.tree;
  const { own: isOwn, moduleBody: isModuleBody, loader: isLoader } = flags;
  const isCulprit = new Uint8Array(size);
  /** Rest by place in µs, and how much of it is under a deeper loader frame. */
  const rest = new Sums(size);
  const restLoad = new Sums(size);
  /** Time of the whole weight that is under a deeper loader frame, by place in µs. */
  const load = new Sums(size);
  return (tree) => {
    // Most operations have none, and the sums below are most of the work.
    if (!hasLongOwn(tree, isOwn, threshold)) return null;
    const { parent, functionId, total, self } = tree;
    rest.set(self.weight.subarray(0, tree.size));
    restLoad.fill(0, 0, tree.size);
    load.fill(0, 0, tree.size);
    let count = 0;
    for (let place = tree.size - 1; place > 0; place--) {
      const fn = functionId[place] ?? 0;
      const isBody = isModuleBody[fn] === 1;
      const weight = total.weight[place] ?? 0;
      const mine = (rest[place] ?? 0) - (isBody ? (restLoad[place] ?? 0) : 0);
      const whole = weight - (isBody ? (load[place] ?? 0) : 0);
      const takes = isOwn[fn] === 1 && mine > threshold && mine * 10 >= whole;
      isCulprit[place] = Number(takes);
      if (takes) count++;
      const left = (rest[place] ?? 0) - (takes ? mine : 0);
      const leftLoad = takes && !isBody ? 0 : (restLoad[place] ?? 0);
      const above = parent[place] ?? 0;
      rest.add(above, left);
      restLoad.add(above, isLoader[fn] === 1 ? left : leftLoad);
      load.add(above, isLoader[fn] === 1 ? weight : (load[place] ?? 0));
    }
    return count > 0 ? isCulprit : null;
  };
}

/** Whether own code, with all that it called, is over the threshold. */
function hasLongOwn({ size, functionId, total }: OperationTree, isOwn: Uint8Array, threshold: Microseconds): boolean {
  for (let place = 1; place < size; place++) {
    if ((total.weight[place] ?? 0) > threshold && isOwn[functionId[place] ?? 0] === 1) return true;
  }
  return false;
}
