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
/** Suffix of a kept text. Its name is the text's length in UTF-16 units, in base 36, and a hash. */
export const keptTextSuffix = '.text.gz';
/**
 * Longest texts that are kept, in UTF-16 units before packing: of one file, and of all together. What comes later is
 * not kept.
 */
export const keptTextLength = { ofFile: 1_000_000, ofAll: 20_000_000 } as const;
/** Length of a kept text in UTF-16 units, read from its file name. */
export function lengthOfKept(name: string): number {
  const length = Number.parseInt(name, 36);
  return Number.isNaN(length) ? 0 : length;
}

/** Name of the list of files that no process has sampled. */
export const readTextsFile = `read${textsSuffix}`;
/** Texts by path, as they were when the editor read the recording first. Only older versions wrote this file. */
export const oldTextsFile = 'texts.json.gz';
/** Which functions the editor marked in the run before, so that marks that stay do so after a reload of the window. */
export const markedBeforeFile = 'marked-before.json';
/** Suffix of V8's own log of one isolate, byte for byte as V8 wrote it. */
export const v8LogSuffix = '.v8.log';
/**
 * What V8 would print of deopts, which nobody reads. It is in the folder of our own `node`, in a folder that is closed
 * to other users.
 */
export const codeTracesFile = 'own/code-traces.txt';
/**
 * Name of the marks by which a V8 log tells whose it is and when it began. At the start of each isolate five scripts
 * named `hotspan-clock:<pid>:<threadId>:<ns>` are compiled, each right after `process.hrtime` was `ns`. A log without
 * them is of a process that is not counted (a package manager, Node's thread of loader hooks).
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
/** Has the value `background` in processes that the program started: nobody waits for their event loops. */
export const kindVariable = 'HOTSPAN_KIND';

/**
 * What the recorder does: `run` under `hotspan record`, `histogram` in production. Without it, the preload begins a
 * recording.
 */
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

/** Current version of the format. Version 1 has no waits for a processor. */
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
      /** Who started a process's main thread. */
      readonly kind?: ThreadKind;
    }
  | { readonly type: 'end'; readonly isolate: string; readonly at: Microseconds; readonly reason: 'exit' | 'signal' }
  /** The process went on after the command (a daemon), and is recorded no longer. `record` itself writes this line. */
  | { readonly type: 'outlives'; readonly isolate: string; readonly at: Microseconds }
  | { readonly type: 'signal'; readonly isolate: string; readonly at: Microseconds; readonly signal: string }
  /**
   * The process is about to go on as another user, who may not write here; `by` is the function of `process` that
   * changes the user. `stays` tells who may still write.
   */
  | { readonly type: 'leaves'; readonly isolate: string; readonly by: string }
  | { readonly type: 'stays'; readonly isolate: string }
  /** The process has started Node as another user, who may not write here. */
  | { readonly type: 'otherUser'; readonly isolate: string; readonly uid: number }
  /** The program has a handler of its own for this signal. */
  | { readonly type: 'handles'; readonly isolate: string; readonly signal: string }
  /** The process started a thread. `kind` says who asked for it, a runner's pool or the program. */
  | { readonly type: 'worker'; readonly pid: number; readonly threadId: number; readonly kind: ThreadKind }
  /** The process has accepted a connection: somebody waits for this event loop, whoever started it. */
  | { readonly type: 'serves'; readonly isolate: string }
  /** No profile could be taken in this isolate; `reason` says why, in words for the person. */
  | { readonly type: 'unprofiled'; readonly isolate: string; readonly reason: string }
  /**
   * A part of the recorder failed in this isolate; `reason` says why, for those who fix it. What else was recorded is
   * right.
   */
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

/** Held time of a turn in µs: by the clock, without the recorder's part and without what it waited for a processor. */
export function heldTime([, start, end, , own = 0, wait = 0]: Extract<
  TurnLine,
  readonly ['turn', ...unknown[]]
>): number {
  return Math.max(0, end - start - Math.max(0, own) - Math.max(0, wait));
}

/** Upper bounds, exclusive, of the classes of a `histogram`, in µs. The last class has none. */
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
  /** Upper bounds, exclusive, of the classes, in µs. The last class has none. */
  readonly belowUs: readonly (number | null)[];
  /** Number of turns in each class, and the sum of their times. */
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

/**
 * Where the paths have this many different parts in one place (`/posts/first-post`, `/posts/my-cat`, …), they are one
 * route.
 */
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

/** A line of `<isolate>.texts.jsonl`. `url` is as in call frames, `text` is the file name without its suffix. */
export interface TextLine {
  readonly url: string;
  readonly text: string;
}

/**
 * Who waits for a thread's event loop. `main`: somebody does. `pool`: a runner's own worker, counted, too.
 * `background`: started by the program, so nobody does.
 */
export type ThreadKind = 'main' | 'pool' | 'background';

export type Ended = 'exit' | 'signal' | 'killed' | 'outlived' | 'unknown';
