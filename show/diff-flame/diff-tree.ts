import type { FrameCategory } from '../../protocol/flame.ts';
import type { Operation } from '../../engine/cut/operations/operation.ts';
import type { Weights } from '../../engine/read/samples/weights.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { createTree, type MergedTree, mergeTrees } from '../flame/flame-tree.ts';
import { type FlameTree, numberOf, program, unknownRun } from '../flame/frame-run.ts';
import { noFunction } from '../../engine/read/samples/call-tree.ts';

/** One run with the function numbers of its side, before both sides are joined. */
export interface SideRun {
  readonly tree: MergedTree;
  /** Number of each function on its side, by its id in the run. */
  readonly numbers: Int32Array;
  /** Weights of the samples of each stream, in µs. */
  readonly weights: readonly Weights[];
  readonly operations: readonly Pick<Operation, 'stream' | 'firstSample' | 'lastSample' | 'measured'>[];
}

/** The part of a run that a diff keeps. */
export function sideRunOf(analysis: Analysis, numbers: Int32Array): SideRun {
  return {
    tree: mergeTrees(analysis),
    numbers,
    weights: analysis.bridged.map(({ weights }) => weights),
    operations: analysis.operations.map(({ stream, firstSample, lastSample, measured }) => {
      return { stream, firstSample, lastSample, measured };
    }),
  };
}

/** The call trees of all runs of both sides as one, merged by path of functions. */
export interface DiffTree {
  /** Its function ids are indexes into the functions of both sides. */
  readonly tree: FlameTree;
  readonly base: readonly DiffRun[];
  readonly head: readonly DiffRun[];
}

/** One run in the tree of both sides. */
export interface DiffRun extends Pick<SideRun, 'weights' | 'operations'> {
  /** Frame by sample, for each stream; −1 while the loop waited. */
  readonly frames: readonly Int32Array[];
}

/** `ids.ofBase`, `ids.ofHead`: index in `ids.functions` of each side's functions. */
export function diffTreeOf(
  base: readonly SideRun[],
  head: readonly SideRun[],
  ids: {
    readonly functions: readonly { readonly category: FrameCategory }[];
    readonly ofBase: Int32Array;
    readonly ofHead: Int32Array;
  },
): DiffTree {
  const joined = createTree();
  const categories = Uint8Array.from(ids.functions, ({ category }) => numberOf(category));
  const join = ({ tree, numbers, weights, operations }: SideRun, index: Int32Array): DiffRun => {
    const frameOf = new Int32Array(tree.size);
    for (let frame = 1; frame < tree.size; frame += 1) {
      const above = frameOf[tree.parent[frame] ?? 0] ?? 0;
      const id = tree.functionId[frame] ?? noFunction;
      const functionId = id === noFunction ? noFunction : (index[numbers[id] ?? -1] ?? noFunction);
      const category = functionId === noFunction ? tree.category[frame] : categories[functionId];
      frameOf[frame] = joined.child(above, functionId, category ?? program, unknownRun);
    }
    const frames = tree.streams.map((stream) => stream.frames.map((frame) => (frame < 0 ? -1 : (frameOf[frame] ?? 0))));
    return { frames, weights, operations };
  };
  const runs = { base: base.map((run) => join(run, ids.ofBase)), head: head.map((run) => join(run, ids.ofHead)) };
  return { tree: joined.finished(), ...runs };
}

/** Self time in µs by frame of the tree, in one run. */
export interface RunTimes {
  readonly self: Float64Array;
  /** Divisor of the times: the number of operations, or 1 for a whole run. */
  readonly count: number;
  readonly estimated: boolean;
}

export function timesOfRun({ frames, weights }: DiffRun, size: number): RunTimes {
  const self = new Float64Array(size);
  for (const [stream, all] of weights.entries()) all.addTo(self, frames[stream] ?? []);
  return { self, count: 1, estimated: false };
}

/** The times of a run in frames for which `isInside` has 1; `count` is the number of operations with such a sample. */
export function timesInside({ frames, weights, operations }: DiffRun, isInside: Uint8Array): RunTimes {
  const self = new Float64Array(isInside.length);
  let count = 0;
  let estimated = false;
  for (const operation of operations) {
    const { stream, firstSample, lastSample, measured } = operation;
    const [places, times] = [frames[stream], weights[stream]];
    if (places === undefined || times === undefined) continue;
    let isSeen = false;
    for (let sample = firstSample; sample < lastSample; sample += 1) {
      const frame = places[sample] ?? -1;
      const weight = times.at(sample);
      if (isInside[frame] !== 1 || weight <= 0) continue;
      self[frame] = (self[frame] ?? 0) + weight;
      isSeen = true;
    }
    if (!isSeen) continue;
    count += 1;
    estimated ||= !measured;
  }
  return { self, count, estimated };
}

/** Marks the frames of a function, and all below them, with 1. */
export function framesOfFunction({ size, parent, functionId }: FlameTree, wanted: number): Uint8Array {
  const isInside = new Uint8Array(size);
  for (let frame = 1; frame < size; frame += 1)
    isInside[frame] = functionId[frame] === wanted ? 1 : (isInside[parent[frame] ?? 0] ?? 0);
  return isInside;
}
