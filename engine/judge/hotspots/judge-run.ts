import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import type { JudgedRun, Verdict } from './judged-run.ts';
import type { CutWithFacts } from '../../cut/operations/cut-run.ts';
import type { Operation } from '../../cut/operations/operation.ts';
import { isBackground, type SampleStream } from '../../read/samples/sample-stream.ts';
import { Kernel, nodeFlags, type TreeLists } from '../../basics/kernel/kernel.ts';
import type { TreeFacts } from '../../cut/streams/tree-facts.ts';
import { FigureTally } from '../function-figures/figure-tally.ts';
import { groupBy } from '../../basics/lists.ts';
import { once } from '../../basics/once.ts';
import { createBlamer, findBlameTargets, type BlameTargets } from './blame.ts';
import { OperationTree, type PreparedStream } from '../function-figures/operation-tree.ts';
import { createOwnPartAdder } from './find-own-parts.ts';
import { PresenceFacts } from '../function-figures/presence-facts.ts';
import { hasMargin, longestWarmUp, marginOf } from '../function-figures/estimates.ts';
import { functionFlags } from '../../read/functions/function-table.ts';
import { OwnParts } from '../function-figures/function-figures.ts';

export function judgeRun({ facts, ...run }: CutWithFacts, thresholdUs: Microseconds): JudgedRun {
  const { streams, operations, bridged } = run;
  const { functions } = run.functions;
  const largest = streams.reduce((most, { tree }) => Math.max(most, tree.size), 0);
  const kernel = new Kernel(functions.length, largest);
  kernel.calls.setLimits(thresholdUs, longestWarmUp);
  const tally = new FigureTally(functions, kernel, thresholdUs);
  const flags = functionFlags(functions);
  // All at once, because those of one isolate after the other would make it a dictionary to V8.
  const verdicts = operations.map(() => nothing);
  const selfTimes: Float64Array[] = [];
  const ownParts = new OwnParts();
  const targets = findBlameTargets(functions);
  const numbers = groupBy(operations.keys(), (number) => operations[number]?.stream);
  for (const [index, stream] of streams.entries()) {
    const [samples, about] = [bridged[index], facts[index]];
    if (samples === undefined || about === undefined) continue;
    const { firstSeen, selfTime, collections } = tally.times.add(stream, samples, about);
    selfTimes[index] = selfTime;
    const cut = { stream, bridged: samples, facts: about, functions, flags, firstSeen };
    const tree = new OperationTree(kernel, putTree(kernel, stream, about, firstSeen), samples, collections);
    const examine = createExaminer(cut, tree, { tally, targets, thresholdUs, ownParts });
    for (const number of numbers.get(index) ?? []) {
      const operation = operations[number];
      if (operation !== undefined) verdicts[number] = examine(operation, number);
    }
  }
  const inOrder = ownParts.inOrder();
  const isOnLoop = operations.map(({ stream }) => !isBackground(streams[stream]));
  return {
    ...run,
    thresholdUs,
    verdicts,
    selfTimes,
    ownParts: inOrder,
    figures: tally.figures(inOrder, isOnLoop),
    paths: tally.paths,
    modules: tally.load.modules(),
  };
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
}

/** Judges the operations of one isolate, in order of time, and adds their figures and own parts. */
function createExaminer(
  cut: Omit<PreparedStream, 'cutPathOf'>,
  tree: OperationTree,
  { tally, targets, thresholdUs, ownParts }: Judging,
): (operation: Operation, number: number) => Verdict {
  const { stream, bridged, facts } = cut;
  const prepared = { ...cut, cutPathOf: tally.paths.cutPathsOf(stream.tree, cut.facts) };
  const blameOf = createBlamer(prepared, targets);
  const addOwnParts = createOwnPartAdder(prepared, thresholdUs, ownParts);
  // This is made only where it is needed, because there may be ten thousand isolates.
  const presence = once(() => new PresenceFacts(stream, bridged, facts, cut.functions.length));
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
      blame: isLong && !hasCulprit ? blameOf(tree) : null,
    };
  };
}

/** The verdict on most operations of a server: there may be hundred thousands, so it is made once. */
const nothing: Verdict = { gc: microseconds(0), load: microseconds(0), culprit: null, blame: null };
