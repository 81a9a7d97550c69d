import type { FlameAnswer, FlameQuery, FlameSearch, FlameSearchAnswer } from './flame.ts';
import type { Line0, Microseconds } from './units.ts';
import type { DurationClass } from './figures.ts';

/**
 * A request of our own between the extension and the language server, beside those of LSP. It is one constant that both
 * ends use: `request.method` on the wire, its types on either side. Every request answers or fails.
 * A *recording* is named by the absolute path of its folder or `.cpuprofile`.
 */
export interface Request<Params, Result> {
  readonly method: string;
  /** These keys are never present: they carry the types. */
  readonly params?: Params;
  readonly result?: Result;
}

const request = <Params, Result>(method: string): Request<Params, Result> => ({ method });

/** Analyses a recording. It reports progress at `workDoneToken`, and cancelling the request ends it. */
export const openRequest = request<OpenParams, OpenAnswer>('hotspan/open');
/** Removes lenses, marks and lists. Flamegraphs that are open stay. */
export const clearRequest = request<null, null>('hotspan/clear');
export const configureRequest = request<DisplayOptions, null>('hotspan/configure');
/** Takes over the tiers of V8 that were recorded after the recording on screen was opened. */
export const takeTiersRequest = request<null, null>('hotspan/takeTiers');
/** Shows on its lens what a re-check says of a function of the annotated recording; null takes that away. */
export const showChangeRequest = request<OfRecording<FunctionChange>, null>('hotspan/showChange');
export const fileMarksRequest = request<FileMarksParams, FileMarks>('hotspan/fileMarks');
export const hotspotsRequest = request<HotspotsParams, Hotspots>('hotspan/hotspots');
export const flameRequest = request<OfRecording<{ readonly query: FlameQuery }>, FlameAnswer>('hotspan/flame');
export const searchRequest = request<OfRecording<{ readonly search: FlameSearch }>, FlameSearchAnswer>(
  'hotspan/search',
);
export const locateRequest = request<OfRecording<Place>, Location | null>('hotspan/locate');
export const stacksRequest = request<OfRecording<FunctionPlace>, readonly StackText[]>('hotspan/stacks');
export const markdownRequest = request<OfRecording<FunctionPlace>, string>('hotspan/markdown');

export interface FunctionChange extends FunctionPlace {
  readonly text: string | null;
}

export type OfRecording<Params> = Params & { readonly recording: string };

/** Which time is shown everywhere: that of the longest operation, or the total. */
export type Metric = 'worst' | 'total';

export interface AnalysisOptions {
  readonly thresholdUs: Microseconds;
  /**
   * Regular expressions on a path inside the workspace. A file is test code where one of them, or of the built-in ones,
   * matches.
   */
  readonly testPatterns: readonly string[];
}

export interface DisplayOptions {
  readonly metric: Metric;
  readonly codeLens: boolean;
  /** Whether a line that imports a module shows how long loading took. */
  readonly loading: boolean;
}

export interface InitializationOptions {
  readonly display: DisplayOptions;
}

export interface OpenParams {
  readonly recording: string;
  /** Whether the recording marks lines, lenses, tree and status bar. If not, it is open for its flamegraph alone. */
  readonly annotate: boolean;
  /**
   * Names what was recorded, and is the same for each run of it. Null for a recording that is not the editor's own:
   * nothing is kept beside it.
   */
  readonly target: string | null;
  readonly options: AnalysisOptions;
  readonly workDoneToken?: string;
}

export type OpenAnswer =
  | { readonly type: 'opened'; readonly summary: Summary }
  /** One sentence that says what is wrong and what to do. */
  | { readonly type: 'failed'; readonly message: string };

export interface SummaryBlame {
  /**
   * True where the time is in the person's own code, but in no single function of it: many short calls in one
   * operation.
   */
  readonly isOwn: boolean;
  readonly name: string;
  readonly worstUs: Microseconds;
  readonly count: number;
}

export interface Summary {
  readonly recording: string;
  /** What was run: `npm test`, the name of a file, or `V8 tiers of npm test`. */
  readonly title: string;
  /** ISO 8601; null where not known. */
  readonly startedAt: string | null;
  readonly thresholdUs: Microseconds;
  /** The worst culprit in app code, else in tests; null where no own function is over the threshold. */
  readonly worst: NamedTime | null;
  /** The longest presence of an own function. It is shown where nothing is over the threshold. */
  readonly longest: NamedTime | null;
  /** The longest operation without a culprit, and how many of its kind there are. */
  readonly blame: SummaryBlame | null;
  /** True for a recording of V8's tiers: its flamegraph shows them. */
  readonly isTiers: boolean;
  /** True where no file of the recording is in this workspace: it was recorded elsewhere, or another folder is open. */
  readonly isForeign: boolean;
  /** True where no own function has a sample and no package held the loop: nothing is known of the person's code. */
  readonly isUnseen: boolean;
  /** Number of functions over the threshold. */
  readonly hotspotCount: number;
  /** One sentence about the whole recording. */
  readonly verdict: string;
  readonly warnings: readonly string[];
}

export interface NamedTime {
  readonly functionId: number;
  readonly label: string;
  /** Path inside the workspace with the line, such as `src/rules.ts:13`. */
  readonly place: string;
  readonly us: Microseconds;
  readonly estimated: boolean;
}

export interface FileMarksParams {
  readonly uri: string;
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
}

/**
 * `dim`: first times, test code, or changed functions. `background`: a worker of the program, for whose event loop
 * nobody waits.
 */
export type Tone = 'plain' | 'dim' | 'background';

export type HotspotGrouping = 'file' | 'function' | 'package';
/** `notOptimized` sorts by the time in Ignition and Sparkplug. */
export type HotspotOrder = 'worst' | 'count' | 'stacks' | 'total' | 'notOptimized';

export interface HotspotsParams {
  readonly groupBy: HotspotGrouping;
  readonly sortBy: HotspotOrder;
}

/** Null while there is no recording. */
export type Hotspots = { readonly recording: string; readonly groups: readonly HotspotGroup[] } | null;

export interface HotspotGroup {
  readonly kind: 'file' | 'functions' | 'package' | 'loading' | 'leftOut';
  /** A path inside the workspace, or the name of a package; `''` where all functions are in one list. */
  readonly label: string;
  readonly description: string;
  /** Address of the file; null where the group is no file. */
  readonly uri: string | null;
  readonly items: readonly HotspotItem[];
}

export interface HotspotItem {
  /** Number of the function; −1 for a module or a package, where there is nothing to zoom to. */
  readonly functionId: number;
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly class: DurationClass;
  readonly tone: Tone;
  readonly location: Location | null;
}

export interface FunctionPlace {
  readonly functionId: number;
  /** Asks not for the function, but for the place where V8 threw its code away: number of the deopt in its hover. */
  readonly deopt?: number;
}

/**
 * A place by function, or as the page's frames have it. The latter is not trusted: `inside` says whether it may be
 * opened without asking.
 */
export type Place = FunctionPlace | { readonly url: string; readonly line: number };

export interface Location {
  readonly uri: string;
  readonly line: Line0;
  readonly character: number;
  readonly inside: boolean;
}

/**
 * One of the heaviest call paths to a function, outermost frame first. Own code has its place, and runs of other frames
 * have the name of their package.
 */
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
