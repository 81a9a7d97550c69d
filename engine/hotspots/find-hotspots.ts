import type { Microseconds } from '../../protocol/units.ts';
import type { Analysis, Verdict } from '../analysis.ts';
import { firstDifference } from '../basics/first-difference.ts';
import { functionFlags } from '../functions/function-flags.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import { findOperations } from '../operations/find-operations.ts';
import type { Operation } from '../operations/operation.ts';
import { type SampleStream, isBackground } from '../samples/sample-stream.ts';
import { treeFacts } from '../streams/tree-facts.ts';
import { createExaminer } from './examine-operation.ts';
import { createFigureTally } from './figure-tally.ts';
import type { OwnPart } from './own-part.ts';

/** What the streams, once functions are known, hold. */
export type Hotspots = Pick<
  Analysis,
  'bridged' | 'operations' | 'verdicts' | 'figures' | 'ownParts' | 'paths' | 'modules'
>;

/** Cuts the streams into operations and finds out who held the loop in each. */
export function findHotspots(
  streams: readonly SampleStream[],
  functions: readonly FunctionInfo[],
  threshold: Microseconds,
): Hotspots {
  const tally = createFigureTally(functions, threshold);
  const flags = functionFlags(functions);
  const cut = streams.map((stream, index) => {
    const facts = treeFacts(stream.tree, flags);
    return { stream, facts, ...findOperations(stream, facts, index) };
  });
  const operations = cut
    .flatMap((stream) => stream.operations)
    .toSorted((a, b) => firstDifference(a.start - b.start, a.stream - b.stream));
  const verdicts: Verdict[] = [];
  const ownParts: OwnPart[] = [];
  const numbers = numbersByStream(operations, streams.length);
  for (const [index, prepared] of cut.entries()) {
    const examine = createExaminer({ ...prepared, functions, flags }, tally, threshold);
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
    bridged: cut.map(({ bridged }) => bridged),
    operations,
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
  for (const [number, { stream }] of operations.entries()) numbers[stream]?.push(number);
  return numbers;
}
