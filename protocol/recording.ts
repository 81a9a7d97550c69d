import { milliseconds, type Microseconds } from './units.ts';

/**
 * A *recording* is one folder. The preload writes one set of files for each isolate, and `hotspan record` writes
 * `recording.json`. The lines of the `.jsonl` files are in recording-lines.ts.
 *
 *     recording.json                     what was run, where, when, how it ended
 *     events.jsonl                       processes and threads: started, ended, signals (appended by every process)
 *     <isolate>.<part>.cpuprofile        one rotated part of an isolate's profile, part = 0, 1, 2 …
 *     <isolate>.turns.jsonl              its measured turns
 *     <isolate>.waits.jsonl              how long its thread waited for a processor, measured again and again; only on
 *                                        Linux, under `hotspan record`
 *     <isolate>.tests.jsonl              which test ran when; absent where no test ran
 *     <isolate>.requests.jsonl           requests to its HTTP servers; absent where there were none
 *     <isolate>.maps.jsonl               source maps and texts seen when code was compiled
 *     <isolate>.texts.jsonl              which text each of the person's sampled files had when it was compiled
 *     read.texts.jsonl                   the same for files that no process sampled (originals of built code), written
 *                                        when the recording was read first
 *     <length>-<hash>.text.gz            such a text, once for all processes
 *     CPU.<date>.<time>.<pid>.<tid>.<seq>.cpuprofile   the profile of a worker, written by Node itself
 *     isolate-<address>-<pid>-<pid>-<ms>.v8.log        in a recording of tiers, instead of profiles: V8's log of one isolate
 *     marked-before.json                 which functions the editor marked in the run before this one
 *     seen-again.json                    what later runs of its tests say of uncertain findings (`hotspan make-sure`)
 *     stop                               asks `record` to stop the command
 *
 * `<isolate>` is `<pid>-<threadId>-<start, ms since the epoch in base 36>`: a pid can be used twice in a long run.
 * All times are µs of one clock: CLOCK_MONOTONIC, which is `process.hrtime` and V8's profiles.
 */
export const recordingFile = 'recording.json';
export const eventsFile = 'events.jsonl';
export const stopFile = 'stop';
export const profileSuffix = '.cpuprofile';
export const turnsSuffix = '.turns.jsonl';
export const waitsSuffix = '.waits.jsonl';
export const testsSuffix = '.tests.jsonl';
export const requestsSuffix = '.requests.jsonl';
export const mapsSuffix = '.maps.jsonl';
export const textsSuffix = '.texts.jsonl';
/** Suffix of a kept text. Its name is the text's length in UTF-16 units, in base 36, and a hash. */
export const keptTextSuffix = '.text.gz';
/** Limits of kept texts, in UTF-16 units before packing. Later texts are not kept. */
export const keptTextLength = { ofFile: 1_000_000, ofAll: 20_000_000 } as const;
/** Length of a kept text in UTF-16 units, read from its file name. */
export function lengthOfKept(name: string): number {
  const length = Number.parseInt(name, 36);
  return Number.isNaN(length) ? 0 : length;
}

/** Name of the list of files that no process has sampled. */
export const readTextsFile = `read${textsSuffix}`;
/** Which functions the editor marked in the run before, so that marks that stay do so after a reload of the window. */
export const markedBeforeFile = 'marked-before.json';
/** What later runs say of uncertain findings. */
export const seenAgainFile = 'seen-again.json';

/** The content of that file. */
export interface SeenAgain {
  /** Number of the runs. */
  readonly runs: number;
  /** The findings that the runs were made for: `key` names one, `seenIn` counts the runs in which it was long again. */
  readonly findings: readonly { readonly key: string; readonly seenIn: number }[];
}

/** Suffix of V8's own log of one isolate, byte for byte as V8 wrote it. */
export const v8LogSuffix = '.v8.log';
/**
 * Receives what V8 prints about deopts, unread. In the folder of our own `node`, below a folder that is closed to other
 * users.
 */
