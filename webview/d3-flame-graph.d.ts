/** The part of d3-flame-graph 5 that the page uses; the package brings no types. Source: its README and ES build. */
declare module 'd3-flame-graph' {
  import type { Selection } from 'd3-selection';

  /** What the chart reads of a frame. A `fade`d one has no time of its own: it is as wide as its children. */
  export interface FlameGraphData {
    readonly name: string;
    readonly value: number;
    readonly fade: boolean;
    readonly children: readonly FlameGraphData[];
  }

  /** A frame as it was placed; bound to its `g.frame` element. */
  export interface FlameGraphNode<Data extends FlameGraphData> {
    readonly data: Data;
  }

  /** Called once with the SVG; stands in for the `<title>` that each frame would get otherwise. */
  export interface FlameGraphTooltip {
    (svg: unknown): void;
    show(event: Event, node: unknown): void;
    hide(): void;
  }

  export interface FlameGraph<Data extends FlameGraphData> {
    /** Draws the selection's datum for the first time. */
    (selection: Selection<HTMLElement, Data, null, undefined>): void;
    /** Draws other data in the same place, or the same data again. */
    update(data?: Data): this;
    /** In px. */
    width(width: number): this;
    /** In px: the height of one row. */
    cellHeight(height: number): this;
    /** In px: narrower frames are not drawn. */
    minFrameSize(width: number): this;
    /** Whether the root is on top. */
    inverted(isInverted: boolean): this;
    /** In ms. */
    transitionDuration(duration: number): this;
    /** Whether the height follows what is drawn. */
    resetHeightOnZoom(isReset: boolean): this;
    tooltip(tooltip: FlameGraphTooltip): this;
    setColorMapper(fillOf: (node: FlameGraphNode<Data>) => string): this;
  }

  export default function flamegraph<Data extends FlameGraphData>(): FlameGraph<Data>;
}
