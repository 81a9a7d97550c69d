import type { ReportFigures } from './report-code.ts';
import type { RemedyPage } from './ids.ts';
import type { Line1, Microseconds } from './units.ts';

/**
 * Why a finding is closed. `once`: an estimate, in one operation. `fewSamples`: under ten of its own. `firstCall`: only
 * first calls were long. `gc`: mostly garbage collection. `waiting`: mostly sleep in no known blocking call. `test`:
 * test code. `loading`: only loads modules. `notAgain`: uncertain, and later runs of its tests did not see it.
 */
export type ClosedBecause = (typeof closedReasons)[number];

export const closedReasons = [
  'once',
  'fewSamples',
  'firstCall',
  'gc',
  'waiting',
  'test',
  'loading',
  'notAgain',
] as const;

/** What a finding's time is spent on. `own`: the function's own code, or none of the others. */
export type FindingCauseKind =
  | 'regex'
  | 'json'
  | 'sort'
  | 'syncCall'
  | 'package'
  | 'loop'
  | 'recursion'
  | 'allocation'
  | 'waiting'
  | 'manyCalls'
  | 'gc'
  | 'own';

/** What would disappear if it were fixed, in the order of the verdict. */
export interface ReportFinding extends ReportPlace, ReportFigures {
  readonly label: string;
  readonly open: boolean;
  /** Null for open findings, and for those that remove too little. */
  readonly closedBecause: ClosedBecause | null;
  /** Time above the threshold that it removes, after all findings before it. */
  readonly removesUs: Microseconds;
  readonly operations: number;
  readonly cause: { readonly kind: FindingCauseKind; readonly text: string };
  /** The nearest two own callers, nearest first. */
  readonly callers: readonly ReportPlace[];
  /** Number of tests in whose operations it was; null where the recording knows no tests. */
  readonly tests: number | null;
  /** Routes in whose operations it was, such as `GET /users/:id`. */
  readonly routes: readonly string[];
  readonly remedy: RemedyPage | null;
  /** The functions that take turns in it, largest part first; empty for a single function. */
  readonly parts: readonly ReportPart[];
}

export interface ReportPlace {
  /** V8's name of the function, or the package; `''` for anonymous functions, `(garbage collector)` and `(loader)`. */
  readonly name: string;
  /** `''` where it has no place. */
  readonly url: string;
  readonly line: Line1;
}

/** A function, and its part of a time. */
export interface ReportPart extends ReportPlace {
  readonly us: Microseconds;
}
