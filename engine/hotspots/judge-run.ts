import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { JudgedRun, Verdict } from './judged-run.ts';
import type { CutWithFacts } from '../operations/cut-run.ts';
import type { Operation } from '../operations/operation.ts';
import { isBackground } from '../samples/sample-stream.ts';
import { createFigureTally, type FigureTally } from '../function-figures/figure-tally.ts';
import { once } from '../basics/once.ts';
import { createBlamer } from './blame.ts';
import { OperationWeigher, type PreparedStream } from '../function-figures/operation-tree.ts';
import { createOwnPartFinder } from './find-own-parts.ts';
import { PresenceFacts } from '../function-figures/presence-facts.ts';
import type { MarginOf } from '../function-figures/presence-tally.ts';
import { hasMargin, marginOf } from '../function-figures/estimates.ts';
import { functionFlags } from '../functions/function-table.ts';
import type { OwnPart } from '../function-figures/function-figures.ts';

/** Finds out who held the loop in each operation. */
export function judgeRun({ facts, ...run }: CutWithFacts, thresholdUs: Microseconds): JudgedRun {
  const { streams, operations, bridged } = run;
  const { functions } = run.functions;
  const tally = createFigureTally(functions, thresholdUs);
  const flags = functionFlags(functions);
  const verdicts: Verdict[] = [];
  const ownParts: OwnPart[] = [];
  const numbers = numbersByStream(operations, streams.length);
  for (const [index, stream] of streams.entries()) {
    const [samples, about] = [bridged[index], facts[index]];
    if (samples === undefined || about === undefined) continue;
    const examine = createExaminer({ stream, bridged: samples, facts: about, functions, flags }, tally, thresholdUs);
    for (const number of numbers[index] ?? []) {
      const operation = operations[number];
      if (operation === undefined) continue;
      const { verdict, parts } = examine(operation, number);
      verdicts[number] = verdict;
      for (const part of parts) ownParts.push(part);
    }
  }
  ownParts.sort((a, b) => a.operation - b.operation);
  const isOnLoop = operations.map(({ stream }) => !isBackground(streams[stream]));
  return {
    ...run,
    thresholdUs,
    verdicts,
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

interface Examined {
  readonly verdict: Verdict;
  readonly parts: readonly OwnPart[];
}

/** Examines the operations of one isolate, each once and in the order of time, and adds their figures to the tally. */
function createExaminer(
  cut: Omit<PreparedStream, 'cutPathOf' | 'firstSeen'>,
  tally: FigureTally,
  threshold: Microseconds,
): (operation: Operation, number: number) => Examined {
  const { stream, bridged, facts } = cut;
  const firstSeen = tally.times.add(stream, bridged, facts);
  const prepared = { ...cut, firstSeen, cutPathOf: tally.paths.cutPathsOf(stream.tree, cut.facts) };
  const weigher = new OperationWeigher(stream, bridged);
  const blameOf = createBlamer(prepared);
  const findOwnParts = createOwnPartFinder(prepared, threshold);
  // This is made only where it is needed, because there may be ten thousand isolates.
  const presence = once(() => new PresenceFacts(stream, bridged, facts, cut.functions.length));
  const presences = isBackground(stream) ? tally.background : tally.presences;
  return (operation, number) => {
    const tree = weigher.weigh(operation);
    const { parts, takers } = findOwnParts(operation, number, tree);
    presences.add(operation, tree, prepared, hasMargin(operation) ? marginIn(operation, presence()) : noMargin);
    const [largest] = parts;
    const isLong = operation.held > threshold;
    const verdict: Verdict = {
      gc: microseconds(tree.gc),
      load: microseconds(tally.load.add(tree, prepared, takers?.taker ?? null)),
      culprit: largest === undefined ? null : { functionId: largest.functionId, us: largest.weight },
      blame: isLong && largest === undefined ? blameOf(tree) : null,
    };
    return { verdict, parts };
  };
}

const noMargin = (): number => 0;

function marginIn(operation: Operation, presence: PresenceFacts): MarginOf {
  presence.look(operation);
  return (functionId) => marginOf(presence.of(functionId));
}
