import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import { type Operation, weightIn } from '../../cut/operations/operation.ts';
import { isCold, isEstimated, hasMargin, marginOf, type PartFacts } from '../function-figures/estimates.ts';
import { createCulpritFinder, createOwnerFinder, type Owners, CulpritSums } from './culprits.ts';
import type { OperationTree, PreparedStream } from '../function-figures/operation-tree.ts';
import { firstDifference, groupBy } from '../../basics/lists.ts';
import { once, onceEach } from '../../basics/once.ts';
import { compareFunctions } from '../../read/functions/function-table.ts';
import { waitedIn, type OwnParts } from '../function-figures/function-figures.ts';
import { firstFunctionNode } from '../../read/samples/call-tree.ts';
import { PartFactSums, SampleClock } from '../function-figures/presence-facts.ts';

/** Facts about a part of an operation that was not measured. */
const noFact: OwnFact = { spread: 0, edges: 0, edgeCount: 0, gaps: 0, slept: new Map() };

/**
 * Finds the own parts of each operation of one isolate and adds them, the largest first, ties by function. `number` is
 * the operation's index. Gives the culprit of each place; null if there is none.
 */
export function createOwnPartAdder(
  prepared: PreparedStream,
  threshold: Microseconds,
  ownParts: OwnParts,
): (operation: Operation, number: number, tree: OperationTree) => Owners | null {
  const findCulprits = createCulpritFinder(prepared, threshold);
  // These are made only where they are needed, because there may be ten thousand isolates.
  const findOwners = once(() => createOwnerFinder(prepared));
  const facts = once(() => new OwnFacts(prepared));
  const culpritSums = once(() => new CulpritSums(prepared.stream.tree.size, prepared.functions.length));
  const pathOf = onceEach((node: number) => prepared.cutPathOf(outermostOf(node, prepared.stream.tree)));
  return (operation, number, tree) => {
    const isShort = operation.held <= threshold;
    const isCulprit = isShort ? null : findCulprits(tree);
    if (isCulprit === null) return null;
    const owners = findOwners()(tree, isCulprit);
    if (operation.measured) facts().look(operation, tree, owners);
    culpritSums().look(tree, owners);
    const known = { culpritSums: culpritSums(), facts: operation.measured ? facts() : null, pathOf, prepared };
    addParts({ operation, number, tree }, known, ownParts);
    return owners;
  };
}

interface Weighed {
  readonly operation: Operation;
  readonly number: number;
  readonly tree: OperationTree;
}

interface Known {
  readonly culpritSums: CulpritSums;
  readonly facts: OwnFacts | null;
  readonly pathOf: (node: number) => number;
  readonly prepared: PreparedStream;
}

/** Adds up by function. Most operations have one culprit at one place: groups of it would be a fifth of all garbage. */
function addParts(weighed: Weighed, known: Known, ownParts: OwnParts): void {
  const { culpritSums, prepared } = known;
  const { culprits } = culpritSums;
  const { nodes, functionId } = weighed.tree;
  if (culprits.length <= 1) {
    if (culprits.length === 1) addPart(weighed, culprits, known, ownParts);
    return;
  }
  const byNode = culprits.toSorted((a, b) => (nodes[a] ?? 0) - (nodes[b] ?? 0));
  const byFunction = groupBy(byNode, (culprit) => prepared.functions[functionId[culprit] ?? -1]);
  const found = [...byFunction].flatMap(([fn, its]) => {
    const taken = Int32Array.from(its);
    return fn === undefined ? [] : [{ fn, taken, weight: sumsOf(taken, culpritSums).weight }];
  });
  found.sort((a, b) => firstDifference(b.weight - a.weight, compareFunctions(a.fn, b.fn)));
  for (const { taken } of found) addPart(weighed, taken, known, ownParts);
}

