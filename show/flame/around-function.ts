import type { FlameFold } from '../../protocol/flame.ts';
import { createTree } from './flame-tree.ts';
import { type FlameView, type PlainTimes, selfIn, totals } from './flame-view.ts';
import { foldTree, type Owners } from './fold-tree.ts';
import { type FlameTree, unknownRun } from './frame-run.ts';
import { outermostFrames } from './outermost.ts';

/** The callers of a function, or its callees: trees with the function as their root, merged over all of its places. */
export type Side = 'callers' | 'callees';

/** What ids of frames begin with, so that both sides can be told apart. The function itself has this alone. */
export const sidePrefix: Readonly<Record<Side, string>> = { callers: 'u', callees: 'd' };

export interface AroundOptions {
  readonly functionId: number;
  readonly fold: FlameFold | null;
  readonly owners: Owners;
}

/**
 * The view of one side. Both sides have the function's time: of a call inside another call of it only the outer one
 * counts. Frames have the same ids whatever is folded, and whichever operation is looked at.
 */
export function viewAround(plain: PlainTimes, side: Side, options: AroundOptions): Omit<FlameView, 'tiers'> {
  const { functionId, fold, owners } = options;
  const { functionId: ids } = plain.tree;
  const isOutermost = outermostFrames(plain.tree, (frame) => (ids[frame] === functionId ? 0 : -1), 1);
  const made = side === 'callers' ? callersOf(plain, isOutermost) : calleesOf(plain, isOutermost, functionId);
  const { self } = made;
  const tree = rootedIn(made.tree, plain.tree, isOutermost);
  const prefix = sidePrefix[side];
  const open = (fold?.open ?? []).filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
  const folded = foldTree(tree, { owners, isSplit: false, fold: fold === null ? null : { kinds: fold.kinds, open } });
  const times = selfIn(folded, self);
  return {
    ...folded,
    self: times,
    total: totals(folded.tree, times),
    plain: { tree, self, total: totals(tree, self) },
  };
}

interface Made {
  readonly tree: FlameTree;
  readonly self: Float64Array;
}

/** What the function calls. It has its own time, and that of its direct calls of itself. */
function calleesOf({ tree, self }: PlainTimes, isOutermost: Uint8Array, functionId: number): Made {
  const made = createTree();
  const times: number[] = [0];
  const frameOf = new Int32Array(tree.size).fill(-1);
  for (let frame = 1; frame < tree.size; frame += 1) {
    const above = frameOf[tree.parent[frame] ?? 0] ?? -1;
    if (above < 0 && isOutermost[frame] !== 1) continue;
    const id = tree.functionId[frame] ?? -1;
    const isItself = isOutermost[frame] === 1 || (above === 0 && id === functionId);
    const one = isItself ? 0 : made.child(above, id, tree.category[frame] ?? 0, unknownRun);
    frameOf[frame] = one;
    times[one] = (times[one] ?? 0) + (self[frame] ?? 0);
  }
  return { tree: made.finished(), self: Float64Array.from(times) };
}

/** The tree with the function's own category at its root, which would count as no code otherwise. */
function rootedIn(tree: FlameTree, plain: FlameTree, isOutermost: Uint8Array): FlameTree {
  const place = isOutermost.indexOf(1);
  return { ...tree, category: tree.category.with(0, plain.category[place] ?? tree.category[0] ?? 0) };
}

/** Who calls the function, the nearest callers first. The outermost caller of each place has the time as its own. */
function callersOf({ tree, total }: PlainTimes, isOutermost: Uint8Array): Made {
  const made = createTree();
  const times: number[] = [0];
  for (const [place, isMeant] of isOutermost.entries()) {
    if (isMeant === 0) continue;
    let one = 0;
    for (let caller = tree.parent[place] ?? 0; caller > 0; caller = tree.parent[caller] ?? 0)
      one = made.child(one, tree.functionId[caller] ?? -1, tree.category[caller] ?? 0, unknownRun);
    times[one] = (times[one] ?? 0) + (total[place] ?? 0);
  }
  const finished = made.finished();
  return { tree: finished, self: Float64Array.from({ length: finished.size }, (_, frame) => times[frame] ?? 0) };
}
