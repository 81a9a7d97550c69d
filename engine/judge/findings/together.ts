import { firstDifference, groupBy } from '../../basics/lists.ts';
import { compareFunctions, type FunctionFlags, type FunctionInfo } from '../../read/functions/function-table.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';
import { type CallTree, firstFunctionNode } from '../../read/samples/call-tree.ts';
import type { PartMeasures } from './measure-parts.ts';
import { presencesIn } from './presences.ts';

/**
 * Which own parts are one cause (docs/definition.md, rule 18): numbers of parts by the function that names them.
 * Functions that take turns are named after the nearest own function around them.
 */
export function partsByCause(
  run: JudgedRun,
  numbers: ArrayLike<number>,
  measures: PartMeasures,
  flags: FunctionFlags,
): ReadonlyMap<number, readonly number[]> {
  const { ownParts } = run;
  const { heads, members } = headsOfTurns(run, measures, flags);
  const headsOf = new Map<number, number[]>();
  for (const [head, functions] of members)
    for (const member of functions) if (member !== head) headsOf.set(member, [...(headsOf.get(member) ?? []), head]);
  const grouped = groupBy(Array.from(numbers), (part) => {
    const own = ownParts.functionOf(part);
    const possible = headsOf.get(own);
    if (heads.has(part) || possible === undefined) return heads.get(part) ?? own;
    return functionsAbove(run, heaviestPlace(run, part), flags).find((fn) => possible.includes(fn)) ?? own;
  });
  const headOfPart = new Map<number, number>();
  for (const [head, parts] of grouped)
    if (takesTurns(run, parts, measures)) for (const part of parts) headOfPart.set(part, head);
  return groupBy(Array.from(numbers), (part) => headOfPart.get(part) ?? ownParts.functionOf(part));
}

interface Heads {
  /** The function that names each part that takes turns with others, by number of the part. */
  readonly heads: ReadonlyMap<number, number>;
  /** The functions that take turns below each of them. */
  readonly members: ReadonlyMap<number, ReadonlySet<number>>;
}

/** Finds what takes turns, the heaviest first: where the same functions take turns elsewhere, they have the same name. */
function headsOfTurns(run: JudgedRun, measures: PartMeasures, flags: FunctionFlags): Heads {
  const { ownParts, thresholdUs, functions } = run;
  const mayTakeTurns = (part: number): boolean =>
    ownParts.weightOf(part) <= thresholdUs * Math.max(1, measures.turns[part] ?? 1) &&
    functions.functions[ownParts.functionOf(part)]?.role !== 'test';
  const reentered = [...measures.reentered.entries()].filter(([, is]) => is === 1).map(([part]) => part);
  const turns = measures.alternating.filter(([a, b]) => mayTakeTurns(a) && mayTakeTurns(b));
  const groups = unite([...turns, ...reentered.map((part) => [part, part] as const)])
    .filter((parts) => takesTurns(run, parts, measures))
    .map((parts) => ({ parts: parts.toSorted((a, b) => a - b), us: weightOf(run, parts) }))
    .toSorted((a, b) => firstDifference(b.us - a.us, (a.parts[0] ?? 0) - (b.parts[0] ?? 0)));
  const clusters: Cluster[] = [];
  for (const { parts, us } of groups) {
    const known = clusters.find(({ members }) => {
      const inside = parts.filter((part) => members.has(ownParts.functionOf(part)));
      return weightOf(run, inside) >= MIN_SHARE * us;
    });
    const cluster = known ?? { parts: [], members: new Set() };
    if (known === undefined) clusters.push(cluster);
    for (const part of parts) {
      cluster.parts.push(part);
      cluster.members.add(ownParts.functionOf(part));
    }
  }
  const mayName = candidates(run, flags);
  const named = clusters.map(({ parts, members }) => ({
    parts,
    members,
    head: headOf(run, parts, mayName, { flags, measures }),
  }));
  return {
    heads: new Map(named.flatMap(({ parts, head }) => parts.map((part) => [part, head] as const))),
    members: new Map(
      [...groupBy(named, ({ head }) => head)].map(([head, its]) => [
        head,
        new Set(its.flatMap(({ members }) => [...members])),
      ]),
    ),
  };
}

