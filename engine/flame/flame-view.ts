import type { FlameAnswer, FlameFrame } from '../../protocol/flame.ts';
import type { Analysis } from '../analysis.ts';
import type { OrderedFunction } from '../functions/function-table.ts';
import { type Weights, weightIn } from '../operations/operation.ts';
import type { RunPart } from '../../protocol/time.ts';
import { weightsIn } from './part-of-run.ts';
import { tierNumbers, tiers } from '../samples/tiered-samples.ts';
import type { MergedStream, MergedTree } from './flame-tree.ts';
import { foldTree, type FoldedTree, type FoldOptions } from './fold-tree.ts';
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

export interface ViewQuery extends FoldOptions {
  /** Number of the operation in the report; null for all samples. */
  readonly operation: number | null;
  /** The part of the run that is looked at, where that is no operation; null for all of it. */
  readonly part: RunPart | null;
}

export function viewOf(analysis: Analysis, merged: MergedTree, query: ViewQuery): FlameView {
  const { operation, part, fold, isSplit } = query;
  const times =
    operation === null ? timesIn(weightsIn(analysis, part), merged) : timesOfOperation(analysis, merged, operation);
  const isTiered = merged.streams.some((stream) => stream.tiers !== null);
  const isPlain = fold === null && (isSplit || !isTiered);
  const folded = isPlain ? unfolded(merged) : foldTree(merged, query);
  const self = selfIn(folded, times.self.values);
  const plain = { tree: merged, self: times.self.values, total: totals(merged, times.self.values) };
  const view = { ...folded, self, total: totals(folded.tree, self), plain };
  return { ...view, tiers: isTiered ? tiersOf(times, view) : null };
}

function unfolded(tree: FlameTree): FoldedTree {
  const ids = Int32Array.from({ length: tree.size }, (_, frame) => frame);
  const none = { unfolded: new Int32Array(tree.size).fill(-1), levels: new Int32Array(tree.size).fill(1) };
  return { tree, ids, frameOf: ids, isInBar: new Uint8Array(tree.size), ...none };
}

/** Self times by frame of a folded tree, from those by frame of the merged tree. */
export function selfIn({ tree, frameOf }: FoldedTree, plain: Float64Array): Float64Array {
  const self = createSums(tree.size);
  for (const [frame, time] of plain.entries()) self.add(frameOf[frame] ?? 0, time);
  return self.values;
}

/** Times by tier. Frames that are merged keep what each of them ran; a recursion has the time of its outermost frame. */
function tiersOf(times: Times, { tree, frameOf, isInBar, plain }: Omit<FlameView, 'tiers'>): ViewTiers {
  const self = createSums(tree.size * tiers.length);
  for (const [at, time] of times.byTier.values.entries()) {
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
  for (const [index, weights] of weightsOf.entries()) {
    for (const [sample, weight] of weights.entries()) addSample(merged.streams[index], sample, weight, sums);
  }
  return sums;
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
  if (frame >= 0) byTier.add(frame * tiers.length + (stream?.tiers?.[sample] ?? tierNumbers.unknown), weight);
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

/** A view, its zoomed frame, and what is to be said of its frames. */
export interface FlamePicture {
  readonly view: Omit<FlameView, 'tiers'>;
  readonly zoomed: number;
  /** What ids begin with; `''` for frames of the graph of everything. */
  readonly prefix: string;
  /** The functions of the tree, by their ids: they order frames of equal times. */
  readonly functions: readonly OrderedFunction[];
  /** True where callees stand in the order of their numbers, not of their times. */
  readonly isInTime?: true;
  /** All of a frame but its times. */
  readonly factsOf: (frame: number) => DescribedFrame;
  /** What the answer says besides of its frames. */
  readonly about: (frames: readonly number[]) => Pick<FlameAnswer, 'tiers' | 'diff'>;
}

export type DescribedFrame = Omit<FlameFrame, 'id' | 'value' | 'selfUs' | 'hiddenUs' | 'children'>;
