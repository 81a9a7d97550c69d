import type { CDPSession, Page } from 'playwright-core';

/** What a step took until the frame on screen that shows it, and what the page did in that time. */
export interface Step {
  /** From the event, by the clock. */
  readonly ms: number;
  /** Processor time of the page's main thread: scripts, styles, layout and painting. */
  readonly mainMs: number;
}

/**
 * Does something in the page, and waits until `isShown` is true there and the next frame has been painted. Both are
 * expressions, so that they are ready before the clock starts.
 */
export async function stepIn(page: Page, act: string, isShown: string): Promise<Step> {
  const before = await mainThread(page);
  const ms = await page.evaluate<number>(`new Promise((resolve) => {
    const start = performance.now();
    const seen = () => {
      if (!(${isShown})) return requestAnimationFrame(seen);
      // A task after the frame's own callbacks runs once the frame is painted.
      requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => resolve(performance.now() - start); port2.postMessage(0); });
    };
    ${act};
    seen();
  })`);
  return { ms, mainMs: (await mainThread(page)) - before };
}

/** Processor time of the page's main thread in tasks so far, in ms. */
export async function mainThread(page: Page): Promise<number> {
  const session = await sessionOf(page);
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}

/** Memory of the page's JavaScript in MB, after a collection of garbage. */
export async function heapOf(page: Page): Promise<number> {
  const session = await sessionOf(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage');
  return (usedSize + embedderHeapUsedSize + backingStorageSize) / 1e6;
}

/** Each page has one session: times count from its start on. */
const sessions = new WeakMap<Page, Promise<CDPSession>>();

async function sessionOf(page: Page): Promise<CDPSession> {
  const known = sessions.get(page);
  if (known !== undefined) return known;
  const made = page.context().newCDPSession(page);
  sessions.set(page, made);
  const session = await made;
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return session;
}