/** Adds the own part of a function, which took these places. */
function addPart({ operation, number, tree }: Weighed, taken: Int32Array, known: Known, ownParts: OwnParts): void {
  const { culpritSums, facts, pathOf, prepared } = known;
  const functionId = tree.functionId[taken[0] ?? 0] ?? -1;
  const fact = facts?.of(functionId) ?? noFact;
  const { weight, samples, longest, load } = sumsOf(taken, culpritSums);
  const isLoad = load >= nearlyAll * weight;
  const margin = hasMargin(operation) ? marginOf(fact) : 0;
  // oxlint-disable-next-line typescript/prefer-for-of -- an iterator makes an object for each place
  for (let at = 0; at < taken.length; at++) {
    const culprit = taken[at] ?? 0;
    culpritSums.addPlace(culprit, tree, pathOf(tree.nodes[culprit] ?? 0), ownParts.places);
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
      loaded: isLoad ? culpritSums.largestBody(taken) : null,
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

function sumsOf(taken: Int32Array, all: CulpritSums) {
  let [weight, samples, longest, load] = [0, 0, 0, 0];
  // oxlint-disable-next-line typescript/prefer-for-of -- an iterator makes an object for each place
  for (let at = 0; at < taken.length; at++) {
    const culprit = taken[at] ?? 0;
    weight += all.weight[culprit] ?? 0;
    samples += all.samples[culprit] ?? 0;
    longest = Math.max(longest, all.longest[culprit] ?? 0);
    load += all.load[culprit] ?? 0;
  }
  return { weight, samples, longest, load };
}

interface OwnFact extends PartFacts {
  /** How long the thread slept in it, in µs, by the function that waited. */
  readonly slept: ReadonlyMap<number, number>;
}

/**
 * Facts about own parts of measured operations, from when each culprit had the loop. Used for one operation of an
 * isolate after the other. Sums are by function id; the last one is for samples without a culprit.
 */
class OwnFacts {
  readonly #prepared: PreparedStream;
  readonly #clock: SampleClock;
  readonly #none: number;
  readonly #sums: PartFactSums;
  /** Time asleep by the function that waited, by owner. */
  readonly #slept = new Map<number, Map<number, number>>();

  constructor(prepared: PreparedStream) {
    const { stream, bridged, facts, functions } = prepared;
    this.#prepared = prepared;
    this.#clock = new SampleClock(stream, bridged, facts);
    this.#none = functions.length;
    this.#sums = new PartFactSums(functions.length + 1);
  }

  look(operation: Operation, tree: OperationTree, owners: Owners): void {
    const sums = this.#sums;
    sums.clear();
    this.#slept.clear();
    const { nodes, weights, spans } = this.#prepared.bridged;
    const { waiter } = this.#prepared.facts;
    const { firstSample, lastSample } = operation;
    let owner = this.#ownerOf(nodes[firstSample] ?? 0, tree, owners);
    for (let sample = firstSample; sample < lastSample; sample++) {
      const isLast = sample + 1 === lastSample;
      const next = isLast ? owner : this.#ownerOf(nodes[sample + 1] ?? 0, tree, owners);
      sums.addTime(owner, this.#clock.lasts(operation, sample), weightIn(operation, sample, weights));
      const waiting = waiter[nodes[sample] ?? 0] ?? -1;
      if (waiting !== -1) this.#addSleep(owner, waiting, this.#clock.asleep(operation, sample));
      const gap = this.#clock.gap(operation, sample);
      sums.gaps += gap;
      if (owner === next) sums.addGapWithin(owner, gap);
      else {
        // It is not known when within the sample the loop went from one owner to the other.
        const weight = this.#clock.unexplained(operation, sample);
        sums.addEdge(owner, weight);
        sums.addEdge(next, weight);
      }
      const span = spans.of[sample] ?? -1;
      if (isLast || span !== spans.of[sample + 1])
        sums.endSpan({ wall: spans.wall[span] ?? 0, held: spans.held[span] ?? 0 });
      owner = next;
    }
  }

  /** The facts about the own part of a function in the operation that was looked at last. */
  of(functionId: number): OwnFact {
    return { ...this.#sums.of(functionId), slept: this.#slept.get(functionId) ?? noFact.slept };
  }

  #ownerOf(node: number, tree: OperationTree, { owner }: Owners): number {
    const place = node < firstFunctionNode ? -1 : (owner[tree.placeOf(node)] ?? -1);
    return place === -1 ? this.#none : (tree.functionId[place] ?? this.#none);
  }

  #addSleep(owner: number, waiter: number, time: number): void {
    if (time <= 0) return;
    const slept = this.#slept.get(owner) ?? new Map<number, number>();
    this.#slept.set(owner, slept.set(waiter, (slept.get(waiter) ?? 0) + time));
  }
}
