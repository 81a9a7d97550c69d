import type { PlainFunction } from './plain-function.ts';
import type { PlainThread } from './plain-thread.ts';

/** Rule 10, of one function, over the whole recording: each sample once. In µs. */
export interface PlainTimes {
  selfUs: number;
  totalUs: number;
  /** The part of the self time in which garbage collections interrupted the function. */
  gcUs: number;
  /** The part of the total time under a loader frame deeper than the function. */
  loadUs: number;
}

export function plainTimes(threads: readonly PlainThread[]): ReadonlyMap<PlainFunction, PlainTimes> {
  const times = new Map<PlainFunction, PlainTimes>();
  const timesOf = (fn: PlainFunction): PlainTimes => {
    const made = times.get(fn) ?? { selfUs: 0, totalUs: 0, gcUs: 0, loadUs: 0 };
    times.set(fn, made);
    return made;
  };
  for (const { weight, meta, stack } of threads.flatMap(({ samples }) => samples)) {
    const loader = stack.findLastIndex((fn) => fn.loader);
    for (const fn of new Set(stack)) {
      timesOf(fn).totalUs += weight;
      if (loader > stack.indexOf(fn)) timesOf(fn).loadUs += weight;
    }
    const innermost = stack.at(-1);
    if (innermost === undefined) continue;
    timesOf(innermost).selfUs += weight;
    if (meta === '(garbage collector)') timesOf(innermost).gcUs += weight;
  }
  return times;
}
