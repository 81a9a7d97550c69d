import { type FlameFrame, type FoldedOwner, type FrameCategory, frameCategories } from '../../protocol/flame.ts';
import { microseconds } from '../../protocol/units.ts';
import { firstDifference } from '../../engine/basics/lists.ts';
import { once } from '../../engine/basics/once.ts';
import type { FlameView, GraphView } from './flame-view.ts';
import { ownerOf, type Owners } from './fold-tree.ts';
import { categoryOfFrame } from './frame-facts.ts';
import { walkBelow } from './flame-tree.ts';

/** How a frame is folded. A bar, which has no function, also has `name` and `category`. */
export type FoldFacts = Pick<FlameFrame, 'folded' | 'unfolded'> & Partial<Pick<FlameFrame, 'name' | 'category'>>;

/** Gives how each frame of a view is folded. It counts a bar only when called for that bar. */
export function foldFactsOf(view: GraphView, owners: Owners, prefix = ''): (frame: number) => FoldFacts {
  const counter = once(() => barCounter(view, owners));
  return (frame) => {
    const run = view.unfolded[frame] ?? -1;
    const unfolded = run < 0 ? {} : { unfolded: `${prefix}${run}` };
    if (frame === view.outside) return outsideFacts(view, owners);
    if (isBar(frame, view, owners)) return { ...unfolded, ...barFacts(frame, view, owners, counter()(frame)) };
    const levels = view.levels[frame] ?? 1;
    return levels > 1 ? { ...unfolded, folded: { type: 'recursion', levels } } : unfolded;
  };
}

/** Whether a frame of a folded tree is a bar. */
export function isBar(frame: number, { tree }: Pick<FlameView, 'tree'>, { firstBar }: Owners): boolean {
  return (tree.functionId[frame] ?? -1) >= firstBar;
}

/** The number of frames in one bar, and the time of each owner, the longest first. */
interface Bar {
  readonly frames: number;
  readonly owners: readonly OwnerInBar[];
}

export type OwnerInBar = FoldedOwner & { readonly category: FrameCategory };

/** Gives what is in a bar. It counts each bar when called: only some of the bars of a large graph are visible. */
function barCounter(view: GraphView, owners: Owners): (bar: number) => Bar {
  const { tree, total } = view.plain;
  const outer = outerFrames(view);
  /** Number of calls of each owner around the current frame: only the outermost ones add time. */
  const around = new Int32Array(owners.names.length);
  return (bar) => {
    const found = new Map<number, { readonly category: FrameCategory; us: number }>();
    let frames = 0;
    const enter = (frame: number): boolean => {
      if (view.isInBar[frame] !== 1 || (total[frame] ?? 0) <= 0) return false;
      frames += 1;
      const owner = ownerOf(frame, tree, owners);
      const one = found.get(owner) ?? { category: categoryOfFrame(frame, tree), us: 0 };
      found.set(owner, one);
      if (around[owner] === 0) one.us += total[frame] ?? 0;
      around[owner] = (around[owner] ?? 0) + 1;
      return true;
    };
    const leave = (frame: number): void => {
      const owner = ownerOf(frame, tree, owners);
      around[owner] = (around[owner] ?? 0) - 1;
    };
    for (let one = outer.first[bar] ?? -1; one >= 0; one = outer.next[one] ?? -1) walkBelow(tree, one, enter, leave);
    const inside = [...found].toSorted(([a, one], [b, other]) => firstDifference(other.us - one.us, a - b));
    const ownerIn = ([owner, { category, us }]: (typeof inside)[number]): OwnerInBar => {
      return { name: owners.names[owner] ?? '', totalUs: microseconds(us), category };
    };
    return { frames, owners: inside.map(ownerIn) };
  };
}

/** The frames of the merged tree in each bar whose caller is not in it: the first one, and the next in the same bar. */
function outerFrames({ tree, frameOf, isInBar, plain }: GraphView): {
  readonly first: Int32Array;
  readonly next: Int32Array;
} {
  const first = new Int32Array(tree.size).fill(-1);
  const next = new Int32Array(plain.tree.size).fill(-1);
  for (let frame = plain.tree.size - 1; frame > 0; frame -= 1) {
    if (isInBar[frame] !== 1 || isInBar[plain.tree.parent[frame] ?? 0] === 1) continue;
    const bar = frameOf[frame] ?? 0;
    next[frame] = first[bar] ?? -1;
    first[bar] = frame;
  }
  return { first, next };
}

/** The facts about a bar with these owners, the longest first. */
export function barFacts(frame: number, view: GraphView, owners: Owners, { frames, owners: inside }: Bar): FoldFacts {
  const outermost = owners.names[(view.tree.functionId[frame] ?? 0) - owners.firstBar] ?? '';
  const code = inside.filter(({ category, name }) => name === outermost || !within.has(category));
  return {
    name: nameOf([...code.filter(({ name }) => name === outermost), ...code.filter(({ name }) => name !== outermost)]),
    category: categoryOfFrame(frame, view.tree),
    folded: { type: 'others', frames, owners: firstOf(inside) },
  };
}

/** The facts about the frame beside own code. Owners have self time: their callees are also in this frame, or elsewhere. */
function outsideFacts(view: GraphView, owners: Owners): FoldFacts {
  const { frameOf, outside, plain } = view;
  const times = new Float64Array(owners.names.length);
  let frames = 0;
  for (let frame = 1; frame < frameOf.length; frame += 1) {
    if (frameOf[frame] !== outside || (plain.total[frame] ?? 0) === 0) continue;
    const owner = ownerOf(frame, plain.tree, owners);
    times[owner] = (times[owner] ?? 0) + (plain.self[frame] ?? 0);
    frames += 1;
  }
  const found = [...times.entries()]
    .filter(([, us]) => us > 0)
    .toSorted(([a, one], [b, other]) => firstDifference(other - one, a - b))
    .map(([owner, us]) => ({ owner, name: owners.names[owner] ?? '', totalUs: microseconds(us) }));
  const code = found.filter(({ owner }) => !within.has(frameCategories[owner] ?? 'own'));
  return {
    name: nameOf(code.length > 0 ? code : found),
    category: code.length > 0 ? 'runner' : 'program',
    folded: { type: 'outside', frames, owners: firstOf(found) },
  };
}

/** The first eight owners of a bar. */
function firstOf(owners: readonly FoldedOwner[]): readonly FoldedOwner[] {
  return owners.slice(0, 8).map(({ name, totalUs }) => ({ name, totalUs }));
}

/** A name such as `Node.js · express · router · +5`. */
function nameOf(owners: readonly { readonly name: string }[]): string {
  const more = owners.length > MAX_NAMES ? [`+${owners.length - MAX_NAMES}`] : [];
  return [...owners.slice(0, MAX_NAMES).map(({ name }) => name), ...more].join(' · ');
}

const MAX_NAMES = 3;

/** Categories inside of the code of others, which do not name it. */
const within: ReadonlySet<FrameCategory> = new Set(['native', 'gc', 'program']);
