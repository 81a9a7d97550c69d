import { type TreeFacts, treeFacts } from '../streams/tree-facts.ts';
import { findOperations } from './find-operations.ts';
import type { BridgedSamples, Operation } from './operation.ts';
import { firstDifference } from '../basics/sort-and-group.ts';
import { functionFlags } from '../functions/function-table.ts';
import type { ReadRun } from '../streams/build-streams.ts';

/** What is known of a run once its samples are cut into operations. It is the same at any threshold. */
export interface CutRun extends ReadRun {
  /** Bridged samples, one for each stream. */
  readonly bridged: readonly BridgedSamples[];
  /**
   * Operations by their start on the profile's own clock, those of background threads included (`Isolate.threadKind`).
   */
  readonly operations: readonly Operation[];
}

/** A cut run with what only the next stage needs. */
export interface CutWithFacts extends CutRun {
  /** Facts about the tree, one for each stream. */
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
