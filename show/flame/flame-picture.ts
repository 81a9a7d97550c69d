import { maxOf } from '../../protocol/figures.ts';
import type { FlameAnswer, FlameFrame, FlameQuery, FrameCategory } from '../../protocol/flame.ts';
import { frameCategories, smallId } from '../../protocol/flame.ts';
import { line1, type Microseconds, microseconds } from '../../protocol/units.ts';
import { framesBelow, type FlamePicture, widthOf } from './flame-view.ts';
import { calleesOf } from './flame-tree.ts';
import { Heap, firstDifference } from '../../engine/basics/lists.ts';
import { compareFunctions } from '../../engine/read/functions/function-table.ts';
import { type FlameTree, numberOf } from './frame-run.ts';

/**
 * What a page can draw quickly, and people can read. Zooming shows the rest, which is in `hiddenUs`. A frame that is wide
 * enough for its name has four elements on the page, others have two.
 */
const MAX = { elements: 2_500, levels: 200, ancestors: 200 };
const elementsOf = { named: 4, unnamed: 2 } as const;

/** A frame has a name from 35 px on: 70 times the minimum width of half a pixel. */
const NAMED_WIDTHS = 70;

/** What is visible, as shares of the zoomed frame's time. `besides`: number of other elements on the page. */
export interface Visible extends Pick<FlameQuery, 'leastShare' | 'namedShare' | 'rows'> {
  readonly besides?: number;
}

/** For each of two pictures. */
export const halfOfElements = MAX.elements / 2;

/**
 * The visible frames: those with at least `leastShare` of the zoomed frame's time, the heaviest first as long as there is
 * room, up to 200 levels below it. Above it are the root and the nearest 200 callers.
 */
export function pictureOf(picture: FlamePicture, { besides = 0, ...shares }: Visible): FlameAnswer {
  const { view, zoomed } = picture;
  const callers = ancestors(view.tree, zoomed);
  const room = MAX.elements - besides - elementsOf.named - callers.length * elementsOf.named;
  const children = visibleChildren(picture, shares, room);
  const beside = besideOwnCode(picture);
  const root = callers.reduce<FlameFrame>(
    (below, frame) => frameOf(frame, frame === 0 ? [below, ...beside] : [below], picture),
    below(zoomed, children, picture),
  );
  return {
    root,
    zoom: idOf(zoomed, picture),
    totalUs: microseconds(view.total[0] ?? 0),
    selfByCategory: selfByCategory(view, zoomed),
    ...picture.about([...children.keys(), ...callers]),
  };
}

/** The frame beside own code, with any zoom; none where nothing ran outside of own code. */
function besideOwnCode(picture: FlamePicture): readonly FlameFrame[] {
  const { outside, total } = picture.view;
  return (total[outside] ?? 0) > 0 ? [frameOf(outside, [], picture)] : [];
}

/** One frame for all outermost frames that are not drawn, so own code keeps its width; none in other graphs. */
function smallFrame(drawn: readonly number[], { view }: FlamePicture): readonly FlameFrame[] {
  const { tree, total, outside } = view;
  if ((total[outside] ?? 0) === 0) return [];
  const isDrawn = new Set([...drawn, outside]);
  const times = new Float64Array(frameCategories.length);
  let frames = 0;
  const { first, next } = calleesOf(tree);
  for (let frame = first[0] ?? -1; frame >= 0; frame = next[frame] ?? -1) {
    if ((total[frame] ?? 0) === 0 || isDrawn.has(frame)) continue;
    const category = tree.category[frame] ?? 0;
    times[category] = (times[category] ?? 0) + (total[frame] ?? 0);
    frames += 1;
  }
  if (frames === 0) return [];
  const value = microseconds(times.reduce((sum, time) => sum + time, 0));
  const category = frameCategories[times.indexOf(maxOf(times))] ?? 'own';
  const nowhere = { id: smallId, name: '', functionId: -1, url: '', line: line1(0), children: [] };
  return [{ ...nowhere, category, value, selfUs: microseconds(0), hiddenUs: value, folded: { type: 'small', frames } }];
}

/** Number of elements of the page for a frame and all below it. */
export function elementsBelow(
  root: FlameFrame,
  { leastShare, namedShare = NAMED_WIDTHS * leastShare }: Visible,
): number {
  let elements = 0;
  const left = [root];
  for (let frame = left.pop(); frame !== undefined; frame = left.pop()) {
    elements += frame.value < namedShare * root.value ? elementsOf.unnamed : elementsOf.named;
    for (const child of frame.children) left.push(child);
  }
  return elements;
}

/**
 * The visible callees of each frame, the heaviest first, without the frame outside of own code. A frame is never heavier
 * than its caller, so callers are chosen first.
 */
