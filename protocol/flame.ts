import type { Figures } from './figures.ts';
import type { Line1, Microseconds } from './units.ts';

export const frameCategories = ['own', 'test', 'dependency', 'runner', 'node', 'native', 'gc', 'program'] as const;

/** What a frame is made of: its colour in category mode. */
export type FrameCategory = (typeof frameCategories)[number];

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
  readonly children: readonly FlameFrame[];
}

export interface FlameQuery {
  /** Zoom: only this frame, its ancestors (as one line) and what is below it. `''`, absent or not there: everything. */
  readonly zoom?: string;
  /** Zoom to the heaviest place of this function instead. */
  readonly functionId?: number;
  /** Only samples of this operation (its number in the report). */
  readonly operation?: number;
  /** Categories whose frames are cut out; their time goes to the nearest frame that stays. */
  readonly hide?: readonly FrameCategory[];
  /** Share of the zoomed frame's time below which a frame cannot be seen: half a pixel over the page's width. */
  readonly leastShare: number;
}

export interface FlameAnswer {
  readonly root: FlameFrame;
  /** The id of the frame that the page should zoom to. */
  readonly zoom: string;
  readonly totalUs: Microseconds;
  /** Self time by category of everything in the zoomed frame, pruned frames included: the legend. Adds up to its value. */
  readonly selfByCategory: Readonly<Record<FrameCategory, Microseconds>>;
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
