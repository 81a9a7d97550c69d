import type { Failure } from './failure.ts';
import type { Line0, Microseconds } from './units.ts';
import type { DurationClass, Tone, WorstFigure } from './figures.ts';
import type { Hotspots, HotspotsParams } from './list-rows.ts';
import type { FunctionPlace, Location, NoLocation, Place } from './places.ts';
import type { Summary } from './summary.ts';
import type { PathRule, PathSuggestion } from './path-spelling.ts';
import type { DiffSides, DiffView } from './diff.ts';
import type { DoneRecheck, Recheck } from './rechecks.ts';

/**
 * A request between extension and server beside those of LSP: one constant with the types of both ends. Every request
 * answers or fails. A *recording* is named by the absolute path of its folder or `.cpuprofile`.
 */
export interface Request<Params, Result> {
  readonly method: string;
  /** Never present: these keys carry the types. */
  readonly params?: Params;
  readonly result?: Result;
}

const request = <Params, Result>(method: string): Request<Params, Result> => ({ method });

/** Starts what is needed to read a recording, ahead of time, and reads it while its command runs. */
export const prepareRequest = request<PrepareParams, null>('hotspan/prepare');
/** Analyses a recording, with progress at `workDoneToken`. Cancelling the request stops it. */
export const openRequest = request<OpenParams, OpenAnswer>('hotspan/open');
/** Reads both sides of a diff, with progress as above. Questions name it by `nameOfDiff`. */
export const openDiffRequest = request<OpenDiffParams, OpenDiffAnswer>('hotspan/openDiff');
/** Forwards a question to the thread of its recording or diff: language-server/recordings/questions.ts. */
export const questionMethod = 'hotspan/question';
/** Removes the result of a target, or all, from lenses, marks and lists. Open flamegraphs stay. */
export const forgetRequest = request<ForgetParams, null>('hotspan/forget');
export const configureRequest = request<DisplayOptions, null>('hotspan/configure');
export const columnsRequest = request<ColumnsInSight, null>('hotspan/columns');
/** Adds the tiers that were recorded after the recordings on screen. */
export const takeTiersRequest = request<null, null>('hotspan/takeTiers');
/** Shows the progress or the result of a re-check of a function; null ends it without a result. */
export const showChangeRequest = request<OfRecording<FunctionChange>, null>('hotspan/showChange');
export const fileMarksRequest = request<FileMarksParams, FileMarks>('hotspan/fileMarks');
export const hotspotsRequest = request<HotspotsParams, Hotspots>('hotspan/hotspots');
export const locateRequest = request<OfRecording<Place>, Location | NoLocation>('hotspan/locate');
/** Functions whose recorded code was edited in a file, and whose current code no re-check has measured; worst first. */
export const editedRequest = request<EditedParams, readonly FunctionReference[]>('hotspan/edited');
/** What a re-check has measured of the current code of a function; null where none has. */
export const recheckRequest = request<FunctionReference, DoneRecheck | null>('hotspan/recheck');
export const resultsNowRequest = request<null, ResultsNow>('hotspan/resultsNow');
/** Title and callees of a function, for a list of actions. */
export const aboutRequest = request<FunctionReference, AboutFunction>('hotspan/about');
/** The function at a line of a document: its mark's, else the innermost hot one around it; null where there is none. */
export const functionAtRequest = request<LinePlace, OfRecording<HotPlace> | null>('hotspan/functionAt');
/** The measured code of a function, and where it is now; null where it has not changed, or is gone. */
export const measuredCodeRequest = request<FunctionReference, MeasuredCode | null>('hotspan/measuredCode');
export const markdownRequest = request<FunctionReference, string>('hotspan/markdown');

/** The tests of an open document, by line; null where it cannot be parsed. */
export const testsRequest = request<FileMarksParams, readonly FileTest[] | null>('hotspan/tests');

/** What can be run alone at the line of a test or a suite. */
export interface FileTest {
  readonly line: Line0;
  /**
   * `test`, `suite`: the one at the line. `several`: made by a table or a template there. `outer`, `file`: the suite
   * around it or the whole file, because the name is known only at run time.
   */
  readonly meant: 'test' | 'suite' | 'several' | 'outer' | 'file';
  /** Titles of the suites and the test, outermost first; `${…}` is an unknown part. Empty for a file. */
  readonly titles: readonly string[];
  readonly isSuite: boolean;
  /** Whether there are no other suites around it. */
  readonly isWhole: boolean;
  /** Whether the same title exists in another suite of the file. */
  readonly isShared: boolean;
}

/** A test, a suite or a whole file of tests. */
export interface TestPlace {
  /** Absolute path, or that of a folder of tests. */
  readonly file: string;
  /** Titles, outermost first; empty for a whole file. */
  readonly titles: readonly string[];
}

export interface FunctionChange extends FunctionPlace {
  /** `began`: the files on the disk are those that it measures. Null shows what was shown before it ran. */
  readonly change: Recheck | { readonly type: 'began'; readonly text: string } | null;
}

/** The results on screen as they are now: without what was fixed since, and with what became of their first finding. */
export interface ResultsNow {
  readonly summaries: readonly Summary[];
  /** Another text where any surface may have to be drawn again. */
  readonly state: string;
}

export interface OpenDiffParams extends DiffSides {
  readonly options: AnalysisOptions;
  readonly workDoneToken?: string;
}

