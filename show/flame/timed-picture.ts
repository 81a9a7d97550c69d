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
import { weightIn } from '../../engine/cut/operations/operation.ts';
import type { MergedTree } from './flame-tree.ts';

/** The picture of one operation in time order. `folded` is the view of that operation, `zoom` the id of a stretch. */
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
  const zoomed = stretchOfId(zoom, timed, folded);
  const foldFacts = foldFactsOf(folded, owners);
  const frameOf = (stretch: number): number => timed.frames[stretch] ?? 0;
  return {
    ...{ view: timed.view, zoomed, functions: analysis.functions.functions, prefix: '', isInTime: true },
    idOf: (stretch) => idOf(stretch, timed),
    factsOf: (stretch) => {
      const frame = frameOf(stretch);
      const isPlain = stretch === 0 || isBar(frame, folded, owners);
      return {
        ...factsOf(frame, folded.tree, analysis),
        ...(isTiered && !isPlain ? { tiers: timedTiers(stretch, timed, folded.tree) } : {}),
        ...foldFacts(frame),
        ...(stretch === 0 ? {} : { foldId: String(folded.ids[frame] ?? 0) }),
        ...timedFacts(stretch, timed, folded, { owners, merged }),
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

/** What is to be said of a stretch besides what is said of its frame. */
function timedFacts(
  stretch: number,
  timed: TimedFrames,
  folded: FlameView,
  { owners, merged }: { readonly owners: Owners; readonly merged: FlameTree },
): Partial<FlameFrame> {
  const frame = timed.frames[stretch] ?? 0;
  const start = { startUs: microseconds(timed.starts[stretch] ?? 0) };
  const known = timed.bars.get(stretch);
  if (!isBar(frame, folded, owners) || known === undefined) return start;
  const inside = [...known.owners]
    .map(([owner, { us, frame: first }]): OwnerInBar => {
      const category = categoryOfFrame(first, merged);
      return { name: owners.names[owner] ?? '', totalUs: microseconds(us), category };
    })
    .toSorted((a, b) => b.totalUs - a.totalUs);
  return { ...start, ...barFacts(frame, folded, owners, { frames: known.inside.size, owners: inside }) };
}

/** How a stretch ran: a frame of the tree has one tier. */
function timedTiers(stretch: number, { frames, view: { total } }: TimedFrames, tree: FlameTree): FrameTiers {
  const { tier, inlined, osr } = frameRun(tree.run[frames[stretch] ?? 0] ?? unknownRun);
  const whole = microseconds(total[stretch] ?? 0);
  const none = microseconds(0);
  return {
    ...byTier((name) => (tiers[tier] === name ? whole : none)),
    inlined: inlined ? whole : none,
    osr: osr ? whole : none,
  };
}

/** Time in a stretch by the tier that it counts for. */
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
 * The id of a stretch: its first sample and its frame, such as `-12.7`. It is the same stretch however frames are folded,
 * or the one that it is folded into, and no id of the graph.
 */
function idOf(stretch: number, { samples, view: { ids } }: TimedFrames): string {
  return stretch === 0 ? '' : `-${samples[stretch] ?? 0}.${ids[stretch] ?? 0}`;
}

/** Number of a stretch by its id: the last one of its frame that has begun by then. 0, all of it, where there is none. */
function stretchOfId(
  id: string | undefined,
  { frames, samples, view: { total } }: TimedFrames,
  folded: FlameView,
): number {
  const [, sample, frame] = /^-(\d+)\.(\d+)$/.exec(id ?? '') ?? [];
  const wanted = folded.frameOf[Number(frame)] ?? 0;
  if (sample === undefined || wanted === 0) return 0;
  const stretch = frames.findLastIndex((one, index) => one === wanted && (samples[index] ?? 0) <= Number(sample));
  return (total[stretch] ?? 0) > 0 ? stretch : 0;
}

/**
 * One operation in time order: a stretch for each call, and equal stacks of samples that follow each other are one.
 * Stretches have numbers in the order in which they begin, callers before what they call.
 */
export interface TimedFrames {
  readonly view: Omit<FlameView, 'tiers'>;
  /** Frame of the folded tree, by stretch. */
  readonly frames: Int32Array;
  /** The sample of the operation with which each stretch begins, from 0 on. */
  readonly samples: Int32Array;
  /** Held time of the operation up to the beginning of each stretch, in µs. */
  readonly starts: Float64Array;
  /** What the folded bars stand for, by stretch. */
  readonly bars: ReadonlyMap<number, TimedBar>;
  /** The tiers that times count for, by entry of `view.plain`: indexes into `tiers`. */
  readonly tiers: Uint8Array;
}

interface TimedBar {
  readonly inside: Set<number>;
  /** Time by number of the owner, and its first frame. */
  readonly owners: Map<number, { us: number; readonly frame: number }>;
}

/** `folded` is the view of the operation. */
function timedFrames(
  { operations, bridged }: Pick<Analysis, 'operations' | 'bridged'>,
  merged: MergedTree,
  folded: FlameView,
  { number, owners }: { readonly number: number; readonly owners: Owners },
): TimedFrames {
  const growing = new Stretches(merged, folded, owners);
  const operation = operations[number];
  const weights = bridged[operation?.stream ?? -1]?.weights;
  if (operation === undefined || weights === undefined) return growing.finished();
  const { frames, tiers } = merged.streams[operation.stream] ?? {};
  for (let sample = operation.firstSample; sample < operation.lastSample; sample += 1) {
    const us = Math.max(0, weightIn(operation, sample, weights));
    growing.add(frames?.[sample] ?? -1, us, tiers?.[sample] ?? tierNumbers.unknown);
  }
  return growing.finished();
}

/** The stretches of an operation, sample by sample. */
class Stretches {
  readonly #merged: FlameTree;
  readonly #folded: FlameView;
  readonly #owners: Owners;
  readonly #parents: number[] = [-1];
  readonly #frames: number[] = [0];
  readonly #starts: number[] = [0];
  readonly #samples: number[] = [0];
  readonly #self: number[] = [0];
  readonly #bars = new Map<number, TimedBar>();
  /** Innermost frames of the merged tree, with their time and their stretch. */
  readonly #inner: { us: number; readonly frame: number; readonly tier: number; readonly stretch: number }[] = [];
  /** The stretches that are open, from the root inwards. */
  #open: readonly number[] = [0];
  #time = 0;
  #sample = -1;

  constructor(merged: FlameTree, folded: FlameView, owners: Owners) {
    this.#merged = merged;
    this.#folded = folded;
    this.#owners = owners;
  }

  /** A sample whose innermost frame of the merged tree is `frame`; −1: the loop waited. */
  add(frame: number, us: number, tier: number): void {
    this.#sample += 1;
    if (us === 0) return;
    const way = this.#wayTo(this.#folded.frameOf[Math.max(0, frame)] ?? 0);
    const same = way.findIndex((one, level) => this.#frames[this.#open[level] ?? -1] !== one);
    const kept = this.#open.slice(0, same === -1 ? way.length : same);
    const opened = [...kept];
    for (const one of way.slice(kept.length)) opened.push(this.#begin(opened.at(-1) ?? 0, one));
    this.#open = opened;
    const inner = opened.at(-1) ?? 0;
    this.#self[inner] = (this.#self[inner] ?? 0) + us;
    this.#noteInner({ frame, tier, stretch: inner }, us);
    this.#noteBars(frame, us);
    this.#time += us;
  }

  finished(): TimedFrames {
    const frames = Int32Array.from(this.#frames);
    const { tree, ids, unfolded, levels } = this.#folded;
    const runs = {
      size: frames.length,
      parent: Int32Array.from(this.#parents),
      functionId: frames.map((frame) => tree.functionId[frame] ?? -1),
      category: Uint8Array.from(frames, (frame) => tree.category[frame] ?? 0),
      run: Uint8Array.from(frames, (frame) => tree.run[frame] ?? unknownRun),
    };
    const self = Float64Array.from(this.#self);
    const view = {
      tree: runs,
      ids: frames.map((frame) => ids[frame] ?? 0),
      isInBar: new Uint8Array(this.#inner.length),
      outside: -1,
      unfolded: frames.map((frame) => unfolded[frame] ?? -1),
      levels: frames.map((frame) => levels[frame] ?? 1),
      ...{ self, total: totals(runs, self), ...this.#plain() },
    };
    const tiers = Uint8Array.from(this.#inner, ({ tier }) => tier);
    const samples = Int32Array.from(this.#samples);
    return { view, frames, samples, starts: Float64Array.from(this.#starts), bars: this.#bars, tiers };
  }

  /** The innermost frames, each with its own kind of code: folding moves no time between kinds. */
  #plain(): Pick<FlameView, 'frameOf' | 'plain'> {
    const none = Int32Array.from(this.#inner, () => -1);
    const category = Uint8Array.from(this.#inner, ({ frame }) => this.#merged.category[frame] ?? 0);
    const run = new Uint8Array(this.#inner.length);
    const self = Float64Array.from(this.#inner, ({ us }) => us);
    const tree = { size: this.#inner.length, parent: none, functionId: none, category, run };
    return { frameOf: Int32Array.from(this.#inner, ({ stretch }) => stretch), plain: { tree, self, total: self } };
  }

  #begin(caller: number, frame: number): number {
    this.#parents.push(caller);
    this.#frames.push(frame);
    this.#self.push(0);
    this.#samples.push(this.#sample);
    return this.#starts.push(this.#time) - 1;
  }

  #wayTo(frame: number): readonly number[] {
    const way: number[] = [];
    for (let one = frame; one > 0; one = this.#folded.tree.parent[one] ?? 0) way.push(one);
    way.push(0);
    return way.toReversed();
  }

  #noteInner(inner: { readonly frame: number; readonly tier: number; readonly stretch: number }, us: number): void {
    const last = this.#inner.at(-1);
    if (inner.frame < 0) return;
    const isSame = last?.frame === inner.frame && last.stretch === inner.stretch && last.tier === inner.tier;
    if (isSame) last.us += us;
    else this.#inner.push({ ...inner, us });
  }

  /** Notes what is in the folded bars of a stack. An owner counts once for a sample. */
  #noteBars(innermost: number, us: number): void {
    const { frameOf, isInBar } = this.#folded;
    const stretchOf = new Map(this.#open.map((stretch) => [this.#frames[stretch] ?? 0, stretch]));
    const seen = new Set<string>();
    for (let frame = innermost; frame > 0; frame = this.#merged.parent[frame] ?? 0) {
      const stretch = isInBar[frame] === 1 ? stretchOf.get(frameOf[frame] ?? 0) : undefined;
      if (stretch === undefined) continue;
      const bar: TimedBar = this.#bars.get(stretch) ?? { inside: new Set(), owners: new Map() };
      this.#bars.set(stretch, bar);
      bar.inside.add(frame);
      const owner = ownerOf(frame, this.#merged, this.#owners);
      const key = `${stretch} ${owner}`;
      if (seen.has(key)) continue;
      seen.add(key);
      bar.owners.set(owner, { us: (bar.owners.get(owner)?.us ?? 0) + us, frame });
    }
  }
}
