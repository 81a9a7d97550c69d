import type { DurationClass } from '../../protocol/duration-class.ts';
import type { Microseconds } from '../../protocol/units.ts';
import type { Test } from '../samples/test-timeline.ts';
import type { Waited } from './waited.ts';

/** The figures of one function over all isolates. */
export interface FunctionFigures {
  /** Each sample once, whole recording, background threads too. */
  readonly self: Microseconds;
  readonly total: Microseconds;
  /** Of `self`, what was garbage collection. */
  readonly gc: Microseconds;
  /** Of `total`, what was under a loader frame deeper than the function. */
  readonly load: Microseconds;
  /** On event loops that somebody waits on. */
  readonly presence: PresenceFigures;
  /** In the program's own workers and children: shown grey, in no other figure. */
  readonly background: PresenceFigures;
  /** Of its own parts, on event loops that somebody waits on; null where it is no culprit there. */
  readonly culprit: CulpritFigures | null;
  readonly backgroundCulprit: CulpritFigures | null;
}

export interface PresenceFigures {
  readonly worst: Microseconds;
  /** Without cold ones: the first of the function in its thread. */
  readonly worstWarm: Microseconds;
  /** Samples behind the worst. */
  readonly worstSamples: number;
  readonly estimated: boolean;
  readonly longCount: number;
  readonly distinctStacks: number;
  /** Those that ran in the long ones, each once, in the order of time by isolate. */
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
  /** Of the worst, what the thread slept. */
  readonly waited: Waited | null;
  /** Where it did nothing long but load modules, the first time in its thread: as `OwnPart.loaded`; else null. */
  readonly loaded: number | null;
}
