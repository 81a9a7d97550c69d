import { milliseconds, type Microseconds } from './units.ts';

/**
 * A *recording* is one folder. The preload writes one set of files for each isolate, the launch side `recording.json`:
 *
 *     recording.json                     what was run, where, when, how it ended
 *     events.jsonl                       processes and threads: started, ended, signals (appended by every process)
 *     <isolate>.<part>.cpuprofile        one rotated part of an isolate's profile, part = 0, 1, 2 …
 *     <isolate>.turns.jsonl              its measured turns
 *     <isolate>.waits.jsonl              what its thread waited for a processor as it went along; Linux, under `hotspan record`
 *     <isolate>.tests.jsonl              which test ran when; not there where none did
 *     <isolate>.requests.jsonl           requests to its HTTP servers; not there where there were none
 *     <isolate>.maps.jsonl               source maps and texts seen when code was compiled
 *     <isolate>.texts.jsonl              which text each of the person's sampled files had when it was compiled
 *     read.texts.jsonl                   the same of files that no process sampled (originals of built code), when it was read first
 *     <length>-<hash>.text.gz            such a text, once for all processes
 *     CPU.<date>.<time>.<pid>.<tid>.<seq>.cpuprofile   a worker's, written by Node itself
 *     isolate-<address>-<pid>-<pid>-<ms>.v8.log        of a recording of tiers, instead of profiles: V8's log of one isolate
 *     texts.json.gz                      of older versions: own source files as they were when the editor read it first, by path
 *     marked-before.json                 which functions the editor marked in the run before it
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
/** Of the name of a kept text, which is its length in UTF-16 units, in base 36, and a hash. */
export const keptTextSuffix = '.text.gz';
/** Longer ones are not kept: neither is what comes after so much. In UTF-16 units, before they are packed. */
export const keptTextLength = { ofFile: 1_000_000, ofAll: 20_000_000 } as const;
/** By its name. */
export function lengthOfKept(name: string): number {
  const length = Number.parseInt(name, 36);
  return Number.isNaN(length) ? 0 : length;
}

/** Of files that no process has sampled. */
export const readTextsFile = `read${textsSuffix}`;
/** What older versions kept: texts by path, when the editor read the recording first. */
export const oldTextsFile = 'texts.json.gz';
/** Which functions the editor marked in the run before, so that marks that stay do so after a reload of the window. */
export const markedBeforeFile = 'marked-before.json';
/** V8's own log of one isolate, byte for byte as V8 wrote it. */
export const v8LogSuffix = '.v8.log';
/** In the folder of our own `node`, in one that is closed to others: what V8 would print of deopts, which nobody reads. */
export const codeTracesFile = 'own/code-traces.txt';
/**
 * How a V8 log tells whose it is and when it began: five scripts named `hotspan-clock:<pid>:<threadId>:<ns>` are compiled
 * at the start of each isolate, each right after `process.hrtime` was `ns`. A log without them is of a process of which
 * nothing counts (a package manager, Node's thread of loader hooks).
 */
export const clockMarker = 'hotspan-clock:';

/** Names the recording folder to the preload in every process of the run; wrapped spawns put it back. */
export const recordingDirVariable = 'HOTSPAN_DIR';
/** Sampling interval for the preload, in µs. */
export const intervalVariable = 'HOTSPAN_INTERVAL';
/** In a recording of tiers: V8's `--logfile`, for the `node` that shells find first on the PATH. */
export const v8LogVariable = 'HOTSPAN_V8_LOG';
/** The folder of that `node`, absolute. */
export const shimVariable = 'HOTSPAN_SHIM';
/** Set to `background` in what the program started: nobody waits for its event loop. */
export const kindVariable = 'HOTSPAN_KIND';

/** What the recorder does: `run` under `hotspan record`, `histogram` in production; without it, it begins a recording. */
export const modeVariable = 'HOTSPAN_MODE';
/** The file that `histogram` is logged to; without it, stderr. */
export const logVariable = 'HOTSPAN_LOG';

/** Without `hotspan record`: a recording's limit in MB. */
export const limitVariable = 'HOTSPAN_MAX_SIZE';
/** Of a recording, in MB: more than an hour of a busy server. */
export const defaultLimitMb = 2000;

export const defaultIntervalUs = milliseconds(1);
/** What V8 can keep up with, and what still sees a block of 10 ms. In µs. */
export const intervalRange = { least: 50, most: 10_000 } as const;

/** Version 1 knew nothing of what threads waited for a processor. */
export const recordingVersion = 2;

