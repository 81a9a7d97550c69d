import type { JudgedRun, Verdict } from './judged-run.ts';
import type { CutWithFacts } from '../../cut/operations/cut-run.ts';
import { isBackground, type SampleStream } from '../../read/samples/sample-stream.ts';
import { Kernel, nodeFlags, type TreeLists } from '../../basics/kernel/kernel.ts';
import type { TreeFacts } from '../../cut/streams/tree-facts.ts';
import { FigureTally } from '../function-figures/figure-tally.ts';
import { groupBy, firstDifference } from '../../basics/lists.ts';
import { createUnseenFinder } from './losses.ts';
import { createBlamer, findBlameTargets, type BlameTargets } from './blame.ts';
import { OperationTree, type PreparedStream } from '../function-figures/operation-tree.ts';
import { PresenceFacts, PresenceRoom, PartFactSums, SampleClock, sleptIn } from '../function-figures/presence-facts.ts';
import type { PartFacts } from '../function-figures/estimates.ts';
import { hasMargin, longestWarmUp, marginOf, isCold, isEstimated, leastOf } from '../function-figures/estimates.ts';
import { compareFunctions } from '../../read/functions/function-table.ts';
import { OwnParts } from '../function-figures/function-figures.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { Operation } from '../../cut/operations/operation.ts';
import { createCulpritFinder, createOwnerFinder, type Owners, CulpritSums } from './culprits.ts';
import { once, onceEach } from '../../basics/once.ts';
import { firstFunctionNode } from '../../read/samples/call-tree.ts';

export function judgeRun({ facts, ...run }: CutWithFacts, thresholdUs: Microseconds): JudgedRun {
  const { streams, operations, bridged, flags } = run;
  const { functions } = run.functions;
  const largest = streams.reduce((most, { tree }) => Math.max(most, tree.size), 0);
  const kernel = new Kernel(functions.length, largest);
  kernel.calls.setLimits(thresholdUs, longestWarmUp);
  const tally = new FigureTally(functions, kernel, thresholdUs);
  // All at once, because those of one isolate after the other would make it a dictionary to V8.
  const verdicts = operations.map(() => nothing);
  const selfTimes: Float64Array[] = [];
  const ownParts = new OwnParts();
  const targets = findBlameTargets(functions);
  const judging = { tally, targets, thresholdUs, ownParts, room: roomFor(functions.length) };
  const numbers = groupBy(operations.keys(), (number) => operations[number]?.stream);
  for (const [index, stream] of streams.entries()) {
    const [samples, about] = [bridged[index], facts[index]];
    if (samples === undefined || about === undefined) continue;
    const { firstSeen, selfTime, collections } = tally.times.add(stream, samples, about);
    selfTimes[index] = selfTime;
    const cut = { stream, bridged: samples, facts: about, functions, flags, firstSeen };
    const tree = new OperationTree(kernel, putTree(kernel, stream, about, firstSeen), samples, collections);
    const examine = createExaminer(cut, tree, judging);
    for (const number of numbers.get(index) ?? []) {
      const operation = operations[number];
      if (operation !== undefined) verdicts[number] = examine(operation, number);
    }
  }
  const inOrder = ownParts.inOrder();
  return {
    ...run,
    thresholdUs,
    verdicts,
    selfTimes,
    outermost: facts.map(({ outermost }) => outermost),
    ownParts: inOrder,
    figures: tally.figures(inOrder, onLoops(run)),
    paths: tally.paths,
    modules: tally.load.modules(),
  };
}

/** Whether each operation is of an event loop that something waits on. */
export function onLoops({ operations, streams }: Pick<JudgedRun, 'operations' | 'streams'>): readonly boolean[] {
  return operations.map(({ stream }) => !isBackground(streams[stream]));
}

