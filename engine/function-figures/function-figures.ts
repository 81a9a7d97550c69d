import type { Microseconds } from '../../protocol/units.ts';
import type { Test } from '../samples/test-timeline.ts';
import type { Waited } from './waited.ts';
import type { DurationClass } from '../../protocol/figures.ts';

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
}

export interface CulpritFigures {
  readonly worst: Microseconds;
  readonly worstWarm: Microseconds;
  readonly samples: number;
  readonly estimated: boolean;
  readonly longCount: number;
  readonly distinctStacks: number;
  /** What the thread slept within the worst. */
  readonly waited: Waited | null;
  /**
   * The module that the function loaded, as in `OwnPart.loaded`, where all that it did for long was to load modules,
   * the first time in its thread; else null.
   */
  readonly loaded: number | null;
}
