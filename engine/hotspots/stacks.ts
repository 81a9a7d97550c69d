import type { Microseconds } from '../../protocol/units.ts';
import type { Analysis } from '../analysis.ts';

/** One way to a function, as long operations took it. */
export interface HeavyStack {
  /** Outermost first, the function itself last; without leading runner, test and Node frames. */
  readonly functionIds: readonly number[];
  /** The most that this path took in one operation. */
  readonly worst: Microseconds;
  readonly longCount: number;
}

/** The `most` heaviest paths to a function: of its own parts where it is a culprit, else of its presence. */
export declare function heaviestStacks(analysis: Analysis, functionId: number, most: number): readonly HeavyStack[];
