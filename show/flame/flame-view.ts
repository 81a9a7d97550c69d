import type { FlameAnswer, FlameFrame } from '../../protocol/flame.ts';
import type { Analysis } from '../../engine/analysis.ts';
import type { OrderedFunction } from '../../engine/read/functions/function-table.ts';
import { ListedWeights, noWeights, type Weights } from '../../engine/read/samples/weights.ts';
import type { RunPart } from '../../protocol/time.ts';
import { weightsIn } from './part-of-run.ts';
import { tierNumbers, tiers } from '../../engine/read/samples/tiered-samples.ts';
import type { MergedTree } from './flame-tree.ts';
import { type FoldedTree, foldTree, type FoldOptions } from './fold-tree.ts';
import { frameRun, unknownRun, type FlameTree } from './frame-run.ts';

/** What a flamegraph shows: one operation or all samples, with folded frames. */
export interface GraphView extends FoldedTree {
  /** Self time in µs, by frame. */
  readonly self: Float64Array;
  readonly total: Float64Array;
  /** The same before folding. */
  readonly plain: PlainTimes;
}

export interface FlameView extends GraphView {
  /** Times by tier; null where no isolate has tiers. */
  readonly tiers: ViewTiers | null;
}

/** The merged tree with its times in µs, of one operation or all samples. */
export interface PlainTimes {
  readonly tree: FlameTree;
  readonly self: Float64Array;
  readonly total: Float64Array;
}

export interface ViewTiers {
  /** Self time in µs by the tier that it counts for, as in the figures, at `frame * tiers.length + tier`. */
  readonly self: Float64Array;
  /** Total time in µs by how the frame's own code ran, at `frame * runColumns.length + column`. */
  readonly ran: Float64Array;
}

/** Columns of times: the tiers, and what code of any tier may be. */
export const runColumns = [...tiers, 'inlined', 'osr'] as const;

/** Times in the merged tree, however frames are folded. */
export interface ViewTimes {
  readonly plain: PlainTimes;
  /** Self time by the tier that it counts for, at `frame * tiers.length + tier`; null where no isolate has tiers. */
  readonly byTier: Float64Array | null;
}

/** `operation`: its number in the report, or null for all samples in `part`, or null for the whole run. */
export function timesOf(
  analysis: Analysis,
  merged: MergedTree,
  { operation, part }: { readonly operation: number | null; readonly part: RunPart | null },
): ViewTimes {
  const weights = operation === null ? weightsIn(analysis, part) : weightsOfOperation(analysis, operation);
  const self = new Float64Array(merged.size);
  const byTier = createSums(hasTiers(merged) ? merged.size * tiers.length : 0);
  for (const [index, { frames, tiers: ran }] of merged.streams.entries()) {
    weights[index]?.addTo(self, frames);
    const length = hasTiers(merged) ? frames.length : 0;
    for (let sample = 0; sample < length; sample += 1) {
      const tier = ran?.[sample] ?? tierNumbers.unknown;
      byTier.add((frames[sample] ?? -1) * tiers.length + tier, weights[index]?.at(sample) ?? 0);
    }
  }
  const plain = { tree: merged, self, total: totals(merged, self) };
  return { plain, byTier: hasTiers(merged) ? byTier.values : null };
}

/** Times of the samples of an operation, by thread; none for a number without an operation. */
function weightsOfOperation({ operations, bridged }: Analysis, number: number): readonly Weights[] {
  const operation = operations[number];
  if (operation === undefined) return [];
  return bridged.map(({ weights }, stream) => {
    if (stream !== operation.stream) return noWeights;
    const times = new Float64Array(operation.lastSample);
    for (let sample = operation.firstSample; sample < operation.lastSample; sample += 1)
      times[sample] = weights.at(sample);
    return new ListedWeights(times);
  });
}

export function foldedOf(merged: MergedTree, options: FoldOptions): FoldedTree {
  const isPlain = options.fold === null && (options.isSplit || !hasTiers(merged));
  return isPlain ? unfolded(merged) : foldTree(merged, options);
}

export function viewOf({ plain, byTier }: ViewTimes, folded: FoldedTree): FlameView {
  const isSame = folded.tree === plain.tree;
  const self = isSame ? plain.self : selfIn(folded, plain.self);
  const view = { ...folded, self, total: isSame ? plain.total : totals(folded.tree, self), plain };
  return { ...view, tiers: byTier === null ? null : tiersOf(byTier, view) };
}

function hasTiers({ streams }: MergedTree): boolean {
  return streams.some((stream) => stream.tiers !== null);
}