/** Writes an isolate's tree into the kernel's memory. */
function putTree(kernel: Kernel, { tree }: SampleStream, facts: TreeFacts, firstSeen: Int32Array): TreeLists {
  const lists = kernel.beginTree(tree.size);
  lists.treeParents.set(tree.parent);
  lists.treeFunctions.set(tree.functionId);
  lists.placeOf.fill(0);
  kernel.functions.firstSeen.set(firstSeen);
  const { outermost, loadingModule, innermostLoads } = facts;
  const { treeFlags } = lists;
  for (let node = 0; node < tree.size; node++) {
    const loads = loadingModule[node] !== -1 || innermostLoads[node] === 1;
    treeFlags[node] = (outermost[node] === 1 ? nodeFlags.outermost : 0) | (loads ? nodeFlags.loads : 0);
  }
  return lists;
}

interface Judging {
  readonly tally: FigureTally;
  readonly targets: BlameTargets;
  readonly thresholdUs: Microseconds;
  readonly ownParts: OwnParts;
  readonly room: ReturnType<typeof roomFor>;
}

/** Memory for all isolates, one after the other: some for each function and isolate took longer to get than to use. */
function roomFor(functions: number) {
  return {
    presence: once(() => new PresenceRoom(functions)),
    own: once(() => new PartFactSums(functions + 1)),
  };
}

/** Judges the operations of one isolate, in order of time, and adds their figures and own parts. */
function createExaminer(
  cut: Omit<PreparedStream, 'cutPathOf'>,
  tree: OperationTree,
  { tally, targets, thresholdUs, ownParts, room }: Judging,
): (operation: Operation, number: number) => Verdict {
  const { stream, bridged, facts } = cut;
  const prepared = { ...cut, cutPathOf: tally.paths.cutPathsOf(stream.tree, cut.facts) };
  const blameOf = createBlamer(prepared, targets, thresholdUs);
  const unseenIn = createUnseenFinder(prepared, thresholdUs);
  const addOwnParts = createOwnPartAdder(prepared, { thresholdUs, ownParts, room });
  // This is made only where it is needed, because there may be ten thousand isolates.
  const presence = once(() => new PresenceFacts(stream, bridged, facts, room.presence()));
  const presences = isBackground(stream) ? tally.background : tally.presences;
  return (operation, number) => {
    tree.weigh(operation);
    const first = ownParts.size; // Its number, if there is one: the largest.
    const owners = addOwnParts(operation, number, tree);
    const margins = hasMargin(operation) ? presence() : null;
    margins?.look(operation);
    presences.add(operation, tree, prepared, margins === null ? null : (id) => marginOf(margins.of(id)));
    const hasCulprit = ownParts.size > first;
    const isLong = operation.held > thresholdUs;
    const { gc } = tree;
    const load = tree.mayLoad ? tally.load.add(tree, prepared, owners?.owner ?? null) : 0;
    if (!isLong && gc === 0 && load === 0) return nothing;
    return {
      gc: microseconds(gc),
      load: microseconds(load),
      culprit: hasCulprit ? { functionId: ownParts.functionOf(first), us: ownParts.weightOf(first) } : null,
      blame: isLong ? blameOf(tree, owners?.owner ?? null) : null,
      unseen: isLong ? unseenIn(operation, tree) : microseconds(0),
    };
  };
}

/** The verdict on most operations of a server: there may be hundred thousands, so it is made once. */
const nothing: Verdict = {
  gc: microseconds(0),
  load: microseconds(0),
  culprit: null,
  blame: null,
  unseen: microseconds(0),
};

/** Facts about a part of an operation that was not measured. */
const noFact: OwnFact = { clock: 0, spread: 0, edges: 0, edgeCount: 0, gaps: 0, slept: new Map() };

/**
 * Finds the own parts of each operation of one isolate and adds them, the largest first, ties by function. `number` is
 * the operation's index. Gives the culprit of each place; null if there is none.
 */
