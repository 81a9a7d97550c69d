import type { Microseconds } from './units.ts';

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
      /** How a process's main thread was started. */
      readonly kind?: ThreadKind;
    }
  | { readonly type: 'end'; readonly isolate: string; readonly at: Microseconds; readonly reason: 'exit' | 'signal' }
  /** The process went on after the command (a daemon), unrecorded. `record` itself writes this line. */
  | { readonly type: 'outlives'; readonly isolate: string; readonly at: Microseconds }
  | { readonly type: 'signal'; readonly isolate: string; readonly at: Microseconds; readonly signal: string }
  /** The process is about to become another user by this function of `process`; `stays` follows if it can write. */
  | { readonly type: 'leaves'; readonly isolate: string; readonly by: string }
  | { readonly type: 'stays'; readonly isolate: string }
  /** The process has started Node as another user, who cannot write here. */
  | { readonly type: 'otherUser'; readonly isolate: string; readonly uid: number }
  /** The program has a handler of its own for this signal. */
  | { readonly type: 'handles'; readonly isolate: string; readonly signal: string }
  /** The process started a thread. `kind`: for a runner's pool, or for the program. */
  | { readonly type: 'worker'; readonly pid: number; readonly threadId: number; readonly kind: ThreadKind }
  /** The process has accepted a connection: clients wait for this event loop. */
  | { readonly type: 'serves'; readonly isolate: string }
  /** A server of the thread listens. */
  | ({ readonly type: 'listens'; readonly isolate: string; readonly at: Microseconds } & ListeningServer)
  | { readonly type: 'closes'; readonly isolate: string; readonly at: Microseconds; readonly server: number }
  /** No profile could be taken in this isolate; `reason` is for the person. */
  | { readonly type: 'unprofiled'; readonly isolate: string; readonly reason: string }
  /** A part of the recorder failed in this isolate, for this `reason`. All other data are right. */
  | { readonly type: 'failed'; readonly isolate: string; readonly reason: string }
  /** In a recording of tiers: the program has set a flag of V8 that changes what V8 optimizes or logs. */
  | { readonly type: 'flag'; readonly isolate: string; readonly flag: string }
  /** The first error that reaches a handler of the program's own; if that throws, Node ends at once. */
  | { readonly type: 'uncaught'; readonly isolate: string }
  /** The command has recorded itself into this folder. The inner `record` writes this line. */
  | { readonly type: 'recordedInside'; readonly directory: string }
  /** Nothing was recorded from here on: the recording has reached its limit. */
  | { readonly type: 'full'; readonly isolate: string; readonly at: Microseconds; readonly mostBytes: number }
  /** Nothing could be written from here on; `reason` is the system's code, such as `ENOSPC`. */
  | { readonly type: 'lost'; readonly isolate: string; readonly reason: string };

export interface ListeningServer {
  /** Unique in its isolate. */
  readonly server: number;
  readonly protocol: ServerProtocol;
  /** IP address, and port; empty and −1 where it listens at a socket. */
  readonly host: string;
  readonly port: number;
  /** Socket or named pipe; empty otherwise. */
  readonly path: string;
}

export const serverProtocols = ['http', 'https', 'http2', 'other'] as const;
export type ServerProtocol = (typeof serverProtocols)[number];

/**
 * `main`: requests or users wait for the thread's event loop. `pool`: a worker of the test runner, which counts as
 * well. `background`: a thread or process that the program started.
 */
export type ThreadKind = 'main' | 'pool' | 'background';

/** What the recorder in an attached thread says of it. */
export interface ThreadFacts {
  /** The system's number of the thread, on Linux. */
  readonly tid?: number;
  readonly threadId: number;
  /** When the recorder began. */
  readonly at: Microseconds;
  /** The same for processes that see the same numbers of processes; empty where this is not known. */
  readonly machine: string;
}

/**
 * A line of `<isolate>.turns.jsonl`: an array with its kind first, to keep the file small. Times are in µs.
 * - `turn`: a turn of 1 ms or more. `own`: the recorder's part of it. `run`: CPU time without that part; `wait`: time
 *   ready without a CPU; the rest is sleep; −1: not measured. Without `wait`, `run` is the CPU time of the thread (before
 *   Node 22.19, of the process) in turns of 10 ms and more, as always in version 1 of the format.
 * - `clock`: the CPU time in `run` moves in steps of this length (Windows: 15.6 ms). The last such line counts.
 * - `own`: the recorder itself held the loop (rotation, flush), in a turn or between two.
 * - `histogram`: all turns that ended in a period of at most 10 s: for each class of `turnClassBounds` their number and
 *   the sum of their times.
 * - `gc`: collections of one kind (V8's name) in such a period: number, sum, longest; the largest heap before one of
 *   them and the heap after the last one, in bytes.
 * - `mark`: all turns before it are written. In a killed process, turns after the last mark are unknown.
 */
