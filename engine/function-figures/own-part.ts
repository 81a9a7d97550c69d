import type { Microseconds } from '../../protocol/units.ts';
import type { Waited } from './waited.ts';

/** What one culprit took of one operation, summed over its nodes there. Over the threshold, always. */
export interface OwnPart {
  /** Index into `Analysis.operations`. */
  readonly operation: number;
  readonly functionId: number;
  readonly weight: Microseconds;
  readonly samples: number;
  /** What it may have been at most, by its margin. */
  readonly most: Microseconds;
  /** By its operation, its samples or its margin: `isEstimated`. */
  readonly estimated: boolean;
  /** The operation holds the function's first sample in its thread, and it warmed up there, or loaded modules. */
  readonly cold: boolean;
  /** Of `weight`, the time under a loader frame. */
  readonly load: Microseconds;
  /** Where it is loading and nothing else: the body of the module that took most of it, as a function's id, −1 where none was seen; else null. */
  readonly loaded: number | null;
  /** What the thread slept in it; null: next to nothing, or nobody knows. */
  readonly waited: Waited | null;
  readonly places: readonly OwnPlace[];
}

/** One node of the call tree where the culprit took its rest. */
export interface OwnPlace {
  readonly node: number;
  /** Over the threshold, always. */
  readonly weight: Microseconds;
  /** What of `weight` was at the node itself: native and `RegExp:` children counted in. */
  readonly self: Microseconds;
  /** What of `weight` was in the node's callees, by the function directly called from the node; by function id. */
  readonly callees: readonly { readonly functionId: number; readonly weight: Microseconds }[];
  /** Cut path to the function's outermost frame; equal paths have equal numbers, over all isolates. */
  readonly path: number;
}
