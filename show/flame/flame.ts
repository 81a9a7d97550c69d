import {
  callersPrefix,
  type FlameAnswer,
  type FlameFold,
  type FlameQuery,
  type FlameSearch,
  type FlameSearchAnswer,
} from '../../protocol/flame.ts';
import type { OperationList, PickedOperation } from '../../protocol/time.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { worstPart } from '../../engine/judge/hotspots/function-details.ts';
import { elementsBelow, halfOfElements, pictureOf, type Visible } from './flame-picture.ts';
import { categoryOf, type MergedTree, mergeTrees, createTree, outermostFrames } from './flame-tree.ts';
import { type FoldedTree, foldKey, ownersOf, type Owners, foldTree } from './fold-tree.ts';
import { foldFactsOf, isBar } from './fold-facts.ts';
import type { FlameView, FlamePicture, ViewTimes, PlainTimes, GraphView } from './flame-view.ts';
import { foldedOf, timesOf, viewOf, selfIn, totals } from './flame-view.ts';
import { answeredTiers, culpritFacts, factsOf, factsOfFunction, ranOf } from './frame-facts.ts';
import { functionRows } from './function-rows.ts';
import { microseconds } from '../../protocol/units.ts';
import {
  barIds,
  queryAtMatch,
  queryAtOutside,
  revealedFrame,
  type Searchable,
  searchIn,
  zoomedFrame,
} from './find-frames.ts';
import { matchesOf, noRegex, type RegexTest, searchedText } from './matches.ts';
import { type ListedOperations, listOperations, operationRow } from './operation-list.ts';
import { partKey } from './part-of-run.ts';
import { timedPicture } from './timed-picture.ts';
import { once, oncePer, Recent } from '../../engine/basics/once.ts';
import { holderPlace, holdingFunction } from '../../words/operation-words.ts';
import { waitOf } from '../../engine/hot-functions.ts';
import { type FlameTree, unknownRun } from './frame-run.ts';
import { waitingBehind } from '../../engine/judge/requests/route-waits.ts';

/** The visible part of the flamegraph. It is quick after the first query about an analysis. Never throws. */
export function flameOf(analysis: Analysis, query: FlameQuery, testRegex = noRegex): FlameAnswer {
  return graphOf(analysis).answer(query, testRegex);
}

/** Counts the frames of the flamegraph that match. */
export function searchFlame(analysis: Analysis, search: FlameSearch, testRegex = noRegex): FlameSearchAnswer {
  return graphOf(analysis).search(search, testRegex);
}

const graphOf = oncePer((analysis: Analysis) => new FlameGraph(analysis));

/**
 * The flamegraph of one analysis, for any number of queries. The first one makes the merged tree. It keeps the last
 * answers, so going back is quick, and the last foldings and times, so changing one does not compute the other again.
 */
class FlameGraph {
  readonly #analysis: Analysis;
  readonly #owners: Owners;
  readonly #merged: () => MergedTree;
  readonly #texts: () => readonly string[];
  readonly #folded = new Recent<FoldedTree>(2);
  readonly #times = new Recent<ViewTimes>(2);
  readonly #views = new Recent<FlameView>(2);
  readonly #answers = new Recent<FlameAnswer>(MAX_ANSWERS);

