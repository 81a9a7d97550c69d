import flamegraph, { type FlameGraphNode } from 'd3-flame-graph';
import { select } from 'd3-selection';
import { timerFlush } from 'd3-timer';
import { duration } from '../protocol/figures.ts';
import { microseconds } from '../protocol/units.ts';
import type { FlameDirection } from '../protocol/webview.ts';
import type { Cell } from './arrows.ts';
import { type Block, inReadingOrder } from './blocks.ts';
import { groupOf } from './categories.ts';
import { fillOf } from './fills.ts';
import { frameSentence } from './frame-text.ts';

export interface Drawing {
  readonly root: Block;
  /** In px. */
  readonly width: number;
  readonly direction: FlameDirection;
  /** Of the whole recording, in µs: what shares are of. */
  readonly totalUs: number;
  /** The workspace's, as paths or `file:` urls. */
  readonly folders: readonly string[];
  /** Whether a frame matches the search; null while nothing is searched for. */
  readonly isMatch: ((block: Block) => boolean) | null;
}

/** Height of a row, in px. */
const rowHeight = 20;
/** Frames that are narrower than this are not drawn, in px. */
const leastWidth = 0.4;

/**
 * Draws blocks with d3-flame-graph; the only file that knows d3. Every drawn frame is a `g.frame` with `data-id`,
 * `data-category` and, when searched for, `data-match`; they stand in reading order. Returns what was wide enough.
 */
export function createGraph(container: HTMLElement): (drawing: Drawing) => readonly Cell[] {
  const chart = flamegraph<Block>()
    .cellHeight(rowHeight)
    .minFrameSize(leastWidth)
    .transitionDuration(0)
    .resetHeightOnZoom(true)
    .tooltip(noTooltip)
    .setColorMapper(({ data }) => fillOf(data.frame.category));
  return (drawing) => {
    chart.width(drawing.width).inverted(drawing.direction === 'icicle');
    if (container.querySelector('svg') === null) select(container).datum(drawing.root).call(chart);
    else chart.update(drawing.root);
    timerFlush(); // The chart moves frames by transitions, which would end a moment later even without a duration.
    return describe(container, drawing);
  };
}

/** Names each drawn frame to the style sheet, the keyboard and screen readers. */
function describe(container: HTMLElement, { root, totalUs, folders, isMatch }: Drawing): readonly Cell[] {
  const order = new Map(inReadingOrder(root).map((block, index) => [block, index]));
  const placeOf = ({ data }: FlameGraphNode<Block>): number => order.get(data) ?? 0;
  const svg = select(container).select('svg');
  svg
    .attr('role', 'tree')
    .attr('aria-label', 'Flamegraph')
    .classed('searching', isMatch !== null);
  // oxlint-disable-next-line unicorn/no-array-sort -- no array: d3 puts the elements in this order
  const frames = svg.selectAll<SVGGElement, FlameGraphNode<Block>>('g.frame').sort((a, b) => placeOf(a) - placeOf(b));
  frames
    .attr('data-id', ({ data }) => data.frame.id)
    .attr('data-category', ({ data }) => groupOf(data.frame.category).key)
    .attr('data-match', ({ data }) => (isMatch?.(data) === true ? '' : null))
    .attr('role', 'treeitem')
    .attr('tabindex', -1)
    .attr('aria-level', ({ data }) => data.level + 1)
    .attr('aria-label', ({ data }) => frameSentence(data.frame, totalUs, folders));
  frames.select('div').attr('data-time', ({ data }) => duration(microseconds(data.value)));
  return frames.data().map(({ data }) => ({
    id: data.frame.id,
    parent: data.parent === null ? null : data.parent.frame.id,
    level: data.level,
  }));
}

/** Keeps the chart from giving each frame a `<title>`: the card says more. */
const noTooltip = Object.assign(() => {}, { show: () => {}, hide: () => {} });
