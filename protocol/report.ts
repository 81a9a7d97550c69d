import type { RecordedLoad, Ended } from './recording.ts';
import type { Microseconds } from './units.ts';
import type { ThreadKind } from './recording-lines.ts';
import type { ReportFunction, ReportLine, ReportModule, ReportImport, ReportPackage } from './report-code.ts';
import type { ReportFinding, ReportPart } from './report-findings.ts';
import type { DurationClass } from './figures.ts';

/**
 * Output of `hotspan analyze --json`, version 3, for other tools: only additions need no new version. Times are integer
 * µs of held time, unless stated otherwise (docs/definition.md). Lines and columns count from 1; native functions have
 * 0. Unknown is null. `url` and `line` are the original's where a source map has it (then with `generated`). A test
 * checks `docs/report.schema.json`.
 */
export interface Report {
  readonly version: 3;
  readonly thresholdUs: Microseconds;
  readonly several?: ReportSeveral;
  readonly recording: ReportRecording;
  /** Open findings come first. */
  readonly findings: readonly ReportFinding[];
  /** Every function with `totalUs` > 0, by `worstUs` descending, then url, line, column. */
  readonly functions: readonly ReportFunction[];
  readonly lines: readonly ReportLine[];
  readonly modules: readonly ReportModule[];
  /** Own lines that import a module which loads over the threshold, longest first; none between ES modules. */
  readonly imports: readonly ReportImport[];
  /** Dependencies that held the loop over the threshold without own code on the stack, worst first. */
  readonly packages: readonly ReportPackage[];
  /**
   * Operations over the threshold, by `startUs` on the profile's clock; with `--operations all` all others (measured: ≥
   * 1 ms), too.
   */
  readonly operations: readonly ReportOperation[];
  /** Number of shorter operations that are left out. */
  readonly shorterOperations: number;
  /** Measurements of event loops in periods of at most 10 s, by thread; empty where turns were inferred. */
  readonly eventLoop: readonly ReportLoopPeriod[];
  /** Garbage collections by thread, period and kind. */
  readonly gc: readonly ReportCollections[];
  /** Requests to HTTP servers by route, most delayed first. */
  readonly routes: readonly ReportRoute[];
  readonly warnings: readonly string[];
}

/** How several recordings were understood. */
export interface ReportSeveral {
  /**
   * `runs`: functions, lines and packages have medians over the runs in which they are over the threshold, and `runs`;
   * all else is of the middle run. `shards`: all figures are of all recordings together.
   */
  readonly takenFor: 'runs' | 'shards';
  /** The reason, in a sentence; null where one recording was given several times. */
  readonly sentence: string | null;
  readonly recordings: readonly string[];
  /** Path of the middle run, by the longest hold of the loop; null for shards. */
  readonly middle: string | null;
  /** Paths of runs that could not be read. */
  readonly leftOut: readonly string[];
}

export interface ReportRecording {
  readonly command: readonly string[] | null;
  readonly cwd: string | null;
  /** ISO 8601. */
  readonly startedAt: string | null;
  /** Present only where Hotspan itself sent requests (`record --load`). */
  readonly load?: RecordedLoad;
  /** Present only where the tiers come from a second run of the same command. */
  readonly tiersFrom?: ReportSecondRun;
  /**
   * Absolute paths of own files that changed since they ran or, written after a plain profile, may have. Lines are those of the text that ran (last), for
   * plain profiles those of today's text.
   */
  readonly changedFiles?: readonly string[];
  readonly files: readonly ReportFile[];
}

/** A recording of tiers of the same target, made before or after the profile. */
export interface ReportSecondRun {
  /** Absolute path of its folder. */
  readonly path: string;
  /** ISO 8601. */
  readonly startedAt: string | null;
  /** Version of Node.js, if the profile ran on another one, because another V8 optimizes differently. */
  readonly otherNode: string | null;
  /** Absolute paths of files that changed since the first of the two runs began, own files first; without tiers. */
  readonly changedFiles: readonly string[];
}

