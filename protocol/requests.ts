import type { Line0, Microseconds } from './units.ts';
import type { DurationClass, Tone } from './figures.ts';
import type { Hotspots, HotspotsParams } from './list-rows.ts';
import type { FunctionPlace, Location, Place } from './places.ts';
import type { Summary } from './summary.ts';
import type { PathRule, PathSuggestion } from './path-rules.ts';
import type { DiffSides, DiffView } from './diff.ts';

/**
 * A request between extension and server beside those of LSP: one constant with the types of both ends. Every request
 * answers or fails. A *recording* is named by the absolute path of its folder or `.cpuprofile`.
 */
export interface Request<Params, Result> {
  readonly method: string;
  /** These keys are never present: they carry the types. */
  readonly params?: Params;
  readonly result?: Result;
}

const request = <Params, Result>(method: string): Request<Params, Result> => ({ method });

/** A run has begun, or a file is being chosen: what is needed to read it is started ahead of time. */
export const prepareRequest = request<null, null>('hotspan/prepare');
/** Analyses a recording. It reports progress at `workDoneToken`, and cancelling the request ends it. */
export const openRequest = request<OpenParams, OpenAnswer>('hotspan/open');
/** Reads the runs of both sides of a diff, with progress as above. Questions about it name it by `nameOfDiff`. */
export const openDiffRequest = request<OpenDiffParams, OpenDiffAnswer>('hotspan/openDiff');
/** Forwards a question by its name to the thread of its recording or diff: language-server/recordings/questions.ts. */
export const questionMethod = 'hotspan/question';
/** Removes the result of a target, or all of them, from lenses, marks and lists. Flamegraphs that are open stay. */
export const forgetRequest = request<ForgetParams, null>('hotspan/forget');
export const configureRequest = request<DisplayOptions, null>('hotspan/configure');
export const columnsRequest = request<ColumnsInSight, null>('hotspan/columns');
/** Takes over the tiers of V8 that were recorded after the recordings on screen were opened. */
export const takeTiersRequest = request<null, null>('hotspan/takeTiers');
/** Shows on its lens what a re-check says of a function of a shown recording; null takes that away. */
export const showChangeRequest = request<OfRecording<FunctionChange>, null>('hotspan/showChange');
export const fileMarksRequest = request<FileMarksParams, FileMarks>('hotspan/fileMarks');
export const hotspotsRequest = request<HotspotsParams, Hotspots>('hotspan/hotspots');
export const locateRequest = request<OfRecording<Place>, Location | null>('hotspan/locate');
/** What a list of actions on a function says of it, and whom it calls. */
export const aboutRequest = request<OfRecording<FunctionPlace>, AboutFunction>('hotspan/about');
/** The function at a line of a document: that of its mark, else the innermost hot one around it; null where there is none. */
export const functionAtRequest = request<LinePlace, OfRecording<HotPlace> | null>('hotspan/functionAt');
/** The code of a function as it was measured, and where it is now; null where it is as it was, or is gone. */
export const measuredCodeRequest = request<OfRecording<FunctionPlace>, MeasuredCode | null>('hotspan/measuredCode');
export const markdownRequest = request<OfRecording<FunctionPlace>, string>('hotspan/markdown');

/** The tests of a document that is open in the editor, by line; null where it cannot be parsed, or is not open. */
export const testsRequest = request<FileMarksParams, readonly FileTest[] | null>('hotspan/tests');

/** What can be run alone at the line of a test or a suite. */
export interface FileTest {
  readonly line: Line0;
  /**
   * `test`, `suite`: the one at the line. `several`: made by a table or a template there. `outer`, `file`: the suite
   * around it or the whole file, because the name is known only at run time.
   */
  readonly meant: 'test' | 'suite' | 'several' | 'outer' | 'file';
  /** Titles of the suites and of what is meant, outermost first; `${…}` stands for what is not known. Empty for a file. */
  readonly titles: readonly string[];
  readonly isSuite: boolean;
  /** Whether there are no other suites around it. */
  readonly isWhole: boolean;
  /** Whether another test or suite of the file has the same title in another suite. */
  readonly isShared: boolean;
}

/** A test, a suite or a whole file of tests. */
export interface TestPlace {
  /** Absolute path. */
  readonly file: string;
  /** Titles of the suites and of the test, outermost first; empty for a whole file. */
  readonly titles: readonly string[];
}

export interface FunctionChange extends FunctionPlace {
  /** Null where its lens shows its figure again. */
  readonly change: Recheck | null;
}

/** What the lens of a function says of a re-check. `text` has so few words that it fits into the lens. */
export type Recheck =
  | { readonly type: 'running'; readonly text: string }
  | {
      readonly type: 'done';
      readonly text: string;
      /** Whether the function became faster, so that the person may keep the change. */
      readonly isFaster: boolean;
      /** The runs behind it, which a diff can show; null where there are none. */
      readonly diff: DiffReference | null;
    }
  /** What runs now is what later changes are compared with. */
  | { readonly type: 'baseline'; readonly text: string };

/** A diff, and where to begin in it. It is also the argument of the command that opens one. */
export interface DiffReference extends DiffSides {
  /** Null for the whole graph. */
  readonly place: DiffPlace | null;
}

/** A function as a comparison names it. `url` may be that of either side, and `line` is where it begins there. */
export interface DiffPlace {
  readonly url: string;
  readonly line: number;
  readonly name: string;
}

