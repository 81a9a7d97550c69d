import type { ReportImport } from '../protocol/report-code.ts';
import type { FigureRuns } from '../protocol/figures.ts';
import type { Microseconds } from '../protocol/units.ts';
import type { Blame, JudgedRun } from './judge/hotspots/judged-run.ts';
import type { BlamedPackage } from './judge/lines/import-lines.ts';
import type { AnalyzeFailure } from './read/isolates/load-isolates.ts';
import type { RecordingFacts } from './read/recording-files/isolate-source.ts';
import type { ChangedSince } from './read/texts/kept-texts.ts';
import type { Tiers } from './judge/tiers/tiers.ts';
import type { HotLine } from './judge/lines/hot-lines.ts';
import type { Findings } from './judge/findings/finding.ts';
import type { Warning } from '../words/warnings/warning-text.ts';

/** All results for one recording, or for several that were given together. Reports, trees and hovers read from it. */
export interface Analysis extends JudgedRun {
  readonly recording: RecordingFacts;
  /** Functions that call `Atomics.wait`, and slept with no frame of a waiting call: stacks never show that call. */
  readonly atomicsWaiters: ReadonlySet<number>;
  readonly lines: readonly HotLine[];
  readonly importLines: readonly ReportImport[];
  readonly packages: readonly BlamedPackage[];
  /** What would disappear if it were fixed. Of several runs, none: the list of hotspots has their medians. */
  readonly findings: Findings;
  /** Null for a profile without a recording of tiers. */
  readonly tiers: Tiers | null;
  readonly changed: ChangedSince;
  /** What was damaged, dropped or lost, and which figures to doubt. */
  readonly warnings: readonly Warning[];
  /** Present only where several recordings were given. */
  readonly several?: Several;
}

/** What several recordings count as, and why. */
export interface Several {
  /** `runs`: repetitions, whose figures are medians. `shards`: parts of one run, whose figures are counted together. */
  readonly takenFor: 'runs' | 'shards';
  readonly why: TakenWhy;
  /** Paths of the recordings, in the order in which they were given, each once. */
  readonly paths: readonly string[];
  /** Paths given in addition that are copies of recordings among `paths`. */
  readonly copies: readonly { readonly path: string; readonly of: string }[];
  /** Runs that could not be read; empty for shards, which fail together. */
  readonly leftOut: readonly { readonly path: string; readonly failure: AnalyzeFailure }[];
  /** Index of the median run by longest hold: operations, stacks, event loop and routes are its. Null for shards. */
  readonly middle: number | null;
  /** What held the loop without a culprit, over all runs; empty for shards. */
  readonly blames: readonly RunsBlame[];
}

/**
 * Why recordings count as runs or as shards. `asked`: by an option. `sameTests`, `sameCommand`: same command, and same
 * test files or none. `shardOptions`: the command names its part. `otherCommand`, `otherFolder`, `otherTests`: they differ
 * in that. `unknown`: they count as shards.
 */
export type TakenWhy =
  | 'asked'
  | 'sameTests'
  | 'sameCommand'
  | 'shardOptions'
  | 'otherCommand'
  | 'otherFolder'
  | 'otherTests'
  | 'unknown';

export interface RunsBlame {
  readonly kind: Blame['kind'];
  readonly name: string;
  /** The medians. */
  readonly worstUs: Microseconds;
  readonly estimated: boolean;
  readonly count: number;
  readonly runs: FigureRuns;
}
