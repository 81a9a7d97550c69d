import type { JudgedRun } from './hotspots/judged-run.ts';
import type { ImportLine, BlamedPackage } from './lines/import-lines.ts';
import type { RecordingFacts } from './recording-files/isolate-source.ts';
import type { ChangedSince } from './texts/changed-since.ts';
import type { Tiers } from './tiers/tiers.ts';
import type { HotLine } from './lines/hot-lines.ts';
import type { Warning } from './warning.ts';

/**
 * Everything that was found out about one recording. It is computed once; reports, trees, hovers and flamegraphs read
 * from it.
 */
export interface Analysis extends JudgedRun {
  readonly recording: RecordingFacts;
  /** Functions that call `Atomics.wait`, and slept with no frame that says in what. Stacks never show that call. */
  readonly atomicsWaiters: ReadonlySet<number>;
  readonly lines: readonly HotLine[];
  readonly importLines: readonly ImportLine[];
  readonly packages: readonly BlamedPackage[];
  /** Tiers of the functions; null where nothing tells them: a profile for which there is no recording of tiers. */
  readonly tiers: Tiers | null;
  readonly changed: ChangedSince;
  /** What was damaged, dropped or lost, and what to doubt, for the person. */
  readonly warnings: readonly Warning[];
}
