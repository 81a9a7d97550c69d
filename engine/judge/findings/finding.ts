import type { Figures } from '../../../protocol/figures.ts';
import type { RemedyPage } from '../../../protocol/ids.ts';
import type { HotLine } from '../lines/hot-lines.ts';
import type { BlamedPackage } from '../lines/import-lines.ts';
import type { ClosedBecause, FindingCauseKind } from '../../../protocol/report-findings.ts';
import type { Line1, Microseconds } from '../../../protocol/units.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';

/** One cause of long operations: what would disappear if it were fixed (docs/definition.md, rules 17 to 21). */
export interface Finding extends Pick<Figures, 'worstUs' | 'longCount' | 'distinctStacks' | 'estimated'> {
  readonly subject: FindingSubject;
  /** True for the rows of the verdict. */
  readonly open: boolean;
  /** Why the row is closed although it may remove much; null for open rows, and for those that remove little. */
  readonly closedBecause: ClosedBecause | null;
  /** Excess that it removes, beyond what the findings before it remove. */
  readonly removesUs: Microseconds;
  readonly cause: FindingCause;
  /** Function ids of the nearest two own callers, the nearest first. */
  readonly callers: readonly number[];
  /** Line of the one call in the source of the nearest caller; null where that is not known. */
  readonly calledAt: Line1 | null;
  /** Indices into `Analysis.operations` of the operations in which it has a part, ascending. */
  readonly operations: readonly number[];
  readonly remedy: RemedyPage | null;
  /** The functions that take turns in it, the largest part first; empty where it is one function. */
  readonly parts: readonly FindingPart[];
}

/** What a finding is named after. `garbage` and `loading` are one row each. */
export type FindingSubject =
  | { readonly type: 'function'; readonly functionId: number }
  | { readonly type: 'package'; readonly name: string }
  | { readonly type: 'garbage' }
  | { readonly type: 'loading' };

export interface FindingPart {
  readonly functionId: number;
  /** Its own parts in all operations of the finding together. */
  readonly us: Microseconds;
  /** Whether it is written inside the function that the finding is named after. */
  readonly isInside: boolean;
}

/** Why the time is spent, as a code with data: `words/findings.ts` has the sentences. */
export interface FindingCause {
  readonly kind: FindingCauseKind;
  /** The package, the called function, or the function that repeats; null where the kind says all. */
  readonly name: string | null;
  /** Share of the finding's time that has this cause, 0 to 1. */
  readonly share: number;
  /** Line of the loop, the call or the expression, in the function's file; null where it is not known. */
  readonly line: Line1 | null;
  /**
   * Why it is only probable; null where it is certain. `calls`: the text of the line says so, but it calls other
   * functions, too. `name`: only a name says so. `line`: another line may have the time.
   */
  readonly doubt?: 'calls' | 'name' | 'line' | null;
}

/** All findings of an analysis, and the time that they are measured by. */
export interface Findings {
  /** In the order of the verdict: the open ones, then those that remove little, then the closed ones. */
  readonly all: readonly Finding[];
  /** Ids of culprits that get no mark: most of their time is garbage collection, or sleep in no call that can block. */
  readonly unmarked: ReadonlySet<number>;
  /** Ids of culprits in whose figures such a part does not count, or only what it computed (`pausesIn`). */
  readonly cut: ReadonlySet<number>;
  /** Number of long operations of the program on counted loops, and their time above the threshold. */
  readonly longOperations: number;
  readonly excessUs: Microseconds;
  /** The part of `excessUs` that the findings in code of the program could take away. */
  readonly explainableUs: Microseconds;
}

/** Own parts that are mostly a pause, by number. */
export interface Pauses {
  /** What is left of a part without its pause, in µs: over the threshold. */
  readonly rests: ReadonlyMap<number, Microseconds>;
  /** Those of which less is left: they are in no figure and in no line. */
  readonly dropped: ReadonlySet<number>;
  /** Sleep within collections, in µs, by number of the operation. */
  readonly asleepInGc: ReadonlyMap<number, number>;
}

/** Input of causes: a judged run. */
export interface RunWithPauses extends JudgedRun {
  readonly pauses: Pauses;
  readonly atomicsWaiters: ReadonlySet<number>;
  readonly packages: readonly BlamedPackage[];
}

/** Input of findings: the same, with the lines of its functions. */
export interface Found extends RunWithPauses {
  readonly lines: readonly HotLine[];
}

/** Whether further runs can confirm a finding that is closed for this reason. */
export function isUncertain(reason: ClosedBecause | null): boolean {
  return reason === 'once' || reason === 'fewSamples';
}

/** Names a finding in all readings of its recording. */
export function findingKey(subject: FindingSubject, { functions: { functions } }: JudgedRun): string {
  if (subject.type === 'package') return `package ${subject.name}`;
  const fn = subject.type === 'function' ? functions[subject.functionId] : undefined;
  return fn === undefined ? subject.type : `${fn.url}:${fn.line}:${fn.column} ${fn.name}`;
}
