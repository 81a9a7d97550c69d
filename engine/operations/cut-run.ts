import { functionFlags } from '../functions/function-flags.ts';
import type { ReadRun } from '../streams/read-run.ts';
import { type TreeFacts, treeFacts } from '../streams/tree-facts.ts';
import { findOperations } from './find-operations.ts';
import type { BridgedSamples, Operation } from './operation.ts';
import { firstDifference } from '../basics/compare.ts';

/** What is known of a run once its samples are cut into operations: the same at any threshold. */
export interface CutRun extends ReadRun {
  /** One for each stream. */
  readonly bridged: readonly BridgedSamples[];
  /** By start on the profile's own clock. Those of background threads too: `Isolate.threadKind` tells. */
  readonly operations: readonly Operation[];
}

/** With what only the next stage asks for. */
export interface CutWithFacts extends CutRun {
  /** One for each stream. */
  readonly facts: readonly TreeFacts[];
}

export function cutRun(run: ReadRun): CutWithFacts {
  const flags = functionFlags(run.functions.functions);
  const cut = run.streams.map((stream, index) => {
    const facts = treeFacts(stream.tree, flags);
    return { facts, ...findOperations(stream, facts, index) };
  });
  return {
    ...run,
    bridged: cut.map(({ bridged }) => bridged),
    operations: cut
      .flatMap(({ operations }) => operations)
      .toSorted((a, b) => firstDifference(a.start - b.start, a.stream - b.stream)),
    facts: cut.map(({ facts }) => facts),
  };
}
