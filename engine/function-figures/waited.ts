import { type Microseconds, microseconds } from '../../protocol/units.ts';
import type { Operation } from '../operations/operation.ts';

/** What a thread slept while a function held its loop, waiting for a disk, another process or another thread. */
export interface Waited {
  readonly us: Microseconds;
  /** The outermost function that waited, such as `execSync`; null where no function on the stack is known to wait. */
  readonly in: number | null;
}

/**
 * What the thread slept within a part of an operation, where `weight` is the part's and `slept` is in µs by the
 * function that waited. What the thread did not run in the whole operation it slept, whether or not its stacks show in
 * what. Null where that is next to nothing, or unknown.
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

/** Shortest wait in µs that is reported: sharing a processor with others, and reading pages, look like sleep, too. */
const leastWait = 1000;
