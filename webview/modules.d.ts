/** Style sheets are bundled into dist/flamegraph.css. */
declare module '*.css' {}

/** The used part of d3-flame-graph 5, which has no types. Source: its README and ES build. */
declare module 'd3-flame-graph' {
  import type { Selection } from 'd3-selection';

  /** What the chart reads from a frame. The node is bound to its `g.frame`. A `fade`d one is as wide as its children. */
  export interface FlameGraphNode {
    readonly id: string;
    readonly depth: number;
    readonly data: { readonly name: string; readonly value: number; readonly fade: boolean };
    readonly children?: readonly FlameGraphNode[];
  }

  /** Called once with the SVG. Replaces the `<title>` of each frame. */
  export interface FlameGraphTooltip {
    (svg: unknown): void;
    show(event: Event, node: unknown): void;
    hide(): void;
  }

  /** Lengths are in px. */
  export interface FlameGraph<Node extends FlameGraphNode> {
    /** Draws the selection's datum for the first time. */
    (selection: Selection<HTMLElement, Node, null, undefined>): void;
    /** Draws other frames in the same place. */
    update(root: Node): this;
    width(width: number): this;
    /** Height of a row. */
    cellHeight(height: number): this;
    /** Narrower frames are not drawn. */
    minFrameSize(width: number): this;
    /** Whether the root is on top. */
    inverted(isInverted: boolean): this;
    /** Whether the height follows the rows that are drawn. */
    resetHeightOnZoom(isReset: boolean): this;
    tooltip(tooltip: FlameGraphTooltip): this;
    setColorMapper(fillOf: (node: Node) => string): this;
  }

  export default function flamegraph<Node extends FlameGraphNode>(): FlameGraph<Node>;
}
