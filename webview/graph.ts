import flamegraph from 'd3-flame-graph';
import { select } from 'd3-selection';
import type { FlameCode, FlameFrame } from '../protocol/flame.ts';
import type { Microseconds } from '../protocol/units.ts';
import type { FlameDirection } from '../protocol/webview.ts';
import { type Cell, type Block, inReadingOrder } from './basics/blocks.ts';
import { frameSentence, frameTime, isInlined, type Whole } from './basics/frame-text.ts';
import { keepLabel, setAttribute } from './quick-selections.ts';
import { paintOf, fillOf, type PaintKind } from './basics/paint.ts';

export interface Drawing extends Whole {
  readonly root: Block;
  /** Whether it lacks frames that are on their way. */
  readonly isRough: boolean;
  /** Width in px. */
  readonly width: number;
  /** Name of the graph for screen readers, if it is one of several. */
  readonly label?: string;
  /** Id of the current match of the search. */
  readonly foundId: string | null;
  /** Id of the frame that the page was opened for. */
  readonly chosenId: string | null;
  readonly direction: FlameDirection;
  /** The workspace's folders, as paths or `file:` urls. */
  readonly folders: readonly string[];
  /** Null without a search. */
  readonly isMatch: ((frame: FlameFrame) => boolean) | null;
  readonly colors: PaintKind;
  /** Null without a highlight. */
  readonly isHighlighted: ((frame: FlameFrame) => boolean) | null;
  /** What V8 made of functions, by id. */
  readonly code: ReadonlyMap<number, FlameCode>;
  /** Time and name of what the frames are parts of: the zoomed frame, or the function with its callers and callees. */
  readonly zoomedUs: number;
  readonly zoomedName: string;
  readonly thresholdUs: Microseconds;
  /** The divisor of times in a diff; null outside of one. */
  readonly per: 'per run' | 'per operation' | null;
}

/** Height of a row, in px. */
export const ROW_HEIGHT = 20;
/** Narrower frames are not drawn, in px. */
const MIN_WIDTH = 0.4;

/**
 * Draws blocks with d3-flame-graph; no other file uses it. Each drawn frame is a `g.frame` with `data-id`,
 * `data-category` and, if it matches the search, `data-match`. Frames are in reading order. The returned function returns
 * the frames that were wide enough to be drawn.
 */
export function createGraph(container: HTMLElement): (drawing: Drawing) => readonly DrawnCell[] {
  const chart = flamegraph<ChartNode>()
    .cellHeight(ROW_HEIGHT)
    .minFrameSize(MIN_WIDTH)
    .resetHeightOnZoom(true)
    .tooltip(noTooltip);
  const sentences = new Sentences();
  let last: { readonly drawing: Drawing; readonly cells: readonly DrawnCell[] } | null = null;
  return (drawing) => {
    const isDrawn = container.querySelector('svg') !== null;
    if (last !== null && isDrawn && isSamePicture(last.drawing, drawing)) {
      for (const { frame, element } of last.cells) setAttributes(element, marksOf(frame, drawing));
      markGraph(container, drawing);
      return last.cells;
    }
    chart.width(drawing.width).inverted(drawing.direction === 'icicle');
    chart.setColorMapper(({ data }) => fillOf(paintOf(data.frame, drawing.colors)));
    const root = ChartNode.of(drawing.root);
    if (isDrawn) chart.update(root);
    else select(container).datum(root).call(chart);
    last = { drawing, cells: describe(container, drawing, sentences) };
    return last.cells;
  };
}

/** Whether two drawings differ at most in which frames are marked. */
function isSamePicture(one: Drawing, other: Drawing): boolean {
  const keys = ['root', 'width', 'label', 'direction', 'totalUs', 'folders', 'colors'] as const;
  return keys.every((key) => one[key] === other[key]);
}

/** A drawn frame with its element. */
export interface DrawnCell extends Cell {
  readonly frame: FlameFrame;
  readonly element: SVGGElement;
}

