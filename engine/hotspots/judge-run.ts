import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { JudgedRun, Verdict } from './judged-run.ts';
import type { CutWithFacts } from '../operations/cut-run.ts';
import type { Operation } from '../operations/operation.ts';
import { isBackground } from '../samples/sample-stream.ts';
import { createFigureTally, type FigureTally } from '../function-figures/figure-tally.ts';
import { once } from '../basics/once.ts';
import { createBlamer } from './blame.ts';
import { OperationWeigher, type PreparedStream } from '../function-figures/operation-tree.ts';
import { createOwnPartAdder } from './find-own-parts.ts';
import { PresenceFacts } from '../function-figures/presence-facts.ts';
import type { MarginOf } from '../function-figures/presence-tally.ts';
import { hasMargin, marginOf } from '../function-figures/estimates.ts';
import { functionFlags } from '../functions/function-table.ts';
import { OwnParts } from '../function-figures/own-parts.ts';

/** Finds out who held the loop in each operation. */
export function judgeRun({ facts, ...run }: CutWithFacts, thresholdUs: Microseconds): JudgedRun {
  const { streams, operations, bridged } = run;
  const { functions } = run.functions;
  const tally = createFigureTally(functions, thresholdUs);
  const flags = functionFlags(functions);
  const verdicts: Verdict[] = [];
  const selfTimes: Float64Array[] = [];
  const found = new OwnParts();
  const numbers = numbersByStream(operations, streams.length);
  for (const [index, stream] of streams.entries()) {
    const [samples, about] = [bridged[index], facts[index]];
    if (samples === undefined || about === undefined) continue;
    const { firstSeen, selfTime, collections } = tally.times.add(stream, samples, about);
    selfTimes[index] = selfTime;
    const cut = { stream, bridged: samples, facts: about, functions, flags, firstSeen };
    const weigher = new OperationWeigher(stream, samples, collections);
    const examine = createExaminer(cut, weigher, tally, thresholdUs, found);
    for (const number of numbers[index] ?? []) {
      const operation = operations[number];
      if (operation !== undefined) verdicts[number] = examine(operation, number);
    }
  }
  const ownParts = found.inOrder();
  const isOnLoop = operations.map(({ stream }) => !isBackground(streams[stream]));
  return {
    ...run,
    thresholdUs,
    verdicts,
    selfTimes,
    ownParts,
    figures: tally.figures(ownParts, isOnLoop),
    paths: tally.paths,
    modules: tally.load.modules(),
  };
}

/** Numbers of the operations of each stream, ascending. */
function numbersByStream(operations: readonly Operation[], streams: number): readonly (readonly number[])[] {
  const numbers = Array.from({ length: streams }, (): number[] => []);
  for (let number = 0; number < operations.length; number++) numbers[operations[number]?.stream ?? -1]?.push(number);
  return numbers;
}

/**
 * Examines the operations of one isolate, each once and in the order of time, and adds their figures to the tally and
 * their own parts to all.
 */
function createExaminer(
  cut: Omit<PreparedStream, 'cutPathOf'>,
  weigher: OperationWeigher,
  tally: FigureTally,
  threshold: Microseconds,
  ownParts: OwnParts,
): (operation: Operation, number: number) => Verdict {
  const { stream, bridged, facts } = cut;
  const prepared = { ...cut, cutPathOf: tally.paths.cutPathsOf(stream.tree, cut.facts) };
  const blameOf = createBlamer(prepared);
  const addOwnParts = createOwnPartAdder(prepared, threshold, ownParts);
  // This is made only where it is needed, because there may be ten thousand isolates.
  const presence = once(() => new PresenceFacts(stream, bridged, facts, cut.functions.length));
  const presences = isBackground(stream) ? tally.background : tally.presences;
  return (operation, number) => {
    const tree = weigher.weigh(operation);
    const first = ownParts.size; // Its number, if there is one: the largest.
    const takers = addOwnParts(operation, number, tree);
    presences.add(operation, tree, prepared, hasMargin(operation) ? marginIn(operation, presence()) : noMargin);
    const hasCulprit = ownParts.size > first;
    const isLong = operation.held > threshold;
    return {
      gc: microseconds(tree.gc),
      load: microseconds(tally.load.add(tree, prepared, takers?.taker ?? null)),
      culprit: hasCulprit ? { functionId: ownParts.functionOf(first), us: ownParts.weightOf(first) } : null,
      blame: isLong && !hasCulprit ? blameOf(tree) : null,
    };
  };
}

const noMargin = (): number => 0;

function marginIn(operation: Operation, presence: PresenceFacts): MarginOf {
  presence.look(operation);
  return (functionId) => marginOf(presence.of(functionId));
}
