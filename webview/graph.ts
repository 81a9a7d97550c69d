import flamegraph, { type FlameGraphNode } from 'd3-flame-graph';
import { select } from 'd3-selection';
import type { FlameCode } from '../protocol/flame.ts';
import type { FlameDirection } from '../protocol/webview.ts';
import type { Cell } from './arrows.ts';
import { type Block, inReadingOrder } from './blocks.ts';
import { frameSentence, frameTime, isInlined } from './frame-text.ts';
import { keepLabel } from './labels.ts';
import { paintOf, fillOf, type PaintKind } from './paint.ts';

export interface Drawing {
  readonly root: Block;
  /** Width in px. */
  readonly width: number;
  /** Name of the graph for screen readers, where it is one of several. */
  readonly label?: string;
  /** Id of the match that was gone to last. */
  readonly foundId: string | null;
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
 * Draws blocks with d3-flame-graph. This is the only file that knows d3. Every drawn frame is a `g.frame` with
 * `data-id`, `data-category` and, if it matches the search, `data-match`. They stand in reading order. The returned
 * function gives the frames that were wide enough to be drawn.
 */
export function createGraph(container: HTMLElement): (drawing: Drawing) => readonly Cell[] {
  const chart = flamegraph<Block>()
    .cellHeight(rowHeight)
    .minFrameSize(leastWidth)
    .resetHeightOnZoom(true)
    .tooltip(noTooltip);
  return (drawing) => {
    chart.width(drawing.width).inverted(drawing.direction === 'icicle');
    chart.setColorMapper(({ data }) => fillOf(paintOf(data.frame, drawing.colors)));
    if (container.querySelector('svg') === null) select(container).datum(drawing.root).call(chart);
    else chart.update(drawing.root);
    return describe(container, drawing);
  };
}

/** Names each drawn frame to the style sheet, the keyboard and screen readers. */
function describe(container: HTMLElement, drawing: Drawing): readonly Cell[] {
  const { root, totalUs, folders, isMatch, colors, isHighlighted } = drawing;
  const order = new Map(inReadingOrder(root).map((block, index) => [block, index]));
  const placeOf = ({ data }: FlameGraphNode<Block>): number => order.get(data) ?? 0;
  const svg = select(container).select('svg');
  svg
    .attr('role', 'tree')
    .attr('aria-label', drawing.label ?? 'Flamegraph')
    .classed('searching', isMatch !== null)
    .classed('highlighting', isHighlighted !== null);
  // oxlint-disable-next-line unicorn/no-array-sort -- no array: d3 puts the elements in this order
  const frames = svg.selectAll<SVGGElement, FlameGraphNode<Block>>('g.frame').sort((a, b) => placeOf(a) - placeOf(b));
  frames
    .attr('data-id', ({ data }) => data.frame.id)
    .attr('data-gap', ({ data }) => (data.isGap === true ? '' : null))
    .attr('data-category', ({ data }) => keyIn('category', data, colors))
    .attr('data-change', ({ data }) => keyIn('change', data, colors))
    .attr('data-tier', ({ data }) => keyIn('tier', data, colors))
    .attr('data-folded', ({ data }) => data.frame.folded?.type ?? null)
    .attr('data-inlined', ({ data }) => (isInlined(data.frame) ? '' : null))
    .attr('data-highlight', ({ data }) => (isHighlighted?.(data) === true ? '' : null))
    .attr('data-found', ({ data }) => (data.frame.id === drawing.foundId ? '' : null))
    .attr('data-match', ({ data }) => (isMatch?.(data) === true ? '' : null))
    .attr('role', 'treeitem')
    .attr('tabindex', -1)
    .attr('aria-level', ({ data }) => data.level + 1)
    .attr('aria-label', ({ data }) => frameSentence(data.frame, totalUs, folders, colors));
  frames.each(({ data }, index, nodes) => {
    const frame = nodes[index];
    if (frame !== undefined) keepLabel(frame, data.name);
  });
  frames.select('div').attr('data-time', ({ data }) => frameTime(data.frame, totalUs));
  const drawn = frames.data().filter(({ data }) => data.isGap !== true);
  return drawn.map(({ data }) => ({
    id: data.frame.id,
    parent: data.parent === null ? null : data.parent.frame.id,
    level: data.level,
  }));
}

/** Name of a frame's colour in the style sheet; null where it has another kind of colour. The root has none. */
function keyIn(kind: PaintKind, { frame }: Block, colors: PaintKind): string | null {
  const paint = paintOf(frame, colors);
  return paint.kind === kind && (kind === 'category' || frame.id !== '') ? paint.key : null;
}

/** Keeps the chart from giving each frame a `<title>`: the card says more. */
const noTooltip = Object.assign(() => {}, { show: () => {}, hide: () => {} });
