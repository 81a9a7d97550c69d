import type { Line1, Microseconds } from './units.ts';

/** What `hotspan.budget.json` allows. It is committed; its schema is `docs/budget.schema.json`. Times are in ms there. */
export interface Budget {
  /** By `file#name`, the longest that the function may hold the loop in one go. */
  readonly functions: ReadonlyMap<string, Microseconds>;
  /** By pattern, the same for each function in a file that matches and has no budget of its own. */
  readonly files: ReadonlyMap<string, Microseconds>;
  /** By `GET /path`, the share of requests that others may delay for over 100 ms, 0 to 1. */
  readonly routes: ReadonlyMap<string, number>;
  /** The same for each other function of the application; null: other functions have no limit. */
  readonly whole: Microseconds | null;
  /** The version of Node.js on which it was measured; null where that is unknown. */
  readonly node: string | null;
}

export const budgetFile = 'hotspan.budget.json';

/** What `hotspan check --json` prints, version 1. */
export interface BudgetCheck {
  readonly version: 1;
  readonly kind: 'check';
  /** `over`: at least one entry is over its budget. `unclear`: none certainly is, but not all could be judged. */
  readonly verdict: 'within' | 'over' | 'unclear';
  /** Paths of the recordings of each run. */
  readonly runs: readonly (readonly string[])[];
  /** The entries of the budget: what is over it first. */
  readonly entries: readonly CheckedEntry[];
  /** Sentences about what could not be judged, and why. */
  readonly warnings: readonly string[];
  /** Sentences about what a person should know of the budget, which change no verdict. */
  readonly notes: readonly string[];
}

export interface CheckedEntry {
  readonly kind: 'function' | 'file' | 'route' | 'whole';
  /** The key in the budget; `whole` for the whole. */
  readonly key: string;
  /**
   * `over`: in all runs. `near`: at 80 % or more. `estimated`: over by an estimate of one run. `unknown`: nothing has
   * this key.
   */
  readonly verdict: 'within' | 'near' | 'over' | 'estimated' | 'unknown';
  /** In µs; of a route the share of its requests, 0 to 1. */
  readonly budget: number;
  /** In the unit of `budget`, one for each run that tells; empty where none does. */
  readonly measured: readonly number[];
  /** The line of the entry in the budget; null where that is unknown. */
  readonly budgetLine: Line1 | null;
  /** Of an unknown function or route: one that ran and has nearly the same key; null where none has. */
  readonly meant: string | null;
  /** The function that took longest; null where none was seen, and for routes. */
  readonly place: { readonly label: string; readonly file: string; readonly line: Line1 } | null;
}
