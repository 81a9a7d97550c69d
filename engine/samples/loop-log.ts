import type { Microseconds } from '../../protocol/units.ts';

/** What the recorder told of an event loop beside its turns: of stretches of at most 10 s, in order. */
export interface LoopLog {
  readonly periods: readonly LoopPeriod[];
  readonly collections: readonly Collections[];
}

/** The turns that ended between two moments on the profile's clock. */
export interface LoopPeriod {
  readonly start: Microseconds;
  readonly end: Microseconds;
  /** From short to long: the classes of `turnClassBounds`. */
  readonly classes: readonly TurnClass[];
}

/** How many turns were below a length (null: any), and what they took together. */
export interface TurnClass {
  readonly below: Microseconds | null;
  readonly count: number;
  readonly time: Microseconds;
}

/** The garbage collections of one kind between two moments. */
export interface Collections {
  readonly start: Microseconds;
  readonly end: Microseconds;
  /** V8's name: `Scavenge`, `MarkSweepCompact` … */
  readonly kind: string;
  readonly count: number;
  readonly time: Microseconds;
  readonly longest: Microseconds;
  /** Bytes of heap in use: the most before one of them, and after the last. */
  readonly usedBefore: number;
  readonly usedAfter: number;
}

/** Of the turns that ended in it, in µs. */
export function busyTime({ classes }: LoopPeriod): number {
  return classes.reduce((sum, { time }) => sum + time, 0);
}
