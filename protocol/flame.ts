import type { Line1, Microseconds } from './units.ts';
import type { Figures, FirstTime } from './figures.ts';
import { type V8Tier, v8Tiers } from './v8-tiers.ts';
import type { DiffView, FlameDiff, FrameDiff } from './diff.ts';
import type { OperationList, OperationsQuery, PickedOperation, RunPart } from './time.ts';

export const frameCategories = ['own', 'test', 'dependency', 'runner', 'node', 'native', 'gc', 'program'] as const;

/** The kind of code of a frame, which decides its colour in category mode. */
export type FrameCategory = (typeof frameCategories)[number];

/** Who wrote own code. A `built` file was made by a tool, and no source map leads to its source. */
type OwnRole = 'app' | 'test' | 'built';

/**
 * A frame in the shape of d3-flame-graph (`name`, `value`, `children`). Children too small to see at this zoom are
 * pruned; `hiddenUs` is their time. An answer has a few hundred levels around the zoomed frame, so recursion is safe;
 * the root's child may be a frame that the root did not call.
 */
export interface FlameFrame {
  /** Identifies a frame, and is the same in every answer about one recording. `''` is the root. */
  readonly id: string;
  readonly name: string;
  /** Total time (inclusive): of this frame and of all below it, in µs. */
  readonly value: number;
  readonly selfUs: Microseconds;
  readonly category: FrameCategory;
  /** Index of the frame's function in the analysis; −1 for the root and for what has no function. */
  readonly functionId: number;
  readonly url: string;
  readonly line: Line1;
  /** `value` less `selfUs` and the children's values. */
  readonly hiddenUs: Microseconds;
  /** The figures of the frame's function as a culprit; absent for a function that is none. */
  readonly figures?: Figures;
  /** Present where the function, as a culprit, was long only the first time. */
  readonly firstTime?: FirstTime;
  /** Who wrote the function, for own code; absent for other code. */
  readonly role?: OwnRole;
  /** True where the text of the function has changed since; absent where it has not, as far as is known. */
  readonly changed?: true;
  /** How the frame's code ran. Present only where tiers were asked for and recorded, and never for the root. */
  readonly tiers?: FrameTiers;
  /** What changed; present only in a diff, where `value` and `selfUs` are of the side that is looked at. */
  readonly diff?: FrameDiff;
  /** What else this frame stands for; absent where it stands for itself alone. */
  readonly folded?: FoldedFrames;
  /** Id by which this frame is folded again, together with what was unfolded with it. */
  readonly unfolded?: string;
  /** Id by which this frame is unfolded, where that is not its own. */
  readonly foldId?: string;
  /** Held time before it, from the start of the operation. Present only in time order: then it is one stretch of time. */
  readonly startUs?: Microseconds;
  readonly children: readonly FlameFrame[];
}

/** The frame's total time by how its own code ran. The tiers add up to it; `inlined` and `osr` are part of them. */
export interface FrameTiers extends Readonly<Record<V8Tier, Microseconds>> {
  /** Time in code that was inlined into its caller's code, whose tier it has. */
  readonly inlined: Microseconds;
  /** Time in code that was entered in the middle of a loop (on-stack replacement). Known from Node 26 on. */
  readonly osr: Microseconds;
}

/** What was folded into one frame. The id by which it is unfolded is the frame's own. */
export type FoldedFrames =
  /**
   * A bar for other people's code between own frames: `name` is whose code it is, `category` that of the outermost
   * frames, `selfUs` the time in the folded frames.
   */
  | { readonly type: 'others'; readonly frames: number; readonly owners: readonly FoldedOwner[] }
  /**
   * Everything outside of own code: the runner, Node.js, other processes. The last child of the root, beside the
   * outermost own frames.
   */
  | { readonly type: 'outside'; readonly frames: number; readonly owners: readonly FoldedOwner[] }
  /**
   * The outermost frames that are too narrow to draw, where own code begins at the root, as one frame with their time
   * and main category. Its id is `smallId`.
   */
  | { readonly type: 'small'; readonly frames: number }
  /** A function that calls itself directly, on this many levels at most. */
  | { readonly type: 'recursion'; readonly levels: number };