function unfolded(tree: FlameTree): FoldedTree {
  const ids = new Int32Array(tree.size);
  for (let frame = 0; frame < tree.size; frame += 1) ids[frame] = frame;
  const none = { unfolded: new Int32Array(tree.size).fill(-1), levels: new Int32Array(tree.size).fill(1) };
  return { tree, ids, frameOf: ids, isInBar: new Uint8Array(tree.size), outside: -1, ...none };
}

/** Self times by frame of a folded tree, from those by frame of the merged tree. */
export function selfIn({ tree, frameOf }: FoldedTree, plain: Float64Array): Float64Array {
  const self = new Float64Array(tree.size);
  for (let frame = 0; frame < plain.length; frame += 1) {
    const place = frameOf[frame] ?? 0;
    self[place] = (self[place] ?? 0) + Math.max(0, plain[frame] ?? 0);
  }
  return self;
}

/** Times by tier. A merged frame has the times of each of its frames; a recursion has that of its outermost frame. */
function tiersOf(byTier: Float64Array, { tree, frameOf, isInBar, plain }: GraphView): ViewTiers {
  const self = createSums(tree.size * tiers.length);
  for (const [at, time] of byTier.entries()) {
    const frame = Math.floor(at / tiers.length);
    self.add((frameOf[frame] ?? 0) * tiers.length + (at % tiers.length), time);
  }
  const ran = createSums(tree.size * runColumns.length);
  for (const [frame, time] of plain.total.entries()) {
    const isAgain = frame > 0 && frameOf[plain.tree.parent[frame] ?? 0] === frameOf[frame];
    if (isInBar[frame] === 1 || isAgain || time === 0) continue;
    const { tier, inlined, osr } = frameRun(plain.tree.run[frame] ?? unknownRun);
    const first = (frameOf[frame] ?? 0) * runColumns.length;
    ran.add(first + tier, time);
    if (inlined) ran.add(first + runColumns.indexOf('inlined'), time);
    if (osr) ran.add(first + runColumns.indexOf('osr'), time);
  }
  return { self: self.values, ran: ran.values };
}

/** Total times. Callers come before callees, so one pass from the end adds up everything. */
export function totals({ size, parent }: FlameTree, self: Float64Array): Float64Array {
  const total = self.slice();
  for (let frame = size - 1; frame > 0; frame -= 1) {
    const above = parent[frame] ?? 0;
    total[above] = (total[above] ?? 0) + (total[frame] ?? 0);
  }
  return total;
}

/** Sums by index. Times without an index, and negative ones, do not count. */
function createSums(size: number) {
  const values = new Float64Array(size);
  return {
    values,
    add: (index: number, value: number): void => {
      if (index >= 0) values[index] = (values[index] ?? 0) + Math.max(0, value);
    },
  };
}

/** Marks the frames of a view that are `top` or below it with 1. */
export function framesBelow({ size, parent }: FlameTree, top: number): Uint8Array {
  const isBelow = new Uint8Array(size);
  isBelow[top] = 1;
  for (let frame = top + 1; frame < size; frame += 1) isBelow[frame] = isBelow[parent[frame] ?? 0] ?? 0;
  return isBelow;
}

/** Time in µs that a frame's width shows. The root is as wide as own code, if any: what is outside is drawn beside it. */
export function widthOf({ total, outside }: Pick<FlameView, 'total' | 'outside'>, frame: number): number {
  const time = total[frame] ?? 0;
  const inside = frame === 0 && outside >= 0 ? time - (total[outside] ?? 0) : time;
  return inside > 0 ? inside : time;
}

/** A view, its zoomed frame, and the facts about its frames. */
export interface FlamePicture {
  readonly view: GraphView;
  readonly zoomed: number;
  /** Prefix of ids; `''` in the graph of everything. */
  readonly prefix: string;
  /** Gives the ids of frames that are not numbers; `''` for the root. */
  readonly idOf?: (frame: number) => string;
  /** By id: they order frames of equal times. */
  readonly functions: readonly OrderedFunction[];
  /** True where callees are in the order of their numbers, not of their times. */
  readonly isInTime?: true;
  readonly factsOf: (frame: number) => DescribedFrame;
  readonly about: (frames: readonly number[]) => Pick<FlameAnswer, 'tiers' | 'diff' | 'chosen'>;
}

export type DescribedFrame = Omit<FlameFrame, 'id' | 'value' | 'selfUs' | 'hiddenUs' | 'children'>;
