import type { FlameAnswer, FlameFrame } from '../../protocol/flame.ts';
import { microseconds } from '../../protocol/units.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { frameName, isOutside, share } from './frame-text.ts';

/** A frame as it is drawn, in the shape that d3-flame-graph reads. */
export interface Block {
  /** The text on the frame. */
  readonly name: string;
  /** What its width stands for, in µs. */
  readonly value: number;
  /** True for an ancestor of the zoomed frame: it is as wide as what it calls there. */
  readonly fade: boolean;
  readonly children: Block[];
  readonly frame: FlameFrame;
  readonly parent: Block | null;
  /** Number of the row, where the root is 0. */
  readonly level: number;
  /** True for time between two frames of a graph in time order: it takes room, and is not shown. */
  readonly isGap?: true;
}

/** Most frames that a page is fast with. The server sends fewer. */
const mostBlocks = 1500;

/**
 * What to draw of an answer with this frame zoomed: the frames from the root to it, one below the other, and everything
 * below it. Rows are filled from the root on, so that a graph that is too large loses its deepest rows. If the answer
 * does not contain the frame, all of the answer is drawn.
 */
export function blocksOf(answer: FlameAnswer, zoom: string): Block {
  const line = wayTo(answer.root, zoom);
  const ancestors = new Set(line.slice(0, -1));
  const wayDown = new Set(line);
  const outside = outsideOf(answer, line);
  const root = { ...blockOf(answer.root, null, ancestors), value: answer.root.value + outside.widened };
  const queue = [root];
  for (let next = 0; next < queue.length && queue.length < mostBlocks; next++) {
    const block = queue[next];
    if (block === undefined) break;
    const isShown = (frame: FlameFrame): boolean => !block.fade || wayDown.has(frame) || isOutside(frame);
    const shown = block.frame.children.filter(isShown);
    for (const frame of shown.slice(0, mostBlocks - queue.length)) {
      const drawn = isOutside(frame) ? outside.drawn : {};
      const child = { ...blockOf(frame, block, ancestors), ...drawn };
      block.children.push(...gapBefore(child, block), child);
      queue.push(child);
    }
  }
  return root;
}

/** The frames from the root to the one with this id, both included; the root alone if there is none. */
export function wayTo(root: FlameFrame, id: string): readonly FlameFrame[] {
  const callers = new Map<FlameFrame, FlameFrame>();
  const left = [root];
  for (let frame = left.pop(); frame !== undefined; frame = left.pop()) {
    if (frame.id === id) return lineTo(frame, callers);
    for (const child of frame.children) {
      callers.set(child, frame);
      left.push(child);
    }
  }
  return [root];
}

function lineTo(frame: FlameFrame, callers: ReadonlyMap<FlameFrame, FlameFrame>): readonly FlameFrame[] {
  const line = [frame];
  for (let caller = callers.get(frame); caller !== undefined; caller = callers.get(caller)) line.unshift(caller);
  return line;
}

/**
 * All blocks in reading order: a caller before what it calls. What a closed block calls is left out. `compare` orders
 * what one block calls otherwise than it is drawn.
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
    if (isOpen(block)) left.push(...block.children.toSorted(compare).toReversed());
  }
  return order;
}

/** What keeps a frame at its time: the room since the frame before it. */
function gapBefore({ frame }: Block, parent: Block): readonly Block[] {
  if (frame.startUs === undefined || parent.fade) return [];
  const last = parent.children.at(-1);
  const used = last === undefined ? (parent.frame.startUs ?? 0) : (last.frame.startUs ?? 0) + last.value;
  const value = frame.startUs - used;
  if (value < leastGap) return [];
  const nothing = { name: '', functionId: -1, url: '', selfUs: microseconds(0), children: [] };
  const gap: FlameFrame = { ...frame, ...nothing, id: `${frame.id}/`, value };
  return [{ name: '', value, fade: false, children: [], frame: gap, parent, level: parent.level + 1, isGap: true }];
}

/** Shortest time in µs that takes room: less comes from rounding. */
const leastGap = 0.5;

/** Most of the page's width that what is outside of own code takes. */
const outsideShare = 0.08;

/**
 * How the frame beside own code is drawn: as wide as its time, where that is narrow enough, or there is no own code. Else
 * its width says little, so its name begins with its share. `widened`: what this adds to the width of the root, in µs.
 */
function outsideOf(
  { root, totalUs }: FlameAnswer,
  line: readonly FlameFrame[],
): { readonly drawn: Partial<Block>; readonly widened: number } {
  const frame = root.children.find(isOutside);
  if (frame === undefined) return { drawn: {}, widened: 0 };
  const inside = root.value - frame.value;
  const beside = line.length > 1 ? (line.at(-1)?.value ?? inside) : inside;
  const most = (beside * outsideShare) / (1 - outsideShare);
  const value = inside > 0 ? Math.min(frame.value, most) : frame.value;
  const name = `${share(frame.value, totalUs)} ${visible(frame.name, 200)}`;
  return { drawn: { name, value }, widened: value - frame.value };
}

function blockOf(frame: FlameFrame, parent: Block | null, ancestors: ReadonlySet<FlameFrame>): Block {
  const level = parent === null ? 0 : parent.level + 1;
  return { name: frameName(frame), value: frame.value, fade: ancestors.has(frame), children: [], frame, parent, level };
}
