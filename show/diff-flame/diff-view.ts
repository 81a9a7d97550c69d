import { type DiffRule, type DiffView, type FrameChange, frameChanges, type SideTimes } from '../../protocol/diff.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import {
  blockRule,
  changeOfTimes,
  type ChangeRule,
  firstRule,
  isFarBeyondRanges,
  type Order,
} from '../../engine/compare/change-rules.ts';
import type { Direction } from '../../engine/compare/statistics.ts';
import { selfIn, totals } from '../flame/flame-view.ts';
import type { FoldedTree } from '../flame/folded-tree.ts';
import { foldTree, type FoldOptions } from '../flame/fold-tree.ts';
import { type DiffTree, framesOfFunction, type RunTimes, timesInside, timesOfRun } from './diff-tree.ts';

/** A diff as it is looked at: its frames, folded or not, and what changed in each. */
export interface DiffPicture extends FoldedTree {
  readonly was: SidePicture;
  readonly is: SidePicture;
  readonly rule: DiffRule;
  /** Index into `frameChanges`, by frame. */
  readonly changes: Uint8Array;
}

/** The times of one side, in µs for each run or operation: the same divisor for all frames, so that they add up. */
export interface SidePicture {
  readonly self: Float64Array;
  readonly total: Float64Array;
  /** All runs; `count` of one without an operation is 0. */
  readonly runs: readonly RunPicture[];
  /** By what the times of all runs together were divided. */
  readonly count: number;
  readonly estimated: boolean;
}

/** One run, in µs, not divided. */
interface RunPicture {
  readonly self: Float64Array;
  readonly total: Float64Array;
  readonly count: number;
}

export interface DiffQuery extends Omit<FoldOptions, 'isSplit'> {
  /** The function whose operations are looked at; null for whole runs. */
  readonly of: number | null;
}

export function diffViewOf(diff: DiffTree, order: Order, { of, fold, owners }: DiffQuery): DiffPicture {
  const cut = foldTree(diff.tree, { fold, owners, isSplit: false });
  const isInside = of === null ? null : framesOfFunction(diff.tree, of);
  const timesOf = (run: DiffTree['base'][number]): RunTimes =>
    isInside === null ? timesOfRun(run, diff.tree.size) : timesInside(run, isInside);
  const [was, is] = [sideOf(diff.base.map(timesOf), cut), sideOf(diff.head.map(timesOf), cut)];
  const rule = ruleFor(was, is, order);
  return { ...cut, was, is, rule, changes: changesIn(cut, was, is, rules[rule]) };
}

/** A change of a fifth is told where each side has three runs, and they took turns. */
function ruleFor(was: SidePicture, is: SidePicture, order: Order): DiffRule {
  const runs = [was, is].map((side) => valued(side).length);
  return order === 'interleaved' && Math.min(...runs) >= leastRuns ? 'apart' : 'twice';
}

const leastRuns = 3;
const rules: Readonly<Record<DiffRule, ChangeRule>> = {
  apart: { ...firstRule, mayBeDisturbed: false },
  twice: blockRule,
};

function sideOf(runs: readonly RunTimes[], cut: FoldedTree): SidePicture {
  const pictures = runs.map(({ self, count }): RunPicture => {
    const sums = selfIn(cut, self);
    return { self: sums, total: totals(cut.tree, sums), count };
  });
  const count = pictures.reduce((sum, run) => sum + run.count, 0);
  const self = new Float64Array(cut.tree.size);
  for (const run of pictures) for (const [frame, time] of run.self.entries()) self[frame] = (self[frame] ?? 0) + time;
  const divided = self.map((time) => (count === 0 ? 0 : time / count));
  return {
    ...{ self: divided, total: totals(cut.tree, divided), runs: pictures, count },
    estimated: runs.some(({ estimated }) => estimated),
  };
}

/** Runs that tell a time: a run without an operation of the function tells none. */
function valued({ runs }: SidePicture): readonly RunPicture[] {
  return runs.filter(({ count }) => count > 0);
}

