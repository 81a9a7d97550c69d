import type { Line1, Microseconds } from './units.ts';
import type { Figures, FirstTime } from './figures.ts';

export const frameCategories = ['own', 'test', 'dependency', 'runner', 'node', 'native', 'gc', 'program'] as const;

/** What a frame is made of: its colour in category mode. */
export type FrameCategory = (typeof frameCategories)[number];

/** `built`: made by a tool, without a source map. */
export const ownRoles = ['app', 'test', 'built'] as const;
type OwnRole = (typeof ownRoles)[number];

/** What can have compiled a frame's code; its colour in tier mode. `unknown`: native code, collections, or no log tells. */
export const flameTiers = ['ignition', 'sparkplug', 'maglev', 'turbofan', 'unknown'] as const;
export type FlameTier = (typeof flameTiers)[number];

/**
 * One frame of the flamegraph, in the shape that d3-flame-graph reads (`name`, `value`, `children`).
 * Children are pruned to what can be seen at the asked-for zoom; `hiddenUs` is the time of those left out.
 * Only some hundred levels above and below the zoomed frame are in an answer, so that it can be walked by recursion;
 * the root's child may then be a frame that it did not call itself.
 */
export interface FlameFrame {
  /** Says nothing but which frame it is, the same in every answer about one recording. `''` is the root. */
  readonly id: string;
  readonly name: string;
  /** Total time below and in this frame, in µs. */
  readonly value: number;
  readonly selfUs: Microseconds;
  readonly category: FrameCategory;
  /** Index of its function in the analysis; −1 for the root and for what has no function. */
  readonly functionId: number;
  readonly url: string;
  readonly line: Line1;
  /** `value` less `selfUs` and the children's values. */
  readonly hiddenUs: Microseconds;
  /** The figures of its function as a culprit; absent for what is none. */
  readonly figures?: Figures;
  /** As a culprit it was long only the first time; absent for others. */
  readonly firstTime?: FirstTime;
  /** Of own code: who wrote it; absent for other code. */
  readonly role?: OwnRole;
  /** The text of its function is another one now; absent where it is not, as far as is known. */
  readonly changed?: true;
  /** How its code ran; only where tiers were asked for, and recorded. Not of the root. */
  readonly tiers?: FrameTiers;
  readonly children: readonly FlameFrame[];
}

/** The frame's total time by how its own code ran. The tiers add up to it; the others are part of them. */
export interface FrameTiers extends Readonly<Record<FlameTier, Microseconds>> {
  /** Inlined into its caller's code, whose tier it has. */
  readonly inlined: Microseconds;
  /** In code that was entered in the middle of a loop. Known from Node 26 on. */
  readonly osr: Microseconds;
}

/** The tier in which a frame's code ran most of the time. */
export function tierOf(tiers: FrameTiers | undefined): FlameTier {
  if (tiers === undefined) return 'unknown';
  return flameTiers.reduce((most, tier) => (tiers[tier] > tiers[most] ? tier : most));
}

export interface FlameQuery {
  /** Zoom: only this frame, its ancestors (as one line) and what is below it. `''`, absent or not there: everything. */
  readonly zoom?: string;
  /** Zoom to the heaviest place of this function instead. */
  readonly functionId?: number;
  /** Only samples of this operation (its number in the report). */
  readonly operation?: number;
  /** Only samples of the operation of which this function took most; everything where it is no culprit. */
  readonly worstOf?: number;
  /** Categories whose frames are cut out; their time goes to the nearest frame that stays. */
  readonly hide?: readonly FrameCategory[];
  /**
   * With tiers. `split`: a function has a frame for each way in which its code ran; `merged`: one for all. Absent: as `merged`,
   * without tiers. A frame of either is named the same in the other, where it is there.
   */
  readonly tiers?: FlameTiers;
  /** Share of the zoomed frame's time below which a frame cannot be seen: half a pixel over the page's width. */
  readonly leastShare: number;
}

export type FlameTiers = 'split' | 'merged';

export interface FlameAnswer {
  readonly root: FlameFrame;
  /** The id of the frame that the page should zoom to. */
  readonly zoom: string;
  readonly totalUs: Microseconds;
  /** The only one that is in it; absent where all are. */
  readonly operation?: FlameOperation;
  /** Self time by category of everything in the zoomed frame, pruned frames included: the legend. Adds up to its value. */
  readonly selfByCategory: Readonly<Record<FrameCategory, Microseconds>>;
  /** Only where tiers were asked for. */
  readonly tiers?: TiersAnswer;
}

export interface FlameOperation {
  /** In the report. */
  readonly number: number;
  readonly durationUs: Microseconds;
  /** Title of the test that ran; null where none did, or nobody knows. */
  readonly test: string | null;
}

export type TiersAnswer =
  | {
      readonly type: 'recorded';
      /**
       * Everything in the zoomed frame by the tier that it counts for, as in the figures: that of the innermost JavaScript
       * function, while V8 ran JavaScript. Adds up to its value.
       */
      readonly selfByTier: Readonly<Record<FlameTier, Microseconds>>;
      /** What V8 made of the functions in this answer, where there is anything to say. */
      readonly code: readonly FlameCode[];
    }
  /** A profile, of whose target there is a recording of tiers, absolute path. `startedAt`: ISO 8601, null where not known. */
  | { readonly type: 'secondRun'; readonly recording: string; readonly startedAt: string | null }
  | { readonly type: 'none' };

/** What V8 made of one function, in all of the recording. */
export interface FlameCode {
  readonly functionId: number;
  /** Sentences without a full stop: into whom it was inlined, that it is made anew. */
  readonly notes: readonly string[];
  /** Most often first; the index is the number of the deopt for who opens its place. */
  readonly deopts: readonly FlameDeopt[];
}

export interface FlameDeopt {
  /** V8's words: `wrong map`. */
  readonly reason: string;
  /** `src/cart.ts:12`. */
  readonly place: string;
  readonly count: number;
}

/** Counts what matches in all of the zoomed frame, pruned frames included. */
export interface FlameSearch extends Omit<FlameQuery, 'leastShare'> {
  /** Plain text, not empty; see `frameMatcher`. */
  readonly pattern: string;
}

export interface FlameSearchAnswer {
  /** Number of frames that match. */
  readonly matches: number;
  /** Time in frames that match, each µs once: a match below a match adds nothing. */
  readonly matchedUs: Microseconds;
}

/** Whether a frame matches a search: its name or its url holds the pattern, upper and lower case alike. */
export function frameMatcher(pattern: string): (frame: Pick<FlameFrame, 'name' | 'url'>) => boolean {
  const wanted = pattern.toLowerCase();
  return (frame) => frame.name.toLowerCase().includes(wanted) || frame.url.toLowerCase().includes(wanted);
}
