import type { FigureRuns } from '../protocol/figures.ts';
import type { Microseconds } from '../protocol/units.ts';
import type { Blame, JudgedRun } from './judge/hotspots/judged-run.ts';
import type { ImportLine, BlamedPackage } from './judge/lines/import-lines.ts';
import type { AnalyzeFailure } from './read/isolates/load-isolates.ts';
import type { RecordingFacts } from './read/recording-files/isolate-source.ts';
import type { ChangedSince } from './read/texts/kept-texts.ts';
import type { Tiers } from './judge/tiers/tiers.ts';
import type { HotLine } from './judge/lines/hot-lines.ts';
import type { Findings } from './judge/findings/finding.ts';
import type { Warning } from '../words/warnings/warning-text.ts';

/**
 * Everything that was found out about one recording, or about several that were given together. It is computed once; reports, trees, hovers and flamegraphs read
 * from it.
 */
export interface Analysis extends JudgedRun {
  readonly recording: RecordingFacts;
  /** Functions that call `Atomics.wait`, and slept with no frame that says in what. Stacks never show that call. */
  readonly atomicsWaiters: ReadonlySet<number>;
  readonly lines: readonly HotLine[];
  readonly importLines: readonly ImportLine[];
  readonly packages: readonly BlamedPackage[];
  /** What would disappear if it were fixed. Of several runs, none: the list of hotspots has their medians. */
  readonly findings: Findings;
  /** Tiers of the functions; null where nothing tells them: a profile for which there is no recording of tiers. */
  readonly tiers: Tiers | null;
  readonly changed: ChangedSince;
  /** What was damaged, dropped or lost, and what to doubt, for the person. */
  readonly warnings: readonly Warning[];
  /** Present only where several recordings were given. */
  readonly several?: Several;
}

/** What several recordings were taken for that were given together. */
export interface Several {
  /**
   * `runs`: the same thing was recorded again, so figures are medians over the recordings. `shards`: the recordings have
   * parts of one thing, so figures are those of all of them together.
   */
  readonly takenFor: 'runs' | 'shards';
  readonly why: TakenWhy;
  /** Paths of the recordings, in the order in which they were given, each once. */
  readonly paths: readonly string[];
  /** Paths that were given besides, of recordings that are among the others. */
  readonly copies: readonly { readonly path: string; readonly of: string }[];
  /** Runs that could not be read; empty for shards, which fail together. */
  readonly leftOut: readonly { readonly path: string; readonly failure: AnalyzeFailure }[];
  /**
   * Index of the run in the middle, by the longest hold of the loop: operations, stacks, the event loop and routes are
   * of this run. Null for shards.
   */
  readonly middle: number | null;
  /** What held the loop with no function of the person's to blame, over all runs; empty for shards. */
  readonly blames: readonly RunsBlame[];
}

/**
 * Why recordings were taken for runs or for shards. `asked`: the person said so. `sameTests`, `sameCommand`: the command
 * was the same, and so were the test files that it reached, or there were none. `shardOptions`: the command says which
 * part it ran. `otherCommand`, `otherTests`: they are of different commands, folders or test files. `unknown`: nothing
 * tells; they count as parts.
 */
export type TakenWhy =
  | 'asked'
  | 'sameTests'
  | 'sameCommand'
  | 'shardOptions'
  | 'otherCommand'
  | 'otherTests'
  | 'unknown';

/** One blame for long operations in several runs. */
export interface RunsBlame {
  readonly kind: Blame['kind'];
  readonly name: string;
  /** The medians. */
  readonly worstUs: Microseconds;
  readonly count: number;
  readonly runs: FigureRuns;
}
