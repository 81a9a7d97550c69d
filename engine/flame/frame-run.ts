import type { TieredTree } from '../samples/tiered-samples.ts';

/** How a frame's code ran, as one number: its tier, whether it was inlined, whether V8 entered it in a loop (OSR). */
export interface FrameRun {
  /** Index into `tiers`. */
  readonly tier: number;
  readonly inlined: boolean;
  readonly osr: boolean;
}

/** Number of bits of a run's number. */
export const runBits = 5;

/** The run of frames of which no log tells, and of those that have no code of a tier: native ones, collections. */
export const unknownRun = 0;

/** The run of a node of the log's tree. */
export function runOfNode(node: number, { tier, inlined, osr }: TieredTree): number {
  return (tier[node] ?? 0) * 4 + (inlined[node] ?? 0) * 2 + (osr[node] ?? 0);
}

export function frameRun(run: number): FrameRun {
  return { tier: run >> 2, inlined: (run & 2) !== 0, osr: (run & 1) !== 0 };
}

/**
 * The call trees of all isolates merged by path of functions: one entry per frame of the flamegraph, callers before
 * what they call, the root first. Collections are frames of their own, below what they interrupted. In a recording of
 * tiers a function has a frame for each way in which its code ran.
 */
export interface FlameTree {
  readonly size: number;
  /** Caller's frame, by frame; −1 for the root. */
  readonly parent: Int32Array;
  /** Function id by frame; −1 for the root and for what is no function. */
  readonly functionId: Int32Array;
  /** Index into `frameCategories`, by frame. */
  readonly category: Uint8Array;
  /** How the frame's code ran, as a number for `frameRun`, by frame. */
  readonly run: Uint8Array;
}

/** A flame tree that is being built. A path of functions is found again by its parent's frame and its own function. */
export interface TreeBuilder {
  /**
   * The frame below `parent` of a function whose code ran so, or of a category without a function. It is made where it
   * does not exist yet.
   */
  readonly child: (parent: number, functionId: number, category: number, run: number) => number;
  readonly finished: () => FlameTree;
}
