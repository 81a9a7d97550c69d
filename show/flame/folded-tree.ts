import { type FlameTree, unknownRun } from './frame-run.ts';

/** A tree in which some frames stand for several of the merged tree. */
export interface FoldedTree {
  /** A folded bar has as its function's id the number of its outermost owner, added to `owners.firstBar`. */
  readonly tree: FlameTree;
  /** Frame of the merged tree, by frame: the first of those that it stands for. It is the frame's id outside. */
  readonly ids: Int32Array;
  /** Frame of this tree, by frame of the merged tree. */
  readonly frameOf: Int32Array;
  /** Has 1 by frame of the merged tree where it is in a folded bar. */
  readonly isInBar: Uint8Array;
  /** By frame: id of the run that it was unfolded with; −1 where it is not in one. */
  readonly unfolded: Int32Array;
  /** By frame: on how many levels its function calls itself, where these are folded into it, else 1. */
  readonly levels: Int32Array;
  /** The frame that stands for everything outside of own code; −1 where there is none. */
  readonly outside: number;
}

/** Frames of a folded tree that is being made, in columns that are as long as the tree that is folded. */
export interface FrameRows {
  readonly add: (row: NewFrame) => number;
  /** How the frames' code ran, for those that are told apart by it. */
  readonly run: Uint8Array;
  readonly unfolded: Int32Array;
  readonly levels: Int32Array;
  /** Has 1 by frame whose recursion is unfolded. */
  readonly isRecursionOpen: Uint8Array;
  /** Has 1 by frame that stands for one frame alone, as all below it do that are not folded. */
  readonly isOne: Uint8Array;
  readonly finished: () => Omit<FoldedTree, 'frameOf' | 'isInBar' | 'outside'>;
}

interface NewFrame {
  /** The frame of the folded tree that it is made for. */
  readonly frame: number;
  /** Frame of the new tree that calls it; −1 for the root. */
  readonly above: number;
  readonly functionId: number;
  readonly category: number;
}

export function createRows(most: number): FrameRows {
  const parent = new Int32Array(most);
  const functionId = new Int32Array(most);
  const category = new Uint8Array(most);
  const run = new Uint8Array(most).fill(unknownRun);
  const ids = new Int32Array(most);
  const unfolded = new Int32Array(most).fill(-1);
  const levels = new Int32Array(most).fill(1);
  let size = 0;
  return {
    ...{ run, unfolded, levels, isRecursionOpen: new Uint8Array(most), isOne: new Uint8Array(most) },
    add: (row) => {
      parent[size] = row.above;
      functionId[size] = row.functionId;
      category[size] = row.category;
      ids[size] = row.frame;
      return size++;
    },
    finished: () => ({
      tree: {
        ...{ size, parent: parent.slice(0, size), functionId: functionId.slice(0, size) },
        ...{ category: category.slice(0, size), run: run.slice(0, size) },
      },
      ids: ids.slice(0, size),
      unfolded: unfolded.slice(0, size),
      levels: levels.slice(0, size),
    }),
  };
}
