import { type FrameCategory, frameCategories } from '../../protocol/flame.ts';
import type { Analysis } from '../analysis.ts';
import { weightIn } from '../operations/operation.ts';
import { tierNumbers, tiers } from '../samples/tiered-samples.ts';
import { type MergedStream, type MergedTree, createTree } from './flame-tree.ts';
import { frameRun, unknownRun, type FlameTree } from './frame-run.ts';

/** A flamegraph as it is looked at: of one operation or all samples, without the hidden frames. */
export interface FlameView {
  readonly tree: FlameTree;
  /** Self time in µs, by frame. */
  readonly self: Float64Array;
  readonly total: Float64Array;
  /** Frame of the merged tree, by frame of this view. It is the frame's id outside, and the same in every view. */
  readonly ids: Int32Array;
  /** Frame of this view, by frame of the merged tree. A hidden frame has the nearest one above it that stays. */
  readonly frameOf: Int32Array;
  /** Times by tier; null where no isolate has tiers. */
  readonly tiers: ViewTiers | null;
}

export interface ViewTiers {
  /** Self time in µs by the tier that it counts for, as in the figures, at `frame * tiers.length + tier`. */
  readonly self: Float64Array;
  /** Total time in µs by how the frame's own code ran, at `frame * runColumns.length + column`. */
  readonly ran: Float64Array;
}

/** Columns of times: the tiers, and what can be true of code of any tier. */
export const runColumns = [...tiers, 'inlined', 'osr'] as const;

export interface ViewQuery {
  /** Number of the operation in the report; null for all samples. */
  readonly operation: number | null;
  readonly hide: readonly FrameCategory[];
  /** True where a function has a frame for each way in which its code ran. */
  readonly isSplit: boolean;
}

export function viewOf(analysis: Analysis, merged: MergedTree, { operation, hide, isSplit }: ViewQuery): FlameView {
  const times = operation === null ? timesOfAll(analysis, merged) : timesOfOperation(analysis, merged, operation);
  const isTiered = merged.streams.some((stream) => stream.tiers !== null);
  const isWhole = hide.length === 0 && (isSplit || !isTiered);
  const cut = isWhole ? uncut(merged) : cutTree(merged, hide, isSplit);
  const self = createSums(cut.tree.size);
  for (const [frame, time] of times.self.values.entries()) self.add(cut.frameOf[frame] ?? 0, time);
  const view = { ...cut, self: self.values, total: totals(cut.tree, self.values) };
  return { ...view, tiers: isTiered ? tiersOf(merged, times, cut) : null };
}

type Cut = Pick<FlameView, 'tree' | 'ids' | 'frameOf'> & {
  /** Has 1 where a frame of the merged tree is hidden. */
  readonly isHidden: Uint8Array;
};

function uncut(tree: FlameTree): Cut {
  const ids = Int32Array.from({ length: tree.size }, (_, frame) => frame);
  return { tree, ids, frameOf: ids, isHidden: new Uint8Array(tree.size) };
}

/**
 * Cuts hidden frames out: their callees move up to their caller, and are merged there with frames of the same function.
 */
function cutTree(merged: FlameTree, hide: readonly FrameCategory[], isSplit: boolean): Cut {
  const isCategoryHidden = frameCategories.map((category) => hide.includes(category));
  const cut = createTree();
  const frameOf = new Int32Array(merged.size);
  const isHidden = new Uint8Array(merged.size);
  const ids = [0];
  for (let frame = 1; frame < merged.size; frame += 1) {
    const above = frameOf[merged.parent[frame] ?? 0] ?? 0;
    const category = merged.category[frame] ?? 0;
    const run = isSplit ? (merged.run[frame] ?? unknownRun) : unknownRun;
    isHidden[frame] = isCategoryHidden[category] === true ? 1 : 0;
    frameOf[frame] = isHidden[frame] === 1 ? above : cut.child(above, merged.functionId[frame] ?? -1, category, run);
    if (frameOf[frame] === ids.length) ids.push(frame);
  }
  return { tree: cut.finished(), ids: Int32Array.from(ids), frameOf, isHidden };
}

/** Times by tier. Frames of one function that are merged keep what each of them ran. */
function tiersOf(merged: MergedTree, times: Times, { tree, frameOf, isHidden }: Cut): ViewTiers {
  const self = createSums(tree.size * tiers.length);
  for (const [at, time] of times.byTier.values.entries()) {
    const frame = Math.floor(at / tiers.length);
    self.add((frameOf[frame] ?? 0) * tiers.length + (at % tiers.length), time);
  }
  const ran = createSums(tree.size * runColumns.length);
  for (const [frame, time] of totals(merged, times.self.values).entries()) {
    if (isHidden[frame] === 1 || time === 0) continue;
    const { tier, inlined, osr } = frameRun(merged.run[frame] ?? unknownRun);
    const first = (frameOf[frame] ?? 0) * runColumns.length;
    ran.add(first + tier, time);
    if (inlined) ran.add(first + runColumns.indexOf('inlined'), time);
    if (osr) ran.add(first + runColumns.indexOf('osr'), time);
  }
  return { self: self.values, ran: ran.values };
}

/** Total times. Callers come before callees, so one pass from the end adds everything up. */
function totals({ size, parent }: FlameTree, self: Float64Array): Float64Array {
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

function timesOfAll({ bridged }: Analysis, merged: MergedTree): Times {
  const sums = createTimes(merged);
  for (const [index, { weights }] of bridged.entries()) {
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

interface Sums {
  readonly values: Float64Array;
  readonly add: (index: number, value: number) => void;
}

/** Makes sums. Times without an index, and negative ones, are not counted. */
function createSums(size: number): Sums {
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

/** A view, and its zoomed frame. */
export interface FlamePicture {
  readonly analysis: Analysis;
  readonly view: FlameView;
  readonly zoomed: number;
  /** True where tiers were asked for. */
  readonly hasTiers: boolean;
}