/** Functions that take turns, wherever they do. */
interface Cluster {
  readonly parts: number[];
  readonly members: Set<number>;
}

function weightOf({ ownParts }: JudgedRun, parts: readonly number[]): number {
  return parts.reduce((sum, part) => sum + ownParts.weightOf(part), 0);
}

/**
 * Whether none of the functions is a finding alone. Of mutually recursive functions none is: which one has the time is
 * chance.
 */
function takesTurns(run: JudgedRun, parts: readonly number[], { reentered }: PartMeasures): boolean {
  return parts.some((part) => reentered[part] === 1) || !hasOneMost(run, parts);
}

/** Whether one function has enough of these parts to be a finding alone. */
function hasOneMost({ ownParts }: JudgedRun, parts: readonly number[]): boolean {
  const sums = new Map<number, number>();
  for (const part of parts) {
    const fn = ownParts.functionOf(part);
    sums.set(fn, (sums.get(fn) ?? 0) + ownParts.weightOf(part));
  }
  const weights = [...sums.values()];
  const most = weights.reduce((largest, us) => Math.max(largest, us), 0);
  return most >= MIN_SHARE * weights.reduce((sum, us) => sum + us, 0);
}

/** Own functions after which a finding can be named. Test code calls everything, and is the cause of nothing. */
function candidates({ functions: { functions } }: JudgedRun, { own, moduleBody }: FunctionFlags): Uint8Array {
  return Uint8Array.from(functions, ({ id, role }) => Number(own[id] === 1 && moduleBody[id] === 0 && role !== 'test'));
}

/** Share of a function's presence that has to be that of the parts below it, for it to name them. */
export const MIN_SHARE = 0.8;
/** Share of the parts that has to be below it: V8 loses the calling frames of some samples. */
const NEARLY_ALL = 0.95;

/** The nearest own function around these parts; the one with the largest parts where none is. */
function headOf(
  run: JudgedRun,
  parts: readonly number[],
  mayName: Uint8Array,
  { flags, measures }: { readonly flags: FunctionFlags; readonly measures: PartMeasures },
): number {
  const { ownParts, functions, streams } = run;
  const below = new Map<number, number>();
  const recursive = new Set(
    parts.filter((part) => measures.reentered[part] === 1).map((part) => ownParts.functionOf(part)),
  );
  let all = 0;
  for (const [stream, weights] of weightsByNode(run, parts))
    for (const [node, weight] of weights) {
      all += weight;
      const above = ownFunctionsOn(streams[stream]?.tree, node, flags);
      for (const fn of new Set(above)) below.set(fn, (below.get(fn) ?? 0) + weight);
      for (const fn of repeatedIn(above)) recursive.add(fn);
    }
  const nearlyAll = [...below].filter(([fn, its]) => mayName[fn] === 1 && its >= NEARLY_ALL * all);
  const operations = [...new Set(parts.map((part) => ownParts.operationOf(part)))];
  const present = presencesIn(
    run,
    nearlyAll.map(([fn]) => fn),
    operations,
  );
  const covering = nearlyAll
    .map(([fn, its], at) => ({ fn, its, us: present[at] ?? 0 }))
    .filter(({ its, us }) => its >= MIN_SHARE * us);
  const order = (a: number, b: number): number => compareIds(functions.functions, a, b);
  // Of functions that call each other, each covers what others began; which does so nearly always is chance.
  const entered = covering.filter(({ fn }) => !recursive.has(fn));
  const [nearest] = (entered.length === 0 ? covering : entered).toSorted((a, b) =>
    firstDifference(a.us - b.us, order(a.fn, b.fn)),
  );
  const sums = [...groupBy(parts, (part) => ownParts.functionOf(part))].map(
    ([fn, its]) => [fn, weightOf(run, its)] as const,
  );
  const [largest] = sums.toSorted(([a, x], [b, y]) => firstDifference(y - x, order(a, b)));
  return nearest?.fn ?? largest?.[0] ?? -1;
}

