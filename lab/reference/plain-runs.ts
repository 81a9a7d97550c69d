import type { PlainFunction } from './plain-function.ts';
import type { PlainThread } from './plain-thread.ts';

/** Rule 10: the longest time in one operation over which sample after sample holds the function, in µs. */
export function plainLongestRun(threads: readonly PlainThread[], fn: PlainFunction): number {
  const isOn = (thread: PlainThread): boolean => thread.operations.some((one) => one.samples.some(has));
  const has = ({ stack, weight }: { readonly stack: readonly PlainFunction[]; readonly weight: number }): boolean =>
    stack.includes(fn) && weight > 0;
  const waited = threads.filter(({ isolate }) => !isolate.background);
  const counted = waited.some(isOn) ? waited : threads.filter(({ isolate }) => isolate.background);
  let longest = 0;
  for (const { samples } of counted.flatMap(({ operations }) => operations)) {
    let run = 0;
    for (const { stack, weight } of samples) {
      run = stack.includes(fn) ? run + weight : 0;
      longest = Math.max(longest, run);
    }
  }
  return longest;
}
