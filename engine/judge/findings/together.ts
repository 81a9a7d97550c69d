import { firstDifference, groupBy, sumOf } from '../../basics/lists.ts';
import { onceEach } from '../../basics/once.ts';
import { compareFunctions, type FunctionInfo } from '../../read/functions/function-table.ts';
import { type CallTree, firstFunctionNode } from '../../read/samples/call-tree.ts';
import { Sums } from '../function-figures/operation-tree.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';
import type { PartMeasures } from './measure-parts.ts';
import { type IsWrittenInside, mostReached } from './written-inside.ts';

/**
 * Which own parts are one cause (docs/definition.md, rule 18): numbers of parts by the function that names them.
 * Functions that take turns are named after the one that they are written in, or the nearest own function around them.
 */
export function partsByCause(
  run: JudgedRun,
  numbers: ArrayLike<number>,
  { measures, presences, isInside }: Together,
): ReadonlyMap<number, readonly number[]> {
  const { ownParts } = run;
  const clusters = clustersOfTurns(run, measures, presences);
  const heads = new Map(clusters.flatMap(({ parts, head }) => parts.map((part) => [part, head] as const)));
  const headsOf = new Map<number, Set<number>>();
  for (const { head, members } of clusters)
    for (const member of members)
      if (member !== head) headsOf.set(member, (headsOf.get(member) ?? new Set()).add(head));
  const grouped = groupBy(Array.from(numbers), (part) => {
    const own = ownParts.functionOf(part);
    const possible = headsOf.get(own);
    if (heads.has(part) || possible === undefined) return heads.get(part) ?? own;
    return functionsAbove(run, part, heaviestPlace(run, part)).find((fn) => possible.has(fn)) ?? own;
  });
  const headOfPart = new Map<number, number>();
  for (const [head, parts] of grouped) {
    if (!takesTurns(run, parts, measures)) continue;
    const most = mostReached(weightsByFunction(run, parts), isInside);
    const isMost = most.us >= MIN_SHARE * weightOf(run, parts) && !isRecursive(parts, measures);
    for (const part of parts)
      if (!isMost) headOfPart.set(part, head);
      else if (most.has(ownParts.functionOf(part))) headOfPart.set(part, most.outer);
  }
  return groupBy(Array.from(numbers), (part) => headOfPart.get(part) ?? ownParts.functionOf(part));
}

interface Together {
  readonly measures: PartMeasures;
  readonly presences: Presences;
  readonly isInside: IsWrittenInside;
}

/** Functions that take turns, in any operation. */
interface Cluster {
  readonly parts: number[];
  readonly members: Set<number>;
  readonly head: number;
}

/** Finds what takes turns, the heaviest first: where the same functions take turns elsewhere, they have the same name. */
function clustersOfTurns(run: JudgedRun, measures: PartMeasures, presences: Presences): readonly Cluster[] {
  const { ownParts, thresholdUs, functions } = run;
  const mayTakeTurns = (part: number): boolean =>
    ownParts.weightOf(part) <= thresholdUs * Math.max(1, measures.stretches[part] ?? 1) &&
    functions.functions[ownParts.functionOf(part)]?.role !== 'test';
  const reentered = [...measures.reentered.entries()].filter(([, is]) => is === 1).map(([part]) => part);
  const turns = measures.alternating.filter(([a, b]) => mayTakeTurns(a) && mayTakeTurns(b));
  const groups = unite([...turns, ...reentered.map((part) => [part, part] as const)])
    .filter((parts) => takesTurns(run, parts, measures))
    .map((parts) => ({ parts: parts.toSorted((a, b) => a - b), us: weightOf(run, parts) }))
    .toSorted((a, b) => firstDifference(b.us - a.us, (a.parts[0] ?? 0) - (b.parts[0] ?? 0)));
  const clusters: Pick<Cluster, 'parts' | 'members'>[] = [];
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
  return clusters.map((cluster) => ({ ...cluster, head: headOf(run, cluster.parts, measures, presences) }));
}

export function weightOf({ ownParts }: JudgedRun, parts: readonly number[]): number {
  return sumOf(parts, (part) => ownParts.weightOf(part));
}