/** Whose code was folded: a package, `Node.js`. */
export interface FoldedOwner {
  readonly name: string;
  /** Time in its code and in what that calls, in µs. */
  readonly totalUs: Microseconds;
}

/** How frames are folded. Own code and tests never are. */
export interface FlameFold {
  /** Kinds of code that are folded. What native code and collections do inside of folded code is folded with it. */
  readonly kinds: readonly FrameCategory[];
  /** Ids of the frames that are unfolded all the same. */
  readonly open: readonly string[];
  /**
   * Puts what runs outside of own code into one frame beside it, unless `outsideId` is open. Only for the graph of all
   * time.
   */
  readonly apart?: true;
}

/** Id of the frame that stands for everything outside of own code. */
export const outsideId = '0';

/** Id of the frame that stands for those that are too narrow to be drawn. It cannot be zoomed to. */
export const smallId = 'small';

/** The tier in which a frame's code ran most of the time. */
export function tierOf(tiers: FrameTiers | undefined): V8Tier {
  if (tiers === undefined) return 'unknown';
  return v8Tiers.reduce((most, tier) => (tiers[tier] > tiers[most] ? tier : most));
}

export interface FlameQuery {
  /**
   * Zooms to this frame: the answer has only it, its ancestors and its descendants. `''`, absent or unknown:
   * everything.
   */
  readonly zoom?: string;
  /** Zooms to the heaviest place of this function instead. */
  readonly functionId?: number;
  /** Zooms only as far as the heaviest place of this function can be read, and makes it the `chosen` frame. */
  readonly reveal?: number;
  /** Asks for this function with its callers and callees instead, of all of its places; `zoom` is not regarded. */
  readonly around?: number;
  /** Goes to a match: unfolds and zooms as far as is needed for it to be seen. */
  readonly find?: FlameFind;
  /** Asks for the functions, too. */
  readonly functions?: FunctionOrder;
  /** Takes only the samples of this operation (its number in the report). */
  readonly operation?: number;
  /** Takes only the samples of the operation in which this function took most; everything where it is no culprit. */
  readonly worstOf?: number;
  /** Takes only this part of the run, where no operation is asked for; absent: all of it. */
  readonly part?: RunPart;
  /** Asks for the long operations, too, and for what is known of the one that is looked at. */
  readonly operations?: OperationsQuery;
  /** True for the samples of an operation in time order, equal ones that follow each other as one frame. */
  readonly inTime?: true;
  /** How frames are folded; absent: not at all. */
  readonly fold?: FlameFold;
  /**
   * Asks for tiers. `split`: a function has a frame for each tier of its code; `merged` and absent: one frame. Ids are
   * the same in both.
   */
  readonly tiers?: FlameTiers;
  /** Only for a diff, in which it is `now` where it is absent: whose times are the widths. */
  readonly side?: DiffView;
  /** Only for a diff: takes only the operations in which this function was, and only what it does in them. */
  readonly perOperationOf?: number;
  /** Share of the zoomed frame's time below which a frame cannot be seen: half a pixel over the page's width. */
  readonly leastShare: number;
  /** Share of it from which a frame has room for its name; absent: 70 times `leastShare`, which is 35 px to half a pixel. */
  readonly namedShare?: number;
  /** How many rows below the zoomed frame are wanted; absent: all that are sent at once. */
  readonly rows?: number;
}

export type FlameTiers = 'split' | 'merged';

export interface FlameAnswer {
  readonly root: FlameFrame;
  /** Id of the frame that the page should zoom to. */
  readonly zoom: string;
  readonly totalUs: Microseconds;
  /** Id of the frame of the function that the question was about; absent where none was, and where it has no time. */
  readonly chosen?: string;
  /** The only operation that the answer is about; absent where it is about all. */
  readonly operation?: FlameOperation;
  /** Self time by category of everything in the zoomed frame, pruned frames included: the legend. Adds up to its value. */
  readonly selfByCategory: Readonly<Record<FrameCategory, Microseconds>>;
  /** Present only where tiers were asked for. */
  readonly tiers?: TiersAnswer;
  /** Present only for a diff. */
  readonly diff?: FlameDiff;
  /**
   * Present only for `around`, where the function has time: its callers, as children; `root` is the same function with
   * its callees.
   */
  readonly callers?: FlameFrame;
  /** Present only where a match was asked for, and there is one. */
  readonly found?: FoundFrame;
  /** Present only where they were asked for. */
  readonly functions?: FunctionList;
  /** Present only where they were asked for. */
  readonly operations?: OperationList;
  /** Present only where operations were asked for, and there is any. */
  readonly picked?: PickedOperation;
}

