import type { FileKind } from '../files/file-kinds.ts';

/** A warning about the files at the given paths. It is found before any profile is read. */
export type SourceWarning =
  /** The folder has no profiles itself, so those in the folders below it are read. */
  | { readonly type: 'readBelow'; readonly path: string; readonly profiles: number; readonly folders: number }
  /** The folder has more folders below it than the first `folders`, which were looked through. */
  | { readonly type: 'notAllSearched'; readonly path: string; readonly folders: number }
  | UnknownVersion
  /** `files` are the names of files in a folder of profiles that are no profiles. */
  | { readonly type: 'filesLeftOut'; readonly path: string; readonly files: readonly string[] }
  /** The folder in which the program ran is not on this machine. */
  | { readonly type: 'ranElsewhere' }
  /** A sentence that the recorder wrote into `recording.json`. */
  | { readonly type: 'recorderNote'; readonly text: string }
  /** `recording.json` is missing or damaged. */
  | { readonly type: 'manifestUnreadable' }
  /** The file is longer than the longest string. */
  | { readonly type: 'textTooLong'; readonly file: string }
  | TooManyLines;

/** Another Hotspan made the recording. `version` is that of its `recording.json`. */
export interface UnknownVersion {
  readonly type: 'unknownVersion';
  readonly path: string;
  readonly version: number;
}

/** Only the first lines of the file were read (`mostLines` of protocol/json-value.ts). */
export interface TooManyLines {
  readonly type: 'tooManyLines';
  readonly file: string;
}

/** The pid of a process; where the recording does not say when it started, the name of the isolate. */
export type ProcessId = number | string;

/**
 * Something ran, and was not recorded, or not to its end. `command` is the script that the process ran; mostly it is a
 * path.
 */
export type RecordingLoss =
  /** The command has recorded something itself, into the folder `path`. */
  | { readonly type: 'recordedInside'; readonly path: string }
  /** The process changed its user by this function of `process`, and was recorded until then. */
  | { readonly type: 'leftUser'; readonly process: ProcessId; readonly command: string | null; readonly call: string }
  /** The process started Node.js as the user `uid`. */
  | { readonly type: 'otherUser'; readonly process: ProcessId; readonly command: string | null; readonly uid: number }
  /** Nothing was recorded, and the command has `by` (such as `sudo`), which runs programs as another user. */
  | { readonly type: 'ranAsOtherUser'; readonly by: string }
  /** The process could not save all that it recorded. `reason` is the code of the system's error, such as `ENOSPC`. */
  | { readonly type: 'notSaved'; readonly process: ProcessId; readonly reason: string }
  /**
   * The recording has reached its limit, `mostBytes`, so some processes stopped recording: `processes` is their number,
   * `first` is one of them.
   */
  | {
      readonly type: 'recordingFull';
      readonly mostBytes: number;
      readonly processes: number;
      readonly first: ProcessId;
    }
  /**
   * The process began, and left no profile. With `outlived` it went on after the end of the command; without, it may also
   * have been killed.
   */
  | {
      readonly type: 'noProfile';
      readonly pid: number;
      readonly threadId: number;
      readonly command: string;
      readonly args: readonly string[];
      readonly outlived: boolean;
    }
  /** The process could not be profiled. `reason` is a sentence that the recorder wrote. */
  | { readonly type: 'notProfiled'; readonly process: ProcessId; readonly reason: string }
  /**
   * The process did not tell its end. `open`: nobody has noted the recording's end, so it may still run. `threw`: an
   * error had reached a handler of the program's own, which ends the process if it throws.
   */
  | { readonly type: 'cutOff'; readonly pid: number | null; readonly fate: 'outlived' | 'open' | 'killed' | 'threw' }
  /** So many worker threads of the process left parts of a profile, and Node did not write the whole one. */
  | { readonly type: 'workersCutOff'; readonly pid: number | null; readonly workers: number }
  /** The process set options of V8 while it ran. */
  | { readonly type: 'flagsSet'; readonly process: ProcessId; readonly flags: readonly string[] }
  /** The files of two recordings were put into one folder. */
  | { readonly type: 'otherRecording'; readonly path: string; readonly pids: readonly number[] }
  /** The process ended well and has turns here, but its profile was not copied along. */
  | { readonly type: 'profileMissing'; readonly pid: number; readonly command: string };

/** Why there is nothing to read at the given paths. */
export type SourceFailure =
  | { readonly type: 'notFound'; readonly path: string }
  /** The recording has no profile. `loss` is why, as far as it is known. */
  | { readonly type: 'nothingRecorded'; readonly path: string; readonly loss: RecordingLoss | null }
  /** The folder is no recording, and has no profile. `instead` is a file in it that is known to be something else. */
  | {
      readonly type: 'noProfiles';
      readonly path: string;
      readonly instead: { readonly file: string; readonly kind: FileKind } | null;
    }
  | UnknownVersion;
