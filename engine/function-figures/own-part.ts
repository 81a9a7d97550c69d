import type { Microseconds } from '../../protocol/units.ts';
import type { Waited } from './waited.ts';

/** What one culprit took of one operation, added up over its nodes there. It is always over the threshold. */
export interface OwnPart {
  /** Index into `Analysis.operations`. */
  readonly operation: number;
  readonly functionId: number;
  readonly weight: Microseconds;
  readonly samples: number;
  /** The most that it may have been, by its margin. */
  readonly most: Microseconds;
  /** True where it is an estimate by its operation, its samples or its margin (`isEstimated`). */
  readonly estimated: boolean;
  /**
   * True where the operation has the function's first sample in its thread, and it warmed up there, or loaded modules.
   */
  readonly cold: boolean;
  /** Time within `weight` that was under a loader frame. */
  readonly load: Microseconds;
  /**
   * Present where the part is loading and nothing else: function id of the module body that took most of it, −1 where
   * none was seen; else null.
   */
  readonly loaded: number | null;
  /** What the thread slept in it; null where that is next to nothing, or unknown. */
  readonly waited: Waited | null;
  readonly places: readonly OwnPlace[];
}

/** One node of the call tree where the culprit took its rest. */
export interface OwnPlace {
  readonly node: number;
  /** Weight of this place. It is always over the threshold. */
  readonly weight: Microseconds;
  /** The part of `weight` at the node itself, native and `RegExp:` callees included. */
  readonly self: Microseconds;
  /** The part of `weight` in the node's callees, by the id of the function that the node calls directly. */
  readonly callees: readonly { readonly functionId: number; readonly weight: Microseconds }[];
  /** Number of the cut path to the function's outermost frame. Equal paths have equal numbers, over all isolates. */
  readonly path: number;
}
