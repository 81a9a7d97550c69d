import flamegraph from 'd3-flame-graph';
import { select } from 'd3-selection';
import type { FlameCode, FlameFrame } from '../protocol/flame.ts';
import type { FlameDirection } from '../protocol/webview.ts';
import type { Cell } from './arrows.ts';
import { type Block, inReadingOrder } from './basics/blocks.ts';
import { frameSentence, frameTime, isInlined } from './basics/frame-text.ts';
import { keepLabel } from './labels.ts';
import { paintOf, fillOf, type PaintKind } from './basics/paint.ts';
import { setAttribute } from './quick-selections.ts';

export interface Drawing {
  readonly root: Block;
  /** Width in px. */
  readonly width: number;
  /** Name of the graph for screen readers, where it is one of several. */
  readonly label?: string;
  /** Id of the match that was gone to last. */
  readonly foundId: string | null;
  /** Id of the frame that the page was opened for. */
  readonly chosenId: string | null;
  readonly direction: FlameDirection;
  /** Time of the whole recording in µs, of which shares are shown. */
  readonly totalUs: number;
  /** The workspace's folders, as paths or `file:` urls. */
  readonly folders: readonly string[];
  /** Whether a frame matches the search; null while nothing is searched for. */
  readonly isMatch: ((block: Block) => boolean) | null;
  readonly colors: PaintKind;
  /** Whether a frame stands out; null while none is to. */
  readonly isHighlighted: ((block: Block) => boolean) | null;
  /** What V8 made of functions, by id. */
  readonly code: ReadonlyMap<number, FlameCode>;
}

/** Height of a row, in px. */
const rowHeight = 20;
/** Frames that are narrower than this are not drawn, in px. */
const leastWidth = 0.4;

/**
 * Draws blocks with d3-flame-graph. This is the only file that knows it. Every drawn frame is a `g.frame` with
 * `data-id`, `data-category` and, if it matches the search, `data-match`. They stand in reading order. The returned
 * function gives the frames that were wide enough to be drawn.
 */
export function createGraph(container: HTMLElement): (drawing: Drawing) => readonly DrawnCell[] {
  const chart = flamegraph<ChartNode>()
    .cellHeight(rowHeight)
    .minFrameSize(leastWidth)
    .resetHeightOnZoom(true)
    .tooltip(noTooltip);
  const sentences = new Sentences();
  return (drawing) => {
    chart.width(drawing.width).inverted(drawing.direction === 'icicle');
    chart.setColorMapper(({ data }) => fillOf(paintOf(data.frame, drawing.colors)));
    const root = ChartNode.of(drawing.root);
    if (container.querySelector('svg') === null) select(container).datum(root).call(chart);
    else chart.update(root);
    return describe(container, drawing, sentences);
  };
}

/** A drawn frame with its element. */
export interface DrawnCell extends Cell {
  readonly frame: FlameFrame;
  readonly element: SVGGElement;
}

/** Names each drawn frame to the style sheet, the keyboard and screen readers. */
function describe(container: HTMLElement, drawing: Drawing, sentences: Sentences): readonly DrawnCell[] {
  const svg = select(container).select<SVGSVGElement>('svg');
  svg
    .attr('role', 'tree')
    .attr('aria-label', drawing.label ?? 'Flamegraph')
    .classed('searching', drawing.isMatch !== null)
    .classed('highlighting', drawing.isHighlighted !== null);
  const elements = new Map<Block, SVGGElement>();
  svg.selectAll<SVGGElement, ChartNode>('g.frame').each(function take({ data }) {
    elements.set(data, this);
  });
  const cells: DrawnCell[] = [];
  let place = container.querySelector('g.frame');
  for (const block of inReadingOrder(drawing.root)) {
    const frame = elements.get(block);
    if (frame === undefined) continue;
    if (frame === place) place = place.nextElementSibling;
    else frame.parentNode?.insertBefore(frame, place);
    describeFrame(frame, block, drawing, sentences);
    const parent = block.parent?.frame.id ?? null;
    cells.push({ id: block.frame.id, parent, level: block.level, frame: block.frame, element: frame });
  }
  return cells;
}

function describeFrame(element: SVGGElement, block: Block, drawing: Drawing, sentences: Sentences): void {
  const { frame, level, name } = block;
  const { totalUs, isMatch, colors, isHighlighted, foundId, chosenId } = drawing;
  const attributes = {
    'data-id': frame.id,
    'data-category': keyIn('category', block, colors),
    'data-change': keyIn('change', block, colors),
    'data-tier': keyIn('tier', block, colors),
    'data-folded': frame.folded?.type ?? null,
    'data-inlined': isInlined(frame) ? '' : null,
    'data-highlight': isHighlighted?.(block) === true ? '' : null,
    'data-found': frame.id === foundId ? '' : null,
    'data-chosen': frame.id === chosenId ? '' : null,
    'data-match': isMatch?.(block) === true ? '' : null,
    role: 'treeitem',
    tabindex: '-1',
    'aria-level': level + 1,
    'aria-label': sentences.of(frame, drawing),
  };
  for (const [attribute, value] of Object.entries(attributes)) setAttribute(element, attribute, value);
  keepLabel(element, name);
  const label = element.children[1]?.firstElementChild;
  if (label !== undefined && label !== null) setAttribute(label, 'data-time', frameTime(frame, totalUs));
}

/** The sentences of frames, which are made once as long as they are told in the same way. */
class Sentences {
  #known = new WeakMap<FlameFrame, string>();
  #told: Pick<Drawing, 'totalUs' | 'folders' | 'colors'> | null = null;

  of(frame: FlameFrame, { totalUs, folders, colors }: Drawing): string {
    const before = this.#told;
    if (before?.totalUs !== totalUs || before.folders !== folders || before.colors !== colors) {
      this.#known = new WeakMap();
      this.#told = { totalUs, folders, colors };
    }
    const known = this.#known.get(frame);
    if (known !== undefined) return known;
    const made = frameSentence(frame, totalUs, folders, colors);
    this.#known.set(frame, made);
    return made;
  }
}

/** Name of a frame's colour in the style sheet; null where it has another kind of colour. The root has none. */
function keyIn(kind: PaintKind, { frame }: Block, colors: PaintKind): string | null {
  const paint = paintOf(frame, colors);
  return paint.kind === kind && (kind === 'category' || frame.id !== '') ? paint.key : null;
}

/** Keeps the chart from giving each frame a `<title>`: the card says more. */
const noTooltip = Object.assign(() => {}, { show: () => {}, hide: () => {} });

/**
 * A block as the chart places it. The chart would make nodes of its own (d3-hierarchy), numbered anew each time, so that
 * after each change an element stands for another frame and nearly all of it has to be written anew. Of these a frame
 * keeps its element; they come in reading order, in which their elements stand; and gaps are placed, but not drawn.
 */
class ChartNode {
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
