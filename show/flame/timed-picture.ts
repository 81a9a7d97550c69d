import type { FlameFrame, FrameTiers } from '../../protocol/flame.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { byTier, type V8Tier } from '../../protocol/v8-tiers.ts';
import { tiers, tierNumbers } from '../../engine/read/samples/tiered-samples.ts';
import { type FlamePicture, type FlameView, framesBelow, totals } from './flame-view.ts';
import { barFacts, foldFactsOf, isBar, type OwnerInBar } from './fold-facts.ts';
import { type Owners, ownerOf } from './fold-tree.ts';
import { answeredTiers, categoryOfFrame, factsOf } from './frame-facts.ts';
import { type FlameTree, frameRun, unknownRun } from './frame-run.ts';
import type { Analysis } from '../../engine/analysis.ts';
import type { MergedTree } from './flame-tree.ts';

/** The picture of one operation in time order. `folded` is the view of that operation, `zoom` the id of an interval. */
export function timedPicture(
  analysis: Analysis,
  folded: FlameView,
  about: {
    readonly number: number;
    readonly owners: Owners;
    readonly merged: MergedTree;
    readonly isTiered: boolean;
  },
  zoom: string | undefined,
): FlamePicture {
  const { owners, merged } = about;
  const timed = timedFrames(analysis, merged, folded, about);
  const isTiered = about.isTiered && folded.tiers !== null;
  const zoomed = intervalOfId(zoom, timed, folded);
  const foldFacts = foldFactsOf(folded, owners);
  const frameOf = (number: number): number => timed.intervals[number]?.frame ?? 0;
  return {
    ...{ view: timed.view, zoomed, functions: analysis.functions.functions, prefix: '', isInTime: true },
    idOf: (number) => idOf(number, timed),
    factsOf: (number) => {
      const frame = frameOf(number);
      const isPlain = number === 0 || isBar(frame, folded, owners);
      return {
        ...factsOf(frame, folded.tree, analysis),
        ...(isTiered && !isPlain ? { tiers: timedTiers(number, timed, folded.tree) } : {}),
        ...foldFacts(frame),
        ...(number === 0 ? {} : { foldId: String(folded.ids[frame] ?? 0) }),
        ...timedFacts(number, timed, folded, { owners, merged }),
      };
    },
    about: (shown) => {
      if (!about.isTiered) return {};
      const answered = answeredTiers(analysis, { view: folded, zoomed: 0 }, shown.map(frameOf));
      return {
        tiers: answered.type === 'recorded' ? { ...answered, selfByTier: selfByTier(timed, zoomed) } : answered,
      };
    },
  };
}

/** The facts about an interval that its frame does not have. */
function timedFacts(
  number: number,
  { intervals }: TimedFrames,
  folded: FlameView,
  { owners, merged }: { readonly owners: Owners; readonly merged: FlameTree },
): Partial<FlameFrame> {
  const { frame = 0, start: startUs = 0, bar = null } = intervals[number] ?? {};
  const start = { startUs: microseconds(startUs) };
  if (!isBar(frame, folded, owners) || bar === null) return start;
  const inside = [...bar.owners]
    .map(([owner, { us, frame: first }]): OwnerInBar => {
      const category = categoryOfFrame(first, merged);
      return { name: owners.names[owner] ?? '', totalUs: microseconds(us), category };
    })
    .toSorted((a, b) => b.totalUs - a.totalUs);
  return { ...start, ...barFacts(frame, folded, owners, { frames: bar.inside.size, owners: inside }) };
}

/** How the code of an interval ran: all of it in one tier. */
function timedTiers(number: number, { intervals, view: { total } }: TimedFrames, tree: FlameTree): FrameTiers {
  const { tier, inlined, osr } = frameRun(tree.run[intervals[number]?.frame ?? 0] ?? unknownRun);
  const whole = microseconds(total[number] ?? 0);
  const none = microseconds(0);
  return {
    ...byTier((name) => (tiers[tier] === name ? whole : none)),
    inlined: inlined ? whole : none,
    osr: osr ? whole : none,
  };
}

