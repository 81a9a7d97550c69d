import type { DurationClass } from './duration-class.ts';
import type { RecordedLoad, ThreadKind, Ended } from './recording.ts';
import type { Column1, Line1, Microseconds } from './units.ts';

/**
 * What `hotspan analyze --json` prints, version 2. Other people's tools read it: change it only with the version, which more keys leave as it is.
 * Times are integer µs, and held time where nothing else is said (docs/definition.md); lines and columns count from 1 (native functions: 0); unknown is null.
 * `url` and `line` are the original's where a source map says so (then `generated` is there), else as in the profile.
 * The schema is kept in `docs/report.schema.json`, checked by a test.
 */
export interface Report {
  readonly version: 2;
  readonly thresholdUs: Microseconds;
  readonly recording: ReportRecording;
  /** Every function with `totalUs` > 0, by `worstUs` descending, then url, line, column. */
  readonly functions: readonly ReportFunction[];
  readonly lines: readonly ReportLine[];
  readonly modules: readonly ReportModule[];
  /** Own lines that import what took over the threshold to load, longest first; none between ES modules. */
  readonly imports: readonly ReportImport[];
  /** Dependencies that held the loop over the threshold with no own code on the stack, worst first. */
  readonly packages: readonly ReportPackage[];
  /**
   * The operations over the threshold, by `startUs` on the profile's own clock; with `--operations all` the shorter ones,
   * too (measured: turns of 1 ms and more).
   */
  readonly operations: readonly ReportOperation[];
  /** How many shorter ones are left out. */
  readonly shorterOperations: number;
  /** What was measured of event loops, in stretches of at most 10 s, by thread; empty where turns were inferred. */
  readonly eventLoop: readonly ReportLoopPeriod[];
  /** Garbage collections by thread, stretch and kind. */
  readonly gc: readonly ReportCollections[];
  /** Requests to HTTP servers by route, those that others delayed most first. */
  readonly routes: readonly ReportRoute[];
  readonly warnings: readonly string[];
}

export interface ReportRecording {
  readonly command: readonly string[] | null;
  readonly cwd: string | null;
  /** ISO 8601. */
  readonly startedAt: string | null;
  /** Only where Hotspan itself sent requests to the program (`record --load`). */
  readonly load?: RecordedLoad;
  /** Only where the tiers of functions come from a second run of the same command, and not from this one. */
  readonly tiersFrom?: {
    /** Of its folder. */
    readonly path: string;
    /** ISO 8601. */
    readonly startedAt: string | null;
    /** Of Node.js, where it ran on none that this recording ran on. */
    readonly otherNode: string | null;
    /** Absolute paths of files that have changed since the first of the two runs began: nothing is taken over of their functions. */
    readonly changedFiles: readonly string[];
  };
  /**
   * Absolute paths of own files with another text than the one that ran; not there where none is known. Lines are those of
   * the text that ran (last).
   */
  readonly changedFiles?: readonly string[];
  readonly files: readonly ReportFile[];
}

/** One isolate (pid, thread): its rotated parts are one file here. */
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
   * How it is known what held time is: from Linux's scheduler, from CPU time and samples (an estimate on a busy machine),
   * or not at all: then it is the time by the clock.
   */
  readonly heldBy: 'scheduler' | 'cpu' | 'clock';
  readonly truncated: { readonly samples: number; readonly grafted: number; readonly unplaced: number };
  readonly ended: Ended;
}

