import {
  type FlameAnswer,
  type FlameFind,
  type FlameQuery,
  type FlameSearch,
  type FlameSearchAnswer,
  type FoundFrame,
  frameCategories,
  type SearchProblem,
} from '../../protocol/flame.ts';
import { microseconds } from '../../protocol/units.ts';
import { firstDifference } from '../../engine/basics/lists.ts';
import { PairTable } from '../../engine/basics/pair-table.ts';
import { framesBelow, widthOf, type GraphView } from './flame-view.ts';
import { nameOfCategory } from './frame-facts.ts';

/** The frame to zoom to; 0, the root, where the wanted frame has no time in the view. */
export function zoomedFrame(view: GraphView, { zoom, functionId }: Pick<FlameQuery, 'zoom' | 'functionId'>): number {
  if (functionId !== undefined) return heaviestPlace(view, functionId);
  const id = zoom === undefined || !/^\d+$/.test(zoom) ? 0 : Number(zoom);
  const frame = view.frameOf[id] ?? 0;
  return (view.total[frame] ?? 0) > 0 ? frame : 0;
}

/** The heaviest place of a function, and the zoom in which its name is readable; null where it has no time. */
export function revealedFrame(
  view: GraphView,
  functionId: number,
): { readonly frame: number; readonly zoomed: number } | null {
  const frame = heaviestPlace(view, functionId);
  return frame === 0 ? null : { frame, zoomed: wideEnough(frame, view, 1 / 4) };
}

/** The frame where a function has most time; of equal ones the nearest to the root. */
function heaviestPlace({ tree, total }: GraphView, functionId: number): number {
  let heaviest = 0;
  let most = 0;
  for (let frame = 1; frame < tree.size; frame += 1) {
    const time = total[frame] ?? 0;
    if (tree.functionId[frame] !== functionId || time <= most) continue;
    heaviest = frame;
    most = time;
  }
  return heaviest;
}

/** Whether a regular expression matches any line of each text, or why that is unknown: it may take too long. */
export type RegexTest = (pattern: string, texts: readonly string[]) => readonly boolean[] | SearchProblem;

/** For callers that cannot end a regular expression that takes too long. */
export const noRegex: RegexTest = () => ({ type: 'wrong', message: 'Regular expressions cannot be used here' });

/** The frames of the merged tree that match: those of some functions, and those of some categories without a function. */
type Matching = Exclude<ReturnType<typeof matchingOf>, SearchProblem>;

function matchingOf(
  { pattern, isRegex }: Pick<FlameSearch, 'pattern' | 'isRegex'>,
  texts: readonly string[],
  testRegex: RegexTest,
) {
  const names = frameCategories.map(nameOfCategory);
  const all = [...texts, ...names];
  const wanted = pattern.toLowerCase();
  const found = isRegex
    ? testRegex(pattern, all)
    : all.map((text) => text.split('\n').some((line) => line.toLowerCase().includes(wanted)));
  if ('type' in found) return found;
  return {
    functionIds: new Set([...texts.keys()].filter((id) => found[id] === true)),
    /** By index of `frameCategories`. */
    isCategory: names.map((name, index) => name !== '' && found[texts.length + index] === true),
  };
}

/** Counts the matches in a graph that is folded like this. Never throws. */
export function searchIn(search: FlameSearch, { viewOf, texts, testRegex }: Searchable): FlameSearchAnswer {
  const matching = matchingOf(search, texts, testRegex);
  return 'type' in matching ? matching : countIn(viewOf(search.fold), matching);
}

/** A match below another match adds no time. */
function countIn(view: GraphView, matching: Matching): FlameSearchAnswer {
  const { plain, isInBar, frameOf, ids, total } = view;
  const isMatch = matcherIn(view, matching);
  const isUnder = new Uint8Array(plain.tree.size);
  /** Has 1 by frame of the view that matches. */
  const isFound = new Uint8Array(view.tree.size);
  /** (bar, function) of the matches in bars. */
  const inBars = new PairTable(64);
  const bars = new Set<number>();
  let [time, found] = [0, 0];
  for (let one = 1; one < plain.tree.size; one += 1) {
    const isBelow = isUnder[plain.tree.parent[one] ?? 0] === 1;
    const isOne = isMatch(one);
    if (isBelow || isOne) isUnder[one] = 1;
    if (!isOne) continue;
    if (!isBelow) time += plain.total[one] ?? 0;
    const frame = frameOf[one] ?? 0;
    if (isInBar[one] === 1) {
      bars.add(frame);
      inBars.numberOf(frame, plain.tree.functionId[one] ?? -1);
    } else {
      found += isFound[frame] === 1 ? 0 : 1;
      isFound[frame] = 1;
    }
  }
  const heaviest = [...bars].toSorted((a, b) => (total[b] ?? 0) - (total[a] ?? 0)).slice(0, MAX_BARS);
  return {
    type: 'found',
    matches: found + inBars.size,
    matchedUs: microseconds(time),
    functionIds: [...matching.functionIds],
    categories: frameCategories.filter((_, index) => matching.isCategory[index]),
    bars: heaviest.map((frame) => String(ids[frame] ?? 0)),
  };
}

const MAX_BARS = 2_000;

/** Whether a frame of the merged tree matches: by tables, because each frame is checked. */
function matcherIn(
  { plain: { tree, total } }: GraphView,
  { functionIds, isCategory }: Matching,
): (frame: number) => boolean {
  const isFunction = new Uint8Array([...functionIds].reduce((most, id) => Math.max(most, id + 1), 0));
  for (const id of functionIds) isFunction[id] = 1;
  return (frame) => {
    if ((total[frame] ?? 0) === 0 || frame === 0) return false;
    const functionId = tree.functionId[frame] ?? -1;
    return functionId >= 0 ? isFunction[functionId] === 1 : isCategory[tree.category[frame] ?? -1] === true;
  };
}

