import type { TieredTree } from '../samples/tiered-samples.ts';

/** How a frame's code ran, as one number: its tier, whether it was inlined, whether V8 entered it in a loop (OSR). */
export interface FrameRun {
  /** Index into `tiers`. */
  readonly tier: number;
  readonly inlined: boolean;
  readonly osr: boolean;
}

/** A run's number has as many. */
export const runBits = 5;

/** Of frames of which no log tells, and of those without code of a tier: native ones, collections. */
export const unknownRun = 0;

/** `node`: of the log's tree. */
export function runOfNode(node: number, { tier, inlined, osr }: TieredTree): number {
  return (tier[node] ?? 0) * 4 + (inlined[node] ?? 0) * 2 + (osr[node] ?? 0);
}

export function frameRun(run: number): FrameRun {
  return { tier: run >> 2, inlined: (run & 2) !== 0, osr: (run & 1) !== 0 };
}