/** Columns of the list of functions. */
export const functionColumns = ['name', 'total', 'self', 'worst', 'count', 'stacks', 'tier'] as const;
export type FunctionColumn = (typeof functionColumns)[number];

export interface FunctionOrder {
  readonly by: FunctionColumn;
  readonly isDescending: boolean;
}

/** Functions with any time, of kinds that are not folded. */
export interface FunctionList {
  /** The first ones in the order. `value` is the total time of all calls, in which each µs counts once. */
  readonly rows: readonly FlameFrame[];
  /** Number of functions after these. */
  readonly more: number;
  /** Number of functions of folded kinds, which are left out. */
  readonly folded: number;
}

export interface FlameOperation {
  /** Number of the operation in the report. */
  readonly number: number;
  readonly durationUs: Microseconds;
  /** Title of the test that ran; null where none ran, or none is known. */
  readonly test: string | null;
}

export type TiersAnswer =
  | {
      readonly type: 'recorded';
      /** Time in the zoomed frame by the tier of the innermost JavaScript function. Adds up to the frame's value. */
      readonly selfByTier: Readonly<Record<V8Tier, Microseconds>>;
      /** What V8 made of the functions in this answer. Functions without anything to say are left out. */
      readonly code: readonly FlameCode[];
    }
  /**
   * A profile, whose target also has a recording of tiers at the absolute path `recording`. `startedAt`: ISO 8601, or
   * null.
   */
  | { readonly type: 'secondRun'; readonly recording: string; readonly startedAt: string | null }
  | { readonly type: 'none' };

/** What V8 made of one function, over the whole recording. */
export interface FlameCode {
  readonly functionId: number;
  /** Sentences without a full stop, such as into which function it was inlined, or that it is made anew. */
  readonly notes: readonly string[];
  /** Deopts, the most frequent first. The index is the number by which the place of a deopt is asked for. */
  readonly deopts: readonly FlameDeopt[];
}

export interface FlameDeopt {
  /** The reason in V8's words, such as `wrong map`. */
  readonly reason: string;
  /** Where it happened, as a text such as `src/cart.ts:12`. */
  readonly place: string;
  readonly count: number;
}

/** A search is over everything, whatever is zoomed. */
export interface FlameSearch extends Pick<
  FlameQuery,
  'operation' | 'worstOf' | 'part' | 'fold' | 'tiers' | 'side' | 'perOperationOf'
> {
  /** A part of a name or a url, in upper or lower case; not empty. */
  readonly pattern: string;
  /** True where the pattern is a regular expression, of JavaScript, which sees the name and the url as two lines. */
  readonly isRegex: boolean;
}

/** Goes to the next match of a search, or to the one before; the heaviest match comes first. */
export interface FlameFind extends Pick<FlameSearch, 'pattern' | 'isRegex'> {
  /** Id of the frame that was gone to last; null for none. */
  readonly from: string | null;
  readonly step: 1 | -1;
}

/** Why a regular expression finds nothing: it is none, in the words of V8, or it takes too long. */
export type SearchProblem = { readonly type: 'wrong'; readonly message: string } | { readonly type: 'slow' };

export type FlameSearchAnswer =
  | {
      readonly type: 'found';
      /** Number of frames that match: those of the graph, and each function once for each bar that it is folded into. */
      readonly matches: number;
      /** Time in frames that match. Each µs counts once: a match below another match adds nothing. */
      readonly matchedUs: Microseconds;
      /** The functions that match. */
      readonly functionIds: readonly number[];
      /** The kinds whose frames without a function match. */
      readonly categories: readonly FrameCategory[];
      /** Ids of bars with a match folded into them. */
      readonly bars: readonly string[];
    }
  | SearchProblem;

/** The match that was gone to. */
export interface FoundFrame {
  readonly id: string;
  /** Its number among the matches, from 1 on. */
  readonly number: number;
  readonly matches: number;
  /** Ids of all frames that are unfolded now: the match is drawn. */
  readonly open: readonly string[];
}
