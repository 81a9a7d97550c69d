import type { Column1, Line1, Microseconds } from './units.ts';
import type { V8Tier } from './v8-tiers.ts';
import type { DurationClass, FigureRuns } from './figures.ts';

/** What functions, lines and findings have in common. */
export interface ReportFigures {
  readonly worstUs: Microseconds;
  readonly longCount: number;
  readonly distinctStacks: number;
  readonly estimated: boolean;
}

export interface ReportFunction extends ReportFigures {
  readonly name: string;
  readonly label: string;
  readonly url: string;
  readonly line: Line1;
  readonly column: Column1;
  readonly generated?: { readonly url: string; readonly line: Line1; readonly column: Column1 };
  readonly own: boolean;
  readonly role?: 'app' | 'test' | 'built';
  readonly moduleBody: boolean;
  readonly worstWarmUs: Microseconds;
  readonly worstSamples: number;
  readonly selfUs: Microseconds;
  readonly totalUs: Microseconds;
  readonly gcUs: Microseconds;
  readonly loadUs: Microseconds;
  /** Number of tests in whose operations the function was long; null where the recording knows no tests. */
  readonly tests: number | null;
  /** Number of operations by the duration class of the function's presence in them. */
  readonly presences: Readonly<Record<DurationClass, number>>;
  readonly culprit: ReportCulprit | null;
  /** Present where the file no longer contains the function's text. */
  readonly changed?: true;
  /** Present only in a report of several runs, for a function that is over the threshold in one of them. */
  readonly runs?: FigureRuns;
  /** Present only where tiers are known, from this recording or a second run. */
  readonly tiers?: ReportTiers;
}

/**
 * Ticks in JavaScript with the function on top, by its tier then. `unknownUs`: `selfUs` of a function that no tick of
 * the second run has on top.
 */
export interface ReportTiers {
  readonly ignitionUs: Microseconds;
  readonly sparkplugUs: Microseconds;
  readonly maglevUs: Microseconds;
  readonly turbofanUs: Microseconds;
  readonly unknownUs: Microseconds;
  /**
   * Functions that it was inlined into, with their part of these times, longest first. `name` is null where it is
   * unknown here.
   */
  readonly inlinedInto: readonly {
    readonly name: string | null;
    readonly url: string;
    readonly line: Line1;
    readonly us: Microseconds;
  }[];
  /**
   * Code that V8 compiled beyond bytecode, on the profile's clock (or the second run's). `osr`: entered in a loop;
   * known from Node 26 on.
   */
  readonly compilations: readonly {
    readonly atUs: Microseconds;
    readonly tier: V8Tier;
    readonly osr: boolean;
  }[];
  /** Optimized code that V8 threw away. `kind` and `reason` are V8's words; the place is the original's where known. */
  readonly deopts: readonly {
    readonly atUs: Microseconds;
    readonly tier: V8Tier;
    readonly kind: string;
    readonly reason: string;
    readonly url: string;
    readonly line: Line1;
    readonly column: Column1;
  }[];
  /** The enclosing function, each call of which creates this one again; null where there is none. */
  readonly madeAnewIn: string | null;
}

/** Figures of a function's own parts (attributed time), as in lines, lenses, trees and the status bar. */
export interface ReportCulprit extends ReportFigures {
  readonly worstWarmUs: Microseconds;
  readonly samples: number;
  readonly waited: ReportWait | null;
  /** Present only in a report of several runs. */
  readonly runs?: FigureRuns;
  /** Present where the function was long only the first time in its thread. */
  readonly firstTime: {
    /** What it loaded then; null where it did something else. */
    readonly loads: string | null;
    /** How long it takes since then; null where it was not seen again. */
    readonly thenUs: Microseconds | null;
  } | null;
}

/** Sleep within a worst time, and its call (such as `execSync`; null where it is unknown). */
export interface ReportWait {
  readonly us: Microseconds;
  readonly in: string | null;
}

/** It is `estimated` because of the precision or the functions' figures. */
export interface ReportLine extends ReportFigures {
  readonly url: string;
  readonly line: Line1;
  readonly precision: LinePrecision;
  readonly waited: ReportWait | null;
  /** Present where the line's function has changed. */
  readonly changed?: true;
  /** Present only in a report of several runs. */
  readonly runs?: FigureRuns;
}

/** `shared`: split by proportion. `oneOf`: of one of several lines, each of which shows all of it. */
export type LinePrecision = 'exact' | 'shared' | 'oneOf';

/** The time to load a module: to find, read, transform, compile and evaluate it and what it loads. */
export interface ReportModule {
  readonly url: string;
  readonly selfUs: Microseconds;
  readonly totalUs: Microseconds;
  /** The modules that loaded this one during their evaluation, and their part of `totalUs`. */
  readonly askers: readonly { readonly url: string; readonly us: Microseconds }[];
}

/** A line of own code that imports a module which took long to load, with the time that this import took. */
export interface ReportImport {
  /** Url of the module body that contains the line. */
  readonly url: string;
  readonly line: Line1;
  /** Url of the module that it imports. */
  readonly module: string;
  /** Load time of that module, with all that it loads, where this line's module asked for it. */
  readonly us: Microseconds;
  /** `oneOf`: the module is imported on several lines, and any of them may have been first. */
  readonly precision: Exclude<LinePrecision, 'shared'>;
}

export interface ReportPackage {
  readonly name: string;
  /** The largest part of the package in one operation. */
  readonly worstUs: Microseconds;
  readonly longCount: number;
  /** Own lines that import the package: one leads to the call. `seen`: their file has a sample in this recording. */
  readonly imports: readonly { readonly url: string; readonly line: Line1; readonly seen: boolean }[];
  /** Present only in a report of several runs. */
  readonly runs?: FigureRuns;
}