function createOwnPartAdder(
  prepared: PreparedStream,
  { thresholdUs, ownParts, room }: Pick<Judging, 'thresholdUs' | 'ownParts' | 'room'>,
): (operation: Operation, number: number, tree: OperationTree) => Owners | null {
  const findCulprits = createCulpritFinder(prepared, thresholdUs);
  // These are made only where they are needed, because there may be ten thousand isolates.
  const findOwners = once(() => createOwnerFinder(prepared));
  const facts = once(() => new OwnFacts(prepared, room.own()));
  const culpritSums = once(() => new CulpritSums(prepared.stream.tree.size, prepared.functions.length));
  const pathOf = onceEach((node: number) => prepared.cutPathOf(outermostOf(node, prepared.stream.tree)));
  return (operation, number, tree) => {
    const isShort = operation.held <= thresholdUs;
    const isCulprit = isShort ? null : findCulprits(tree);
    if (isCulprit === null) return null;
    const owners = findOwners()(tree, isCulprit);
    if (operation.measured) facts().look(operation, tree, owners);
    culpritSums().look(tree, owners);
    const measured = operation.measured ? facts() : null;
    addParts({ operation, number, tree, sums: culpritSums(), facts: measured, pathOf, prepared, ownParts });
    return owners;
  };
}

/** An operation, and what is known of its culprits. */
interface Charging {
  readonly operation: Operation;
  readonly number: number;
  readonly tree: OperationTree;
  readonly sums: CulpritSums;
  readonly facts: OwnFacts | null;
  readonly pathOf: (node: number) => number;
  readonly prepared: PreparedStream;
  readonly ownParts: OwnParts;
}

/** Adds up by function. Most operations have one culprit at one place: groups of it would be a fifth of all garbage. */
function addParts(charging: Charging): void {
  const { sums, prepared, tree } = charging;
  const { nodes, functionId } = tree;
  const { culprits } = sums;
  if (culprits.length <= 1) {
    if (culprits.length === 1) addPart(charging, culprits);
    return;
  }
  const byNode = culprits.toSorted((a, b) => (nodes[a] ?? 0) - (nodes[b] ?? 0));
  const byFunction = groupBy(byNode, (culprit) => prepared.functions[functionId[culprit] ?? -1]);
  const found = [...byFunction].flatMap(([fn, its]) => {
    const taken = Int32Array.from(its);
    return fn === undefined ? [] : [{ fn, taken, weight: sumsOf(taken, sums).weight }];
  });
  found.sort((a, b) => firstDifference(b.weight - a.weight, compareFunctions(a.fn, b.fn)));
  for (const { taken } of found) addPart(charging, taken);
}

/** Adds the own part of a function, which took these places. */
function addPart(charging: Charging, taken: Int32Array): void {
  const { operation, number, tree, sums, facts, pathOf, prepared, ownParts } = charging;
  const functionId = tree.functionId[taken[0] ?? 0] ?? -1;
  const fact = facts?.of(functionId) ?? noFact;
  const { weight, samples, longest, load } = sumsOf(taken, sums);
  const isLoad = load >= nearlyAll * weight;
  const margin = hasMargin(operation) ? marginOf(fact) : 0;
  // oxlint-disable-next-line typescript/prefer-for-of -- an iterator makes an object for each place
  for (let at = 0; at < taken.length; at++) {
    const culprit = taken[at] ?? 0;
    sums.addPlace(culprit, tree, pathOf(tree.nodes[culprit] ?? 0), ownParts.places);
  }
  ownParts.add(
    {
      operation: number,
      functionId,
      weight: microseconds(weight),
      clock: microseconds(fact.clock),
      samples,
      most: microseconds(Math.min(operation.held, Math.round(weight + margin))),
      least: microseconds(leastOf(operation, { weight, samples }, fact)),
      estimated: isEstimated(operation, { weight, samples, longest, margin }, prepared.stream.interval),
      cold: isCold(operation, prepared.firstSeen[functionId] ?? -1, isLoad ? 0 : weight),
      load: microseconds(load),
      loaded: isLoad ? sums.largestBody(taken) : null,
      waited: sleptIn(weight, fact.slept, operation),
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
  /** How long the thread slept in it, in µs, by the function that waited; −1 where the process was stopped. */
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

  constructor(prepared: PreparedStream, sums: PartFactSums) {
    const { stream, bridged, facts, functions } = prepared;
    this.#prepared = prepared;
    this.#clock = new SampleClock(stream, bridged, facts);
    this.#none = functions.length;
    this.#sums = sums;
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
      sums.addTime(owner, this.#clock.lasts(operation, sample), weights.at(sample));
      const waiting = waiter[nodes[sample] ?? 0] ?? -1;
      this.#addSleep(owner, waiting, this.#clock.asleep(operation, sample));
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
