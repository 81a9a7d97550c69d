import type { LinePrecision } from '../../protocol/report.ts';
import type { Line1, Microseconds } from '../../protocol/units.ts';
import type { Waited } from '../function-figures/waited.ts';

/** One line of the person's own code that holds a loop up, with the figures of rule 16 (docs/definition.md). */
export interface HotLine {
  /** As the function's: the original's where a source map says so. */
  readonly url: string;
  readonly line: Line1;
  /** Largest part in one operation. */
  readonly worst: Microseconds;
  /** Operations in which its part is over the threshold. */
  readonly longCount: number;
  readonly distinctStacks: number;
  readonly precision: LinePrecision;
  /** Why it is not exact, in a few words for the person; null where it is. */
  readonly reason: string | null;
  /** Its worst is an estimate: by its precision, or because its culprits' parts are. */
  readonly estimated: boolean;
  /** Of the worst, what the thread slept; null: next to nothing, or nobody knows. */
  readonly waited: Waited | null;
  /** The culprits that it is a line of, by id. */
  readonly functionIds: readonly number[];
  /** In the program's own workers and children, on whose loop nobody waits: shown grey, in no count. */
  readonly background: boolean;
  /** It gets a mark: its long count is at least 1, or it stands in for a culprit none of whose lines has one. */
  readonly decorated: boolean;
}
