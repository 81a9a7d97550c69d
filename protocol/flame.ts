import type { Line1, Microseconds } from './units.ts';
import type { Figures, FirstTime } from './figures.ts';
import { type V8Tier, v8Tiers } from './v8-tiers.ts';
import type { DiffView, FlameDiff, FrameDiff } from './diff.ts';
import type { OperationList, OperationsQuery, PickedOperation, RunPart } from './time.ts';

export const frameCategories = ['own', 'test', 'dependency', 'runner', 'node', 'native', 'gc', 'program'] as const;

export type FrameCategory = (typeof frameCategories)[number];

/** A `built` file was generated, and no source map leads to its source. */
type OwnRole = 'app' | 'test' | 'built';

/**
 * A frame in the shape of d3-flame-graph (`name`, `value`, `children`). Children too small to see at this zoom are
 * pruned; `hiddenUs` is their time. An answer has a few hundred levels around the zoomed frame, so recursion is safe;
 * the root's child may be a frame that the root did not call.
 */
export interface FlameFrame {
  /** The same in every answer about one recording. `''` is the root. */
  readonly id: string;
  readonly name: string;
  /** Total time of this frame and all below it, in µs. */
  readonly value: number;
  readonly selfUs: Microseconds;
  readonly category: FrameCategory;
  /** Index of the function in the analysis; −1 for the root and for frames without a function. */
  readonly functionId: number;
  readonly url: string;
  readonly line: Line1;
  /** `value` less `selfUs` and the children's values. */
  readonly hiddenUs: Microseconds;
  /** The function's figures as a culprit, if it is one. */
  readonly figures?: Figures;
  /** Present where the culprit was long only the first time. */
  readonly firstTime?: FirstTime;
  /** For own code alone. */
  readonly role?: OwnRole;
  /** Present where the function's text has changed since. */
  readonly changed?: true;
  /** How the frame's code ran. Present only if tiers were asked for and recorded, never for the root. */
  readonly tiers?: FrameTiers;
  /** Present only in a diff, where `value` and `selfUs` are those of the chosen side. */
  readonly diff?: FrameDiff;
  /** What else this frame represents. */
  readonly folded?: FoldedFrames;
  /** Id that folds this frame again, with what was unfolded with it. */
  readonly unfolded?: string;
  /** Id that unfolds this frame, if it is not its own. */
  readonly foldId?: string;
  /** Held time before it in the operation. Present only in time order, where a frame is one period of time. */
  readonly startUs?: Microseconds;
  readonly children: readonly FlameFrame[];
}

/** The frame's total time by how its own code ran. The tiers add up to it; `inlined` and `osr` are part of them. */
export interface FrameTiers extends Readonly<Record<V8Tier, Microseconds>> {
  /** Time in code that was inlined into its caller, and has that code's tier. */
  readonly inlined: Microseconds;
  /** Time in code that was entered in a loop (on-stack replacement). Known from Node 26 on. */
  readonly osr: Microseconds;
}

/** What was folded into a frame, whose own id unfolds it. */
export type FoldedFrames =
  /**
   * A bar for other people's code between own frames: `name` is whose code it is, `category` that of the outermost
   * frames, `selfUs` the time in the folded frames.
   */
  | { readonly type: 'others'; readonly frames: number; readonly owners: readonly FoldedOwner[] }
  /** Everything outside of own code: the runner, Node.js, other processes. The last child of the root. */
  | { readonly type: 'outside'; readonly frames: number; readonly owners: readonly FoldedOwner[] }
  /**
   * The outermost frames that are too narrow to draw, where own code begins at the root, as one frame with their time
   * and main category. Its id is `smallId`.
   */
  | { readonly type: 'small'; readonly frames: number }
  /** A function that calls itself directly, on up to this many levels. */
  | { readonly type: 'recursion'; readonly levels: number };

export interface FoldedOwner {
  readonly name: string;
  /** Time in its code and its callees, in µs. */
  readonly totalUs: Microseconds;
}

