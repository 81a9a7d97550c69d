/**
 * A statement that keeps its thread busy for so many ms. Of the clock only short steps count: in a longer one the thread
 * waited for a CPU or the whole machine stood still, and no sampler saw it. The processor time, which counts in steps of
 * some ms, runs on while a virtual machine stands still, and that of the process has other threads in it.
 */
export const busyFor = (ms: number | string): string =>
  `for (let spent = 0, last = performance.now(); spent < ${ms}; ) { for (let step = 0; step < 1000; step++) Math.sqrt(step); const now = performance.now(); if (now - last < 2) spent += now - last; last = now; }`;
