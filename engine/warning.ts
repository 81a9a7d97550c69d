import type { ManyScavenges } from './cut/event-loop/program-loops.ts';
import type { PatternRefused } from './read/functions/find-workspace.ts';
import type { DoubtWarning, UnseenProgram } from './judge/hotspots/doubt-warnings.ts';
import type { IsolateWarning } from './read/isolates/load-isolate.ts';
import type { OddRuns, SeveralRuns } from './read/isolates/several-runs.ts';
import type { UnreportedTests } from './read/isolates/unreported-tests.ts';
import type { RecordingLoss, SourceWarning } from './read/recording-files/source-warning.ts';
import type { SourceMapWarning } from './read/sourcemap/script-maps.ts';
import type { TextsUnreadable } from './read/texts/kept-texts.ts';

/**
 * What a person should know of a result: what was damaged, dropped or lost, and what to doubt. Each stage has its own
 * beside what finds them, with raw data; the sentences are made in words/warnings/.
 */
export type Warning =
  | SourceWarning
  | RecordingLoss
  | IsolateWarning
  | SeveralRuns
  | OddRuns
  | UnreportedTests
  | PatternRefused
  | UnseenProgram
  | SourceMapWarning
  | TextsUnreadable
  | DoubtWarning
  | ManyScavenges;
