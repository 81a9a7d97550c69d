import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Operation } from '../operations/operation.ts';
import type { OperationTree } from './operation-tree.ts';
import type { PreparedStream } from './prepared-stream.ts';

/** What a thread slept while a function held its loop: it waited for a disk, another process or another thread. */
export interface Waited {
  readonly us: Microseconds;
  /** The outermost function that waited, `execSync`; null where none on the stack is known to. */
  readonly in: number | null;
}

/** Sums what was slept at places of an operation. */
export class WaitSum {
  /** By function that waited. */
  readonly #slept = new Map<number, number>();

  /** Adds the samples at one place of the tree. */
  add(place: number, { nodes, self }: OperationTree, { facts }: PreparedStream, { asleep }: Operation): void {
    const waiter = facts.waiter[nodes[place] ?? 0] ?? -1;
    if (waiter === -1 || asleep === null || asleep === 0) return;
    this.#slept.set(waiter, (this.#slept.get(waiter) ?? 0) + (self.weight[place] ?? 0) * asleep);
  }

  /**
   * Of `weight` in all. What the thread did not run in the whole operation it slept; in what, its stacks need not show. Null
   * where that is next to nothing, or nobody knows.
   */
  of(weight: Microseconds, { thread: { slept, run } }: Operation): Waited | null {
    const [[longest, most] = [null, 0]] = [...this.#slept].toSorted(([, a], [, b]) => b - a);
    const named = [...this.#slept.values()].reduce((sum, us) => sum + us, 0);
    const least = slept === null || run === null ? 0 : Math.min(slept, weight - run);
    const us = Math.round(Math.min(weight, Math.max(named, least)));
    if (us < leastWait) return null;
    return { us: microseconds(us), in: most * 2 >= us ? longest : null };
  }
}

/** In µs: a processor that is shared with others, and pages that are read, look like sleep too. */
const leastWait = 1000;