/** Time in the zoomed interval by the tier that it counts for. */
function selfByTier(timed: TimedFrames, zoomed: number): Readonly<Record<V8Tier, Microseconds>> {
  const { tree, frameOf, plain } = timed.view;
  const isBelow = framesBelow(tree, zoomed);
  const sums = new Map<V8Tier | undefined, number>();
  for (const [entry, us] of plain.self.entries()) {
    const tier = tiers[timed.tiers[entry] ?? -1];
    if (isBelow[frameOf[entry] ?? 0] === 1) sums.set(tier, (sums.get(tier) ?? 0) + us);
  }
  return byTier((tier) => microseconds(sums.get(tier) ?? 0));
}

/**
 * The id of an interval: its first sample and its frame, such as `-12.7`, which is not an id of the graph. However frames are
 * folded, it means the same interval, or the one that this is folded into.
 */
function idOf(number: number, { intervals, view: { ids } }: TimedFrames): string {
  return number === 0 ? '' : `-${intervals[number]?.sample ?? 0}.${ids[number] ?? 0}`;
}

/** Number of an interval by its id: the last one of its frame that has begun by then; 0, the whole, without one. */
function intervalOfId(id: string | undefined, { intervals, view: { total } }: TimedFrames, folded: FlameView): number {
  const [, sample, frame] = /^-(\d+)\.(\d+)$/.exec(id ?? '') ?? [];
  const wanted = folded.frameOf[Number(frame)] ?? 0;
  if (sample === undefined || wanted === 0) return 0;
  const found = intervals.findLastIndex((one) => one.frame === wanted && one.sample <= Number(sample));
  return (total[found] ?? 0) > 0 ? found : 0;
}

/** One operation in time order: callers come before callees, and then the earlier interval. */
type TimedFrames = ReturnType<typeof timedFrames>;

/** `folded` is the view of the operation. */
function timedFrames(
  { operations, bridged }: Analysis,
  merged: MergedTree,
  folded: FlameView,
  { number, owners }: { readonly number: number; readonly owners: Owners },
) {
  const intervals = new Intervals(merged, folded, owners);
  const operation = operations[number];
  const weights = bridged[operation?.stream ?? -1]?.weights;
  if (operation === undefined || weights === undefined) return intervals.finished();
  const { frames, tiers } = merged.streams[operation.stream] ?? {};
  for (let sample = operation.firstSample; sample < operation.lastSample; sample += 1) {
    const us = weights.at(sample);
    intervals.add(frames?.[sample] ?? -1, us, tiers?.[sample] ?? tierNumbers.unknown);
  }
  return intervals.finished();
}

/** A frame of consecutive samples with the same callers. */
interface Interval {
  /** Number of the caller's interval; −1 for the root. */
  readonly caller: number;
  /** Frame of the folded tree. */
  readonly frame: number;
  /** Its first sample, from 0 in the operation. */
  readonly sample: number;
  /** Held time of the operation before it, in µs. */
  readonly start: number;
  /** Self time in µs. */
  self: number;
  /** What a folded bar represents; null for other frames. */
  bar: TimedBar | null;
}

interface TimedBar {
  /** Frames of the merged tree. */
  readonly inside: Set<number>;
  /** By number of the owner: its time, and a frame of it in the merged tree. */
  readonly owners: Map<number, { us: number; readonly frame: number }>;
}

/** The intervals of an operation, sample by sample. */
class Intervals {
  readonly #merged: FlameTree;
  readonly #folded: FlameView;
  readonly #owners: Owners;
  readonly #all: Interval[] = [{ caller: -1, frame: 0, sample: 0, start: 0, self: 0, bar: null }];
  /** Innermost frames of the merged tree, with their time and their interval. */
  readonly #inner: { us: number; readonly frame: number; readonly tier: number; readonly interval: number }[] = [];
  /** The intervals of the last stack, from the root inwards. */
  #open: readonly number[] = [0];
  #time = 0;
  #sample = -1;

  constructor(merged: FlameTree, folded: FlameView, owners: Owners) {
    this.#merged = merged;
    this.#folded = folded;
    this.#owners = owners;
  }