/** One isolate (pid, thread). Its rotated parts are one file here. */
export interface ReportFile {
  readonly path: string;
  readonly parts: number;
  readonly pid: number | null;
  readonly threadId: number | null;
  readonly threadKind: ThreadKind;
  readonly nodeVersion: string | null;
  readonly samples: number;
  readonly durationUs: Microseconds;
  readonly turns: 'measured' | 'inferred';
  /**
   * Source of the held time: Linux's scheduler; CPU time and samples (an estimate on a busy machine); or none: time by
   * the clock.
   */
  readonly heldBy: 'scheduler' | 'cpu' | 'clock';
  readonly truncated: { readonly samples: number; readonly grafted: number; readonly unplaced: number };
  readonly ended: Ended;
}

/** At most 10 s of one thread. */
interface ReportPeriod {
  readonly pid: number | null;
  readonly threadId: number | null;
  readonly startUs: Microseconds;
  readonly durationUs: Microseconds;
}

export interface ReportLoopPeriod extends ReportPeriod {
  /** How long turns of 1 ms and more in this period waited for a CPU; null where that is unknown. */
  readonly waitUs: Microseconds | null;
  /** Sum of all turns that ended in this period. */
  readonly busyUs: Microseconds;
  /** Turns by length, from short to long. `belowUs` is null for the longest. */
  readonly turns: readonly {
    readonly belowUs: Microseconds | null;
    readonly count: number;
    readonly us: Microseconds;
  }[];
  /** How long an event that arrives at any moment waits at least: until the end of the current turn. */
  readonly delay: {
    readonly p50Us: Microseconds;
    readonly p90Us: Microseconds;
    readonly p99Us: Microseconds;
    readonly mostUs: Microseconds;
  };
}

export interface ReportCollections extends ReportPeriod {
  /** V8's name for the kind: `Scavenge`, `MarkSweepCompact` … */
  readonly kind: string;
  readonly count: number;
  readonly us: Microseconds;
  readonly longestUs: Microseconds;
  /** Heap in use: the maximum before a collection, and the value after the last one. */
  readonly usedBeforeBytes: number;
  readonly usedAfterBytes: number;
}

/**
 * Requests of a route that operations of others delayed. `path`: the framework's pattern (`/users/:id`), or a path with
 * `*`.
 */
export interface ReportRoute {
  readonly method: string;
  readonly path: string;
  readonly requests: number;
  readonly delayedOver10Ms: number;
  readonly delayedOver100Ms: number;
  readonly delayedOver1S: number;
  /** The culprit that delayed those over 10 ms longest, and for how long in all; null where something else did. */
  readonly behind: ReportPart | null;
}

export type BlameKind = 'own' | 'package' | 'loading' | 'runner' | 'other' | 'node' | 'gc' | 'native';

export interface ReportOperation {
  readonly startUs: Microseconds;
  /** How long the operation held the loop. */
  readonly durationUs: Microseconds;
  /** Duration by the clock. */
  readonly wallUs: Microseconds;
  /** The parts of `wallUs`: waiting for a CPU, running, asleep; null where unknown. */
  readonly waitUs: Microseconds | null;
  readonly runUs: Microseconds | null;
  readonly sleepUs: Microseconds | null;
  readonly class: DurationClass;
  readonly pid: number | null;
  readonly threadId: number | null;
  readonly gcUs: Microseconds;
  readonly loadUs: Microseconds;
  /** Titles of the test's suites and its own, joined by ` > `. Absent where no test ran, or several at once. */
  readonly test?: string;
  /** Absolute path of the test's file; `''` where it is not known. */
  readonly testFile?: string;
  readonly culprit: ReportPart | null;
  readonly blame: { readonly kind: BlameKind; readonly name: string; readonly us: Microseconds } | null;
}
