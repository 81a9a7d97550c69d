/** The part of d3-flame-graph 5 that the page uses; the package brings no types. Source: its README and ES build. */
declare module 'd3-flame-graph' {
  import type { Selection } from 'd3-selection';

  /**
   * What the chart reads from a frame's data, and a frame that is placed: it is bound to its `g.frame` element. A
   * `fade`d one has no time of its own: it is as wide as its children.
   */
  export interface FlameGraphNode {
    readonly id: string;
    readonly depth: number;
    readonly data: { readonly name: string; readonly value: number; readonly fade: boolean };
    readonly children?: readonly FlameGraphNode[];
  }

  /** Called once with the SVG. It replaces the `<title>` that each frame would have otherwise. */
  export interface FlameGraphTooltip {
    (svg: unknown): void;
    show(event: Event, node: unknown): void;
    hide(): void;
  }

  export interface FlameGraph<Node extends FlameGraphNode> {
    /** Draws the selection's datum for the first time. */
    (selection: Selection<HTMLElement, Node, null, undefined>): void;
    /** Draws other frames in the same place. */
    update(root: Node): this;
    /** Sets the width in px. */
    width(width: number): this;
    /** Sets the height of a row in px. */
    cellHeight(height: number): this;
    /** Sets the width in px below which frames are not drawn. */
    minFrameSize(width: number): this;
    /** Sets whether the root is on top. */
    inverted(isInverted: boolean): this;
    /** Sets whether the height follows what is drawn. */
    resetHeightOnZoom(isReset: boolean): this;
    tooltip(tooltip: FlameGraphTooltip): this;
    setColorMapper(fillOf: (node: Node) => string): this;
  }

  export default function flamegraph<Node extends FlameGraphNode>(): FlameGraph<Node>;
}
