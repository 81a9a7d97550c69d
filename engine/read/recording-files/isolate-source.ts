import type { Isolate } from '../samples/sample-stream.ts';
import type { Microseconds } from '../../../protocol/units.ts';
import type { RecordedLoad, SeenAgain } from '../../../protocol/recording.ts';
import type { ThreadKind } from '../../../protocol/recording-lines.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';

/** Everything to read, of all given paths. */
export interface Sources {
  readonly isolates: readonly IsolateSource[];
  /** Paths of `.maps.jsonl` files. */
  readonly mapFiles: readonly string[];
  readonly recording: RecordingFacts;
  /** The folders in which the commands ran, each once; there may be several where several recordings were given. */
  readonly cwds: readonly string[];
  /** True where a recorded program was given by `-e`. */
  readonly evaluated: boolean;
  readonly warnings: readonly Warning[];
  readonly losses: readonly Warning[];
}

/** The files of one isolate, and what is known about it before they are read. */
export interface IsolateSource extends Omit<Isolate, 'path' | 'parts' | 'threadKind'> {
  /** Paths of the parts of its profile, in order; at least one. */
  readonly profiles: readonly string[];
  /** True where the user gave its path, so that it must exist. */
  readonly isNamed: boolean;
  /** True where Hotspan recorded it; false for a plain profile. */
  readonly isRecorded: boolean;
  /** Path of its turns; null where turns were not measured. */
  readonly turnsFile: string | null;
  /** Path of its waits for a processor, which are read from outside; null where they were not. */
  readonly waitsFile: string | null;
  /** Path of its tests; null where no runner reported tests. */
  readonly testsFile: string | null;
  /** Path of its requests; null where no HTTP server answered anything. */
  readonly requestsFile: string | null;
  /** Path of its list of source texts that ran; null where no text was kept. */
  readonly textsFile: string | null;
  /** Null where only its frames show it. */
  readonly threadKind: ThreadKind | null;
  /** True where the isolate itself wrote that it ends: then all of its turns are in the file. */
  readonly isComplete: boolean;
  /** Sampling interval; null where it is computed from the samples. */
  readonly interval: Microseconds | null;
}

/** Facts of `recording.json`; null where the input is plain profiles. */
export interface RecordingFacts {
  readonly command: readonly string[] | null;
  readonly cwd: string | null;
  readonly startedAt: string | null;
  /** Absent where the command was ended, or its end was not seen. */
  readonly exitCode?: number;
  /** The signal that ended the command. */
  readonly signal?: string;
  /** Present only for a program that ran before it was recorded. */
  readonly isAttached?: true;
  /** Present only where Hotspan itself sent requests to the program. */
  readonly load?: RecordedLoad;
  /** Present only where later runs of its tests were made to be sure of its findings. */
  readonly seenAgain?: SeenAgain;
}