  /** Adds a sample whose innermost frame of the merged tree is `frame`; −1 while the loop waited. */
  add(frame: number, us: number, tier: number): void {
    this.#sample += 1;
    if (us === 0) return;
    const stack = this.#stackOf(this.#folded.frameOf[Math.max(0, frame)] ?? 0);
    const changed = stack.findIndex((one, level) => this.#all[this.#open[level] ?? -1]?.frame !== one);
    const opened = this.#open.slice(0, changed === -1 ? stack.length : changed);
    for (const one of stack.slice(opened.length)) {
      const begun = { frame: one, sample: this.#sample, start: this.#time, self: 0, bar: null };
      opened.push(this.#all.push({ caller: opened.at(-1) ?? 0, ...begun }) - 1);
    }
    this.#open = opened;
    const interval = opened.at(-1) ?? 0;
    const innermost = this.#all[interval];
    if (innermost !== undefined) innermost.self += us;
    this.#noteInner({ frame, tier, interval, us });
    this.#noteBars(frame, us);
    this.#time += us;
  }

  /** `tiers`: by entry of `view.plain`, indexes into `tiers`. */
  finished() {
    const { tree, ids, unfolded, levels } = this.#folded;
    const frames = Int32Array.from(this.#all, ({ frame }) => frame);
    const timed = {
      size: frames.length,
      parent: Int32Array.from(this.#all, ({ caller }) => caller),
      functionId: frames.map((frame) => tree.functionId[frame] ?? -1),
      category: Uint8Array.from(frames, (frame) => tree.category[frame] ?? 0),
      run: Uint8Array.from(frames, (frame) => tree.run[frame] ?? unknownRun),
    };
    const self = Float64Array.from(this.#all, (interval) => interval.self);
    const view = {
      tree: timed,
      ids: frames.map((frame) => ids[frame] ?? 0),
      isInBar: new Uint8Array(this.#inner.length),
      outside: -1,
      unfolded: frames.map((frame) => unfolded[frame] ?? -1),
      levels: frames.map((frame) => levels[frame] ?? 1),
      ...{ self, total: totals(timed, self), ...this.#plain() },
    };
    return { view, intervals: this.#all, tiers: Uint8Array.from(this.#inner, ({ tier }) => tier) };
  }

  /** The innermost frames, each with its own kind of code: folding moves no time between kinds. */
  #plain(): Pick<FlameView, 'frameOf' | 'plain'> {
    const none = Int32Array.from(this.#inner, () => -1);
    const category = Uint8Array.from(this.#inner, ({ frame }) => this.#merged.category[frame] ?? 0);
    const run = new Uint8Array(this.#inner.length);
    const self = Float64Array.from(this.#inner, ({ us }) => us);
    const tree = { size: this.#inner.length, parent: none, functionId: none, category, run };
    return { frameOf: Int32Array.from(this.#inner, ({ interval }) => interval), plain: { tree, self, total: self } };
  }

  #stackOf(frame: number): readonly number[] {
    const stack: number[] = [];
    for (let one = frame; one > 0; one = this.#folded.tree.parent[one] ?? 0) stack.push(one);
    return [0, ...stack.toReversed()];
  }

  #noteInner(inner: { us: number; readonly frame: number; readonly tier: number; readonly interval: number }): void {
    const last = this.#inner.at(-1);
    if (inner.frame < 0) return;
    const isSame = last?.frame === inner.frame && last.interval === inner.interval && last.tier === inner.tier;
    if (isSame) last.us += inner.us;
    else this.#inner.push(inner);
  }

  /** Notes what is in the folded bars of a stack. An owner counts once for a sample. */
  #noteBars(innermost: number, us: number): void {
    const { frameOf, isInBar } = this.#folded;
    const intervalOf = new Map(this.#open.map((number) => [this.#all[number]?.frame ?? 0, this.#all[number]]));
    const seen = new Set<string>();
    for (let frame = innermost; frame > 0; frame = this.#merged.parent[frame] ?? 0) {
      const bar = frameOf[frame] ?? 0;
      const interval = isInBar[frame] === 1 ? intervalOf.get(bar) : undefined;
      if (interval === undefined) continue;
      interval.bar ??= { inside: new Set(), owners: new Map() };
      interval.bar.inside.add(frame);
      const owner = ownerOf(frame, this.#merged, this.#owners);
      if (seen.has(`${bar} ${owner}`)) continue;
      seen.add(`${bar} ${owner}`);
      interval.bar.owners.set(owner, { us: (interval.bar.owners.get(owner)?.us ?? 0) + us, frame });
    }
  }
}