export interface ReportFunction {
  readonly name: string;
  readonly label: string;
  readonly url: string;
  readonly line: Line1;
  readonly column: Column1;
  readonly generated?: { readonly url: string; readonly line: Line1; readonly column: Column1 };
  readonly own: boolean;
  readonly role?: 'app' | 'test' | 'built';
  readonly moduleBody: boolean;
  readonly worstUs: Microseconds;
  readonly worstWarmUs: Microseconds;
  readonly worstSamples: number;
  /** `worstUs` is an estimate. */
  readonly estimated: boolean;
  readonly longCount: number;
  readonly distinctStacks: number;
  readonly selfUs: Microseconds;
  readonly totalUs: Microseconds;
  readonly gcUs: Microseconds;
  readonly loadUs: Microseconds;
  /** How many tests ran in the operations that it was long in; null where the recording knows no tests. */
  readonly tests: number | null;
  /** Number of operations by class of the function's presence in them. */
  readonly presences: Readonly<Record<DurationClass, number>>;
  readonly culprit: ReportCulprit | null;
  /** Its text does not stand in its file any more: it is another one now. Not there else. */
  readonly changed?: true;
  /** What V8 made of it; only where tiers are known, from this recording or from a second run. */
  readonly tiers?: ReportTiers;
}

/**
 * Times of the ticks in JavaScript at whose top the function was, by what ran it. A tier is the function's at each tick.
 * `unknownUs`: of a function that the second run never saw, its `selfUs`.
 */
export interface ReportTiers {
  readonly ignitionUs: Microseconds;
  readonly sparkplugUs: Microseconds;
  readonly maglevUs: Microseconds;
  readonly turbofanUs: Microseconds;
  readonly unknownUs: Microseconds;
  /** Of these, what ran inlined into other functions, most first; `name` is null where this recording does not know it. */
  readonly inlinedInto: readonly {
    readonly name: string | null;
    readonly url: string;
    readonly line: Line1;
    readonly us: Microseconds;
  }[];
  /** What V8 compiled of it beyond bytecode, on the profile's own clock (a second run's own). `osr`: entered in the middle of a loop, known from Node 26 on. */
  readonly compilations: readonly {
    readonly atUs: Microseconds;
    readonly tier: ReportTier;
    readonly osr: boolean;
  }[];
  /** Optimized code that V8 threw away. `kind` and `reason` in V8's words; the place is the original's where a source map says so. */
  readonly deopts: readonly {
    readonly atUs: Microseconds;
    readonly tier: ReportTier;
    readonly kind: string;
    readonly reason: string;
    readonly url: string;
    readonly line: Line1;
    readonly column: Column1;
  }[];
  /** Name of the function around it, each call of which makes it anew; null where nothing says so. */
  readonly madeAnewIn: string | null;
}

export type ReportTier = 'unknown' | 'ignition' | 'sparkplug' | 'maglev' | 'turbofan';

/** The figures of a function's own parts: what lines, lenses, trees and the status bar show. */
export interface ReportCulprit {
  readonly worstUs: Microseconds;
  readonly worstWarmUs: Microseconds;
  readonly longCount: number;
  readonly distinctStacks: number;
  readonly samples: number;
  readonly estimated: boolean;
  readonly waited: ReportWait | null;
  /** It was long only the first time in its thread. */
  readonly firstTime: {
    /** What it loaded then, as every surface names it; null where it did something else. */
    readonly loads: string | null;
    /** How long it takes since; null where it was not seen again. */
    readonly thenUs: Microseconds | null;
  } | null;
}

/** Of a worst: what the thread slept in it, and the call that it waited in (`execSync`; null: nothing tells which). */
export interface ReportWait {
  readonly us: Microseconds;
  readonly in: string | null;
}

/** `shared`: split by proportion. `oneOf`: the time is one of several lines', each shown with the whole of it. */
export type LinePrecision = 'exact' | 'shared' | 'oneOf';

export interface ReportLine {
  readonly url: string;
  readonly line: Line1;
  readonly worstUs: Microseconds;
  readonly longCount: number;
  readonly distinctStacks: number;
  readonly precision: LinePrecision;
  /** `worstUs` is an estimate: by its precision, or because its functions' is. */
  readonly estimated: boolean;
  readonly waited: ReportWait | null;
  /** Of a function whose text has changed; not there else. */
  readonly changed?: true;
}

/** Loading of a module: finding, reading, transforming, compiling and evaluating what it asks for. */
export interface ReportModule {
  readonly url: string;
  readonly selfUs: Microseconds;
  readonly totalUs: Microseconds;
  /** The modules that asked for it while they were evaluated, and what of `totalUs` that was. */
  readonly askers: readonly { readonly url: string; readonly us: Microseconds }[];
}