/** Time of a frame in each run of a side, in µs for each run or operation; one 0 where no run has any operation. */
function valuesOf(side: SidePicture, of: 'self' | 'total', frame: number): readonly number[] {
  const values = valued(side).map((run) => (run[of][frame] ?? 0) / run.count);
  return values.length === 0 ? [0] : values;
}

/** What changed, by frame. Callers come first, so that all below a frame that is gone, or new, is so, too. */
function changesIn({ tree }: FoldedTree, was: SidePicture, is: SidePicture, rule: ChangeRule): Uint8Array {
  const changes = new Uint8Array(tree.size).fill(changeNumber.none);
  for (let frame = 0; frame < tree.size; frame += 1) {
    const [before, now] = [was.total[frame] ?? 0, is.total[frame] ?? 0];
    const only = now === 0 && before > 0 ? 'gone' : before === 0 && now > 0 ? 'new' : null;
    const isBelow = only !== null && frame > 0 && changes[tree.parent[frame] ?? 0] === changeNumber[only];
    const direction = isBelow ? null : directionOf(rule, valuesOf(was, 'total', frame), valuesOf(is, 'total', frame));
    if (isBelow || direction !== null) changes[frame] = changeNumber[only ?? direction ?? 'none'];
  }
  return changes;
}

/**
 * A graph has hundreds of frames, and nothing confirms the change of one of them. In graphs of unchanged code the first
 * rule of a comparison gave 3 % of the frames over 2 ms a colour; with all runs apart, and by more than either range is
 * wide, it is 0.2 to 0.8 %, and 91 to 96 % of those that take half as long still get theirs.
 */
function directionOf(rule: ChangeRule, was: readonly number[], is: readonly number[]): Direction | null {
  return isFarBeyondRanges(was, is) ? changeOfTimes(rule, was, is) : null;
}

const changeNumber: Readonly<Record<FrameChange, number>> = { slower: 0, new: 1, faster: 2, gone: 3, none: 4 };

export function changeOf({ changes }: DiffPicture, frame: number): FrameChange {
  return frameChanges[changes[frame] ?? changeNumber.none] ?? 'none';
}

/** Self time by frame, as a view shows it: of one side, or of what only one side has. */
export function selfOfSide(picture: DiffPicture, view: DiffView): Float64Array {
  const { was, is, changes } = picture;
  if (view === 'now') return is.self;
  if (view === 'before') return was.self;
  const { self } = view === 'gone' ? was : is;
  return self.map((time, frame) => (changes[frame] === changeNumber[view] ? time : 0));
}

/** By how much self times differ, now less before, by the change of their frames; of those that `isBelow` has 1 for. */
export function differencesIn(
  { was, is, changes }: DiffPicture,
  isBelow: Uint8Array | Int32Array,
): Readonly<Record<FrameChange, Microseconds>> {
  const sums = new Float64Array(frameChanges.length);
  for (const [frame, change] of changes.entries())
    if (isBelow[frame] === 1) sums[change] = (sums[change] ?? 0) + (is.self[frame] ?? 0) - (was.self[frame] ?? 0);
  const us = (change: FrameChange): Microseconds => microseconds(sums[changeNumber[change]] ?? 0);
  return { slower: us('slower'), new: us('new'), faster: us('faster'), gone: us('gone'), none: us('none') };
}

export function sideTimes(side: SidePicture, frame: number): SideTimes {
  return {
    totalUs: microseconds(side.total[frame] ?? 0),
    selfUs: microseconds(side.self[frame] ?? 0),
    totalRange: rangeOf(valuesOf(side, 'total', frame)),
    selfRange: rangeOf(valuesOf(side, 'self', frame)),
  };
}

function rangeOf(values: readonly number[]): SideTimes['totalRange'] {
  return [microseconds(Math.min(...values)), microseconds(Math.max(...values))];
}
