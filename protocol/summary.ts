import type { FigureRuns, Tone, WorstFigure } from './figures.ts';
import type { Microseconds } from './units.ts';

/** Summary of a recording, for status bar, messages and the heads of lists and pages. */

export interface SummaryBlame {
  /** True where the time is in many short calls of own functions, and in no single one. */
  readonly isOwn: boolean;
  readonly name: string;
  readonly worstUs: Microseconds;
  /** True where the turn of the worst was inferred, or is in doubt. */
  readonly estimated: boolean;
  readonly count: number;
  readonly runs?: FigureRuns;
  /** Of something else: what short calls of own functions hold in other operations; absent where they hold none. */
  readonly shortCalls?: Omit<SummaryBlame, 'isOwn' | 'name' | 'shortCalls'>;
}

export interface Summary {
  readonly recording: string;
  /** Recordings that are shown together with it; empty for none. */
  readonly more: readonly string[];
  /** Another text once it is written again under its name; absent outside of the language server. */
  readonly written?: string;
  /** `npm test`, the name of a file, or `V8 tiers of npm test`. */
  readonly title: string;
  /**
   * The folder of the run or the profile, inside the workspace; `''` for the workspace's own, and where it is unknown.
   */
  readonly where: string;
  /** ISO 8601; null where not known. */
  readonly startedAt: string | null;
  /** Exit code of a command that failed; absent where it did not, or is unknown. */
  readonly failedWith?: number;
  readonly thresholdUs: Microseconds;
  /**
   * Figure for status bar, terminal and page: the first finding that needs an action, else the first uncertain one, if
   * nothing else held the loop for longer; of several runs the worst culprit. Null where there is neither.
   */
  readonly headline: Headline | null;
  /** The worst culprit in app code, else in tests; null where none is over the threshold. */
  readonly worst: NamedTime | null;
  /** The longest presence of an own function, for a recording without hotspots. */
  readonly longest: NamedTime | null;
  /** What held the loop longest beside culprits, and how often. */
  readonly blame: SummaryBlame | null;
  /** True for a recording of V8's tiers. */
  readonly isTiers: boolean;
  /** True where no file of the recording is in this workspace. */
  readonly isForeign: boolean;
  /** True where no own function has a sample and no package held the loop. */
  readonly isUnseen: boolean;
  /** True where a time of own code may be missing: a process was killed, left no profile, or had no samples for long. */
  readonly isIncomplete: boolean;
  /** True where no finding needs an action, and more runs may confirm one. */
  readonly isUncertain: boolean;
  /** The longest first call that closed a finding, which may be warm-up or a large input; absent where there is none. */
  readonly firstCall?: Pick<Headline, 'label' | 'place' | 'us' | 'estimated'>;
  /**
   * The function that the flamegraph opens at: the headline's, else the worst culprit; null for a package, or below the
   * threshold.
   */
  readonly opensAt: number | null;
  /** Number of findings that need an action. */
  readonly findingCount: number;
  readonly hotspotCount: number;
  /** What re-checks have shown to be below the threshold since, and is left out above; absent for nothing. */
  readonly fixed?: readonly FixedFunction[];
  /** Present where a re-check has measured the current code of a function. */
  readonly hasRecheck?: true;
  readonly verdict: string;
  readonly warnings: readonly string[];
}

/** Name, place and time of a function, or of a package at its first import. */
export interface Headline {
  readonly label: string;
  /** Path inside the workspace with the line, such as `src/rules.ts:13`; may be empty. */
  readonly place: string;
  readonly us: Microseconds;
  readonly estimated: boolean;
  readonly tone: Tone;
  /** Absent where it did not wait. */
  readonly waited?: NonNullable<WorstFigure['waited']>;
  readonly runs?: FigureRuns;
  /** Why it is uncertain: `few samples`, `seen once`. */
  readonly doubt?: string;
  /** In the place of the time: what a re-check measured (`157 → 60 ms`), or that its code changed (`was 157 ms`). */
  readonly now?: string;
}

export interface FixedFunction {
  /** `string.ts:12`, else its name. */
  readonly place: string;
  /** `157 → 9 ms`. */
  readonly text: string;
}

export interface NamedTime extends Headline {
  readonly functionId: number;
}

export interface ResultParts {
  readonly target: string;
  readonly recordings: readonly string[];
}

/**
 * Whether a new result replaces an old one: it has the same target, or one of its recordings, as none is shown twice.
 */
export function isReplacedBy(old: ResultParts, { target, recordings }: ResultParts): boolean {
  return old.target === target || old.recordings.some((one) => recordings.includes(one));
}

/**
 * Orders figures by importance: own warm code first, then first times and tests, then workers; within these by time.
 */
export function byWeight(a: Weight, b: Weight): number {
  return a.tone === b.tone ? b.us - a.us : tones[a.tone] - tones[b.tone];
}

export type Weight = Pick<NamedTime, 'us' | 'tone'>;

const tones: Readonly<Record<NamedTime['tone'], number>> = { plain: 0, dim: 1, background: 2 };