export const codeTracesFile = 'own/code-traces.txt';
/**
 * Begin of the names of marks in a V8 log. At its start each isolate compiles five scripts
 * `hotspan-clock:<pid>:<threadId>:<ns>`, each right after `process.hrtime` was `ns`. A log without them is of a process
 * that does not count (a package manager, Node's thread of loader hooks).
 */
export const clockMarker = 'hotspan-clock:';

/** Names the recording folder to the preload in every process of the run; wrapped spawns put it back. */
export const recordingDirVariable = 'HOTSPAN_DIR';
/** Sampling interval for the preload, in µs. */
export const intervalVariable = 'HOTSPAN_INTERVAL';
/** V8's `--logfile` in a recording of tiers, for the `node` that shells find first on the PATH. */
export const v8LogVariable = 'HOTSPAN_V8_LOG';
/** Absolute folder of that `node`. */
export const shimVariable = 'HOTSPAN_SHIM';
/** `background` in processes that the program started: nobody waits for their event loops. */
export const kindVariable = 'HOTSPAN_KIND';

/** `run` under `hotspan record`, `histogram` in production. Without it the preload begins a recording. */
export const modeVariable = 'HOTSPAN_MODE';
/** The file that `histogram` is logged to; without it, stderr. */
export const logVariable = 'HOTSPAN_LOG';

/** Limit of a recording in MB, without `hotspan record`. */
export const limitVariable = 'HOTSPAN_MAX_SIZE';
/** Limit of a recording in MB by default: more than an hour of a busy server. */
export const defaultLimitMb = 2000;

export const defaultIntervalUs = milliseconds(1);
/** Sampling intervals that are allowed, in µs: what V8 can keep up with, and what still sees a block of 10 ms. */
export const intervalRange = { least: 50, most: 10_000 } as const;

/** Version of the format; no other one is read. */
export const recordingVersion = 2;

/** `recording.json`. Written when the command starts, and again when it ended. */
export interface RecordingManifest {
  readonly version: typeof recordingVersion;
  /** With `tiers` the recording has V8 logs and no profiles; else it has profiles. */
  readonly kind?: 'profile' | 'tiers';
  readonly hotspanVersion: string;
  readonly command: readonly string[];
  readonly cwd: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly intervalUs: Microseconds;
  /** The processes stop recording when all files together have so many bytes; null: never. */
  readonly mostBytes: number | null;
  /** The program was given by `-e`: frames without a file are the person's own. */
  readonly evaluated: boolean;
  /** Sentences for the person, each said once: a watcher that ran once, coverage that makes code look hotter … */
  readonly notes: readonly string[];
  readonly environment: { readonly NODE_ENV: string | null; readonly coverage: boolean };
  /** Requests that Hotspan itself sent to the program. */
  readonly load?: RecordedLoad;
}

/** The same requests, sent to the program twice. Values of headers and bodies may be secret, and are not kept. */
export interface RecordedLoad {
  readonly url: string;
  readonly method: string;
  readonly connections: number;
  readonly headers: readonly string[];
  readonly bodyBytes: number;
  /** Figures of the run without the recorder. */
  readonly baseline: LoadFigures;
  readonly recorded: LoadFigures;
}

/** How requests were answered. */
export interface LoadFigures {
  /** Number of requests that were answered. */
  readonly requests: number;
  readonly errors: number;
  readonly timeouts: number;
  /** Answers with another status than 2xx. */
  readonly non2xx: number;
  /** Duration until the last answer. */
  readonly durationUs: Microseconds;
  readonly requestsPerSecond: number;
  readonly bytesPerSecond: number;
  /** From the sending of a request to its whole answer. */
  readonly latencyUs: Readonly<Record<'mean' | 'p50' | 'p90' | 'p99' | 'max', Microseconds>>;
}

export type Ended = 'exit' | 'signal' | 'killed' | 'outlived' | 'unknown';
