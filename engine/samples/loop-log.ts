import type { Microseconds } from '../../protocol/units.ts';

/** What the recorder told of an event loop besides its turns, in stretches of at most 10 s, in order. */
export interface LoopLog {
  readonly periods: readonly LoopPeriod[];
  readonly collections: readonly Collections[];
}

/** The turns that ended between two moments on the profile's clock. */
export interface LoopPeriod {
  readonly start: Microseconds;
  readonly end: Microseconds;
  /** The classes of `turnClassBounds`, from short to long. */
  readonly classes: readonly TurnClass[];
}

/** Number of turns below a length (null: any), and the sum of their times. */
export interface TurnClass {
  readonly below: Microseconds | null;
  readonly count: number;
  readonly time: Microseconds;
}

/** The garbage collections of one kind between two moments. */
export interface Collections {
  readonly start: Microseconds;
  readonly end: Microseconds;
  /** V8's name for the kind: `Scavenge`, `MarkSweepCompact` … */
  readonly kind: string;
  readonly count: number;
  readonly time: Microseconds;
  readonly longest: Microseconds;
  /** Bytes of heap in use: the most before one of them, and after the last. */
  readonly usedBefore: number;
  readonly usedAfter: number;
}

/** Sum of the turns that ended in the stretch, in µs. */
export function busyTime({ classes }: LoopPeriod): number {
  return classes.reduce((sum, { time }) => sum + time, 0);
}