  constructor(analysis: Analysis) {
    this.#analysis = analysis;
    this.#merged = once(() => mergeTrees(analysis));
    const { functions } = analysis.functions;
    this.#texts = once(() => functions.map(({ label, url }) => searchedText(label, url)));
    this.#owners = ownersOf(
      functions.map(({ kind, role, packageName }) => ({ category: categoryOf({ kind, role }), packageName })),
    );
  }

  /** Never throws. An unknown zoom, function or operation shows everything. */
  answer(asked: FlameQuery, testRegex: RegexTest): FlameAnswer {
    const { find: _, ...place } = asked;
    const searchable = this.#searchable(asked, testRegex);
    const at = queryAtMatch(asked, searchable) ?? queryAtOutside(place, searchable);
    const query = at?.query ?? place;
    const answer = this.#answers.get(JSON.stringify(query), () => this.#answerTo(query));
    return { ...answer, ...at?.about };
  }

  #answerTo(query: FlameQuery): FlameAnswer {
    const analysis = this.#analysis;
    const listed = this.#listed(query);
    const operation = listed === null ? this.#operationOf(query) : listed.picked;
    const isInTime = query.inTime === true && operation !== null;
    const view = this.#viewOf(isInTime && query.tiers !== undefined ? { ...query, tiers: 'split' } : query, operation);
    const inTime = {
      number: operation ?? -1,
      owners: this.#owners,
      merged: this.#merged(),
      isTiered: query.tiers !== undefined,
    };
    const visible = { ...query, besides: listed === null ? 0 : rowElements(listed.list) };
    const picture = isInTime
      ? pictureOf(timedPicture(analysis, view, inTime, query.zoom), visible)
      : (this.#pictureAround(view, query) ?? pictureOf(this.#pictured(view, query), visible));
    const picked = pickedOperation(analysis, listed?.picked ?? -1);
    return {
      ...picture,
      ...(analysis.streams.every(({ turns }) => turns === null) ? { estimated: true } : {}),
      ...(operation === null ? {} : this.#factsOf(operation)),
      ...(listed === null ? {} : { operations: listed.list, ...(picked === null ? {} : { picked }) }),
      ...(query.functions === undefined
        ? {}
        : { functions: functionRows(view, this.#analysis, query.functions, query.fold ?? null) }),
    };
  }

  #listed(query: FlameQuery): ListedOperations | null {
    const { operations, part } = query;
    if (operations === undefined) return null;
    const operation = query.operation ?? this.#operationOf(query); // The list itself knows which ones it has.
    const asked = { ...operations, operation, part: part ?? null };
    return listOperations(this.#analysis, asked);
  }

  /** A function with its callers and callees; null without such a query, and where it has no time. */
  #pictureAround(view: FlameView, query: FlameQuery): FlameAnswer | null {
    const { around, zoom } = query;
    if (around === undefined || this.#analysis.functions.functions[around] === undefined) return null;
    const sideOf = (side: Side, visible: Visible): FlameAnswer =>
      pictureOf(this.#picturedAround(this.#sideView(view, side, query), side, around), visible);
    const callers = sideOf('callers', { ...query, besides: halfOfElements }).root;
    const callees = sideOf('callees', { ...query, besides: elementsBelow(callers, query) });
    if (callees.totalUs === 0) return null;
    const totalUs = microseconds(view.total[0] ?? 0);
    return { ...callees, callers, totalUs, zoom: zoom ?? '' };
  }

  #sideView({ plain }: GraphView, side: Side, { around = -1, fold }: Pick<FlameQuery, 'around' | 'fold'>): GraphView {
    const options = { functionId: around, fold: fold ?? null, owners: this.#owners };
    return sideViews(plain).get(`${side} ${around} ${foldKey(options.fold)}`, () => viewAround(plain, side, options));
  }

  #picturedAround(view: GraphView, side: Side, functionId: number): FlamePicture {
    const analysis = this.#analysis;
    const prefix = sidePrefix[side];
    const foldFacts = foldFactsOf(view, this.#owners, prefix);
    return {
      ...{ view, zoomed: 0, functions: analysis.functions.functions, prefix },
      factsOf: (frame) =>
        frame === 0
          ? factsOfFunction(functionId, analysis)
          : { ...factsOf(frame, view.tree, analysis), ...foldFacts(frame) },
      about: () => ({}),
    };
  }

  search(search: FlameSearch, testRegex: RegexTest): FlameSearchAnswer {
    const searched = this.#searchable(search, testRegex);
    const found = searchIn(search, searched);
    if (found.type !== 'found' || search.around === undefined) return found;
    const barsOf = (side: Side): readonly string[] => {
      const view = this.#sideView(searched.viewOf(search.fold), side, search);
      const matches = matchesOf(view, search, searched);
      return 'type' in matches ? [] : barIds(view, matches, sidePrefix[side]);
    };
    return { ...found, bars: [...found.bars, ...barsOf('callers'), ...barsOf('callees')] };
  }

  #searchable(query: Pick<FlameQuery, 'operation' | 'worstOf' | 'part' | 'tiers'>, testRegex: RegexTest): Searchable {
    const operation = this.#operationOf(query);
    return {
      texts: this.#texts(),
      testRegex,
      viewOf: (fold) => this.#viewOf({ ...query, ...(fold === undefined ? {} : { fold }) }, operation),
    };
  }

  #pictured(view: FlameView, query: Omit<FlameQuery, 'leastShare'>): FlamePicture {
    const analysis = this.#analysis;
    const chosen = query.reveal === undefined ? null : revealedFrame(view, query.reveal);
    const zoomed = chosen?.zoomed ?? zoomedFrame(view, query);
    const ran = query.tiers === undefined ? null : view.tiers;
    const foldFacts = foldFactsOf(view, this.#owners);
    return {
      ...{ view, zoomed, functions: analysis.functions.functions, prefix: '' },
      factsOf: (frame) => ({
        ...factsOf(frame, view.tree, analysis),
        ...(ran === null || frame === 0 || isBar(frame, view, this.#owners) ? {} : { tiers: ranOf(frame, ran) }),
        ...foldFacts(frame),
      }),
      about: (shown) => ({
        ...(query.tiers === undefined ? {} : { tiers: answeredTiers(analysis, { view, zoomed }, shown) }),
        ...(chosen === null ? {} : { chosen: String(view.ids[chosen.frame] ?? 0) }),
      }),
    };
  }

  /** Number of the operation of the query; null for all, also where a recording that was written again has no such one. */
  #operationOf({ operation, worstOf }: Omit<FlameQuery, 'leastShare'>): number | null {
    if (operation !== undefined) return this.#analysis.operations[operation] === undefined ? null : operation;
    return worstOf === undefined ? null : (worstPart(this.#analysis, worstOf)?.operation ?? null);
  }

  #factsOf(number: number): Pick<FlameAnswer, 'operation'> {
    const operation = this.#analysis.operations[number];
    if (operation === undefined) return {};
    const { heldUs, estimated } = operationRow(this.#analysis, number);
    return { operation: { number, durationUs: heldUs, estimated, test: operation.test?.name ?? null } };
  }

  #viewOf({ fold, tiers, part }: Pick<FlameQuery, 'fold' | 'tiers' | 'part'>, operation: number | null): FlameView {
    const isSplit = tiers === 'split';
    const foldedAs = `${isSplit} ${foldKey(fold ?? null)}`;
    const options = { fold: fold ?? null, isSplit, owners: this.#owners };
    const whose = { operation, part: part ?? null };
    const timesKey = String(operation ?? partKey(whose.part));
    return this.#views.get(`${timesKey} ${foldedAs}`, () => {
      const merged = this.#merged();
      return viewOf(
        this.#times.get(timesKey, () => timesOf(this.#analysis, merged, whose)),
        this.#folded.get(foldedAs, () => foldedOf(merged, options)),
      );
    });
  }
}

/** Number of elements of the page for a list of operations: five for each row, two for each group. */
function rowElements({ rows }: OperationList): number {
  const groups = rows.filter(({ group }, index) => group !== '' && group !== rows[index - 1]?.group);
  return 5 * rows.length + 2 * groups.length;
}

/** Each takes up to 0.5 MB. */
const MAX_ANSWERS = 16;

/** The facts about an operation; null for a number without an operation. */
function pickedOperation(analysis: Analysis, number: number): PickedOperation | null {
  const operation = analysis.operations[number];
  if (operation === undefined) return null;
  const { start, end, thread } = operation;
  const { gc = microseconds(0), load = microseconds(0) } = analysis.verdicts[number] ?? {};
  return {
    ...operationRow(analysis, number),
    place: holderPlace(analysis, number),
    culprit: culpritFacts(holdingFunction(analysis, number)?.id ?? -1, analysis),
    wallUs: microseconds(end - start),
    runUs: thread.run,
    waitUs: thread.wait,
    sleptUs: thread.slept,
    waitedIn: waitedIn(analysis, number),
    gcUs: gc,
    loadUs: load,
    waiting: waitingBehind(analysis, number),
  };
}

/** The call in which the thread slept; known only for the worst operation of a function. */
function waitedIn(analysis: Analysis, number: number): string | null {
  const functionId = analysis.verdicts[number]?.culprit?.functionId ?? -1;
  if (functionId < 0 || worstPart(analysis, functionId)?.operation !== number) return null;
  return waitOf(analysis.figures[functionId]?.culprit?.waited ?? null, functionId, analysis)?.in ?? null;
}

/** The tree of a function's callers or of its callees, merged over all of its places. The function is its root. */
type Side = 'callers' | 'callees';

/** Prefixes of the ids of frames. The function itself has the prefix alone. */
const sidePrefix: Readonly<Record<Side, string>> = { callers: callersPrefix, callees: 'd' };

/** The last view of each side: a search needs those that are drawn. */
const sideViews = oncePer<PlainTimes, Recent<GraphView>>(() => new Recent(2));

/**
 * The view of one side. Both sides have the function's time: in a recursion only the outermost call counts. Ids of frames
 * do not depend on folding or on the operation.
 */
function viewAround(
  plain: PlainTimes,
  side: Side,
  {
    functionId,
    fold,
    owners,
  }: { readonly functionId: number; readonly fold: FlameFold | null; readonly owners: Owners },
): GraphView {
  const { functionId: ids } = plain.tree;
  const isOutermost = outermostFrames(plain.tree, (frame) => (ids[frame] === functionId ? 0 : -1), 1);
  const made = side === 'callers' ? callersOf(plain, isOutermost) : calleesOf(plain, isOutermost, functionId);
  const { self } = made;
  const tree = rootedIn(made.tree, plain.tree, isOutermost);
  const prefix = sidePrefix[side];
  const open = (fold?.open ?? []).filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
  const folded = foldTree(tree, { owners, isSplit: false, fold: fold === null ? null : { kinds: fold.kinds, open } });
  const times = selfIn(folded, self);
  return {
    ...folded,
    self: times,
    total: totals(folded.tree, times),
    plain: { tree, self, total: totals(tree, self) },
  };
}

interface Made {
  readonly tree: FlameTree;
  readonly self: Float64Array;
}

/** The callees. The function has its own time, and that of its direct calls of itself. */
function calleesOf({ tree, self }: PlainTimes, isOutermost: Uint8Array, functionId: number): Made {
  const made = createTree();
  const times: number[] = [0];
  const frameOf = new Int32Array(tree.size).fill(-1);
  for (let frame = 1; frame < tree.size; frame += 1) {
    const above = frameOf[tree.parent[frame] ?? 0] ?? -1;
    if (above < 0 && isOutermost[frame] !== 1) continue;
    const id = tree.functionId[frame] ?? -1;
    const isItself = isOutermost[frame] === 1 || (above === 0 && id === functionId);
    const one = isItself ? 0 : made.child(above, id, tree.category[frame] ?? 0, unknownRun);
    frameOf[frame] = one;
    times[one] = (times[one] ?? 0) + (self[frame] ?? 0);
  }
  return { tree: made.finished(), self: Float64Array.from(times) };
}

/** The tree with the function's own category at its root. */
function rootedIn(tree: FlameTree, plain: FlameTree, isOutermost: Uint8Array): FlameTree {
  const place = isOutermost.indexOf(1);
  return { ...tree, category: tree.category.with(0, plain.category[place] ?? tree.category[0] ?? 0) };
}

/** The callers, the nearest first. The outermost caller of each place has its time as self time. */
function callersOf({ tree, total }: PlainTimes, isOutermost: Uint8Array): Made {
  const made = createTree();
  const times: number[] = [0];
  for (const [place, isMeant] of isOutermost.entries()) {
    if (isMeant === 0) continue;
    let one = 0;
    for (let caller = tree.parent[place] ?? 0; caller > 0; caller = tree.parent[caller] ?? 0)
      one = made.child(one, tree.functionId[caller] ?? -1, tree.category[caller] ?? 0, unknownRun);
    times[one] = (times[one] ?? 0) + (total[place] ?? 0);
  }
  const finished = made.finished();
  return { tree: finished, self: Float64Array.from({ length: finished.size }, (_, frame) => times[frame] ?? 0) };
}