/** `recording.json`. Written when the command starts, and again when it ended. */
export interface RecordingManifest {
  readonly version: typeof recordingVersion;
  /** `tiers`: V8 logs, and no profiles; else profiles. */
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
  /** At so many bytes of all files together the processes stop recording; null: never. */
  readonly mostBytes: number | null;
  /** The program was given by `-e`: frames without a file are the person's own. */
  readonly evaluated: boolean;
  /** Said once, to the person: a watcher that ran once, coverage that makes code look hotter … */
  readonly notes: readonly string[];
  readonly environment: { readonly NODE_ENV: string | null; readonly coverage: boolean };
  /** What Hotspan itself sent to the program. */
  readonly load?: RecordedLoad;
}

/** The same requests, sent to the program twice. Values of headers and bodies may be secret: they are not kept. */
export interface RecordedLoad {
  readonly url: string;
  readonly method: string;
  readonly connections: number;
  readonly headers: readonly string[];
  readonly bodyBytes: number;
  /** Without the recorder. */
  readonly baseline: LoadFigures;
  readonly recorded: LoadFigures;
}

/** How requests were answered. */
export interface LoadFigures {
  /** Answered ones. */
  readonly requests: number;
  readonly errors: number;
  readonly timeouts: number;
  /** Answers with another status than 2xx. */
  readonly non2xx: number;
  /** Until the last answer. */
  readonly durationUs: Microseconds;
  readonly requestsPerSecond: number;
  readonly bytesPerSecond: number;
  /** From the sending of a request to its whole answer. */
  readonly latencyUs: Readonly<Record<'mean' | 'p50' | 'p90' | 'p99' | 'max', Microseconds>>;
}

/** A line of `events.jsonl`. A process with `start` and neither `end` nor `outlives` was killed. */
export type RecordingEvent =
  | {
      readonly type: 'start';
      readonly isolate: string;
      readonly pid: number;
      readonly threadId: number;
      /** The system's number of the thread, on Linux. */
      readonly tid?: number;
      readonly ppid: number;
      readonly argv: readonly string[];
      readonly execArgv: readonly string[];
      readonly nodeVersion: string;
      readonly at: Microseconds;
      /** Of a process's main thread, by who started it. */
      readonly kind?: ThreadKind;
    }
  | { readonly type: 'end'; readonly isolate: string; readonly at: Microseconds; readonly reason: 'exit' | 'signal' }
  /** It went on after the command (a daemon), and is recorded no longer: `record` itself tells so. */
  | { readonly type: 'outlives'; readonly isolate: string; readonly at: Microseconds }
  | { readonly type: 'signal'; readonly isolate: string; readonly at: Microseconds; readonly signal: string }
  /** It is about to go on as another user, by this function of `process`, who may not write here; `stays`: who may. */
  | { readonly type: 'leaves'; readonly isolate: string; readonly by: string }
  | { readonly type: 'stays'; readonly isolate: string }
  /** It has started Node as another user, who may not write here. */
  | { readonly type: 'otherUser'; readonly isolate: string; readonly uid: number }
  /** The program has a handler of its own for this signal. */
  | { readonly type: 'handles'; readonly isolate: string; readonly signal: string }
  /** A thread was started; `kind` by who asked for it, a runner's pool or the program. */
  | { readonly type: 'worker'; readonly pid: number; readonly threadId: number; readonly kind: ThreadKind }
  /** A connection was taken here: this event loop is waited for, whoever started it. */
  | { readonly type: 'serves'; readonly isolate: string }
  /** No profile could be taken here, and why (in words for the person). */
  | { readonly type: 'unprofiled'; readonly isolate: string; readonly reason: string }
  /** Something of the recorder failed here, and why (for who mends it): what else there is, is right. */
  | { readonly type: 'failed'; readonly isolate: string; readonly reason: string }
  /** In a recording of tiers: the program itself has set this flag of V8, which changes what V8 optimizes or logs. */
  | { readonly type: 'flag'; readonly isolate: string; readonly flag: string }
  /** From here on nothing was recorded: the recording has reached its limit. */
  | { readonly type: 'full'; readonly isolate: string; readonly at: Microseconds; readonly mostBytes: number }
  /** From here on nothing could be written any more; `reason` is the system's code, such as `ENOSPC`. */
  | { readonly type: 'lost'; readonly isolate: string; readonly reason: string };

/**
 * A line of `<isolate>.turns.jsonl`, an array with its kind in front to keep it small. All times in µs.
 * - `turn`: one turn of 1 ms or more, without `own`: what of the time between its start and its end was the recorder's
 *   (its hooks, what it did in between). `run`: the thread had a processor, without the recorder's part of that; `wait`: it
 *   was ready and others had it; the rest it slept. −1: not measured. Where `wait` is not, `run` is its CPU time in turns of
 *   10 ms and more; before Node 22.19 that of the whole process. Version 1 knew that alone.
 * - `own`: when the recorder itself held the loop (rotation, flush), inside a turn or between two.
 * - `histogram`: all turns that ended in a stretch of at most 10 s, the short ones too: how many there were of each class
 *   of `turnClassBounds`, and their sum in µs.
 * - `gc`: collections of one kind (V8's name of it) in such a stretch: how many, their sum and the longest in µs, the most
 *   bytes of heap in use before one, and those after the last.
 * - `mark`: every turn up to here has been written; after the last mark of a killed process turns are unknown.
 */
