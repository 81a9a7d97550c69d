import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Verdict } from '../analysis.ts';
import { once } from '../basics/once.ts';
import type { Operation } from '../operations/operation.ts';
import { isBackground } from '../samples/sample-stream.ts';
import { createBlamer } from './blame.ts';
import type { FigureTally } from './figure-tally.ts';
import { hasMargin, marginOf } from './margin.ts';
import { OperationWeigher } from './operation-tree.ts';
import type { OwnPart } from './own-part.ts';
import { createOwnPartFinder } from './own-parts.ts';
import type { PreparedStream } from './prepared-stream.ts';
import { PresenceFacts } from './presence-facts.ts';
import type { MarginOf } from './presence-tally.ts';

export interface Examined {
  readonly verdict: Verdict;
  readonly parts: readonly OwnPart[];
}

/** Examines the operations of one isolate, each once, in the order of time; adds their figures to the tally. */
export function createExaminer(
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
  // Only where it is needed: there may be ten thousand isolates.
  const presence = once(() => new PresenceFacts(stream, bridged, facts, cut.functions.length));
  const presences = isBackground(stream) ? tally.background : tally.presences;
  return (operation, number) => {
    const tree = weigher.weigh(operation);
    const { parts, isTaken } = findOwnParts(operation, number, tree);
    presences.add(operation, tree, prepared, hasMargin(operation) ? marginIn(operation, presence()) : noMargin);
    const [largest] = parts;
    const isLong = operation.held > threshold;
    const verdict: Verdict = {
      gc: microseconds(tree.gc),
      load: microseconds(tally.load.add(tree, prepared, isTaken)),
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
