import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Operation } from '../operations/operation.ts';

/** What a thread slept while a function held its loop: it waited for a disk, another process or another thread. */
export interface Waited {
  readonly us: Microseconds;
  /** The outermost function that waited, `execSync`; null where none on the stack is known to. */
  readonly in: number | null;
}

/**
 * Of a part of an operation that has `weight`. `slept`: in µs, by the function that waited. What the thread did not run in the
 * whole operation it slept; in what, its stacks need not show. Null where that is next to nothing, or nobody knows.
 */
export function waitedIn(
  weight: number,
  slept: ReadonlyMap<number, number>,
  { thread }: Pick<Operation, 'thread'>,
): Waited | null {
  const [[longest, most] = [null, 0]] = [...slept].toSorted(([, a], [, b]) => b - a);
  const named = [...slept.values()].reduce((sum, us) => sum + us, 0);
  const least = thread.slept === null || thread.run === null ? 0 : Math.min(thread.slept, weight - thread.run);
  const us = Math.round(Math.min(weight, Math.max(named, least)));
  if (us < leastWait) return null;
  return { us: microseconds(us), in: most * 2 >= us ? longest : null };
}

/** In µs: a processor that is shared with others, and pages that are read, look like sleep too. */
const leastWait = 1000;