/** Sets the attributes of each drawn frame for the style sheet, the keyboard and screen readers. */
function describe(container: HTMLElement, drawing: Drawing, sentences: Sentences): readonly DrawnCell[] {
  const svg = markGraph(container, drawing);
  svg.attr('role', 'tree').attr('aria-label', drawing.label ?? 'Flamegraph');
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
  const { colors } = drawing;
  setAttributes(element, {
    'data-id': frame.id,
    'data-category': keyIn('category', block, colors),
    'data-change': keyIn('change', block, colors),
    'data-tier': keyIn('tier', block, colors),
    'data-folded': frame.folded?.type ?? null,
    'data-inlined': isInlined(frame) ? '' : null,
    ...marksOf(frame, drawing),
    role: 'treeitem',
    tabindex: '-1',
    'aria-level': level + 1,
    'aria-label': sentences.of(frame, drawing),
  });
  keepLabel(element, name);
  const label = element.children[1]?.firstElementChild;
  if (label !== undefined && label !== null) setAttribute(label, 'data-time', frameTime(frame, drawing));
}

/** What the search, a highlight and the extension say of a frame. */
function marksOf(frame: FlameFrame, { isHighlighted, foundId, chosenId, isMatch }: Drawing) {
  return {
    'data-highlight': isHighlighted?.(frame) === true ? '' : null,
    'data-found': frame.id === foundId ? '' : null,
    'data-chosen': frame.id === chosenId ? '' : null,
    'data-match': isMatch?.(frame) === true ? '' : null,
  };
}

function markGraph(container: HTMLElement, { isMatch, isHighlighted }: Drawing) {
  const svg = select(container).select<SVGSVGElement>('svg');
  return svg.classed('searching', isMatch !== null).classed('highlighting', isHighlighted !== null);
}

function setAttributes(element: SVGGElement, attributes: Readonly<Record<string, string | number | null>>): void {
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
}

/** Caches the sentence of each frame, as long as all that it depends on stays the same. */
class Sentences {
  #known = new WeakMap<FlameFrame, string>();
  #base: Pick<Drawing, 'totalUs' | 'folders' | 'colors'> | null = null;

  of(frame: FlameFrame, drawing: Drawing): string {
    const { totalUs, folders, colors } = drawing;
    if (this.#base?.totalUs !== totalUs || this.#base.folders !== folders || this.#base.colors !== colors) {
      this.#known = new WeakMap();
      this.#base = { totalUs, folders, colors };
    }
    const sentence = this.#known.get(frame) ?? frameSentence(frame, drawing, folders, colors);
    this.#known.set(frame, sentence);
    return sentence;
  }
}

/** Name of a frame's colour in the style sheet; null if it has another kind of colour, and for the root. */
function keyIn(kind: PaintKind, { frame }: Block, colors: PaintKind): string | null {
  const paint = paintOf(frame, colors);
  return paint.kind === kind && (kind === 'category' || frame.id !== '') ? paint.key : null;
}

/** Prevents a `<title>` for each frame: the card says more. */
const noTooltip = Object.assign(() => {}, { show: () => {}, hide: () => {} });

/**
 * A block as the chart places it. Replaces the chart's own nodes (d3-hierarchy), which get new numbers at each change, so
 * that elements change their frames and nearly all attributes are rewritten. With these nodes a frame keeps its element,
 * the elements are in reading order, and gaps are placed but not drawn.
 */
class ChartNode {
  readonly id: string;
  readonly data: Block;
  readonly parent: ChartNode | null;
  readonly depth: number;
  /** Absent where there are none, as in d3-hierarchy. */
  children?: ChartNode[];
  /** Not used: the chart places rows by `depth`. */
  readonly height = 0;
  /** The chart fills these in, from 0 to 1. */
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

  /** The nodes of a block and of all blocks below it. */
  static of(block: Block): ChartNode {
    const root = new ChartNode(block, null);
    const left = [root];
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      const caller = node;
      const children = node.data.children.map((child) => new ChartNode(child, caller));
      if (children.length > 0) node.children = children;
      for (const child of children) left.push(child);
    }
    return root;
  }

  /** Visits each node, callers first. */
  eachBefore(visit: (node: ChartNode) => void): this {
    const left: ChartNode[] = [this];
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      visit(node);
      for (const child of node.children?.toReversed() ?? []) left.push(child);
    }
    return this;
  }

  /** All nodes that are drawn, in reading order. */
  descendants(): readonly ChartNode[] {
    const nodes: ChartNode[] = [];
    this.eachBefore((node) => void nodes.push(node));
    return nodes.filter(({ data }) => data.isGap !== true);
  }
}