/** Own code and tests are never folded. */
export interface FlameFold {
  /** Folded kinds of code, with the native code and collections inside of them. */
  readonly kinds: readonly FrameCategory[];
  /** Ids of frames that are unfolded nevertheless. */
  readonly open: readonly string[];
  /** Puts what runs outside of own code into one frame, unless `outsideId` is open. Only for the graph of all time. */
  readonly apart?: true;
}

/** Id of the frame for everything outside of own code. */
export const outsideId = '0';

/** Id of the frame for those too narrow to draw. It cannot be zoomed to. */
export const smallId = 'small';

/** Ids of the callers in `FlameAnswer.callers` begin with it. */
export const callersPrefix = 'u';

/** The tier in which a frame's code ran longest. */
export function tierOf(tiers: FrameTiers | undefined): V8Tier {
  if (tiers === undefined) return 'unknown';
  return v8Tiers.reduce((most, tier) => (tiers[tier] > tiers[most] ? tier : most));
}

export interface FlameQuery {
  /** Zooms to this frame: only it, its ancestors and its descendants. `''`, absent or unknown: everything. */
  readonly zoom?: string;
  /** Zooms to the heaviest place of this function instead. */
  readonly functionId?: number;
  /** Zooms only until the heaviest place of this function is readable, and makes it the `chosen` frame. */
  readonly reveal?: number;
  /** Asks for this function, with all of its callers and callees, instead of `zoom`. */
  readonly around?: number;
  /** Goes to a match: unfolds and zooms as far as necessary. */
  readonly find?: FlameFind;
  readonly functions?: FunctionOrder;
  /** Only the samples of this operation (its number in the report). */
  readonly operation?: number;
  /** Only the operation in which this function took longest; everything where it is not a culprit. */
  readonly worstOf?: number;
  /** Only this part of the run, unless an operation is asked for. */
  readonly part?: RunPart;
  /** Asks for the long operations, and for details of the chosen one. */
  readonly operations?: OperationsQuery;
  /** Samples of an operation in time order; equal neighbours are one frame. */
  readonly inTime?: true;
  /** Absent: nothing is folded. */
  readonly fold?: FlameFold;
  /** Asks for tiers. `split`: a frame for each tier of a function; else one frame. Ids are the same in both. */
  readonly tiers?: FlameTiers;
  /** Only for a diff: whose times are the widths; `now` by default. */
  readonly side?: DiffView;
  /** Only for a diff: the operations with this function, and only what it does in them. */
  readonly perOperationOf?: number;
  /** Share of the zoomed frame's time that is half a pixel wide: smaller frames are invisible. */
  readonly leastShare: number;
  /** Share from which a frame has room for its name; by default 70 times `leastShare`, 35 px. */
  readonly namedShare?: number;
  /** Number of rows below the zoomed frame; absent: all that are sent at once. */
  readonly rows?: number;
}

export type FlameTiers = 'split' | 'merged';

export interface FlameAnswer {
  readonly root: FlameFrame;
  /** The frame to zoom to. */
  readonly zoom: string;
  readonly totalUs: Microseconds;
  /** Present where no thread has measured turns: then every time is an estimate. Never in a diff. */
  readonly estimated?: true;
  /** The frame of the function or the match that was asked for; absent where it has no time. */
  readonly chosen?: string;
  /** Absent where the answer is about all operations. */
  readonly operation?: FlameOperation;
  /** The legend: self time by category in the zoomed frame, pruned frames included. Adds up to its value. */
  readonly selfByCategory: Readonly<Record<FrameCategory, Microseconds>>;
  readonly tiers?: TiersAnswer;
  readonly diff?: FlameDiff;
  /** Present only for `around`: the callers of the function, as children; `root` has its callees. */
  readonly callers?: FlameFrame;
  /** Absent where no match was asked for, or there is none. */
  readonly found?: FoundFrame;
  /** Ids of all unfolded frames, where some had to be for the function of the query; otherwise absent. */
  readonly open?: readonly string[];
  readonly functions?: FunctionList;
  readonly operations?: OperationList;
  /** Absent where operations were not asked for, or there are none. */
  readonly picked?: PickedOperation;
}

