import type { FlameFrame, FrameTiers } from '../../protocol/flame.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { V8Tier } from '../../protocol/v8-tiers.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { tiers } from '../../engine/read/samples/tiered-samples.ts';
import type { MergedTree } from './flame-tree.ts';
import { type FlamePicture, type FlameView, framesBelow } from './flame-view.ts';
import { barFacts, foldFactsOf, isBar, type OwnerInBar } from './fold-facts.ts';
import type { Owners } from './fold-tree.ts';
import { answeredTiers, byTier, categoryOfFrame, factsOf } from './frame-facts.ts';
import { type FlameTree, frameRun, unknownRun } from './frame-run.ts';
import { type TimedFrames, timedFrames } from './timed-frames.ts';

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
