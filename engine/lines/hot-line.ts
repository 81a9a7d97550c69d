import type { Line1, Microseconds } from '../../protocol/units.ts';
import type { Waited } from '../function-figures/waited.ts';
import type { LinePrecision } from '../../protocol/report-code.ts';

/** One line of the person's own code that holds a loop up, with the figures of rule 16 (docs/definition.md). */
export interface HotLine {
  /** Url as that of the function: the original's where a source map tells it. */
  readonly url: string;
  readonly line: Line1;
  /** The largest part in one operation. */
  readonly worst: Microseconds;
  /** Number of operations in which its part is over the threshold. */
  readonly longCount: number;
  readonly distinctStacks: number;
  readonly precision: LinePrecision;
  /** Why the line is not exact, in a few words for the person; null where it is exact. */
  readonly reason: string | null;
  /** True where its worst is an estimate: by its precision, or because its culprits' parts are. */
  readonly estimated: boolean;
  /** What the thread slept in the worst; null where that is next to nothing, or unknown. */
  readonly waited: Waited | null;
  /** Ids of the culprits whose line it is. */
  readonly functionIds: readonly number[];
  /**
   * True in the program's own workers and children, for whose loops nobody waits: it is shown grey, and not counted.
   */
  readonly background: boolean;
  /**
   * True where it gets a mark: its long count is at least 1, or it stands for a culprit none of whose lines has one.
   */
  readonly decorated: boolean;
}
