import type { Line1, Microseconds } from './units.ts';

/** What a frame is made of: its colour in category mode. */
export type FrameCategory = 'own' | 'test' | 'dependency' | 'runner' | 'node' | 'native' | 'gc' | 'program';

/**
 * One frame of the flamegraph, in the shape that d3-flame-graph reads (`name`, `value`, `children`).
 * Children are pruned to what can be seen at the asked-for zoom; `hidden` is the time of those left out.
 */
export interface FlameFrame {
  /** The way to it from the root: child numbers joined by `.`; stable for one recording. `''` is the root. */
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
  readonly hiddenUs: Microseconds;
  readonly children: readonly FlameFrame[];
}

export interface FlameQuery {
  /** Zoom: only this frame, its ancestors (as one line) and what is below it. `''` or absent: everything. */
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
}
