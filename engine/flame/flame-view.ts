import { type FrameCategory, frameCategories } from '../../protocol/flame.ts';
import type { Analysis } from '../analysis.ts';
import { type FlameTree, type MergedTree, createTree } from './flame-tree.ts';

/** A flamegraph as it is looked at: one operation or all samples, without the frames that are hidden. */
export interface FlameView {
  readonly tree: FlameTree;
  /** In µs, by frame. */
  readonly self: Float64Array;
  readonly total: Float64Array;
  /** Frame of the merged tree by frame of this view: its name outside, the same in every view. */
  readonly ids: Int32Array;
  /** The opposite; for a hidden frame, the nearest one above it that stays. */
  readonly frameOf: Int32Array;
}

/** `operation` is the number in the report; null for all samples. */
export function viewOf(
  analysis: Analysis,
  merged: MergedTree,
  operation: number | null,
  hide: readonly FrameCategory[],
): FlameView {
  const self = operation === null ? selfOfAll(analysis, merged) : selfOfOperation(analysis, merged, operation);
  return hide.length === 0 ? wholeView(merged, self) : cutView(merged, self, hide);
}

function wholeView(tree: FlameTree, self: Float64Array): FlameView {
  const ids = Int32Array.from({ length: tree.size }, (_, frame) => frame);
  return { tree, self, total: totals(tree, self), ids, frameOf: ids };
}

/** Cuts hidden frames out: what they called moves up to what called them, merged with its likes there. */
function cutView(merged: FlameTree, self: Float64Array, hide: readonly FrameCategory[]): FlameView {
  const isHidden = frameCategories.map((category) => hide.includes(category));
  const cut = createTree();
  const frameOf = new Int32Array(merged.size);
  const ids = [0];
  for (let frame = 1; frame < merged.size; frame += 1) {
    const above = frameOf[merged.parent[frame] ?? 0] ?? 0;
    const category = merged.category[frame] ?? 0;
    if (isHidden[category] === true) frameOf[frame] = above;
    else frameOf[frame] = cut.child(above, merged.functionId[frame] ?? -1, category);
    if (frameOf[frame] === ids.length) ids.push(frame);
  }
  const tree = cut.finished();
  const left = createSums(tree.size);
  for (const [frame, time] of self.entries()) left.add(frameOf[frame] ?? 0, time);
  return { tree, self: left.values, total: totals(tree, left.values), ids: Int32Array.from(ids), frameOf };
}

/** Callers come before callees, so one pass from behind adds everything up. */
function totals({ size, parent }: FlameTree, self: Float64Array): Float64Array {
  const total = self.slice();
  for (let frame = size - 1; frame > 0; frame -= 1) {
    const above = parent[frame] ?? 0;
    total[above] = (total[above] ?? 0) + (total[frame] ?? 0);
  }
  return total;
}

function selfOfAll({ streams, bridged }: Analysis, merged: MergedTree): Float64Array {
  const self = createSums(merged.size);
  for (const [index, { times, end }] of streams.entries()) {
    for (let sample = 0; sample < times.length; sample += 1) {
      const weight = (times[sample + 1] ?? end) - (times[sample] ?? end);
      self.add(frameOfSample(merged, index, bridged[index], sample), weight);
    }
  }
  return self.values;
}

/** The first sample of an operation lasts from its start, the last one to its end. */
function selfOfOperation({ operations, streams, bridged }: Analysis, merged: MergedTree, number: number): Float64Array {
  const self = createSums(merged.size);
  const operation = operations[number];
  const times = operation === undefined ? undefined : streams[operation.stream]?.times;
  if (operation === undefined || times === undefined) return self.values;
  const { stream, start, end, firstSample, lastSample } = operation;
  for (let sample = firstSample; sample < lastSample; sample += 1) {
    const from = sample === firstSample ? start : (times[sample] ?? end);
    const to = sample === lastSample - 1 ? end : (times[sample + 1] ?? end);
    self.add(frameOfSample(merged, stream, bridged[stream], sample), to - from);
  }
  return self.values;
}

/** −1 for a sample that is in no flamegraph: the loop was waiting. */
function frameOfSample(
  merged: MergedTree,
  stream: number,
  bridged: Analysis['bridged'][number] | undefined,
  sample: number,
): number {
  const node = bridged?.nodes[sample] ?? -1;
  const frames =
    bridged?.collecting[sample] === 1 ? merged.streams[stream]?.collections : merged.streams[stream]?.frames;
  return frames?.[node] ?? -1;
}

/** What is added at no index, or is negative, counts nothing. */
function createSums(size: number): {
  readonly values: Float64Array;
  readonly add: (index: number, value: number) => void;
} {
  const values = new Float64Array(size);
  return {
    values,
    add: (index, value) => {
      if (index >= 0) values[index] = (values[index] ?? 0) + Math.max(0, value);
    },
  };
}

/** The frames of a view that are the one frame or below it, marked by 1. */
export function framesBelow({ size, parent }: FlameTree, top: number): Uint8Array {
  const isBelow = new Uint8Array(size);
  isBelow[top] = 1;
  for (let frame = top + 1; frame < size; frame += 1) isBelow[frame] = isBelow[parent[frame] ?? 0] ?? 0;
  return isBelow;
}
