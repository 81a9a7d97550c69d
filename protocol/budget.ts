import type { Line1, Microseconds } from './units.ts';

/** Content of `hotspan.budget.json`, with times in ms there; its schema is `docs/budget.schema.json`. */
export interface Budget {
  /** By `file#name`, the longest hold of the loop. */
  readonly functions: ReadonlyMap<string, Microseconds>;
  /** By pattern, the same for functions of a matching file without a budget of their own. */
  readonly files: ReadonlyMap<string, Microseconds>;
  /** By `GET /path`, the share of requests that others may delay for over 100 ms, 0 to 1. */
  readonly routes: ReadonlyMap<string, number>;
  /** The same for each other function of the application; null: other functions have no limit. */
  readonly whole: Microseconds | null;
  /** The version of Node.js that it was measured on; null where that is unknown. */
  readonly node: string | null;
}

/** Where the name begins in a key, `file#name`: each of both may contain a `#`. `file`: its file where that is known. */
export function splitKey(key: string, file: string | null): readonly [file: string, name: string] {
  const known = file !== null && key.startsWith(`${file}#`) ? file.length : -1;
  const afterEnding = /\.[cm]?[jt]sx?#/.exec(key);
  const guessed = afterEnding === null ? key.indexOf('#') : afterEnding.index + afterEnding[0].length - 1;
  const at = known < 0 ? guessed : known;
  return [key.slice(0, Math.max(0, at)), key.slice(at + 1)];
}

export const budgetFile = 'hotspan.budget.json';

/** What `hotspan check --json` prints, version 1. */
export interface BudgetCheck {
  readonly version: 1;
  readonly kind: 'check';
  /** `over`: at least one entry is. `unclear`: none certainly is, but not all could be judged. */
  readonly verdict: 'within' | 'over' | 'unclear';
  readonly runs: readonly (readonly string[])[];
  readonly entries: readonly CheckedEntry[];
  /** Sentences about what could not be judged, and why. */
  readonly warnings: readonly string[];
  /** Sentences about the budget that change no verdict. */
  readonly notes: readonly string[];
}

export interface LeftOut {
  readonly why: 'worker' | 'firstCall';
  readonly us: Microseconds;
  readonly isEstimated: boolean;
}

export interface CheckedEntry {
  readonly kind: 'function' | 'file' | 'route' | 'whole';
  /** The key in the budget; `whole` for the whole. */
  readonly key: string;
  /** `over`: in all runs. `near`: from 80 %. `estimated`: over by an estimate of one run. `unknown`: no such key. */
  readonly verdict: 'within' | 'near' | 'over' | 'estimated' | 'unknown';
  /** In µs; of a route the share of its requests, 0 to 1. */
  readonly budget: number;
  /** In the unit of `budget`, for each run that measured it. */
  readonly measured: readonly number[];
  /** Whether a time in `measured` is an estimate. */
  readonly isEstimated: boolean;
  /**
   * What budgets leave out, if nothing else was over the threshold: the longest time in a worker, or in a first call.
   * `unseen`: no run has a sample of the user's code. Else null.
   */
  readonly leftOut: LeftOut | { readonly why: 'unseen' } | null;
  /** The line of the entry in the budget; null where that is unknown. */
  readonly budgetLine: Line1 | null;
  /** For an unknown function or route, one with nearly the same key; null where there is none. */
  readonly meant: string | null;
  /** The function that took longest; null where there is none, and for routes. */
  readonly place: { readonly label: string; readonly file: string; readonly line: Line1 } | null;
}
