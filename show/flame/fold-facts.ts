import { type FlameFrame, type FoldedOwner, type FrameCategory, frameCategories } from '../../protocol/flame.ts';
import { microseconds } from '../../protocol/units.ts';
import { firstDifference } from '../../engine/basics/lists.ts';
import type { FlameView } from './flame-view.ts';
import { ownerOf, type Owners } from './fold-tree.ts';
import { categoryOfFrame } from './frame-facts.ts';
import { calleesOf } from './flame-tree.ts';

/** How a frame is folded. A bar, which has no function, also has `name` and `category`. */
export type FoldFacts = Pick<FlameFrame, 'folded' | 'unfolded'> & Partial<Pick<FlameFrame, 'name' | 'category'>>;

/** Gives how each frame of a view is folded. It counts a bar only when called for that bar. */
export function foldFactsOf(view: Omit<FlameView, 'tiers'>, owners: Owners, prefix = ''): (frame: number) => FoldFacts {
  const known: { bars: BarCounter | null } = { bars: null };
  return (frame) => {
    const run = view.unfolded[frame] ?? -1;
    const unfolded = run < 0 ? {} : { unfolded: `${prefix}${run}` };
    if (frame === view.outside) return outsideFacts(view, owners);
    if (isBar(frame, view, owners)) {
      const counter = (known.bars ??= new BarCounter(view, owners));
      return { ...unfolded, ...barFacts(frame, view, owners, counter.count(frame)) };
    }
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

/** Counts bars one by one: only some of the bars of a large graph are visible. */
class BarCounter {
  readonly #view: Omit<FlameView, 'tiers'>;
  readonly #owners: Owners;
  /** The frames of the merged tree in each bar whose caller is not in it: the first one, and the next in the same bar. */
  readonly #outer: { readonly first: Int32Array; readonly next: Int32Array };
  /** By owner: its number of calls around the current frame, and its time. */
  readonly #around: Int32Array;
  readonly #times: Float64Array;

  constructor(view: Omit<FlameView, 'tiers'>, owners: Owners) {
    this.#view = view;
    this.#owners = owners;
    this.#outer = outerFrames(view);
    this.#around = new Int32Array(owners.names.length);
    this.#times = new Float64Array(owners.names.length);
  }

  count(bar: number): Bar {
    const { first, next } = this.#outer;
    const met = new Map<number, FrameCategory>();
    let frames = 0;
    for (let outer = first[bar] ?? -1; outer >= 0; outer = next[outer] ?? -1) frames += this.#addAll(outer, met);
    const owners = [...met].map(([owner, category]) => ({
      ...{ owner, category, name: this.#owners.names[owner] ?? '' },
      totalUs: microseconds(this.#times[owner] ?? 0),
    }));
    for (const owner of met.keys()) this.#times[owner] = 0;
    return {
      frames,
      owners: owners.toSorted((a, b) => firstDifference(b.totalUs - a.totalUs, a.owner - b.owner)),
    };
  }

  /** Counts a frame and its callees with any time in the same bar. Only the outermost calls of an owner add time. */
  #addAll(outer: number, met: Map<number, FrameCategory>): number {
    const { plain, isInBar } = this.#view;
    const { first, next } = calleesOf(plain.tree);
    const isCounted = (frame: number): boolean => isInBar[frame] === 1 && (plain.total[frame] ?? 0) > 0;
    if (!isCounted(outer)) return 0;
    let frames = 0;
    for (let frame = outer; frame >= 0;) {
      frames += 1;
      this.#enter(frame, met);
      let below = from(first[frame] ?? -1);
      for (let left = frame; below < 0; left = plain.tree.parent[left] ?? -1) {
        this.#leave(left);
        if (left === outer) break;
        below = from(next[left] ?? -1);
      }
      frame = below;
    }
    return frames;

    /** The first counted callee from this one on. */
    function from(callee: number): number {
      let frame = callee;
      while (frame >= 0 && !isCounted(frame)) frame = next[frame] ?? -1;
      return frame;
    }
  }

  #enter(frame: number, met: Map<number, FrameCategory>): void {
    const { tree, total } = this.#view.plain;
    const owner = ownerOf(frame, tree, this.#owners);
    if (!met.has(owner)) met.set(owner, categoryOfFrame(frame, tree));
    if (this.#around[owner] === 0) this.#times[owner] = (this.#times[owner] ?? 0) + (total[frame] ?? 0);
    this.#around[owner] = (this.#around[owner] ?? 0) + 1;
  }

  #leave(frame: number): void {
    const owner = ownerOf(frame, this.#view.plain.tree, this.#owners);
    this.#around[owner] = (this.#around[owner] ?? 0) - 1;
  }
}

function outerFrames({ tree, frameOf, isInBar, plain }: Omit<FlameView, 'tiers'>): {
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

/** Maximum number of owners of one bar. */
const MAX_OWNERS = 8;

/** The facts about a bar with these owners, the longest first. */
export function barFacts(
  frame: number,
  view: Omit<FlameView, 'tiers'>,
  owners: Owners,
  { frames, owners: inside }: Bar,
): FoldFacts {
  const outermost = owners.names[(view.tree.functionId[frame] ?? 0) - owners.firstBar] ?? '';
  const code = inside.filter(({ category, name }) => name === outermost || !within.has(category));
  return {
    name: nameOf([...code.filter(({ name }) => name === outermost), ...code.filter(({ name }) => name !== outermost)]),
    category: categoryOfFrame(frame, view.tree),
    folded: {
      type: 'others',
      frames,
      owners: inside.slice(0, MAX_OWNERS).map(({ name, totalUs }) => ({ name, totalUs })),
    },
  };
}

/** The facts about the frame beside own code. Owners have self time: their callees are also in this frame, or elsewhere. */
function outsideFacts(view: Omit<FlameView, 'tiers'>, owners: Owners): FoldFacts {
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
    folded: {
      type: 'outside',
      frames,
      owners: found.slice(0, MAX_OWNERS).map(({ name, totalUs }) => ({ name, totalUs })),
    },
  };
}

/** A name such as `Node.js · express · router · +5`. */
function nameOf(owners: readonly { readonly name: string }[]): string {
  const more = owners.length > MAX_NAMES ? [`+${owners.length - MAX_NAMES}`] : [];
  return [...owners.slice(0, MAX_NAMES).map(({ name }) => name), ...more].join(' · ');
}

const MAX_NAMES = 3;

/** Categories inside of the code of others, which do not name it. */
const within: ReadonlySet<FrameCategory> = new Set(['native', 'gc', 'program']);
