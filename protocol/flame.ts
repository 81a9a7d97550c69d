import type { Line1, Microseconds } from './units.ts';
import type { Figures, FirstTime } from './figures.ts';
import { type V8Tier, v8Tiers } from './v8-tiers.ts';

export const frameCategories = ['own', 'test', 'dependency', 'runner', 'node', 'native', 'gc', 'program'] as const;

/** The kind of code of a frame, which decides its colour in category mode. */
export type FrameCategory = (typeof frameCategories)[number];

/** Who wrote own code. A `built` file was made by a tool, and no source map leads to its source. */
export const ownRoles = ['app', 'test', 'built'] as const;
type OwnRole = (typeof ownRoles)[number];

/**
 * One frame of the flamegraph, in the shape that d3-flame-graph reads (`name`, `value`, `children`).
 * Children are pruned to what can be seen at the asked-for zoom; `hiddenUs` is the time of those left out.
 * Only some hundred levels above and below the zoomed frame are in an answer, so that it can be walked by recursion;
 * the root's child may then be a frame that it did not call itself.
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
  readonly children: readonly FlameFrame[];
}

/**
 * The frame's total time by how its own code ran. The times of the tiers add up to it; `inlined` and `osr` are part of
 * them.
 */
export interface FrameTiers extends Readonly<Record<V8Tier, Microseconds>> {
  /** Time in code that was inlined into its caller's code, whose tier it has. */
  readonly inlined: Microseconds;
  /** Time in code that was entered in the middle of a loop (on-stack replacement). Known from Node 26 on. */
  readonly osr: Microseconds;
}

/** The tier in which a frame's code ran most of the time. */
export function tierOf(tiers: FrameTiers | undefined): V8Tier {
  if (tiers === undefined) return 'unknown';
  return v8Tiers.reduce((most, tier) => (tiers[tier] > tiers[most] ? tier : most));
}

export interface FlameQuery {
  /**
   * Zooms to this frame: only it, its ancestors (as one line) and what is below it. `''`, absent or unknown:
   * everything.
   */
  readonly zoom?: string;
  /** Zooms to the heaviest place of this function instead. */
  readonly functionId?: number;
  /** Takes only the samples of this operation (its number in the report). */
  readonly operation?: number;
  /** Takes only the samples of the operation in which this function took most; everything where it is no culprit. */
  readonly worstOf?: number;
  /** Categories whose frames are cut out; their time goes to the nearest frame that stays. */
  readonly hide?: readonly FrameCategory[];
  /**
   * Asks for tiers, too. `split`: a function has a frame for each way in which its code ran; `merged`: one frame for
   * all ways. Absent: frames as with `merged`, without tiers. A frame has the same id in both, where it exists in both.
   */
  readonly tiers?: FlameTiers;
  /** Share of the zoomed frame's time below which a frame cannot be seen: half a pixel over the page's width. */
  readonly leastShare: number;
}

export type FlameTiers = 'split' | 'merged';

export interface FlameAnswer {
  readonly root: FlameFrame;
  /** Id of the frame that the page should zoom to. */
  readonly zoom: string;
  readonly totalUs: Microseconds;
  /** The only operation that the answer is about; absent where it is about all. */
  readonly operation?: FlameOperation;
  /** Self time by category of everything in the zoomed frame, pruned frames included: the legend. Adds up to its value. */
  readonly selfByCategory: Readonly<Record<FrameCategory, Microseconds>>;
  /** Present only where tiers were asked for. */
  readonly tiers?: TiersAnswer;
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
      /**
       * Time of everything in the zoomed frame by tier, as in the figures: the tier of the innermost JavaScript
       * function, while V8 ran JavaScript. Adds up to the frame's value.
       */
      readonly selfByTier: Readonly<Record<V8Tier, Microseconds>>;
      /** What V8 made of the functions in this answer. Functions without anything to say are left out. */
      readonly code: readonly FlameCode[];
    }
  /**
   * The answer is of a profile, and there is a recording of tiers of the same target. `recording` is its absolute path,
   * `startedAt` ISO 8601, or null where it is not known.
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

/** A search counts the matches in all of the zoomed frame, pruned frames included. */
export interface FlameSearch extends Omit<FlameQuery, 'leastShare'> {
  /** Plain text, not empty. `frameMatcher` says what it matches. */
  readonly pattern: string;
}

export interface FlameSearchAnswer {
  /** Number of frames that match. */
  readonly matches: number;
  /** Time in frames that match. Each µs counts once: a match below another match adds nothing. */
  readonly matchedUs: Microseconds;
}

/** Whether a frame matches a search: its name or its url contains the pattern, in upper or lower case. */
export function frameMatcher(pattern: string): (frame: Pick<FlameFrame, 'name' | 'url'>) => boolean {
  const wanted = pattern.toLowerCase();
  return (frame) => frame.name.toLowerCase().includes(wanted) || frame.url.toLowerCase().includes(wanted);
}