/** Time of these parts in µs by the node of their places, by isolate: parts of many operations have the same places. */
function weightsByNode(
  { ownParts, operations }: JudgedRun,
  parts: readonly number[],
): ReadonlyMap<number, ReadonlyMap<number, number>> {
  const found = new Map<number, Map<number, number>>();
  for (const part of parts) {
    const stream = operations[ownParts.operationOf(part)]?.stream ?? -1;
    const weights = found.get(stream) ?? new Map<number, number>();
    found.set(stream, weights);
    const first = ownParts.firstPlaceOf(part);
    for (let place = first; place < first + ownParts.placeCountOf(part); place++) {
      const node = ownParts.places.nodeOf(place);
      weights.set(node, (weights.get(node) ?? 0) + ownParts.places.weightOf(place));
    }
  }
  return found;
}

/** What is in a path more than once. */
function repeatedIn(path: readonly number[]): readonly number[] {
  const seen = new Set<number>();
  return path.filter((fn) => seen.size === seen.add(fn).size);
}

export function compareIds(functions: readonly FunctionInfo[], a: number, b: number): number {
  const [one, other] = [functions[a], functions[b]];
  return one === undefined || other === undefined ? a - b : compareFunctions(one, other);
}

/** Numbers of an own part, and of one of its places. */
export interface PlaceOfPart {
  readonly part: number;
  readonly place: number;
}

/** The heaviest place of a part; of equal ones the first by its stack, whatever order the profile has its nodes in. */
export function heaviestPlace(run: JudgedRun, part: number): PlaceOfPart {
  const { ownParts } = run;
  const first = ownParts.firstPlaceOf(part);
  let heaviest = first;
  for (let place = first + 1; place < first + ownParts.placeCountOf(part); place++) {
    const heavier = ownParts.places.weightOf(place) - ownParts.places.weightOf(heaviest);
    if (heavier > 0 || (heavier === 0 && compareStacks(run, part, place, heaviest) < 0)) heaviest = place;
  }
  return { part, place: heaviest };
}

/** Orders two places of a part by their functions, the innermost first. */
function compareStacks(run: JudgedRun, part: number, one: number, other: number): number {
  const { ownParts, functions } = run;
  const tree = treeOf(run, part);
  if (tree === undefined) return 0;
  let [a, b] = [ownParts.places.nodeOf(one), ownParts.places.nodeOf(other)];
  while (a !== b && a >= firstFunctionNode && b >= firstFunctionNode) {
    const order = compareIds(functions.functions, tree.functionId[a] ?? 0, tree.functionId[b] ?? 0);
    if (order !== 0) return order;
    [a, b] = [tree.parent[a] ?? 0, tree.parent[b] ?? 0];
  }
  return Number(a >= firstFunctionNode) - Number(b >= firstFunctionNode);
}

function treeOf({ ownParts, operations, streams }: JudgedRun, part: number): CallTree | undefined {
  return streams[operations[ownParts.operationOf(part)]?.stream ?? -1]?.tree;
}

/** Ids of the own functions on the path to a place, itself first. Module bodies are left out. */
export function functionsAbove(run: JudgedRun, { part, place }: PlaceOfPart, flags: FunctionFlags): readonly number[] {
  return ownFunctionsOn(treeOf(run, part), run.ownParts.places.nodeOf(place), flags);
}

function ownFunctionsOn(
  tree: CallTree | undefined,
  node: number,
  { own, moduleBody }: FunctionFlags,
): readonly number[] {
  const found: number[] = [];
  if (tree === undefined) return found;
  for (let at = node; at >= firstFunctionNode; at = tree.parent[at] ?? 0) {
    const fn = tree.functionId[at] ?? 0;
    if (own[fn] === 1 && moduleBody[fn] === 0) found.push(fn);
  }
  return found;
}

/** Groups what the pairs connect, in the order in which they come first. */
function unite(pairs: readonly (readonly [number, number])[]): readonly (readonly number[])[] {
  const root = new Map<number, number>();
  const find = (one: number): number => {
    let at = one;
    for (let above = root.get(at) ?? at; above !== at; above = root.get(at) ?? at) at = above;
    return at;
  };
  for (const pair of pairs) for (const one of pair) if (!root.has(one)) root.set(one, one);
  for (const [a, b] of pairs) root.set(Math.max(find(a), find(b)), Math.min(find(a), find(b)));
  return [...groupBy(root.keys(), find).values()];
}
