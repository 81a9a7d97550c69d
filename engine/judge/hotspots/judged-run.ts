import type { BlameKind } from '../../../protocol/report.ts';
import type { Microseconds } from '../../../protocol/units.ts';
import type { CutRun } from '../../cut/operations/cut-run.ts';
import type { FunctionFigures, OwnParts } from '../function-figures/function-figures.ts';
import type { ModuleLoad } from '../function-figures/module-load.ts';
import type { PathFinder } from '../function-figures/cut-paths.ts';

/** A run at one threshold, after judging who held the loop in each operation. */
export interface JudgedRun extends CutRun {
  readonly thresholdUs: Microseconds;
  /** Verdicts, one for each operation. */
  readonly verdicts: readonly Verdict[];
  /** Time of the samples of each node, collections in it included, in µs by node; one for each stream. */
  readonly selfTimes: readonly Float64Array[];
  /** Has 1 where no frame above is the same function, by node; one for each stream. */
  readonly outermost: readonly Uint8Array[];
  /** Figures, one for each function, by id. */
  readonly figures: readonly FunctionFigures[];
  /** Own parts, ascending by operation, background threads included. */
  readonly ownParts: OwnParts;
  readonly paths: Pick<PathFinder, 'functionsOf'>;
  readonly modules: readonly ModuleLoad[];
}

/** Who held the loop in one operation. */
export interface Verdict {
  readonly gc: Microseconds;
  readonly load: Microseconds;
  readonly culprit: { readonly functionId: number; readonly us: Microseconds } | null;
  /** Of an operation over the threshold; null where its samples were lost, or its culprits left too little. */
  readonly blame: Blame | null;
  /**
   * Of an operation over the threshold, the longest time over it in which own code may have run that no sample shows: all
   * of it where no sample was taken. Else 0.
   */
  readonly unseen: Microseconds;
}

export interface Blame {
  readonly kind: BlameKind;
  /** The package's name; for other kinds, the kind itself. */
  readonly name: string;
  readonly us: Microseconds;
}
