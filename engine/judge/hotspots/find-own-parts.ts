import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { Operation } from '../../cut/operations/operation.ts';
import { isCold, isEstimated, hasMargin, marginOf } from '../function-figures/estimates.ts';
import { createCulpritFinder, createTakers, type Takers } from './culprits.ts';
import type { OperationTree, PreparedStream } from '../function-figures/operation-tree.ts';
import { OwnFacts, noFact } from './own-facts.ts';
import { firstDifference, groupBy } from '../../basics/lists.ts';
import { once, onceEach } from '../../basics/once.ts';
import { compareFunctions } from '../../read/functions/function-table.ts';
import { waitedIn } from '../function-figures/function-figures.ts';
import type { OwnParts } from '../function-figures/own-parts.ts';
import { Takings } from './takings.ts';

/**
 * Finds which function is charged with how much of each operation of one isolate. `number` is the operation's index. Adds
 * its own parts, the largest first and ties by function, and gives which culprit took the samples at each place of the
 * operation's tree; null where there is none.
 */
export function createOwnPartAdder(
  prepared: PreparedStream,
  threshold: Microseconds,
  ownParts: OwnParts,
): (operation: Operation, number: number, tree: OperationTree) => Takers | null {
  const findCulprits = createCulpritFinder(prepared, threshold);
  // These are made only where they are needed, because there may be ten thousand isolates.
  const findTakers = once(() => createTakers(prepared));
  const facts = once(() => new OwnFacts(prepared));
  const takings = once(() => new Takings(prepared.stream.tree.size, prepared.functions.length));
  const pathOf = onceEach((node: number) => prepared.cutPathOf(outermostOf(node, prepared.stream.tree)));
  return (operation, number, tree) => {
    const isShort = operation.held <= threshold;
    const isCulprit = isShort ? null : findCulprits(tree);
    if (isCulprit === null) return null;
    const takers = findTakers()(tree, isCulprit);
    if (operation.measured) facts().look(operation, tree, takers);
    takings().look(tree, takers);
    const known = { takings: takings(), facts: operation.measured ? facts() : null, pathOf, prepared };
    addParts({ operation, number, tree }, known, ownParts);
    return takers;
  };
}

interface Weighed {
  readonly operation: Operation;
  readonly number: number;
  readonly tree: OperationTree;
}

/** What is known of the culprits of an operation. */
interface Known {
  readonly takings: Takings;
  /** Null where the operation was not measured. */
  readonly facts: OwnFacts | null;
  /** Number of the cut path to a node. */
  readonly pathOf: (node: number) => number;
  readonly prepared: PreparedStream;
}

/** Adds up by function. Most operations have one culprit at one place: groups of it would be a fifth of all garbage. */
function addParts(weighed: Weighed, known: Known, ownParts: OwnParts): void {
  const { takings, prepared } = known;
  const { culprits } = takings;
  const { nodes, functionId } = weighed.tree;
  if (culprits.length <= 1) {
    if (culprits.length === 1) addPart(weighed, culprits, known, ownParts);
    return;
  }
  const byNode = culprits.toSorted((a, b) => (nodes[a] ?? 0) - (nodes[b] ?? 0));
  const byFunction = groupBy(byNode, (culprit) => prepared.functions[functionId[culprit] ?? -1]);
  const found = [...byFunction].flatMap(([fn, its]) => {
    const taken = Int32Array.from(its);
    return fn === undefined ? [] : [{ fn, taken, weight: sumsOf(taken, takings).weight }];
  });
  found.sort((a, b) => firstDifference(b.weight - a.weight, compareFunctions(a.fn, b.fn)));
  for (const { taken } of found) addPart(weighed, taken, known, ownParts);
}

/** Adds the own part of a function, which took these places. */
function addPart({ operation, number, tree }: Weighed, taken: Int32Array, known: Known, ownParts: OwnParts): void {
  const { takings, facts, pathOf, prepared } = known;
  const functionId = tree.functionId[taken[0] ?? 0] ?? -1;
  const fact = facts?.of(functionId) ?? noFact;
  const { weight, samples, longest, load } = sumsOf(taken, takings);
  const isLoad = load >= nearlyAll * weight;
  const margin = hasMargin(operation) ? marginOf(fact) : 0;
  // oxlint-disable-next-line typescript/prefer-for-of -- an iterator makes an object for each place
  for (let at = 0; at < taken.length; at++) {
    const culprit = taken[at] ?? 0;
    takings.addPlace(culprit, tree, pathOf(tree.nodes[culprit] ?? 0), ownParts.places);
  }
  ownParts.add(
    {
      operation: number,
      functionId,
      weight: microseconds(weight),
      samples,
      most: microseconds(Math.min(operation.held, Math.round(weight + margin))),
      least: microseconds(operation.doubt === null ? Math.max(0, Math.round(weight - margin)) : 0),
      estimated: isEstimated(operation, { weight, samples, longest, margin }, prepared.stream.interval),
      cold: isCold(operation, prepared.firstSeen[functionId] ?? -1, isLoad ? 0 : weight),
      load: microseconds(load),
      loaded: isLoad ? takings.largestBody(taken) : null,
      waited: waitedIn(weight, fact.slept, operation),
    },
    taken.length,
  );
}

/** A call of a function with this share of its time under a loader does nothing but load. */
const nearlyAll = 0.9;

/** The outermost node of the same function on the path to this node. */
function outermostOf(node: number, { parent, functionId }: PreparedStream['stream']['tree']): number {
  let outermost = node;
  for (let at = node; at > 0; at = parent[at] ?? 0) if (functionId[at] === functionId[node]) outermost = at;
  return outermost;
}

/** Sums, and the longest sample, of all places of a culprit. */
function sumsOf(taken: Int32Array, { sums, load: loads }: Takings) {
  let [weight, samples, longest, load] = [0, 0, 0, 0];
  // oxlint-disable-next-line typescript/prefer-for-of -- an iterator makes an object for each place
  for (let at = 0; at < taken.length; at++) {
    const culprit = taken[at] ?? 0;
    weight += sums.weight[culprit] ?? 0;
    samples += sums.samples[culprit] ?? 0;
    longest = Math.max(longest, sums.longest[culprit] ?? 0);
    load += loads[culprit] ?? 0;
  }
  return { weight, samples, longest, load };
}
