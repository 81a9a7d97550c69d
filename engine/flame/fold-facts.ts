import type { FlameFrame, FoldedOwner, FrameCategory } from '../../protocol/flame.ts';
import { microseconds } from '../../protocol/units.ts';
import { groupBy } from '../basics/lists.ts';
import { PairTable } from '../basics/pair-table.ts';
import type { FlameView } from './flame-view.ts';
import { ownerOf, type Owners } from './fold-tree.ts';
import { categoryOfFrame } from './frame-facts.ts';
import { outermostFrames } from './outermost.ts';

/** What folding makes of a frame. `name` and `category` are there for a bar, which has no function. */
export type FoldFacts = Pick<FlameFrame, 'folded' | 'unfolded'> & Partial<Pick<FlameFrame, 'name' | 'category'>>;

/** Gives what folding makes of each frame of a view. What stands in bars is counted when the first bar is asked for. */
export function foldFactsOf(view: Omit<FlameView, 'tiers'>, owners: Owners, prefix = ''): (frame: number) => FoldFacts {
  const counted: { bars: Bars | null } = { bars: null };
  return (frame) => {
    const run = view.unfolded[frame] ?? -1;
    const unfolded = run < 0 ? {} : { unfolded: `${prefix}${run}` };
    if (isBar(frame, view, owners)) {
      const bars = (counted.bars ??= countBars(view, owners));
      return barFacts(frame, view, owners, {
        frames: bars.frames[frame] ?? 0,
        owners: bars.ownersOf.get(frame) ?? [],
      });
    }
    const levels = view.levels[frame] ?? 1;
    return levels > 1 ? { ...unfolded, folded: { type: 'recursion', levels } } : unfolded;
  };
}

/** Whether a frame of a folded tree stands for code of others. */
export function isBar(frame: number, { tree }: Pick<FlameView, 'tree'>, { firstBar }: Owners): boolean {
  return (tree.functionId[frame] ?? -1) >= firstBar;
}

/** The time of each owner in each bar, and the number of frames of the merged tree in each. */
interface Bars {
  readonly frames: Int32Array;
  readonly ownersOf: ReadonlyMap<number, readonly OwnerInBar[]>;
}

export interface OwnerInBar extends FoldedOwner {
  readonly category: FrameCategory;
}

function countBars({ tree, frameOf, isInBar, plain }: Omit<FlameView, 'tiers'>, owners: Owners): Bars {
  const frames = new Int32Array(tree.size);
  const pairs = new PairTable(64);
  const pairOf = Int32Array.from(isInBar, (isInside, frame) =>
    isInside === 1 ? pairs.numberOf(frameOf[frame] ?? 0, ownerOf(frame, plain.tree, owners)) : -1,
  );
  const isOutermost = outermostFrames(plain.tree, (frame) => pairOf[frame] ?? -1, pairs.size);
  const totals = new Float64Array(pairs.size);
  const categories = new Map<number, FrameCategory>();
  for (const [frame, pair] of pairOf.entries()) {
    const time = plain.total[frame] ?? 0;
    if (pair < 0 || time === 0) continue;
    const bar = frameOf[frame] ?? 0;
    frames[bar] = (frames[bar] ?? 0) + 1;
    if (isOutermost[frame] === 1) totals[pair] = (totals[pair] ?? 0) + time;
    categories.set(pair, categoryOfFrame(frame, plain.tree));
  }
  const inBars = [...categories].map(([pair, category]) => ({
    bar: pairs.firstOf(pair),
    name: owners.names[pairs.secondOf(pair)] ?? '',
    totalUs: microseconds(totals[pair] ?? 0),
    category,
  }));
  return { frames, ownersOf: groupBy(inBars, ({ bar }) => bar) };
}

/** Most owners that one bar tells. */
const mostOwners = 8;

/** What a bar stands for: so many frames, of these owners. */
export function barFacts(
  frame: number,
  view: Omit<FlameView, 'tiers'>,
  owners: Owners,
  bar: { readonly frames: number; readonly owners: readonly OwnerInBar[] },
): FoldFacts {
  const inside = bar.owners.toSorted((a, b) => b.totalUs - a.totalUs);
  const outermost = owners.names[(view.tree.functionId[frame] ?? 0) - owners.firstBar] ?? '';
  const code = inside.filter(({ category, name }) => name === outermost || !within.has(category));
  return {
    name: nameOf([...code.filter(({ name }) => name === outermost), ...code.filter(({ name }) => name !== outermost)]),
    category: categoryOfFrame(frame, view.tree),
    folded: {
      type: 'others',
      frames: bar.frames,
      owners: inside.slice(0, mostOwners).map(({ name, totalUs }) => ({ name, totalUs })),
    },
  };
}

/** A name such as `Node.js · express · router · +5`. */
function nameOf(owners: readonly { readonly name: string }[]): string {
  const more = owners.length > mostNames ? [`+${owners.length - mostNames}`] : [];
  return [...owners.slice(0, mostNames).map(({ name }) => name), ...more].join(' · ');
}

const mostNames = 3;

/** Kinds that stand inside of the code of others, and do not name it. */
const within: ReadonlySet<FrameCategory> = new Set(['native', 'gc', 'program']);
