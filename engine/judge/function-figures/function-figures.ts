import type { DurationClass, FigureRuns } from '../../../protocol/figures.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { Test } from '../../read/samples/sample-stream.ts';
import type { Operation } from '../../cut/operations/operation.ts';

/** The figures of one function over all isolates. */
export interface FunctionFigures {
  /** Self time over the whole recording, each sample once, background threads included. */
  readonly self: Microseconds;
  readonly total: Microseconds;
  /** Garbage collection within `self`. */
  readonly gc: Microseconds;
  /** Time within `total` that was under a loader frame deeper than the function. */
  readonly load: Microseconds;
  /** Presence on event loops that somebody waits for. */
  readonly presence: PresenceFigures;
  /** Presence in the program's own workers and children. It is shown grey, and is in no other figure. */
  readonly background: PresenceFigures;
  /** Figures of the function's own parts on event loops that somebody waits for; null where it is no culprit there. */
  readonly culprit: CulpritFigures | null;
  readonly backgroundCulprit: CulpritFigures | null;
}

export interface PresenceFigures {
  readonly worst: Microseconds;
  /** The worst without cold presences, which are the first of the function in its thread. */
  readonly worstWarm: Microseconds;
  /** Number of samples behind the worst. */
  readonly worstSamples: number;
  readonly estimated: boolean;
  readonly longCount: number;
  readonly distinctStacks: number;
  /** Tests that ran in the long operations, each once, in the order of time by isolate. */
  readonly tests: readonly Test[];
  readonly byClass: Readonly<Record<DurationClass, number>>;
  /** Only where several runs are shown together. */
  readonly runs?: FigureRuns;
}

export interface CulpritFigures {
  readonly worst: Microseconds;
  readonly worstWarm: Microseconds;
  readonly samples: number;
  readonly estimated: boolean;
  readonly longCount: number;
  readonly distinctStacks: number;
  /** How the thread slept within the worst; null where that is next to nothing, or unknown. */
  readonly waited: Waited | null;
  /**
   * The module that the function loaded, as in `OwnPart.loaded`, where each of its long parts was only loading, the
   * first time in its thread; else null.
   */
  readonly loaded: number | null;
  /** Only where several runs are shown together. */
  readonly runs?: FigureRuns;
}

/** What one culprit took of one operation, added up over its nodes there. It is always over the threshold. */
export interface OwnPart {
  /** Index into `Analysis.operations`. */
  readonly operation: number;
  readonly functionId: number;
  readonly weight: Microseconds;
  readonly samples: number;
  /** The most that it can have been, by its margin. */
  readonly most: Microseconds;
  /** The least that it can have been; 0 where its operation is doubtful. */
  readonly least: Microseconds;
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
  /** How the thread slept in it; null where that is next to nothing, or unknown. */
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

/** What a thread slept while a function held its loop, waiting for a disk, another process or another thread. */
export interface Waited {
  readonly us: Microseconds;
  /** The outermost function that waited, such as `execSync`; null where no function on the stack is known to wait. */
  readonly in: number | null;
}

/**
 * What the thread slept within a part of an operation, where `weight` is the part's and `slept` is in µs by the
 * function that waited. What the thread did not run in the whole operation it slept, whether or not its stacks show in
 * what. Null where that is next to nothing, or unknown.
 */
export function waitedIn(
  weight: number,
  slept: ReadonlyMap<number, number>,
  { thread }: Pick<Operation, 'thread'>,
): Waited | null {
  if (slept.size === 0 && thread.slept === null) return null;
  const [[longest, most] = [null, 0]] = [...slept].toSorted(([, a], [, b]) => b - a);
  const named = [...slept.values()].reduce((sum, us) => sum + us, 0);
  const least = thread.slept === null || thread.run === null ? 0 : Math.min(thread.slept, weight - thread.run);
  const us = Math.round(Math.min(weight, Math.max(named, least)));
  if (us < leastWait) return null;
  return { us: microseconds(us), in: most * 2 >= us ? longest : null };
}

/** Shortest wait in µs that is reported: sharing a processor with others, and reading pages, look like sleep, too. */
const leastWait = 1000;
