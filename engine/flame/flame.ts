import {
  type FlameAnswer,
  type FlameQuery,
  type FlameSearch,
  type FlameSearchAnswer,
  frameMatcher,
} from '../../protocol/flame.ts';
import type { Analysis } from '../analysis.ts';
import { microseconds } from '../../protocol/units.ts';
import { worstPart } from '../hotspots/function-details.ts';
import { pictureOf } from './flame-picture.ts';
import { type MergedTree, mergeTrees } from './flame-tree.ts';
import { type FlameView, viewOf, framesBelow, type FlamePicture } from './flame-view.ts';
import { factsOf } from './frame-facts.ts';

/**
 * The part of the flamegraph that can be seen. It is quick after the first question about an analysis. Never throws.
 */
export function flameOf(analysis: Analysis, query: FlameQuery): FlameAnswer {
  return graphOf(analysis).answer(query);
}

/** How much of the flamegraph matches the search. */
export function searchFlame(analysis: Analysis, search: FlameSearch): FlameSearchAnswer {
  return graphOf(analysis).search(search);
}

/** A cache, not state: the graph follows from the analysis, and goes when the analysis does. */
const graphs = new WeakMap<Analysis, FlameGraph>();

function graphOf(analysis: Analysis): FlameGraph {
  const known = graphs.get(analysis);
  if (known !== undefined) return known;
  const graph = new FlameGraph(analysis);
  graphs.set(analysis, graph);
  return graph;
}

/**
 * The flamegraph of one analysis, for any number of questions. The first question makes the merged tree, and the last
 * view is kept, so zooming and searching in it are quick.
 */
class FlameGraph {
  readonly #analysis: Analysis;
  #merged: MergedTree | null = null;
  #last: { readonly key: string; readonly view: FlameView } | null = null;

  constructor(analysis: Analysis) {
    this.#analysis = analysis;
  }

  /**
   * Never throws. A zoom or a function that does not exist shows everything, an operation that does not exist shows
   * nothing.
   */
  answer(query: FlameQuery): FlameAnswer {
    const operation = this.#operationOf(query);
    const view = this.#viewOf(query, operation);
    const picture = pictureOf(this.#pictured(view, query), query.leastShare);
    return operation === null ? picture : { ...picture, ...this.#factsOf(operation) };
  }

  search(search: FlameSearch): FlameSearchAnswer {
    const view = this.#viewOf(search, this.#operationOf(search));
    const { matches, matchedUs } = searchIn(this.#pictured(view, search), search.pattern);
    return { matches, matchedUs: microseconds(matchedUs) };
  }

  #pictured(view: FlameView, query: Omit<FlameQuery, 'leastShare'>): FlamePicture {
    return { analysis: this.#analysis, view, zoomed: zoomedFrame(view, query), hasTiers: query.tiers !== undefined };
  }

  /** Number of the operation that is asked for; null for all. */
  #operationOf({ operation, worstOf }: Omit<FlameQuery, 'leastShare'>): number | null {
    if (operation !== undefined) return operation;
    return worstOf === undefined ? null : (worstPart(this.#analysis, worstOf)?.operation ?? null);
  }

  #factsOf(number: number): Pick<FlameAnswer, 'operation'> {
    const operation = this.#analysis.operations[number];
    if (operation === undefined) return {};
    const { held, test } = operation;
    return { operation: { number, durationUs: held, test: test?.name ?? null } };
  }

  #viewOf({ hide, tiers }: Omit<FlameQuery, 'leastShare'>, operation: number | null): FlameView {
    const isSplit = tiers === 'split';
    const key = `${operation ?? 'all'} ${isSplit} ${(hide ?? []).toSorted().join(' ')}`;
    if (this.#last?.key === key) return this.#last.view;
    this.#merged ??= mergeTrees(this.#analysis);
    const view = viewOf(this.#analysis, this.#merged, { operation, hide: hide ?? [], isSplit });
    this.#last = { key, view };
    return view;
  }
}

/** The frame to zoom to; 0, the root, where the wanted frame is not in the view or has no time there. */
function zoomedFrame(view: FlameView, { zoom, functionId }: Omit<FlameQuery, 'leastShare'>): number {
  if (functionId !== undefined) return heaviestPlace(view, functionId);
  const id = zoom === undefined || !/^\d+$/.test(zoom) ? 0 : Number(zoom);
  const frame = view.frameOf[id] ?? 0;
  return (view.total[frame] ?? 0) > 0 ? frame : 0;
}

/** The place where a function has most time; of equal ones the nearest to the root. */
function heaviestPlace({ tree, total }: FlameView, functionId: number): number {
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

/** Counts the matching frames with any time at and below the zoomed one. A match below another match adds no time. */
function searchIn(
  { analysis, view, zoomed }: FlamePicture,
  pattern: string,
): { readonly matches: number; readonly matchedUs: number } {
  const { tree, total } = view;
  const matches = frameMatcher(pattern);
  const known = new Map<number, boolean>();
  const isBelow = framesBelow(tree, zoomed);
  const isCounted = new Uint8Array(tree.size);
  let count = 0;
  let time = 0;
  for (let frame = Math.max(1, zoomed); frame < tree.size; frame += 1) {
    if (isBelow[frame] !== 1 || (total[frame] ?? 0) === 0) continue;
    const kind = kindOf(frame);
    const isMatch = known.get(kind) ?? matches(factsOf(frame, tree, analysis));
    known.set(kind, isMatch);
    const isUnderMatch = frame !== zoomed && isCounted[tree.parent[frame] ?? 0] === 1;
    if (isMatch) count += 1;
    if (isMatch && !isUnderMatch) time += total[frame] ?? 0;
    isCounted[frame] = isMatch || isUnderMatch ? 1 : 0;
  }
  return { matches: count, matchedUs: time };

  /** Key of a frame. Frames of one function, or of one category without a function, have the same. */
  function kindOf(frame: number): number {
    const functionId = tree.functionId[frame] ?? -1;
    return functionId >= 0 ? functionId : -1 - (tree.category[frame] ?? 0);
  }
}
