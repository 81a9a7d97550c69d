import { frameCategories, outsideId } from '../../../protocol/flame.ts';
import { type FoldedTree, type FoldOptions, ownerOf } from '../../../show/flame/fold-tree.ts';
import type { FlameTree } from '../../../show/flame/frame-run.ts';

/** One frame of a folded tree. */
interface Folded {
  readonly parent: number;
  readonly functionId: number;
  readonly category: number;
  readonly run: number;
  readonly id: number;
  unfolded: number;
  readonly recursion: number;
  levels: number;
}

/** Where a frame of the merged tree went. `run` is the first frame of its run; `isOpen`: that run is unfolded. */
interface Place {
  readonly made: number;
  readonly run: number | null;
  readonly isInBar: boolean;
  readonly level: number;
  /** It is of a folded kind, as all of its callers are, and code of the person's own can stand beside it. */
  readonly isOutside: boolean;
}

/** Folds a tree by the rules of `foldTree`, in the plainest way: every frame is looked up by a text. */
export function plainFold(merged: FlameTree, { fold, isSplit, owners }: FoldOptions): FoldedTree {
  const kinds = new Set<string>((fold?.kinds ?? []).filter((kind) => kind !== 'own' && kind !== 'test'));
  const open = new Set((fold?.open ?? []).map(Number));
  const rows: Folded[] = [{ ...nothing, category: frameCategories.indexOf('program') }];
  const places: Place[] = [{ made: 0, run: null, isInBar: false, level: 1, isOutside: fold?.apart === true }];
  const runs = new Map<string, number>();
  const known = new Map<string, number>();
  const make = (key: string, row: Folded): number => {
    const made = known.get(key) ?? rows.push(row) - 1;
    known.set(key, made);
    return made;
  };
  for (let frame = 1; frame < merged.size; frame += 1) places.push(placeOf(frame));
  const column = (of: (row: Folded) => number): Int32Array => Int32Array.from(rows, of);
  return {
    tree: {
      size: rows.length,
      parent: column((row) => row.parent),
      functionId: column((row) => row.functionId),
      category: Uint8Array.from(rows, (row) => row.category),
      run: Uint8Array.from(rows, (row) => row.run),
    },
    ids: column((row) => row.id),
    unfolded: column((row) => row.unfolded),
    levels: column((row) => row.levels),
    frameOf: Int32Array.from(places, ({ made }) => made),
    isInBar: Uint8Array.from(places, ({ isInBar }) => Number(isInBar)),
    outside: known.get('outside') ?? -1,
  };

  function placeOf(frame: number): Place {
    const callerFrame = merged.parent[frame] ?? 0;
    const caller = places[callerFrame] ?? nowhere;
    const above = caller.made === known.get('outside') ? 0 : caller.made;
    const [functionId, category] = [merged.functionId[frame] ?? -1, merged.category[frame] ?? 0];
    const kind = frameCategories[category] ?? 'program';
    const isOfNoKind = ['native', 'gc', 'program'].includes(kind);
    const isWithin = caller.run !== null && isOfNoKind;
    const owner = ownerOf(frame, merged, owners);
    const isOutside = caller.isOutside && (kinds.has(kind) || isOfNoKind);
    if (isOutside && !open.has(Number(outsideId))) {
      const outside = { ...nothing, parent: 0, functionId: owners.firstBar + owner, category, id: Number(outsideId) };
      return { made: make('outside', outside), run: null, isInBar: true, level: 1, isOutside };
    }
    const run = kinds.has(kind) || isWithin ? (caller.run ?? firstOfRun(`${above} ${owner}`, frame)) : null;
    const asideId = isOutside ? Number(outsideId) : -1;
    const row = { ...nothing, parent: above, functionId, category, id: frame, unfolded: asideId };
    if (run !== null && !open.has(run)) {
      const bar = { ...row, functionId: owners.firstBar + owner };
      const made = caller.isInBar ? above : make(`bar ${above} ${owner}`, bar);
      return { made, run, isInBar: true, level: 1, isOutside };
    }
    const isSame = functionId >= 0 && functionId === merged.functionId[callerFrame];
    const isOfOneRun = !isSplit || merged.run[frame] === merged.run[callerFrame];
    const rowAbove = rows[above] ?? { ...nothing };
    const recursion = isSame ? rowAbove.recursion : -1;
    if (fold !== null && isSame && isOfOneRun && recursion < 0) return intoRecursion(caller, run, isOutside);
    if (recursion >= 0) rowAbove.unfolded = recursion;
    const ran = isSplit ? (merged.run[frame] ?? 0) : 0;
    const opened = open.has(frame) ? frame : -1;
    const unfolded = recursion < 0 ? (run ?? asideId) : recursion;
    const key = `frame ${above} ${functionId} ${functionId < 0 ? category : ''} ${ran}`;
    const made = make(key, { ...row, run: ran, unfolded, recursion: recursion < 0 ? opened : recursion });
    return { made, run, isInBar: false, level: 1, isOutside };
  }

  function firstOfRun(key: string, frame: number): number {
    const first = runs.get(key) ?? frame;
    runs.set(key, first);
    return first;
  }

  function intoRecursion({ made, level }: Place, run: number | null, isOutside: boolean): Place {
    const row = rows[made];
    if (row !== undefined) row.levels = Math.max(row.levels, level + 1);
    return { made, run, isInBar: false, level: level + 1, isOutside };
  }
}

const nothing: Folded = {
  ...{ parent: -1, functionId: -1, category: 0, run: 0, id: 0, unfolded: -1 },
  ...{ recursion: -1, levels: 1 },
};
const nowhere: Place = { made: 0, run: null, isInBar: false, level: 1, isOutside: false };