export const functionColumns = ['name', 'total', 'self', 'worst', 'count', 'stacks', 'tier'] as const;
export type FunctionColumn = (typeof functionColumns)[number];

export interface FunctionOrder {
  readonly by: FunctionColumn;
  readonly isDescending: boolean;
}

/** Functions with any time whose kind is not folded. */
export interface FunctionList {
  /** The first rows. `value` is the total time of all calls, in which each µs counts once. */
  readonly rows: readonly FlameFrame[];
  /** Number of functions after these. */
  readonly more: number;
  /** Number of functions of folded kinds. */
  readonly folded: number;
}

export interface FlameOperation {
  /** Number of the operation in the report. */
  readonly number: number;
  readonly durationUs: Microseconds;
  readonly estimated: boolean;
  /** Title of the running test; null where none is known. */
  readonly test: string | null;
}

export type TiersAnswer =
  | {
      readonly type: 'recorded';
      /** Time in the zoomed frame by the tier of the innermost JavaScript function. Adds up to the frame's value. */
      readonly selfByTier: Readonly<Record<V8Tier, Microseconds>>;
      /** Functions without any fact are left out. */
      readonly code: readonly FlameCode[];
    }
  /** A profile; its target's recording of tiers is at the absolute path `recording`, from `startedAt` (ISO 8601). */
  | { readonly type: 'secondRun'; readonly recording: string; readonly startedAt: string | null }
  | { readonly type: 'none' };

export interface FlameCode {
  readonly functionId: number;
  /** Sentences without a full stop, such as where it was inlined. */
  readonly notes: readonly string[];
  /** Most frequent first. The index is the number that asks for the deopt's place. */
  readonly deopts: readonly FlameDeopt[];
}

export interface FlameDeopt {
  /** V8's reason, such as `wrong map`. */
  readonly reason: string;
  /** A place such as `src/cart.ts:12`. */
  readonly place: string;
  readonly count: number;
}

/** A search covers everything, whatever is zoomed. */
export interface FlameSearch extends Pick<
  FlameQuery,
  'operation' | 'worstOf' | 'part' | 'around' | 'fold' | 'tiers' | 'side' | 'perOperationOf'
> {
  /** A part of a name or a url, in any case; not empty. */
  readonly pattern: string;
  /** True for a JavaScript regular expression, which sees name and url as two lines. */
  readonly isRegex: boolean;
}

/**
 * Goes to the next match or to the one before; the heaviest comes first. Step 0 zooms to the heaviest where it is too
 * narrow to be seen, makes it (or the bar around it) the `chosen` frame, and unfolds nothing.
 */
export interface FlameFind extends Pick<FlameSearch, 'pattern' | 'isRegex'> {
  /** Id of the frame of the last step; null for none. */
  readonly from: string | null;
  readonly step: 1 | 0 | -1;
}

/** Why a regular expression finds nothing: V8's error, or it takes too long. */
export type SearchProblem = { readonly type: 'wrong'; readonly message: string } | { readonly type: 'slow' };

export type FlameSearchAnswer =
  | {
      readonly type: 'found';
      /** Number of matching frames in the graph, and of matching functions in each folded bar. */
      readonly matches: number;
      /** Time in matching frames. Each µs counts once. */
      readonly matchedUs: Microseconds;
      readonly functionIds: readonly number[];
      /** Kinds with a matching frame without a function. */
      readonly categories: readonly FrameCategory[];
      /** Ids of bars with a folded match; with `around` also of those on both sides of the function. */
      readonly bars: readonly string[];
      /** Id of the heaviest match, or of the bar around it; null without any. */
      readonly heaviest: string | null;
    }
  | SearchProblem;

/** The current match. */
export interface FoundFrame {
  readonly id: string;
  /** Its number among the matches, from 1. */
  readonly number: number;
  readonly matches: number;
  /** Ids of all frames that are unfolded now: the match is drawn. */
  readonly open: readonly string[];
}