export interface ReportImport {
  readonly url: string;
  readonly line: Line1;
  /** Url of the module that was loaded. */
  readonly module: string;
  readonly us: Microseconds;
  readonly precision: Exclude<LinePrecision, 'shared'>;
}

export interface ReportPackage {
  readonly name: string;
  /** Its largest part of one operation. */
  readonly worstUs: Microseconds;
  readonly longCount: number;
  /** Own lines that import it: the call is behind one of them. Not `seen`: their files have no sample in this recording. */
  readonly imports: readonly { readonly url: string; readonly line: Line1; readonly seen: boolean }[];
}

export interface ReportLoopPeriod {
  readonly pid: number | null;
  readonly threadId: number | null;
  readonly startUs: Microseconds;
  readonly durationUs: Microseconds;
  /** Of it, what turns of 1 ms and more waited for a processor; null where that is not known. */
  readonly waitUs: Microseconds | null;
  /** All turns that ended in it together. */
  readonly busyUs: Microseconds;
  /** By length, short to long; `belowUs` is null for the longest. */
  readonly turns: readonly {
    readonly belowUs: Microseconds | null;
    readonly count: number;
    readonly us: Microseconds;
  }[];
  /** What something that arrives at any moment waits at least: for the end of the turn then going on. */
  readonly delay: {
    readonly p50Us: Microseconds;
    readonly p90Us: Microseconds;
    readonly p99Us: Microseconds;
    readonly mostUs: Microseconds;
  };
}

export interface ReportCollections {
  readonly pid: number | null;
  readonly threadId: number | null;
  readonly startUs: Microseconds;
  readonly durationUs: Microseconds;
  /** V8's name: `Scavenge`, `MarkSweepCompact` … */
  readonly kind: string;
  readonly count: number;
  readonly us: Microseconds;
  readonly longestUs: Microseconds;
  /** Heap in use: the most before one of them, and after the last. */
  readonly usedBeforeBytes: number;
  readonly usedAfterBytes: number;
}

/**
 * How many requests of a route operations of others kept waiting. `path` is the framework's own pattern (`/users/:id`),
 * or the path of the requests with `*` for what differs.
 */
export interface ReportRoute {
  readonly method: string;
  readonly path: string;
  readonly requests: number;
  readonly delayedOver10Ms: number;
  readonly delayedOver100Ms: number;
  readonly delayedOver1S: number;
  /** The culprit behind whose operations those over 10 ms waited longest, and for how long together. */
  readonly behind: {
    readonly name: string;
    readonly url: string;
    readonly line: Line1;
    readonly us: Microseconds;
  } | null;
}

export type BlameKind = 'own' | 'package' | 'loading' | 'runner' | 'other' | 'node' | 'gc' | 'native';

export interface ReportOperation {
  readonly startUs: Microseconds;
  /** How long it held the loop. */
  readonly durationUs: Microseconds;
  /** By the clock. */
  readonly wallUs: Microseconds;
  /** Of that, what its thread waited for a processor, had one, and slept; null where it is not known. */
  readonly waitUs: Microseconds | null;
  readonly runUs: Microseconds | null;
  readonly sleepUs: Microseconds | null;
  readonly class: DurationClass;
  readonly pid: number | null;
  readonly threadId: number | null;
  readonly gcUs: Microseconds;
  readonly loadUs: Microseconds;
  /** Titles of the running test's suites and its own, joined by ` > `; not there where no test ran, or several at once. */
  readonly test?: string;
  /** Absolute path; `''` where it is not known. */
  readonly testFile?: string;
  readonly culprit: {
    readonly name: string;
    readonly url: string;
    readonly line: Line1;
    readonly us: Microseconds;
  } | null;
  readonly blame: { readonly kind: BlameKind; readonly name: string; readonly us: Microseconds } | null;
}
