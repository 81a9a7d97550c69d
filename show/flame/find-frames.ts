import {
  type FlameAnswer,
  type FlameQuery,
  type FlameSearch,
  type FlameSearchAnswer,
  type FoundFrame,
  frameCategories,
  type SearchProblem,
} from '../../protocol/flame.ts';
import { microseconds } from '../../protocol/units.ts';
import { widthOf, type GraphView, type PlainTimes } from './flame-view.ts';
import { matchAt, matchFrom, type Matches, matchesOf, placeOfMatch, type SearchedTexts } from './matches.ts';

/** The frame to zoom to; 0, the root, where the wanted frame has no time in the view, or is that beside own code. */
export function zoomedFrame(view: GraphView, { zoom, functionId }: Pick<FlameQuery, 'zoom' | 'functionId'>): number {
  if (functionId !== undefined) return heaviestPlace(view, functionId);
  const id = zoom === undefined || !/^\d+$/.test(zoom) ? 0 : Number(zoom);
  const frame = view.frameOf[id] ?? 0;
  return frame !== view.outside && (view.total[frame] ?? 0) > 0 ? frame : 0;
}

/** The heaviest place of a function, and the zoom in which its name is readable; null where it has no time. */
export function revealedFrame(
  view: GraphView,
  functionId: number,
): { readonly frame: number; readonly zoomed: number } | null {
  const frame = heaviestPlace(view, functionId);
  return frame === 0 ? null : { frame, zoomed: wideEnough(frame, view, 1 / 4) };
}

/** The drawn frame where a function has most time, or the bar around it; 0 where it has none, and outside of own code. */
function heaviestPlace(view: GraphView, functionId: number): number {
  const drawn = heaviestFrame(view, functionId);
  if (drawn > 0) return drawn;
  const bar = view.frameOf[heaviestFrame(view.plain, functionId)] ?? 0;
  return bar === view.outside ? 0 : bar;
}

/** The heaviest frame of a function; of equal ones the nearest to the root. */
function heaviestFrame({ tree, total }: PlainTimes, functionId: number): number {
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

/** Counts the matches in a graph that is folded like this. Never throws. */
export function searchIn(search: FlameSearch, searched: Searchable): FlameSearchAnswer {
  const view = searched.viewOf(search.fold);
  const matches = matchesOf(view, search, searched);
  if ('type' in matches) return matches;
  const { size, matchedUs, functionIds, isCategory } = matches;
  const heaviest = matchFrom(-1, 1, matches);
  return {
    type: 'found',
    matches: size,
    matchedUs: microseconds(matchedUs),
    functionIds,
    categories: frameCategories.filter((_, index) => isCategory[index]),
    bars: barIds(view, matches),
    heaviest: heaviest === -1 ? null : String(view.ids[matches.frames.at(heaviest)] ?? 0),
  };
}

/** Ids of the heaviest drawn bars with a match. */
export function barIds({ total, ids }: GraphView, { bars }: Matches, prefix = ''): readonly string[] {
  const heaviest = bars.toSorted((a, b) => (total[b] ?? 0) - (total[a] ?? 0)).slice(0, MAX_BARS);
  return heaviest.map((frame) => `${prefix}${ids[frame] ?? 0}`);
}

const MAX_BARS = 2_000;

/** A graph with any folding. */
export interface Searchable extends SearchedTexts {
  readonly viewOf: (fold: FlameQuery['fold']) => GraphView;
}

/**
 * The query at the match after, or before, the last one: unfolded, and zoomed where it would not be visible otherwise;
 * and what the answer says of the match. Null without such a query, and without a match.
 */
export function queryAtMatch(
  { find, ...query }: FlameQuery,
  searched: Searchable,
): { readonly query: FlameQuery; readonly about: Pick<FlameAnswer, 'found' | 'chosen'> } | null {
  if (find === undefined) return null;
  const { viewOf } = searched;
  const view = viewOf(query.fold);
  const matches = matchesOf(view, find, searched);
  if ('type' in matches || matches.size === 0) return null;
  const last = find.step === 0 || find.from === null ? -1 : matchAt(Number(find.from), view, matches);
  const match = matches.ids.at(matchFrom(last, find.step, matches));
  const fold = find.step === 0 ? query.fold : unfoldedFor(match, query.fold, viewOf);
  const shown = viewOf(fold);
  const frame = shown.frameOf[match] ?? 0;
  const id = String(shown.ids[frame] ?? 0);
  const isSeen = canBeSeen(frame, zoomedFrame(shown, query), shown, query.leastShare);
  const zoom = isSeen ? query.zoom : String(shown.ids[wideEnough(frame, shown, 1 / 20)] ?? 0);
  return {
    query: { ...query, ...(fold === undefined ? {} : { fold }), ...(zoom === undefined ? {} : { zoom }) },
    about:
      find.step === 0
        ? { chosen: id }
        : { found: { ...numberOf(match, shown, matchesOf(shown, find, searched)), id, open: fold?.open ?? [] } },
  };
}

/** The query with the bars unfolded that its function is in, outside of own code; null where it is not in them. */
export function queryAtOutside(
  query: FlameQuery,
  { viewOf }: Searchable,
): { readonly query: FlameQuery; readonly about: Pick<FlameAnswer, 'open'> } | null {
  const { functionId, fold } = query;
  if (functionId === undefined || fold === undefined) return null;
  const view = viewOf(fold);
  const frame = heaviestFrame(view.plain, functionId);
  if (frame === 0 || heaviestFrame(view, functionId) > 0 || view.frameOf[frame] !== view.outside) return null;
  const unfolded = unfoldedFor(frame, fold, viewOf) ?? fold;
  return { query: { ...query, fold: unfolded }, about: { open: unfolded.open } };
}

function numberOf(
  id: number,
  view: GraphView,
  matches: Matches | SearchProblem,
): Pick<FoundFrame, 'number' | 'matches'> {
  if ('type' in matches) return { number: 0, matches: 0 };
  const match = matchAt(id, view, matches);
  return { number: match === -1 ? 0 : placeOfMatch(match, matches), matches: matches.size };
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
  if ((view.total[frame] ?? 0) < 4 * leastShare * widthOf(view, zoomed)) return false;
  let above = frame;
  while (above > zoomed) above = view.tree.parent[above] ?? 0; // Callers have smaller numbers.
  return above === zoomed;
}
