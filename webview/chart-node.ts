import type { Block } from './blocks.ts';

/**
 * A block as the chart places it. The chart would make nodes of its own (d3-hierarchy), numbered anew each time, so that
 * after each change an element stands for another frame and nearly all of it has to be written anew. Of these a frame
 * keeps its element; they come in reading order, in which their elements stand; and gaps are placed, but not drawn.
 */
export class ChartNode {
  readonly id: string;
  readonly data: Block;
  readonly parent: ChartNode | null;
  readonly depth: number;
  /** Absent where there are none, as d3-hierarchy has it. */
  children?: ChartNode[];
  /** Rows are placed by `depth`: nobody asks for the number of those below. */
  readonly height = 0;
  /** What the chart fills in. Places are from 0 to 1. */
  value = 0;
  x0 = 0;
  x1 = 0;
  y0 = 0;
  y1 = 0;

  private constructor(data: Block, parent: ChartNode | null) {
    this.id = data.frame.id;
    this.data = data;
    this.parent = parent;
    this.depth = data.level;
  }

  /** The nodes of a block and of all below it. */
  static of(block: Block): ChartNode {
    const root = new ChartNode(block, null);
    const left = [root];
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      const caller = node;
      if (node.data.children.length > 0)
        node.children = node.data.children.map((child) => new ChartNode(child, caller));
      left.push(...(node.children ?? []));
    }
    return root;
  }

  /** Calls back for each node, callers first. */
  eachBefore(visit: (node: ChartNode) => void): this {
    const left: ChartNode[] = [this];
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      visit(node);
      const children = node.children ?? [];
      for (let index = children.length - 1; index >= 0; index -= 1) {
        const child = children[index];
        if (child !== undefined) left.push(child);
      }
    }
    return this;
  }

  /** All that is drawn, in reading order. */
  descendants(): readonly ChartNode[] {
    const nodes: ChartNode[] = [];
    this.eachBefore((node) => {
      if (node.data.isGap !== true) nodes.push(node);
    });
    return nodes;
  }
}