export type TurnLine =
  | readonly ['turn', start: number, end: number, run: number, own?: number, wait?: number]
  | readonly ['clock', step: number]
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

/** Upper bounds, exclusive, of the classes of a `histogram`, in µs. The last class has none. */
export const turnClassBounds = [10, 100, 500, 1_000, 10_000, 100_000, 1_000_000] as const;

/** Held time of a turn in µs: wall time without the recorder's part and the wait for a CPU. */
export function heldTime([, start, end, , own = 0, wait = 0]: Extract<
  TurnLine,
  readonly ['turn', ...unknown[]]
>): number {
  return Math.max(0, end - start - Math.max(0, own) - Math.max(0, wait));
}

/**
 * A line of `<isolate>.waits.jsonl`. `wait`: how long the thread had waited for a CPU at `at`, since it began; until
 * `before` it was the `wait` of the line before. Linux counts a wait when it is over. Times are in µs.
 */
export type WaitLine = readonly [before: number, at: number, wait: number];

/**
 * A line of `<isolate>.tests.jsonl`, in the order of time. Times are in µs.
 * - `begin`: a test began. `titles`: of its suites and its own; `parent`: the test that waits for it, or −1; `id` is
 *   unique; `file` is `''` where it is unknown.
 * - `end`: the test and its own hooks are over. `outcome` is absent in old recordings.
 * - `untold`: tests of this file ran at the same time; which of them had the thread is unknown.
 * - `unreported`: a test file was loaded by a runner whose tests are not known.
 */
export type TestLine =
  | readonly ['begin', at: number, id: number, file: string, titles: readonly string[], parent: number]
  | readonly ['end', at: number, id: number, outcome?: TestOutcome]
  | readonly ['untold', at: number, file: string]
  | readonly ['unreported', at: number];

/**
 * `passed`: the test ran to its end, and nothing failed. A test that must fail, and does, is `failed`: it came only so far.
 * `skipped`: it skipped itself, or a hook did.
 */
export const testOutcomes = ['passed', 'failed', 'skipped'] as const;
export type TestOutcome = (typeof testOutcomes)[number];

/**
 * A line of `<isolate>.requests.jsonl`. Times are in µs.
 * - `route`: the meaning of `id`, never with a query. `path` is the framework's pattern (`by: 'pattern'`, or no `by`), or
 *   the path of the requests (`by: 'path'`), with `*` for parts that look like an id, and where `mostSiblings` differ.
 * - `request`: read at `start`, its answer given to the system at `end`. `since`: when the connection got its answer
 *   before; −1 for its first request. `route` is −1 where there were too many routes.
 */
export type RequestLine =
  | readonly ['route', id: number, method: string, path: string, by?: 'pattern' | 'path']
  | readonly ['request', route: number, since: number, start: number, end: number];

/** Where paths have this many different parts in one place (`/posts/first-post`, …), they are one route. */
export const mostSiblings = 50;

/**
 * A line of `<isolate>.maps.jsonl`. `url` is as in call frames.
 * - `map`: the source map of a script as it was compiled (JSON text, version 3, or the `data:` url that holds it).
 * - `text`: the text itself, where it was compiled without a source map and differs from that of the file.
 * - `gone`: the text that ran without a source map, and whose file is gone; null where the text is, too.
 */
export type MapLine =
  | { readonly url: string; readonly map: string }
  | { readonly url: string; readonly text: string }
  | { readonly url: string; readonly gone: string | null };

/**
 * A line of `<isolate>.maps.jsonl` as it is written. A long text, or a map that is itself in the script, has a key, which
 * tells its content and url. Only the first process writes it; the others write its key alone.
 */
export type WrittenMapLine = (MapLine & { readonly key?: string }) | MapReference;

export interface MapReference {
  readonly url: string;
  readonly key: string;
}

/** A line of `<isolate>.texts.jsonl`. `url` is as in call frames, `text` the file name without suffix. */
export interface TextLine {
  readonly url: string;
  readonly text: string;
}

/** A line of `read.texts.jsonl`: the source at `url` has changed since `script`, which ran, was built from it. Both are paths. */
export interface OutdatedLine {
  readonly url: string;
  readonly script: string;
}

/** What `HOTSPAN_MODE=histogram` logs every 10 s: the turns of one process since the last time. */
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
