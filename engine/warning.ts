import type { ManyScavenges } from './event-loop/program-loops.ts';
import type { PatternRefused } from './functions/find-workspace.ts';
import type { DoubtWarning } from './hotspots/doubt-warnings.ts';
import type { IsolateWarning } from './isolates/load-isolate.ts';
import type { OddRuns, SeveralRuns } from './isolates/several-runs.ts';
import type { UnreportedTests } from './isolates/unreported-tests.ts';
import type { RecordingLoss, SourceWarning } from './recording-files/source-warning.ts';
import type { SourceMapWarning } from './sourcemap/script-maps.ts';
import type { UnseenProgram } from './streams/unseen-program.ts';
import type { TextsUnreadable } from './texts/kept-texts.ts';

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