function visibleChildren(
  picture: FlamePicture,
  { leastShare, namedShare = NAMED_WIDTHS * leastShare, rows = MAX.levels }: Visible,
  mostElements: number,
): ReadonlyMap<number, readonly number[]> {
  const { view, zoomed } = picture;
  const whole = widthOf(view, zoomed);
  const least = Math.max(0, leastShare) * whole;
  const { first, next } = calleesOf(view.tree);
  const levels = new Map([[zoomed, 0]]);
  const shown = new Map<number, number[]>();
  const waiting = new Heap();
  waiting.push(zoomed, Infinity);
  let elements = 0;
  for (let frame = waiting.pop(); frame !== undefined; frame = waiting.pop()) {
    elements += (view.total[frame] ?? 0) < namedShare * whole ? elementsOf.unnamed : elementsOf.named;
    if (elements > mostElements && shown.size > 0) break;
    if (frame !== zoomed) shown.get(view.tree.parent[frame] ?? 0)?.push(frame);
    shown.set(frame, []);
    const level = (levels.get(frame) ?? 0) + 1;
    if (level > Math.min(rows, MAX.levels)) continue;
    const children: number[] = [];
    for (let child = first[frame] ?? -1; child >= 0; child = next[child] ?? -1) children.push(child);
    for (const child of sorted(children, picture)) {
      const time = view.total[child] ?? 0;
      if (time === 0 || time < least) break;
      levels.set(child, level);
      if (child !== view.outside) waiting.push(child, time);
    }
  }
  return shown;
}

/** Sorts by time, the heaviest first (left-heavy), and then by function; frames without a function come last. */
function sorted(
  frames: readonly number[],
  { view: { tree, total }, functions }: Pick<FlamePicture, 'view' | 'functions'>,
): readonly number[] {
  return frames.toSorted((a, b) => {
    const left = functions[tree.functionId[a] ?? -1];
    const right = functions[tree.functionId[b] ?? -1];
    const isKnown = left !== undefined && right !== undefined;
    const tie = isKnown ? compareFunctions(left, right) : Number(left === undefined) - Number(right === undefined);
    return firstDifference((total[b] ?? 0) - (total[a] ?? 0), tie, a - b);
  });
}

/** Callers of the zoomed frame, the nearest first: at most 200, and the root. */
function ancestors({ parent }: FlameTree, zoomed: number): readonly number[] {
  const line: number[] = [];
  let frame = zoomed;
  while (frame > 0 && line.length < MAX.ancestors) {
    frame = parent[frame] ?? 0;
    line.push(frame);
  }
  return frame > 0 ? [...line, 0] : line;
}

/** The frame with the visible frames below it. The number of visible levels limits the recursion. */
function below(frame: number, children: ReadonlyMap<number, readonly number[]>, picture: FlamePicture): FlameFrame {
  const chosen = children.get(frame) ?? [];
  const ordered = picture.isInTime === true ? chosen.toSorted((a, b) => a - b) : chosen;
  const inside = ordered.map((child) => below(child, children, picture));
  const shown = frame === 0 ? [...inside, ...smallFrame(chosen, picture), ...besideOwnCode(picture)] : inside;
  return frameOf(frame, shown, picture);
}

function frameOf(frame: number, children: readonly FlameFrame[], picture: FlamePicture): FlameFrame {
  const { view, factsOf } = picture;
  const value = view.total[frame] ?? 0;
  const self = view.self[frame] ?? 0;
  const shown = children.reduce((sum, child) => sum + child.value, 0);
  return {
    id: idOf(frame, picture),
    ...factsOf(frame),
    value,
    selfUs: microseconds(self),
    hiddenUs: microseconds(value - self - shown),
    children,
  };
}

function idOf(frame: number, { view: { ids }, prefix, idOf: given }: FlamePicture): string {
  if (given !== undefined) return given(frame);
  return frame === 0 ? prefix : `${prefix}${ids[frame] ?? 0}`;
}

/** Self time by category before folding, which moves no time between categories. */
function selfByCategory(
  { tree, frameOf, plain }: FlamePicture['view'],
  zoomed: number,
): Readonly<Record<FrameCategory, Microseconds>> {
  const isBelow = framesBelow(tree, zoomed);
  const sums = new Float64Array(frameCategories.length);
  for (let frame = 0; frame < plain.self.length; frame += 1) {
    const time = plain.self[frame] ?? 0;
    if (time === 0 || isBelow[frameOf[frame] ?? 0] !== 1) continue;
    const category = plain.tree.category[frame] ?? 0;
    sums[category] = (sums[category] ?? 0) + time;
  }
  const us = (category: FrameCategory): Microseconds => microseconds(sums[numberOf(category)] ?? 0);
  return {
    own: us('own'),
    test: us('test'),
    dependency: us('dependency'),
    runner: us('runner'),
    node: us('node'),
    native: us('native'),
    gc: us('gc'),
    program: us('program'),
  };
}
