import type { JSHandle, Page } from 'playwright-core';

interface KeyWatch {
  /** From each key to the frame in which the text has changed, in ms. */
  readonly latencies: number[];
  readonly stop: () => void;
}

/** Types some keys where the cursor is, and gives the time from each to the frame that shows it, in ms. */
export async function keyLatencies(page: Page, count: number): Promise<readonly number[]> {
  const watch = await page.evaluateHandle(watchKeys);
  for (let key = 0; key < count; key += 1) {
    await page.keyboard.press('x');
    await page.waitForTimeout(leastPauseMs + (key % 7) * 3); // Not in step with the frames.
  }
  return endWatch(watch);
}

const leastPauseMs = 60;

async function endWatch(watch: JSHandle<KeyWatch>): Promise<readonly number[]> {
  return watch.evaluate(({ latencies, stop }) => {
    stop();
    return latencies;
  });
}

/** In the page. */
function watchKeys(): KeyWatch {
  const latencies: number[] = [];
  const waiting: number[] = [];
  const pressed = (): void => void waiting.push(performance.now());
  const lines = document.querySelector('.part.editor .editor-group-container.active .view-lines');
  const changed = new MutationObserver(() => {
    const starts = waiting.splice(0);
    if (starts.length === 0) return;
    requestAnimationFrame(() => {
      for (const start of starts) latencies.push(performance.now() - start);
    });
  });
  if (lines !== null) changed.observe(lines, { subtree: true, childList: true, characterData: true });
  globalThis.addEventListener('keydown', pressed, { capture: true });
  return {
    latencies,
    stop: () => {
      changed.disconnect();
      globalThis.removeEventListener('keydown', pressed, { capture: true });
    },
  };
}
