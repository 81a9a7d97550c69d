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
 *     maps.keys                          which long ones were written (appended by every process): no other process
 *                                        writes these again
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
export const mapKeysFile = 'maps.keys';
export const textsSuffix = '.texts.jsonl';
/** Suffix of a kept text. Its name is its length in UTF-16 units, in base 36, and a hash. */
export const keptTextSuffix = '.text.gz';
/** Limits of kept texts, in UTF-16 units before packing. Later texts are not kept. */
export const keptTextLength = { ofFile: 1_000_000, ofAll: 20_000_000 } as const;
/** Length of a kept text in UTF-16 units, from its file name. */
export function lengthOfKept(name: string): number {
  const length = Number.parseInt(name, 36);
  return Number.isNaN(length) ? 0 : length;
}

/** The list of files that no process has sampled. */
export const readTextsFile = `read${textsSuffix}`;
/** Functions that the editor marked in the run before, to keep stable marks across reloads. */
export const markedBeforeFile = 'marked-before.json';
/** What re-checks say of its functions, for the editor. */
export const rechecksFile = 'rechecks.json';
/** What later runs say of uncertain findings. */
export const seenAgainFile = 'seen-again.json';
/** A load that was sent to its server while it ran. */
export const loadFile = 'load.json';

export interface SeenAgain {
  readonly runs: number;
  /** Findings that the runs were made for: `key` names one, `seenIn` counts the runs in which it was long again. */
  readonly findings: readonly { readonly key: string; readonly seenIn: number }[];
}

/** Suffix of V8's log of one isolate, byte for byte. */
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

/** Folder of the recording, for the preload in every process of the run; wrapped spawns restore it. */
export const recordingDirVariable = 'HOTSPAN_DIR';
/** Sampling interval for the preload, in µs. */
export const intervalVariable = 'HOTSPAN_INTERVAL';
/** V8's `--logfile` in a recording of tiers, for the first `node` on the PATH. */
export const v8LogVariable = 'HOTSPAN_V8_LOG';
/** Absolute folder of that `node`. */
export const shimVariable = 'HOTSPAN_SHIM';
/** `background` in processes that the program started, whose event loops no user waits for. */
export const kindVariable = 'HOTSPAN_KIND';

/** `run` under `hotspan record`, `histogram` in production. Without it the preload begins a recording. */
export const modeVariable = 'HOTSPAN_MODE';
/** Log file of `histogram`; by default stderr. */
export const logVariable = 'HOTSPAN_LOG';
/** File of OpenMetrics, replaced every 10 s; `%p` in its name is the pid. Without another mode it means `histogram`. */
export const metricsVariable = 'HOTSPAN_METRICS';

/** Limit of a recording in MB, without `hotspan record`. */
export const limitVariable = 'HOTSPAN_MAX_SIZE';
/** Default limit of a recording in MB: more than an hour of a busy server. */
export const defaultLimitMb = 2000;

export const defaultIntervalUs = milliseconds(1);
/** Allowed sampling intervals, in µs: V8 keeps up, and a block of 10 ms is visible. */
export const intervalRange = { least: 50, most: 10_000 } as const;

/** Version of the format; others are not read. */
export const recordingVersion = 2;

/** `recording.json`, written when the command starts and when it ends. */
export interface RecordingManifest {
  readonly version: typeof recordingVersion;
  /** `tiers`: V8 logs instead of profiles. */
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
  /** Size in bytes at which the processes stop recording; null: never. */
  readonly mostBytes: number | null;
  /** The program was given by `-e`: frames without a file are own code. */
  readonly evaluated: boolean;
  /** The program ran before: V8 does not tell what it had inlined. */
  readonly attached?: true;
  /** Sentences for the person: a watcher that ran once, coverage that makes code look hotter … */
  readonly notes: readonly string[];
  readonly environment: { readonly NODE_ENV: string | null; readonly coverage: boolean };
  /** Requests that Hotspan itself sent. */
  readonly load?: RecordedLoad;
}

/** How requests are sent: by connections that send the next request after an answer, or at a constant rate. */
export interface LoadShape {
  readonly connections: number;
  /** In requests per second over all connections; null: as many as are answered. */
  readonly rate: number | null;
  /** Number of requests over all connections; null: as many as there are in `durationS`. */
  readonly amount: number | null;
  /** In seconds; null where `amount` says when to end. */
  readonly durationS: number | null;
  /** In seconds. The same requests are sent before, and are in no figure. */
  readonly warmUpS: number;
}

/** The same requests, sent to the program. Queries, values of headers and bodies are not kept: they may be secret. */
export interface RecordedLoad extends LoadShape {
  readonly source: LoadSource;
  readonly requests: readonly RecordedRequest[];
  /** Figures of the run without the recorder; null if none was made. */
  readonly baseline: LoadFigures | null;
  readonly recorded: LoadFigures;
}

/** Where the requests come from, to send them again. */
export type LoadSource =
  /** Autocannon's words; null where they could contain a secret. */
  | { readonly type: 'words'; readonly words: string | null }
  /** Absolute path, and the name of the environment in `http-client.env.json`. */
  | { readonly type: 'file'; readonly file: string; readonly environment: string | null };

export interface RecordedRequest {
  /** As in the request file, else its method and path; with its number in the file where others have the same. */
  readonly title: string;
  readonly method: string;
  /** Without query and user. */
  readonly url: string;
  /** Names alone. */
  readonly headers: readonly string[];
  readonly bodyBytes: number;
}

export interface LoadFigures extends AnswerFigures {
  readonly timeouts: number;
  /** Duration until the last answer. */
  readonly durationUs: Microseconds;
  readonly requestsPerSecond: number;
  readonly bytesPerSecond: number;
  /** From the sending of a request to its whole answer. */
  readonly latencyUs: Readonly<Record<'mean' | 'p50' | 'p90' | 'p99' | 'max', Microseconds>>;
  /** How much of the CPU time that it wanted the program got, from 0 to 1; only of two runs to compare, on Linux. */
  readonly cpuShare?: number;
  /** Of each request of `RecordedLoad`, in its order. */
  readonly byRequest: readonly AnswerFigures[];
}

export interface AnswerFigures {
  /** Number of answers. */
  readonly requests: number;
  readonly errors: number;
  /** Answers with a status of 400 and more. */
  readonly refused: number;
  /** From the sending of a request to its whole answer; 0 without answers. */
  readonly latencyUs: Readonly<Record<'p50' | 'p99', Microseconds>>;
}

export type Ended = 'exit' | 'signal' | 'killed' | 'outlived' | 'unknown';

/** Signals that ask a command to end, with the exit code of a shell whose command one of them ended. */
export const askingSignals: ReadonlyMap<string, number> = new Map([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
]);