export type TurnLine =
  | readonly ['turn', start: number, end: number, run: number, own?: number, wait?: number]
  | readonly ['own', start: number, end: number]
  | readonly ['histogram', from: number, to: number, counts: readonly number[], times: readonly number[]]
  | readonly [
      'gc',
      from: number,
      to: number,
      kind: string,
      count: number,
      time: number,
      longest: number,
      usedBefore: number,
      usedAfter: number,
    ]
  | readonly ['mark', at: number];

/**
 * A line of `<isolate>.waits.jsonl`: at `at` the thread had waited for a processor for `wait` since it began, and up to
 * `before` for as long as the line before says. Linux counts a wait when it is over. All in µs.
 */
export type WaitLine = readonly [before: number, at: number, wait: number];

/** Of a turn, in µs: by the clock, without the recorder's part and what it waited for a processor. */
export function heldTime([, start, end, , own = 0, wait = 0]: Extract<
  TurnLine,
  readonly ['turn', ...unknown[]]
>): number {
  return Math.max(0, end - start - Math.max(0, own) - Math.max(0, wait));
}

/** Upper bounds, not included, of the classes of a `histogram`, in µs; the last class has none. */
export const turnClassBounds = [10, 100, 500, 1_000, 10_000, 100_000, 1_000_000] as const;

/**
 * A line of `<isolate>.tests.jsonl`, in the order of time. All times in µs.
 * - `begin`: a test began; `titles` are its suites' and its own, `parent` is the test that waits for it, or −1.
 *   `id` is used once. `file` is `''` where it is not known.
 * - `end`: it is over, its own hooks too.
 * - `untold`: tests of this file ran at the same time, and nothing told which of them had the thread.
 */
export type TestLine =
  | readonly ['begin', at: number, id: number, file: string, titles: readonly string[], parent: number]
  | readonly ['end', at: number, id: number]
  | readonly ['untold', at: number, file: string];

/** What `HOTSPAN_MODE=histogram` logs every 10 s: the turns of one process that ended since the last time. */
export interface HistogramLine {
  readonly hotspan: 'histogram';
  /** ISO 8601. */
  readonly at: string;
  readonly pid: number;
  readonly seconds: number;
  /** Upper bounds, not included, of the classes, in µs; the last one has none. */
  readonly belowUs: readonly (number | null)[];
  /** How many there were of each class, and their sums. */
  readonly turns: readonly number[];
  readonly sumUs: readonly number[];
  readonly longestUs: number;
}

/**
 * A line of `<isolate>.requests.jsonl`. All times in µs.
 * - `route`: what `id` stands for, never with a query. `by`: `path` is the framework's own pattern, as it is where
 *   nothing is said, or the path of the requests with `*` for what looks like an id, and in place of what comes after
 *   `mostSiblings` different parts.
 * - `request`: it was read at `start`, and its answer handed to the system at `end`. `since`: when the connection had
 *   its answer before, −1 for its first request. `route` is −1 where there were too many.
 */
export type RequestLine =
  | readonly ['route', id: number, method: string, path: string, by?: 'pattern' | 'path']
  | readonly ['request', route: number, since: number, start: number, end: number];

/** So many different parts of paths in one place (`/posts/first-post`, `/posts/my-cat`, …) are taken for one route. */
export const mostSiblings = 50;

/**
 * A line of `<isolate>.maps.jsonl`, `url` as in call frames: the source map of a script as it was compiled (JSON text,
 * v3, or the `data:` url that holds it), or the text itself where that was compiled without one and is not what the file
 * has. `gone`: there was no file of that name any more, and no map; the text that ran, null where nobody had that either.
 */
export type MapLine =
  | { readonly url: string; readonly map: string }
  | { readonly url: string; readonly text: string }
  | { readonly url: string; readonly gone: string | null };

/** A line of `<isolate>.texts.jsonl`; `url` as in call frames, `text` without the suffix of its file. */
export interface TextLine {
  readonly url: string;
  readonly text: string;
}

/** `main`: an event loop that somebody waits on. `pool`: a runner's own worker, counted too. `background`: started by the program. */
export type ThreadKind = 'main' | 'pool' | 'background';

export type Ended = 'exit' | 'signal' | 'killed' | 'outlived' | 'unknown';
