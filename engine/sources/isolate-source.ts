import type { Microseconds } from '../../protocol/units.ts';
import type { RecordedLoad, Ended, ThreadKind } from '../../protocol/recording.ts';

/** What there is to read: of several paths, folders and recordings together. */
export interface Sources {
  readonly isolates: readonly IsolateSource[];
  /** Paths of `.maps.jsonl` files. */
  readonly mapFiles: readonly string[];
  readonly recording: RecordingFacts;
  /** A recorded program was given by `-e`. */
  readonly evaluated: boolean;
  readonly warnings: readonly string[];
  /** What ran but was not recorded, or not to its end: whole sentences. */
  readonly losses: readonly string[];
}

/** The files of one isolate. */
export interface IsolateSource {
  /** Of its profile's parts, in order; one at least. */
  readonly profiles: readonly string[];
  /** The person gave its path: it must be there. */
  readonly isNamed: boolean;
  /** By Hotspan: not a plain profile. */
  readonly isRecorded: boolean;
  /** Null where turns were not measured. */
  readonly turnsFile: string | null;
  /** Null where nobody outside has read what its thread waited. */
  readonly waitsFile: string | null;
  /** Null where no runner said which test ran. */
  readonly testsFile: string | null;
  /** Null where no HTTP server answered anything. */
  readonly requestsFile: string | null;
  /** Null where it kept no text of what ran. */
  readonly textsFile: string | null;
  readonly pid: number | null;
  readonly threadId: number | null;
  /** Null where only its frames can tell. */
  readonly threadKind: ThreadKind | null;
  readonly nodeVersion: string | null;
  /** The script that its process ran; null where that is not known. */
  readonly command: string | null;
  readonly isTestParent: boolean;
  readonly ended: Ended;
  /** It said itself that it had come to its end: then all its turns are written. */
  readonly isComplete: boolean;
  /** Of a recording that knows nothing of what its threads waited: turns hold as long as by the clock. */
  readonly isByClock: boolean;
  /** Null where the samples tell. */
  readonly interval: Microseconds | null;
}

/** Of `recording.json`; null where the input is plain profiles. */
export interface RecordingFacts {
  readonly command: readonly string[] | null;
  readonly cwd: string | null;
  readonly startedAt: string | null;
  /** Of the command; absent where it did not end by itself, or nobody saw it. */
  readonly exitCode?: number;
  /** Only where Hotspan itself sent requests to the program. */
  readonly load?: RecordedLoad;
}
