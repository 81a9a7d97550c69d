import type { DurationClass } from './duration-class.ts';
import type { Column1, Line1, Microseconds } from './units.ts';

/**
 * What `hotspan analyze --json` prints, version 1. Other people's tools read it: change it only with the version.
 * Times are integer µs; lines and columns count from 1 (native functions: 0); unknown is null.
 * `url` and `line` are the original's where a source map says so (then `generated` is there), else as in the profile.
 * The schema is kept in `docs/report.schema.json`, checked by a test.
 */
export interface Report {
  readonly version: 1;
  readonly thresholdUs: Microseconds;
  readonly recording: ReportRecording;
  /** Every function with `totalUs` > 0, by `worstUs` descending, then url, line, column. */
  readonly functions: readonly ReportFunction[];
  readonly lines: readonly ReportLine[];
  readonly modules: readonly ReportModule[];
  /** Every operation there is (measured: turns of 1 ms and more), by `startUs` on the profile's own clock. */
  readonly operations: readonly ReportOperation[];
  readonly warnings: readonly string[];
}

export interface ReportRecording {
  readonly command: readonly string[] | null;
  readonly cwd: string | null;
  /** ISO 8601. */
  readonly startedAt: string | null;
  readonly files: readonly ReportFile[];
}

/** `main`: an event loop that somebody waits on. `pool`: a runner's own worker, counted too. `background`: started by the program. */
export type ThreadKind = 'main' | 'pool' | 'background';
export type Ended = 'exit' | 'signal' | 'killed' | 'unknown';

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
  readonly role?: 'app' | 'test';
  readonly moduleBody: boolean;
  readonly worstUs: Microseconds;
  readonly worstWarmUs: Microseconds;
  readonly worstSamples: number;
  readonly longCount: number;
  readonly distinctStacks: number;
  readonly selfUs: Microseconds;
  readonly totalUs: Microseconds;
  readonly gcUs: Microseconds;
  readonly loadUs: Microseconds;
  /** How many tests reached it; null where the recording knows no tests. */
  readonly tests: number | null;
  /** Number of operations by class of the function's presence in them. */
  readonly presences: Readonly<Record<DurationClass, number>>;
  readonly culprit: ReportCulprit | null;
}

/** The figures of a function's own parts: what lines, lenses, trees and the status bar show. */
export interface ReportCulprit {
  readonly worstUs: Microseconds;
  readonly worstWarmUs: Microseconds;
  readonly longCount: number;
  readonly distinctStacks: number;
  readonly samples: number;
  readonly estimated: boolean;
}

/** `estimated`: split by proportion. `oneOf`: the time is one of several lines', each shown with the whole of it. */
export type LinePrecision = 'exact' | 'estimated' | 'oneOf';

export interface ReportLine {
  readonly url: string;
  readonly line: Line1;
  readonly worstUs: Microseconds;
  readonly longCount: number;
  readonly distinctStacks: number;
  readonly precision: LinePrecision;
}

/** Loading of a module: finding, reading, transforming, compiling and evaluating what it asks for. */
export interface ReportModule {
  readonly url: string;
  readonly selfUs: Microseconds;
  readonly totalUs: Microseconds;
}

export type BlameKind = 'own' | 'package' | 'loading' | 'runner' | 'node' | 'gc' | 'native';

export interface ReportOperation {
  readonly startUs: Microseconds;
  readonly durationUs: Microseconds;
  readonly class: DurationClass;
  readonly pid: number | null;
  readonly threadId: number | null;
  readonly gcUs: Microseconds;
  readonly loadUs: Microseconds;
  readonly test?: string;
  readonly culprit: {
    readonly name: string;
    readonly url: string;
    readonly line: Line1;
    readonly us: Microseconds;
  } | null;
  readonly blame: { readonly kind: BlameKind; readonly name: string; readonly us: Microseconds } | null;
}