export type OpenDiffAnswer =
  | { readonly type: 'opened'; readonly summary: DiffSummary }
  /** One sentence: the problem, and what to do. */
  | Failure;

export interface DiffSummary extends Pick<Summary, 'written'> {
  readonly title: string;
  readonly verdict: string;
}

export interface FoundFunction {
  readonly functionId: number;
  /** The side on which the function has time. */
  readonly side: DiffView;
}

export interface TextBefore {
  /** Absolute path that the file had. */
  readonly path: string;
  readonly text: string;
  readonly line: Line0;
}

export type OfRecording<Params> = Params & { readonly recording: string };

/** A function by number: no name from a profile is ever run. */
export type FunctionReference = OfRecording<FunctionPlace>;

/** The time that is shown everywhere: that of the longest operation, or the total. */
export type Metric = 'worst' | 'total';

export interface AnalysisOptions {
  readonly thresholdUs: Microseconds;
  /** Regular expressions on a path inside the workspace; a match is test code, as with the built-in ones. */
  readonly testPatterns: readonly string[];
  /** Confirmed folders of files that were recorded elsewhere. Those outside of the open folders do not count. */
  readonly pathRules?: readonly PathRule[];
}

export interface DisplayOptions {
  readonly metric: Metric;
  /** Whether the editor shows our lenses. */
  readonly codeLens: boolean;
  /** Whether an import shows how long loading took. */
  readonly loading: boolean;
  /** Limit above which a mark is a diagnostic, too; null for no diagnostics. */
  readonly diagnosticsUs: Microseconds | null;
}

/** Visible characters of a line, with the figures behind it. Null where long lines wrap. */
export interface ColumnsInSight {
  readonly columns: number | null;
}

/** For an unknown width: that of a window of 1440 px with a side bar. */
export const usualColumns = 100;

export interface InitializationOptions {
  readonly display: DisplayOptions;
}

export interface PrepareParams {
  /** The recording that is being made, and how it will be opened; null where none is. */
  readonly running: Pick<OpenParams, 'recording' | 'options'> | null;
}

export interface OpenParams {
  readonly recording: string;
  /** Recordings that are shown together with it, as runs or as parts; empty for none. */
  readonly more: readonly string[];
  /** The result on screen that it becomes. Null: it is open for its flamegraph alone. */
  readonly shownAs: ShownAs | null;
  readonly options: AnalysisOptions;
  readonly workDoneToken?: string;
}

/** A result on screen. It replaces the one of the same target. */
export interface ShownAs {
  /** Names what was recorded; the same for each run of it. */
  readonly target: string;
  /** Whether it is the editor's own recording: only beside those are texts and earlier marks kept. */
  readonly isOurs: boolean;
  /** When it was asked for, in ms since the epoch: newest first. */
  readonly shownAt: number;
}

export interface ForgetParams {
  readonly target: string | null;
}

export type OpenAnswer =
  | {
      readonly type: 'opened';
      readonly summary: Summary;
      /** Targets that are no longer shown, to save memory. */
      readonly dropped: readonly string[];
      /** Only for a result, with files that seem to be in the open folders under other paths. */
      readonly elsewhere?: PathSuggestion;
    }
  /** Another recording of the same target was asked for meanwhile. */
  | { readonly type: 'overtaken' }
  /** One sentence: the problem, and what to do. */
  | Failure;

export interface FileMarksParams {
  readonly uri: string;
}

export interface EditedParams extends FileMarksParams {
  /** Open findings whose code is in the file, or hot functions of the file. */
  readonly which: 'finding' | 'file';
}

export interface LinePlace {
  readonly uri: string;
  readonly line: Line0;
}

/** A hot function, and its hottest line in the current text. */
export interface HotPlace extends FunctionPlace {
  readonly line: Line0;
}

export interface MeasuredCode {
  readonly uri: string;
  /** First and last line of the function now. */
  readonly firstLine: Line0;
  readonly lastLine: Line0;
  /** Whole lines, without the last line break. */
  readonly text: string;
}

/** The decorations of a file's current text, at most 20, by line. */
export interface FileMarks {
  readonly marks: readonly LineMark[];
  /** Number of lines that are left out, those with the least time. */
  readonly more: number;
}

export interface LineMark {
  readonly line: Line0;
  readonly text: string;
  readonly class: DurationClass;
  readonly tone: Tone;
  /** First and last line of the measured function; null where there is none, or its code has changed. */
  readonly within: { readonly firstLine: Line0; readonly lastLine: Line0 } | null;
  /** The function with the largest part; null for an import. */
  readonly of: FunctionReference | null;
  /** False where the line leaves no room behind it, and lenses are on: then a lens has the text. */
  readonly isBehind: boolean;
}

export interface AboutFunction {
  /** Its name and its figures. */
  readonly title: string;
  /** Its direct callees, heaviest first, at most twenty. */
  readonly callees: readonly CalledFunction[];
}

export interface CalledFunction extends StackFrame {
  /** Its time below the function, with its callees, in the whole recording. */
  readonly us: Microseconds;
}

/** One of the heaviest call paths to a function, outermost frame first. */
export interface StackText extends Pick<WorstFigure, 'worstUs' | 'estimated'> {
  readonly frames: readonly StackFrame[];
}

export interface StackFrame {
  readonly label: string;
  readonly place: string;
  readonly functionId: number;
  readonly own: boolean;
}
