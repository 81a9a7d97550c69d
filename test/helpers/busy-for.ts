/**
 * A statement that keeps its thread busy for so many ms, of the processor and of the clock. Of the clock only short steps
 * count: in a longer one the whole machine stood still, in which the time of the processor may run on, and no sampler saw
 * the thread. Some systems count the time of the processor in ticks of 4 ms. `step`: what it does.
 */
export const busyFor = (ms: number | string, step = 'Math.sqrt(step)'): string =>
  `for (let limit = ${ms}, spent = 0, last = performance.now(), usage = process.threadCpuUsage ?? process.cpuUsage, begin = usage(), used = 0; spent < limit || used < limit; ) { for (let step = 0; step < 1000; step++) ${step}; const now = performance.now(); if (now - last < 2) spent += now - last; last = now; const { user, system } = usage(begin); used = (user + system) / 1000; }`;
