import type { FlameAnswer, FlameFrame } from '../../protocol/flame.ts';
import { microseconds } from '../../protocol/units.ts';
import { visible } from '../../words/formats/foreign-text.ts';
import { frameName, isOutside, share } from './frame-text.ts';
import type { FlameDirection } from '../../protocol/webview.ts';

/** A frame as it is drawn, in the shape that d3-flame-graph reads. */
export interface Block {
  /** The text on the frame. */
  readonly name: string;
  /** Its width, in µs. */
  readonly value: number;
  /** True for an ancestor of the zoomed frame: it is as wide as its callee there. */
  readonly fade: boolean;
  readonly children: Block[];
  readonly frame: FlameFrame;
  readonly parent: Block | null;
  /** Number of the row, where the root is 0. */
  readonly level: number;
  /** True for time between two frames of a graph in time order: it has a width, but is not drawn. */
  readonly isGap?: true;
}

/** A page with more frames is slow. The server sends fewer. */
const MAX_BLOCKS = 1500;

/** Which frames below the zoomed one are drawn: those with at least this time, in this many rows. */
export interface Shown {
  readonly leastUs: number;
  readonly rows: number;
}

const allShown: Shown = { leastUs: 0, rows: Infinity };

/**
 * The blocks of an answer with this frame zoomed: the frames from the root to it, one below the other, and what is shown
 * below it. Rows are filled from the root on, so that a graph that is too large loses its deepest rows. If the answer
 * does not contain the frame, everything is drawn.
 */
export function makeBlocks(answer: FlameAnswer, zoom: string, { leastUs, rows }: Shown = allShown): Block {
  const line = findPath(answer.root, zoom);
  const ancestors = new Set(line.slice(0, -1));
  const wayDown = new Set(line);
  const outside = fitOutside(answer, line);
  const root = { ...makeBlock(answer.root, null, ancestors), value: answer.root.value + outside.widened };
  const queue = [root];
  for (let next = 0; next < queue.length && queue.length < MAX_BLOCKS; next++) {
    const block = queue[next];
    if (block === undefined || block.level >= line.length - 1 + rows) break;
    const isShown = (frame: FlameFrame): boolean =>
      wayDown.has(frame) || (block.fade ? isOutside(frame) : frame.value >= leastUs);
    const shown = block.frame.children.filter(isShown);
    for (const frame of shown.slice(0, MAX_BLOCKS - queue.length)) {
      const drawn = isOutside(frame) ? outside.drawn : {};
      const child = { ...makeBlock(frame, block, ancestors), ...drawn };
      for (const gap of gapBefore(child, block)) block.children.push(gap);
      block.children.push(child);
      queue.push(child);
    }
  }
  return root;
}

/** A frame and all frames below it, in no particular order. */
export function listFrames(root: FlameFrame): readonly FlameFrame[] {
  const frames: FlameFrame[] = [];
  const left = [root];
  for (let frame = left.pop(); frame !== undefined; frame = left.pop()) {
    frames.push(frame);
    for (const child of frame.children) left.push(child);
  }
  return frames;
}

/** The frames from the root to the one with this id, both included; only the root if there is none. */
export function findPath(root: FlameFrame, id: string): readonly FlameFrame[] {
  const pathFrom = (frame: FlameFrame): readonly FlameFrame[] | null => {
    if (frame.id === id) return [frame];
    for (const child of frame.children) {
      const path = pathFrom(child);
      if (path !== null) return [frame, ...path];
    }
    return null;
  };
  return pathFrom(root) ?? [root];
}

/**
 * All blocks in reading order: a caller before its callees. The callees of a closed block are left out. `compare` orders
 * the callees of each block; without it they stay in drawing order.
 */
export function inReadingOrder(
  root: Block,
  isOpen: (block: Block) => boolean = () => true,
  compare: (a: Block, b: Block) => number = () => 0,
): readonly Block[] {
  const order: Block[] = [];
  const left = [root];
  for (let block = left.pop(); block !== undefined; block = left.pop()) {
    order.push(block);
    if (!isOpen(block)) continue;
    for (const child of block.children.toSorted(compare).toReversed()) left.push(child);
  }
  return order;
}

/** The gap that keeps a frame at its time: from the end of the frame before it. */
function gapBefore({ frame }: Block, parent: Block): readonly Block[] {
  if (frame.startUs === undefined || parent.fade) return [];
  const last = parent.children.at(-1);
  const used = last === undefined ? (parent.frame.startUs ?? 0) : (last.frame.startUs ?? 0) + last.value;
  const value = frame.startUs - used;
  if (value < MIN_GAP) return [];
  const nothing = { name: '', functionId: -1, url: '', selfUs: microseconds(0), children: [] };
  const gap: FlameFrame = { ...frame, ...nothing, id: `${frame.id}/`, value };
  return [{ name: '', value, fade: false, children: [], frame: gap, parent, level: parent.level + 1, isGap: true }];
}

/** In µs. Shorter gaps come from rounding. */
const MIN_GAP = 0.5;

/** Share of the page's width for everything outside of own code. */
const MAX_OUTSIDE_SHARE = 0.08;

/**
 * How the frame beside own code is drawn: as wide as its time, but only up to `MAX_OUTSIDE_SHARE` if there is own code.
 * Its name begins with its share of the time. `widened` is the change of the root's width, in µs.
 */
function fitOutside(
  { root, totalUs }: FlameAnswer,
  line: readonly FlameFrame[],
): { readonly drawn: Partial<Block>; readonly widened: number } {
  const frame = root.children.find(isOutside);
  if (frame === undefined) return { drawn: {}, widened: 0 };
  const inside = root.value - frame.value;
  const beside = line.length > 1 ? (line.at(-1)?.value ?? inside) : inside;
  const widest = (beside * MAX_OUTSIDE_SHARE) / (1 - MAX_OUTSIDE_SHARE);
  const value = inside > 0 ? Math.min(frame.value, widest) : frame.value;
  const name = `${share(frame.value, totalUs)} ${visible(frame.name, 200)}`;
  return { drawn: { name, value }, widened: value - frame.value };
}

function makeBlock(frame: FlameFrame, parent: Block | null, ancestors: ReadonlySet<FlameFrame>): Block {
  const level = parent === null ? 0 : parent.level + 1;
  return { name: frameName(frame), value: frame.value, fade: ancestors.has(frame), children: [], frame, parent, level };
}

/** A drawn frame for the arrow keys. Cells are in reading order, without frames that are too narrow to see. */
export interface Cell {
  readonly id: string;
  readonly parent: string | null;
  readonly level: number;
}

/**
 * Id of the frame that an arrow key moves to: the caller, the heaviest callee, or the neighbour in the row. The arrows
 * follow the picture, so up and down swap with the direction. Null where there is none, or for other keys.
 */
export function frameTowards(
  key: string,
  from: Cell,
  cells: readonly Cell[],
  direction: FlameDirection,
): string | null {
  const [up, down] = direction === 'icicle' ? ['ArrowUp', 'ArrowDown'] : ['ArrowDown', 'ArrowUp'];
  if (key === up) return from.parent;
  if (key === down) return cells.find(({ parent }) => parent === from.id)?.id ?? null;
  if (key === 'Home') return cells[0]?.id ?? null;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  const row = cells.filter(({ level }) => level === from.level);
  const place = row.findIndex(({ id }) => id === from.id);
  return row[place + (key === 'ArrowLeft' ? -1 : 1)]?.id ?? null;
}
