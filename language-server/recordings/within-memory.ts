/**
 * Which results stay on screen: as many of the newest as fit into the memory that they may take together. The newest
 * always stays.
 */
export function withinMemory<Result extends { readonly bytes: number }>(
  newestFirst: readonly Result[],
): { readonly kept: readonly Result[]; readonly dropped: readonly Result[] } {
  let bytes = 0;
  const sums = newestFirst.map((one) => (bytes += one.bytes));
  const isKept = (_: Result, index: number): boolean =>
    index === 0 || (index < mostResults && (sums[index] ?? 0) <= mostBytes);
  return { kept: newestFirst.filter(isKept), dropped: newestFirst.filter((one, index) => !isKept(one, index)) };
}

/** Each is a thread with a whole analysis. Measured on Node 24: one of a small suite takes 50 MB, so these 0.4 GB. */
const mostResults = 8;

/** One with two million samples takes 320 MB. In VS Code's Node all threads of a process share 4 GB at most. */
const mostBytes = 1.5e9;