interface Match {
  /** Frame of the merged tree. */
  readonly id: number;
  /** The drawn frame: itself, or the bar that it is folded into. */
  readonly frame: number;
  readonly time: number;
}

/** All matches, the heaviest first: each frame of the view once, and in a bar each function once, at its heaviest frame. */
function matchesIn(view: GraphView, matching: Matching): readonly Match[] {
  const { plain, frameOf, isInBar, total, ids } = view;
  const isMatch = matcherIn(view, matching);
  const places = new PairTable(64);
  const matches: Match[] = [];
  for (let one = 1; one < plain.tree.size; one += 1) {
    if (!isMatch(one)) continue;
    const frame = frameOf[one] ?? 0;
    const isInside = isInBar[one] === 1;
    const place = places.numberOf(frame, isInside ? 1 + (plain.tree.functionId[one] ?? -1) : -1);
    const time = (isInside ? plain.total[one] : total[frame]) ?? 0;
    const known = matches[place];
    if (known === undefined || known.time < time)
      matches[place] = { id: isInside ? one : (ids[frame] ?? 0), frame, time };
  }
  return matches.toSorted((a, b) => firstDifference(b.time - a.time, a.id - b.id));
}

/** A graph with any folding. */
export interface Searchable {
  readonly viewOf: (fold: FlameQuery['fold']) => GraphView;
  /** The name and the url of each function, in lines of their own. */
  readonly texts: readonly string[];
  readonly testRegex: RegexTest;
}

/**
 * The query at the match after, or before, the last one: unfolded, and zoomed where it would not be visible otherwise;
 * and what the answer says of the match. Null without such a query, and without a match.
 */
export function queryAtMatch(
  query: FlameQuery,
  { viewOf, texts, testRegex }: Searchable,
): { readonly query: FlameQuery; readonly about: Pick<FlameAnswer, 'found' | 'chosen'> } | null {
  const { find, fold } = query;
  const matching = find === undefined ? null : matchingOf(find, texts, testRegex);
  if (find === undefined || matching === null || 'type' in matching) return null;
  const view = viewOf(fold);
  const match = nextIn(matchesIn(view, matching), find, view);
  if (match === undefined) return null;
  const unfolded = find.step === 0 ? fold : unfoldedFor(match.id, fold, viewOf);
  const shown = viewOf(unfolded);
  const frame = shown.frameOf[match.id] ?? 0;
  const id = String(shown.ids[frame] ?? 0);
  const isSeen = canBeSeen(frame, zoomedFrame(shown, query), shown, query.leastShare);
  const zoom = isSeen ? query.zoom : String(shown.ids[wideEnough(frame, shown, 1 / 20)] ?? 0);
  return {
    query: { ...query, ...(unfolded === undefined ? {} : { fold: unfolded }), ...(zoom === undefined ? {} : { zoom }) },
    about:
      find.step === 0
        ? { chosen: id }
        : { found: { ...numberOf(frame, matchesIn(shown, matching), shown), id, open: unfolded?.open ?? [] } },
  };
}

function numberOf(
  frame: number,
  matches: readonly Match[],
  { isInBar }: GraphView,
): Pick<FoundFrame, 'number' | 'matches'> {
  const number = 1 + matches.findIndex((one) => one.frame === frame && isInBar[one.id] !== 1);
  return { number, matches: matches.length };
}

/** The folding without a bar around a frame. Code outside of own code may be in two: that beside it, and its owner's. */
function unfoldedFor(id: number, fold: FlameQuery['fold'], viewOf: Searchable['viewOf']): FlameQuery['fold'] {
  if (fold === undefined) return fold;
  const open = [...fold.open];
  for (let bars = 0; bars < 2; bars += 1) {
    const { isInBar, frameOf, ids } = viewOf({ ...fold, open: [...open] });
    if (isInBar[id] === 1) open.push(String(ids[frameOf[id] ?? 0] ?? 0));
  }
  return { ...fold, open };
}

function nextIn(matches: readonly Match[], { from, step }: FlameFind, view: GraphView): Match | undefined {
  if (step === 0) return matches[0];
  const last = matches.findIndex(
    ({ id, frame }) => from !== null && (String(id) === from || isDrawnAs(frame, from, view)),
  );
  const next = last === -1 && step === -1 ? -1 : last + step;
  return matches.at(next % Math.max(1, matches.length));
}

function isDrawnAs(frame: number, id: string, { frameOf, isInBar }: GraphView): boolean {
  return frameOf[Number(id)] === frame && isInBar[Number(id)] !== 1;
}

/** The outermost caller, at most 60 levels above, of whose width the frame still has at least this share. */
function wideEnough(frame: number, view: GraphView, share: number): number {
  let around = frame;
  for (let level = 0; level < 60; level += 1) {
    const above = view.tree.parent[around] ?? -1;
    if (above < 0 || share * widthOf(view, above) > (view.total[frame] ?? 0)) return around;
    around = above;
  }
  return around;
}

/** Whether a frame is visible without another zoom, on a page that draws frames from this share on. */
function canBeSeen(frame: number, zoomed: number, view: GraphView, leastShare: number): boolean {
  const isWide = (view.total[frame] ?? 0) >= 4 * leastShare * widthOf(view, zoomed);
  return isWide && framesBelow(view.tree, zoomed)[frame] === 1;
}