export interface OpenDiffParams extends DiffSides {
  readonly options: AnalysisOptions;
  readonly workDoneToken?: string;
}

export type OpenDiffAnswer =
  | { readonly type: 'opened'; readonly summary: DiffSummary }
  /** One sentence that says what is wrong and what to do. */
  | { readonly type: 'failed'; readonly message: string };

export interface DiffSummary {
  /** What was run. */
  readonly title: string;
  /** One sentence about what is compared. */
  readonly verdict: string;
}

export interface FoundFunction {
  readonly functionId: number;
  /** The side on which there is something to see of it. */
  readonly side: DiffView;
}

export interface TextBefore {
  /** Absolute path that the file had. */
  readonly path: string;
  readonly text: string;
  readonly line: Line0;
}

export type OfRecording<Params> = Params & { readonly recording: string };

/** Which time is shown everywhere: that of the longest operation, or the total. */
export type Metric = 'worst' | 'total';

export interface AnalysisOptions {
  readonly thresholdUs: Microseconds;
  /** Regular expressions on a path inside the workspace; a match is test code, as with the built-in ones. */
  readonly testPatterns: readonly string[];
  /** Where files that were recorded elsewhere are, as the person has confirmed it. Those outside of the open folders do not count. */
  readonly pathRules?: readonly PathRule[];
}

export interface DisplayOptions {
  readonly metric: Metric;
  readonly codeLens: boolean;
  /** Whether a line that imports a module shows how long loading took. */
  readonly loading: boolean;
  /** What holds the loop for longer is a diagnostic, too; null for no diagnostics. */
  readonly diagnosticsUs: Microseconds | null;
}

/** How many characters of a line are in sight, with the figures behind it. Null where long lines wrap. */
export interface ColumnsInSight {
  readonly columns: number | null;
}

/** Where the editor's width is not known: a window of 1440 px with a side bar has so many. */
export const usualColumns = 100;

export interface InitializationOptions {
  readonly display: DisplayOptions;
}

export interface OpenParams {
  readonly recording: string;
  /** Recordings that are shown together with it, as runs of one thing or as its parts; empty for none. */
  readonly more: readonly string[];
  /** As which result it marks lines, lenses, tree and status bar. Null: it is open for its flamegraph alone. */
  readonly shownAs: ShownAs | null;
  readonly options: AnalysisOptions;
  readonly workDoneToken?: string;
}

/** A result on screen. It replaces the one of the same target, and stands beside those of all others. */
export interface ShownAs {
  /** Names what was recorded, and is the same for each run of it. */
  readonly target: string;
  /** Whether it is the editor's own recording: texts, and the marks of the run before, are kept beside those alone. */
  readonly isOurs: boolean;
  /** When it was asked for, in ms since the epoch: the newest result comes first. */
  readonly shownAt: number;
}

export interface ForgetParams {
  /** Null for all. */
  readonly target: string | null;
}

export type OpenAnswer =
  | {
      readonly type: 'opened';
      readonly summary: Summary;
      /** Targets whose results are no longer shown, because all together took too much memory. */
      readonly dropped: readonly string[];
      /** Only for a result to show, some of whose files seem to be in the open folders under other paths. */
      readonly elsewhere?: PathSuggestion;
    }
  /** Another recording of the same target was asked for meanwhile, and its answer is what counts. */
  | { readonly type: 'overtaken' }
  /** One sentence that says what is wrong and what to do. */
  | { readonly type: 'failed'; readonly message: string };

export interface FileMarksParams {
  readonly uri: string;
}

export interface LinePlace {
  readonly uri: string;
  readonly line: Line0;
}

/** A hot function and the line of its file, as it is now, where it holds the loop most. */
export interface HotPlace extends FunctionPlace {
  readonly line: Line0;
}

export interface MeasuredCode {
  readonly uri: string;
  /** First and last line of the function now. */
  readonly firstLine: Line0;
  readonly lastLine: Line0;
  /** Whole lines, without the end of the last one. */
  readonly text: string;
}

/** The decorations of one file with the text that it has in the editor now, at most 20, by line. */
export interface FileMarks {
  readonly marks: readonly LineMark[];
  /** Number of lines that are left out, which are those with the least time. */
  readonly more: number;
}

export interface LineMark {
  readonly line: Line0;
  readonly text: string;
  readonly class: DurationClass;
  readonly tone: Tone;
  /** First and last line of the function that was measured; null where there is none, or where its code has changed. */
  readonly within: { readonly firstLine: Line0; readonly lastLine: Line0 } | null;
  /** The function with the largest part of it; null for an import. */
  readonly of: OfRecording<FunctionPlace> | null;
  /** False where the line leaves no room behind it: then a lens above the line has the text. */
  readonly isBehind: boolean;
}

export interface AboutFunction {
  /** Its name and its figures, as on every surface. */
  readonly title: string;
  /** The functions that it calls directly, the heaviest first, at most twenty. */
  readonly callees: readonly CalledFunction[];
}

export interface CalledFunction extends StackFrame {
  /** Its time below the function, with all that it calls, over the whole recording. */
  readonly us: Microseconds;
}

/** One of the heaviest call paths to a function, outermost frame first. */
export interface StackText {
  readonly us: Microseconds;
  readonly share: number;
  readonly frames: readonly StackFrame[];
}

export interface StackFrame {
  readonly label: string;
  readonly place: string;
  readonly functionId: number;
  readonly own: boolean;
}
