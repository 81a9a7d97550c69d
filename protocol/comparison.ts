import type { Line1, Microseconds } from './units.ts';

/**
 * Output of `hotspan compare --json`, version 1, for other tools: only additions need no new version. Times are integer
 * µs of held time (docs/definition.md). Unknown is null. A test checks `docs/comparison.schema.json`.
 */
export interface Comparison {
  readonly version: 1;
  readonly kind: 'comparison';
  /** `interleaved`: the runs of both sides took turns. `blocks`: one side was recorded after the other. */
  readonly order: 'interleaved' | 'blocks';
  readonly thresholdUs: Microseconds;
  readonly base: ComparedSide;
  readonly head: ComparedSide;
  readonly machine: ComparedMachine;
  /** Own functions over the threshold in any run: changes first, largest on top. */
  readonly functions: readonly ComparedFunction[];
  /** Number of functions over the threshold without a row: no changed code calls them or is called by them. */
  readonly leftOut?: number;
  /** The requests of the load: changes first, slowest before on top. Absent without a load. */
  readonly requests?: readonly ComparedRequest[];
  readonly warnings: readonly string[];
}

export interface ComparedSide {
  /** The git ref or another name of this side; null where only recordings were given. */
  readonly name: string | null;
  readonly runs: readonly {
    readonly path: string;
    /** All recordings of the run, `path` first: one for each command that was run. */
    readonly paths: readonly string[];
    /** True for a confirming run of a part of the tests. */
    readonly isNarrow?: true;
    readonly node: string | null;
    /** Share of the time in which the program could run and did, 0 to 1. */
    readonly share: number | null;
    /** How the command ended; null where that is not known. */
    readonly exitCode: number | null;
    /** True where a figure of the user's own code may be missing, or too low, because something was lost. */
    readonly isIncomplete?: true;
  }[];
}

/** How functions with the same text on both sides changed: a control for machine load. */
export interface ComparedMachine {
  /** Median of their ratios (head to base); null where there are none. */
  readonly medianRatio: number | null;
  /** Number of them that look like a change. */
  readonly flagged: number;
  readonly of: number;
  /** True where so many moved that only a larger change than theirs counts. */
  readonly shifted: boolean;
}

export interface ComparedFunction {
  /** Null where the base has no such function. */
  readonly was: ComparedPlace | null;
  /** Null where the head has no such function. */
  readonly is: ComparedPlace | null;
  /** How the two were matched; null where there is only one. */
  readonly matchedBy: MatchedBy | null;
  /** Whether its text differs apart from white space and comments; null where a text is unknown. */
  readonly textChanged: boolean | null;
  readonly worst: ComparedTimes;
  /** `worst` is the presence: a callee holds a part of its own in some of the runs only. */
  readonly withCallees?: true;
  /** It was long in first calls only: in each run all other calls were within the threshold. */
  readonly firstCall?: true;
  /** The longest time on the stack, with its callees. */
  readonly presence: ComparedTimes;
  readonly longCount: ComparedCounts;
  readonly stacks: ComparedCounts;
  /** True for test code, which no user waits for. */
  readonly isTest: boolean;
  readonly verdict: ChangeVerdict;
  /** True where further runs, made after the change was seen, show it again. */
  readonly confirmed: boolean;
  /** Number of runs of each side behind the verdict. */
  readonly pairs: number;
  /** Test files in which it was long, below the root; empty where none has its worst. */
  readonly testFiles: readonly string[];
  /** Where its time went, or came from: with the verdict `moved`, or `notReached` where its code is gone. */
  readonly movedTo?: ComparedPlace;
}

/**
 * `same`: file, names and text; `text`: a unique text; `names`: file and names; `callback`: an argument of the same call,
 * or a function without a name, in the same function; `file`: the name, in another file; `renamed`: a similar text in the
 * same function, or in the same file where one of them has no name.
 */
export type MatchedBy = 'same' | 'text' | 'names' | 'callback' | 'file' | 'renamed';

/**
 * `faster`, `slower`: certain. `new`, `gone`: over the threshold in all runs of one side, and not seen on the other.
 * `moved`: its own time changed, the total did not. `moreOften`, `lessOften`: as long, but more or fewer operations.
 * `noChangeSeen`: within ±15 % or ±2 ms. `tooNoisy`: unknown. `notReached`: not seen on one side because the command
 * failed, or not all of it was recorded; or the test with its worst is not known to have passed on the head; or its code
 * is gone, and another function takes longer.
 */
export type ChangeVerdict = (typeof changeVerdicts)[number] | 'tooNoisy' | 'noChangeSeen';

/** Whether a function is surely not as before. */
export function isChange({ verdict }: Pick<ComparedFunction, 'verdict'>): boolean {
  return changeVerdicts.some((one) => one === verdict);
}

/** A change for the worse that is not a test's own. */
export function isWorse({ verdict, isTest }: Pick<ComparedFunction, 'verdict' | 'isTest'>): boolean {
  return !isTest && (verdict === 'slower' || verdict === 'new' || verdict === 'moreOften');
}

/** The verdicts of a change or a possible one, in the order of a list. */
export const changeVerdicts = [
  'slower',
  'new',
  'moreOften',
  'faster',
  'gone',
  'lessOften',
  'moved',
  'notReached',
] as const;

/** How one request of a load was answered, as its clients saw it. */
export interface ComparedRequest {
  /** Its name, else method and path: `GET /orders`. */
  readonly title: string;
  /** No runs for a side that was not sent it. */
  readonly was: ComparedAnswers;
  readonly is: ComparedAnswers;
  /** About the p99. */
  readonly verdict: RequestVerdict;
  /** Why it is not compared; absent where it is, or where only one side was sent it. */
  readonly reason?: (typeof requestReasons)[number];
}

/** `refused`: a side refused more than 1 %. `unanswered`: a run had no answer. `otherLoad`: the loads differ. */
export const requestReasons = ['refused', 'unanswered', 'otherLoad'] as const;

/** `notCompared`: see `reason`, or only one side was sent it. */
export type RequestVerdict = (typeof requestVerdicts)[number];

export const requestVerdicts = ['slower', 'faster', 'noChangeSeen', 'tooNoisy', 'notCompared'] as const;

/** Figures of each run, in the order of the runs. */
export interface ComparedAnswers {
  readonly answers: readonly number[];
  /** Answers, and requests that failed without one. */
  readonly sent: readonly number[];
  /** Requests without an answer, or with a status of 400 and more. */
  readonly refused: readonly number[];
  /** From the sending of a request to its whole answer, waits for a CPU included. */
  readonly p50Us: readonly Microseconds[];
  readonly p99Us: readonly Microseconds[];
}

export interface ComparedPlace {
  readonly label: string;
  /** Path below the root, with `/`; the whole url where it is in no root. */
  readonly file: string;
  readonly url: string;
  readonly line: Line1;
}

/** Times of each run, in the order of the runs. */
export interface ComparedTimes {
  readonly wasUs: readonly Microseconds[];
  readonly isUs: readonly Microseconds[];
  /** True where that side's median is an upper bound: its run was below 80 % of the threshold. */
  readonly wasBelow: boolean;
  readonly isBelow: boolean;
  /** Median of the head to that of the base; null where the base's is 0. */
  readonly ratio: number | null;
  /** Interval of the ratio over the runs. */
  readonly low: number | null;
  readonly high: number | null;
}

export interface ComparedCounts {
  readonly was: readonly number[];
  readonly is: readonly number[];
  /** True where the ranges are disjoint, in the confirming runs as well. */
  readonly changed: boolean;
}
