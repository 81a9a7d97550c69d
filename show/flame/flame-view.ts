import type { FlameAnswer, FlameFrame } from '../../protocol/flame.ts';
import type { Analysis } from '../../engine/analysis.ts';
import type { OrderedFunction } from '../../engine/read/functions/function-table.ts';
import { weightIn } from '../../engine/cut/operations/operation.ts';
import type { Weights } from '../../engine/read/samples/weights.ts';
import type { RunPart } from '../../protocol/time.ts';
import { weightsIn } from './part-of-run.ts';
import { tierNumbers, tiers } from '../../engine/read/samples/tiered-samples.ts';
import type { MergedStream, MergedTree } from './flame-tree.ts';
import { type FoldedTree, foldTree, type FoldOptions } from './fold-tree.ts';
import { frameRun, unknownRun, type FlameTree } from './frame-run.ts';

/** A flamegraph as it is looked at: of one operation or all samples, with folded frames. */
export interface FlameView extends FoldedTree {
  /** Self time in µs, by frame. */
  readonly self: Float64Array;
  readonly total: Float64Array;
  /** What the view was made of. */
  readonly plain: PlainTimes;
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

/** Columns of times: the tiers, and what can be true of code of any tier. */
export const runColumns = [...tiers, 'inlined', 'osr'] as const;

/** The times that are looked at, in the merged tree. They are the same however frames are folded. */
export interface ViewTimes {
  readonly plain: PlainTimes;
  /** Self time by the tier that it counts for, at `frame * tiers.length + tier`; null where no isolate has tiers. */
  readonly byTier: Float64Array | null;
}

/** Whose times are looked at. */
export interface TimesOf {
  /** Number of the operation in the report; null for all samples. */
  readonly operation: number | null;
  /** The part of the run that is looked at, where that is no operation; null for all of it. */
  readonly part: RunPart | null;
}

export function timesOf(analysis: Analysis, merged: MergedTree, { operation, part }: TimesOf): ViewTimes {
  const isTiered = hasTiers(merged);
  const { self, byTier } =
    operation === null ? timesIn(weightsIn(analysis, part), merged) : timesOfOperation(analysis, merged, operation);
  const plain = { tree: merged, self: self.values, total: totals(merged, self.values) };
  return { plain, byTier: isTiered ? byTier.values : null };
}

/** How frames are folded, whatever times they have. */
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

/** Times by tier. Frames that are merged keep what each of them ran; a recursion has the time of its outermost frame. */
function tiersOf(byTier: Float64Array, { tree, frameOf, isInBar, plain }: Omit<FlameView, 'tiers'>): ViewTiers {
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

/** Total times. Callers come before callees, so one pass from the end adds everything up. */
export function totals({ size, parent }: FlameTree, self: Float64Array): Float64Array {
  const total = self.slice();
  for (let frame = size - 1; frame > 0; frame -= 1) {
    const above = parent[frame] ?? 0;
    total[above] = (total[above] ?? 0) + (total[frame] ?? 0);
  }
  return total;
}

/**
 * Self times in µs by frame of the merged tree, and by the tier that they count for, at `frame * tiers.length + tier`.
 */
interface Times {
  readonly self: Sums;
  readonly byTier: Sums;
}

/** Times of all samples, whose weights are by thread. */
function timesIn(weightsOf: readonly Weights[], merged: MergedTree): Times {
  const sums = createTimes(merged);
  for (const [index, weights] of weightsOf.entries()) addAll(merged.streams[index], weights, sums);
  return sums;
}

function addAll(stream: MergedStream | undefined, weights: Weights, { self, byTier }: Times): void {
  if (stream === undefined) return;
  const { frames, tiers: ran } = stream;
  weights.addTo(self.values, frames);
  if (byTier.values.length === 0) return;
  for (let sample = 0; sample < frames.length; sample += 1) {
    const frame = frames[sample] ?? -1;
    if (frame >= 0) byTier.add(frame * tiers.length + (ran?.[sample] ?? tierNumbers.unknown), weights.at(sample));
  }
}

function timesOfOperation({ operations, bridged }: Analysis, merged: MergedTree, number: number): Times {
  const sums = createTimes(merged);
  const operation = operations[number];
  const weights = operation === undefined ? undefined : bridged[operation.stream]?.weights;
  if (operation === undefined || weights === undefined) return sums;
  const { stream, firstSample, lastSample } = operation;
  for (let sample = firstSample; sample < lastSample; sample += 1)
    addSample(merged.streams[stream], sample, weightIn(operation, sample, weights), sums);
  return sums;
}

function createTimes({ size, streams }: MergedTree): Times {
  const isTiered = streams.some((stream) => stream.tiers !== null);
  return { self: createSums(size), byTier: createSums(isTiered ? size * tiers.length : 0) };
}

function addSample(stream: MergedStream | undefined, sample: number, weight: number, { self, byTier }: Times): void {
  const frame = stream?.frames[sample] ?? -1;
  self.add(frame, weight);
  if (frame >= 0 && byTier.values.length > 0)
    byTier.add(frame * tiers.length + (stream?.tiers?.[sample] ?? tierNumbers.unknown), weight);
}

export interface Sums {
  readonly values: Float64Array;
  readonly add: (index: number, value: number) => void;
}

/** Makes sums. Times without an index, and negative ones, are not counted. */
export function createSums(size: number): Sums {
  const values = new Float64Array(size);
  return {
    values,
    add: (index, value) => {
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

/**
 * Time in µs that a frame's width stands for. What is outside of own code is drawn beside it, however long it took: the
 * root is as wide as own code, where there is any.
 */
export function widthOf({ total, outside }: Pick<FlameView, 'total' | 'outside'>, frame: number): number {
  const time = total[frame] ?? 0;
  const inside = frame === 0 && outside >= 0 ? time - (total[outside] ?? 0) : time;
  return inside > 0 ? inside : time;
}

/** A view, its zoomed frame, and what is to be said of its frames. */
export interface FlamePicture {
  readonly view: Omit<FlameView, 'tiers'>;
  readonly zoomed: number;
  /** What ids begin with; `''` for frames of the graph of everything. */
  readonly prefix: string;
  /** Gives the ids of frames, where they are no numbers; `''` for the root. */
  readonly idOf?: (frame: number) => string;
  /** The functions of the tree, by their ids: they order frames of equal times. */
  readonly functions: readonly OrderedFunction[];
  /** True where callees stand in the order of their numbers, not of their times. */
  readonly isInTime?: true;
  /** All of a frame but its times. */
  readonly factsOf: (frame: number) => DescribedFrame;
  /** What the answer says besides of its frames. */
  readonly about: (frames: readonly number[]) => Pick<FlameAnswer, 'tiers' | 'diff' | 'chosen'>;
}

export type DescribedFrame = Omit<FlameFrame, 'id' | 'value' | 'selfUs' | 'hiddenUs' | 'children'>;
