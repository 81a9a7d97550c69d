import type { FigureRuns, Tone, WorstFigure } from './figures.ts';
import type { Microseconds } from './units.ts';

/** What a recording says in short: for the status bar, the messages and the heads of lists and pages. */

export interface SummaryBlame {
  /** True where the time is in many short calls of own functions, and in no single one. */
  readonly isOwn: boolean;
  readonly name: string;
  readonly worstUs: Microseconds;
  readonly count: number;
  /** Only where several runs are shown together. */
  readonly runs?: FigureRuns;
}

export interface Summary {
  readonly recording: string;
  /** Recordings that are shown together with it; empty for none. */
  readonly more: readonly string[];
  /** What was run: `npm test`, the name of a file, or `V8 tiers of npm test`. */
  readonly title: string;
  /**
   * The folder of the run or the profile, inside the workspace; `''` for the workspace's own, and where it is unknown.
   */
  readonly where: string;
  /** ISO 8601; null where not known. */
  readonly startedAt: string | null;
  /** Exit code of a command that failed by itself; absent for others, and where it is not known. */
  readonly failedWith?: number;
  readonly thresholdUs: Microseconds;
  /**
   * Figure for status bar, terminal and page: the first finding that needs an action, else the first uncertain one; of
   * several runs the worst culprit. Null where there is nothing to do.
   */
  readonly headline: Headline | null;
  /** The worst culprit in app code, else in tests; null where no own function is over the threshold. */
  readonly worst: NamedTime | null;
  /** The longest presence of an own function. It is shown where nothing is over the threshold. */
  readonly longest: NamedTime | null;
  /** The longest operation without a culprit, and how many of its kind there are. */
  readonly blame: SummaryBlame | null;
  /** True for a recording of V8's tiers: its flamegraph shows them. */
  readonly isTiers: boolean;
  /** True where no file of the recording is in this workspace: it was recorded elsewhere, or another folder is open. */
  readonly isForeign: boolean;
  /** True where no own function has a sample and no package held the loop: nothing is known of the person's code. */
  readonly isUnseen: boolean;
  /**
   * The function that the flamegraph opens at: the headline's, else the worst culprit; null for a package, or below the
   * threshold.
   */
  readonly opensAt: number | null;
  /** Number of findings that need an action. */
  readonly findingCount: number;
  /** Number of functions over the threshold. */
  readonly hotspotCount: number;
  /** One sentence about the whole recording. */
  readonly verdict: string;
  readonly warnings: readonly string[];
}

/** The name, place and time of a function, or of a package at its first import. */
export interface Headline {
  readonly label: string;
  /** Path inside the workspace with the line, such as `src/rules.ts:13`; empty where there is none. */
  readonly place: string;
  readonly us: Microseconds;
  readonly estimated: boolean;
  readonly tone: Tone;
  /** As of the figure of a function; absent where nothing was waited for. */
  readonly waited?: NonNullable<WorstFigure['waited']>;
  readonly runs?: FigureRuns;
  /** Why it is uncertain: `few samples`, `seen once`; absent where it is not. */
  readonly doubt?: string;
}

/** The figure of one function. */
export interface NamedTime extends Headline {
  readonly functionId: number;
}

/** A result, and the recordings that it shows: one, or several together. */
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
