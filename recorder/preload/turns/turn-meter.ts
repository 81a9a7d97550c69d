import { CpuMeter } from './cpu-meter.ts';
import { SchedulerMeter } from './scheduler-meter.ts';

/** What this thread did in the turn that is going on. Times in ms, on the clock of `performance.now()`. */
export interface TurnMeter {
  /** A turn begins. */
  readonly begin: (time: number) => void;
  /** The turn has got this far, and has lasted a ms at least. */
  readonly lap: (time: number) => void;
  /** Of the turn that ended at `end`, with the recorder's own work. */
  readonly ofTurn: (end: number) => ThreadTimes;
  /** Since some moment up to this one, from a reading of the last ms: two of them tell what lies between. */
  readonly upTo: (time: number) => ThreadTimes;
}

/** In ms. What is left of the time by the clock, the thread slept. */
export interface ThreadTimes {
  /** It had a processor; −1 where that is not known. */
  readonly run: number;
  /** It was ready and waited for a processor that others had; −1 where nobody counts that. */
  readonly wait: number;
}

export function createTurnMeter(): TurnMeter {
  const meter = new SchedulerMeter();
  return meter.isOpen() ? meter : new CpuMeter();
}