/** Weights of own parts by function, in µs. */
export function weightsByFunction(run: JudgedRun, parts: readonly number[]): readonly (readonly [number, number])[] {
  return [...groupBy(parts, (part) => run.ownParts.functionOf(part))].map(([id, its]) => [id, weightOf(run, its)]);
}

/** Whether no function has enough of these parts to be a finding alone; in mutual recursion, the shares are chance. */
function takesTurns(run: JudgedRun, parts: readonly number[], measures: PartMeasures): boolean {
  if (isRecursive(parts, measures)) return true;
  const most = weightsByFunction(run, parts).reduce((largest, [, us]) => Math.max(largest, us), 0);
  return most < MIN_SHARE * weightOf(run, parts);
}

function isRecursive(parts: readonly number[], { reentered }: PartMeasures): boolean {
  return parts.some((part) => reentered[part] === 1);
}

/** Share that makes a cause. */
export const MIN_SHARE = 0.8;
/**
 * A function fits parts by their share of its presence, and by the share of them below it, which weighs more: what a name
 * leaves out is worse than what else the function does.
 */
const MIN_FIT = 0.3;
/** Share of what is below the best that is below a nearer one, too: V8 loses the calling frames of some samples. */
const NEARLY_ALL = 0.95;

/** The nearest own function around these parts; the one with the largest parts if there is none. */
function headOf(run: JudgedRun, parts: readonly number[], measures: PartMeasures, presences: Presences): number {
  const { ownParts, streams } = run;
  const { functions } = run.functions;
  const below = new Map<number, number>();
  const recursive = new Set(
    parts.filter((part) => measures.reentered[part] === 1).map((part) => ownParts.functionOf(part)),
  );
  let all = 0;
  for (const [stream, weights] of weightsByNode(run, parts))
    for (const [node, weight] of weights) {
      all += weight;
      const above = ownFunctionsOn(run, streams[stream]?.tree, node);
      for (const fn of new Set(above)) below.set(fn, (below.get(fn) ?? 0) + weight);
      for (const fn of repeatedIn(above)) recursive.add(fn);
    }
  const presence = presences.sums(new Set(parts.map((part) => ownParts.operationOf(part))));
  // Test code calls everything, and is the cause of nothing.
  const covering = [...below]
    .filter(([fn, its]) => functions[fn]?.role !== 'test' && its >= MIN_SHARE * all)
    .map(([fn, its]) => ({ fn, its, us: presence[fn] ?? 0 }))
    .map((one) => ({ ...one, fit: (one.its / all) ** 4 * (one.its / one.us) }))
    .filter(({ fit }) => fit >= MIN_FIT);
  // Of functions that call each other, each covers what others began; which does so nearly always is chance.
  const entered = covering.filter(({ fn }) => !recursive.has(fn));
  const candidates = entered.length === 0 ? covering : entered;
  const [best] = candidates.toSorted((a, b) => b.fit - a.fit);
  const order = (a: number, b: number): number => compareIds(functions, a, b);
  const weights = weightsByFunction(run, parts);
  const own = new Map(weights);
  const [nearest] = candidates
    .filter(({ its }) => its >= NEARLY_ALL * (best?.its ?? 0))
    .toSorted((a, b) =>
      firstDifference(
        entered.length === 0 ? (own.get(b.fn) ?? 0) - (own.get(a.fn) ?? 0) : a.us - b.us,
        order(a.fn, b.fn),
      ),
    );
  const [largest] = weights.toSorted(([a, x], [b, y]) => firstDifference(y - x, order(a, b)));
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
    for (const place of ownParts.placesOf(part)) {
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

/** The heaviest place of a part; of equal ones the first by its stack, whatever order the profile has its nodes in. */
export function heaviestPlace(run: JudgedRun, part: number): number {
  const { places } = run.ownParts;
  return run.ownParts.placesOf(part).reduce((heaviest, place) => {
    const heavier = places.weightOf(place) - places.weightOf(heaviest);
    const isFirst = heavier > 0 || (heavier === 0 && compareStacks(run, part, place, heaviest) < 0);
    return isFirst ? place : heaviest;
  });
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

/** Ids of the own functions on the path to a place of a part, itself first. Module bodies are left out. */
export function functionsAbove(run: JudgedRun, part: number, place: number): readonly number[] {
  return ownFunctionsOn(run, treeOf(run, part), run.ownParts.places.nodeOf(place));
}

/** Id of the function whose frame is around the outermost one of a function, on the path to a place of a part; else −1. */
export function frameAround(run: JudgedRun, part: number, place: number, functionId: number): number {
  const tree = treeOf(run, part);
  let around = 0;
  if (tree === undefined) return -1;
  for (let at = run.ownParts.places.nodeOf(place); at >= firstFunctionNode; at = tree.parent[at] ?? 0)
    if (tree.functionId[at] === functionId) around = tree.parent[at] ?? 0;
  return around < firstFunctionNode ? -1 : (tree.functionId[around] ?? -1);
}

function ownFunctionsOn(
  { flags: { own, moduleBody } }: JudgedRun,
  tree: CallTree | undefined,
  node: number,
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

/** Presence of each own function in operations, in µs (docs/definition.md, rule 8). */
export interface Presences {
  /** By function id, in the operation of a number. */
  readonly in: (number: number) => ReadonlyMap<number, number>;
  /** By function id, in these operations together: a map for each would take longer than the sums. */
  readonly sums: (numbers: Iterable<number>) => Float64Array;
}

export function ownPresences(run: JudgedRun): Presences {
  const each = createPresenceAdder(run);
  return {
    in: onceEach((number) => {
      const found = new Map<number, number>();
      each(number, (fn, us) => found.set(fn, (found.get(fn) ?? 0) + us));
      return found;
    }),
    sums: (numbers) => {
      const found = new Sums(run.functions.functions.length);
      for (const number of numbers) each(number, (fn, us) => found.add(fn, us));
      return found;
    },
  };
}

/** Calls with the presence of each node of an own function in an operation. */
function createPresenceAdder(run: JudgedRun): (number: number, add: (functionId: number, us: number) => void) => void {
  const { operations, streams, outermost, flags } = run;
  const totalsOf = onceEach((stream: number) => new Sums(streams[stream]?.tree.size ?? 0));
  return (number, add) => {
    const stream = operations[number]?.stream ?? -1;
    const tree = streams[stream]?.tree;
    const isOutermost = outermost[stream];
    if (tree === undefined || isOutermost === undefined) return;
    const totals = totalsOf(stream);
    const touched: number[] = [];
    eachSample(run, number, (node, weight) => {
      if (weight === 0) return;
      for (let at = node; at >= firstFunctionNode && totals[at] === 0; at = tree.parent[at] ?? 0) {
        touched.push(at);
        totals[at] = Number.MIN_VALUE; // It is touched, and adds nothing.
      }
      totals.add(node, weight);
    });
    // Callees have higher numbers than their callers, so each node is whole before its caller gets it.
    for (const node of Int32Array.from(touched).toSorted().toReversed()) {
      const above = tree.parent[node] ?? 0;
      const total = totals[node] ?? 0;
      totals[node] = 0;
      if (above >= firstFunctionNode) totals.add(above, total);
      const fn = tree.functionId[node] ?? 0;
      if (flags.own[fn] === 1 && isOutermost[node] === 1) add(fn, total);
    }
  };
}

/** Calls for each sample of an operation that has a stack, with its weight in µs. */
export function eachSample(
  { operations, bridged }: JudgedRun,
  number: number,
  call: (node: number, weight: number) => void,
): void {
  const operation = operations[number];
  const samples = bridged[operation?.stream ?? -1];
  if (operation === undefined || samples === undefined) return;
  const lastSample = Math.min(operation.lastSample, samples.weights.length);
  for (let sample = operation.firstSample; sample < lastSample; sample++) {
    const node = samples.nodes[sample] ?? 0;
    if (node >= firstFunctionNode) call(node, samples.weights.at(sample));
  }
}
