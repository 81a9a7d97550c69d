import type { Microseconds } from './units.ts';

export interface Figures extends WorstFigure {
  readonly longCount: number;
  readonly distinctStacks: number;
}

export interface WorstFigure {
  readonly worstUs: Microseconds;
  readonly estimated: boolean;
  /** The part of the worst that the thread slept, and the call that it waited in, where they are known. */
  readonly waited?: { readonly us: Microseconds; readonly in: string | null } | null;
}

/** A function was long only the first time in its thread. */
export interface FirstTime {
  /** What the function loaded then, such as `ejs`; null where it did something else. */
  readonly loads: string | null;
  /** How long the function takes since then; null where it was not seen again. */
  readonly thenUs: Microseconds | null;
}
