import type { DurationClass } from './duration-class.ts';
import type { FlameAnswer, FlameQuery, FlameSearch, FlameSearchAnswer } from './flame.ts';
import type { Line0, Microseconds } from './units.ts';

/**
 * Requests of ours between the extension and the language server, beside those of LSP. A request is one constant, used
 * by both ends: `request.method` on the wire, its types on either side. Every one answers or fails.
 * A *recording* is named by the absolute path of its folder or `.cpuprofile`.
 */
export interface Request<Params, Result> {
  readonly method: string;
  /** Never there: they carry the types. */
  readonly params?: Params;
  readonly result?: Result;
}

const request = <Params, Result>(method: string): Request<Params, Result> => ({ method });

/** Analyses a recording; with progress at `workDoneToken`, ended by cancelling the request. */
export const openRequest = request<OpenParams, OpenAnswer>('hotspan/open');
/** Lenses, marks and lists go; flamegraphs that are open stay. */
export const clearRequest = request<null, null>('hotspan/clear');
export const configureRequest = request<DisplayOptions, null>('hotspan/configure');
/** Takes up V8's tiers that were recorded since the recording on screen was opened. */
export const takeTiersRequest = request<null, null>('hotspan/takeTiers');
export const fileMarksRequest = request<FileMarksParams, FileMarks>('hotspan/fileMarks');
export const hotspotsRequest = request<HotspotsParams, Hotspots>('hotspan/hotspots');
export const flameRequest = request<OfRecording<{ readonly query: FlameQuery }>, FlameAnswer>('hotspan/flame');
export const searchRequest = request<OfRecording<{ readonly search: FlameSearch }>, FlameSearchAnswer>(
  'hotspan/search',
);
export const locateRequest = request<OfRecording<Place>, Location | null>('hotspan/locate');
export const stacksRequest = request<OfRecording<FunctionPlace>, readonly StackText[]>('hotspan/stacks');
export const markdownRequest = request<OfRecording<FunctionPlace>, string>('hotspan/markdown');

export type OfRecording<Params> = Params & { readonly recording: string };

/** What a figure is about everywhere: the longest operation, or all the time together. */
export type Metric = 'worst' | 'total';

export interface AnalysisOptions {
  readonly thresholdUs: Microseconds;
  /** Regular expressions on a path inside the workspace, beside the built-in ones, that make a file test code. */
  readonly testPatterns: readonly string[];
}

export interface DisplayOptions {
  readonly metric: Metric;
  readonly codeLens: boolean;
  /** On lines that import a module: what it took to load. */
  readonly loading: boolean;
}

export interface InitializationOptions {
  readonly display: DisplayOptions;
}

export interface OpenParams {
  readonly recording: string;
  /** Marks lines, lenses, tree and status bar; else it is there for its flamegraph alone. */
  readonly annotate: boolean;
  /** The same for each run of what was recorded; null for a recording that is not the editor's own: nothing is kept beside it. */
  readonly target: string | null;
  readonly options: AnalysisOptions;
  readonly workDoneToken?: string;
}

export type OpenAnswer =
  | { readonly type: 'opened'; readonly summary: Summary }
  /** One sentence: what is wrong and what to do. */
  | { readonly type: 'failed'; readonly message: string };

export interface SummaryBlame {
  /** Of the person's own code, but no single function of it: many short calls in one operation. */
  readonly isOwn: boolean;
  readonly name: string;
  readonly worstUs: Microseconds;
  readonly count: number;
}

export interface Summary {
  readonly recording: string;
  /** What was run: `npm test`, or the file's name; `V8 tiers of npm test`. */
  readonly title: string;
  /** ISO 8601; null where not known. */
  readonly startedAt: string | null;
  readonly thresholdUs: Microseconds;
  /** The worst culprit in app code, else in tests; null where no own function is over the threshold. */
  readonly worst: NamedTime | null;
  /** The longest presence of an own function, for when nothing is over the threshold. */
  readonly longest: NamedTime | null;
  /** The longest operation without a culprit, and how many of its kind there are. */
  readonly blame: SummaryBlame | null;
  /** Of V8's tiers: its flamegraph shows them. */
  readonly isTiers: boolean;
  /** No file of it is in this workspace: recorded elsewhere, or another folder. */
  readonly isForeign: boolean;
  /** No function of the person's own has a sample, and no package held the loop: nothing is known of their code. */
  readonly isUnseen: boolean;
  /** Functions over the threshold. */
  readonly hotspotCount: number;
  /** One sentence about the whole. */
  readonly verdict: string;
  readonly warnings: readonly string[];
}

export interface NamedTime {
  readonly functionId: number;
  readonly label: string;
  /** `src/rules.ts:13`, the path inside the workspace. */
  readonly place: string;
  readonly us: Microseconds;
  readonly estimated: boolean;
}

export interface FileMarksParams {
  readonly uri: string;
}

/** The decorations of one file as it is in the editor now, at most 20, by line. */
export interface FileMarks {
  readonly marks: readonly LineMark[];
  /** How many lines are left out: the least. */
  readonly more: number;
}

export interface LineMark {
  readonly line: Line0;
  readonly text: string;
  readonly class: DurationClass;
  readonly tone: Tone;
}

/** `dim`: cold, test code, or stale. `background`: a worker of the program, on which no event loop waits. */
export type Tone = 'plain' | 'dim' | 'background';

export type HotspotGrouping = 'file' | 'function' | 'package';
/** `notOptimized`: by the time in Ignition and Sparkplug. */
export type HotspotOrder = 'worst' | 'count' | 'stacks' | 'total' | 'notOptimized';

export interface HotspotsParams {
  readonly groupBy: HotspotGrouping;
  readonly sortBy: HotspotOrder;
}

/** Null while there is no recording. */
export type Hotspots = { readonly recording: string; readonly groups: readonly HotspotGroup[] } | null;

export interface HotspotGroup {
  readonly kind: 'file' | 'functions' | 'package' | 'loading' | 'leftOut';
  /** A path inside the workspace, a package; `''` for one list of functions. */
  readonly label: string;
  readonly description: string;
  /** Of a file. */
  readonly uri: string | null;
  readonly items: readonly HotspotItem[];
}

export interface HotspotItem {
  /** −1 for a module, a package: nothing to zoom to. */
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
  /** Not the function, but where V8 threw its code away: number of the deopt in its hover. */
  readonly deopt?: number;
}

/** By function, or as the page's frames have it (hostile: `inside` says whether it may be opened without asking). */
export type Place = FunctionPlace | { readonly url: string; readonly line: number };

export interface Location {
  readonly uri: string;
  readonly line: Line0;
  readonly character: number;
  readonly inside: boolean;
}

/** One of the heaviest ways to a function, outermost frame first, own code by its place and runs of others by package. */
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
