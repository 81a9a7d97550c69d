import type { JSHandle, Page } from 'playwright-core';

/** A mark that was seen on a line of other code, while it looked as if it were about that line. */
export interface MisplacedMark {
  /** The mark and the code of its line. */
  readonly mark: string;
  /** For how long it was seen so without a break, in ms. */
  readonly ms: number;
}

interface Watching {
  /** The marks in sight, that are not dimmed, when the watching began: each with the code of its line. */
  readonly marks: readonly string[];
  readonly misplaced: Map<string, MisplacedMark>;
  readonly stop: () => void;
  frames: number;
}

/** The marks in sight that are not dimmed: for each the mark and the code of its line. */
export async function brightMarks(page: Page): Promise<readonly string[]> {
  const watching = await page.evaluateHandle(watch, []);
  return watching.evaluate((all) => {
    all.stop();
    return all.marks.toSorted(); // The lines of a page are in no order.
  });
}

/**
 * Looks at all marks in sight in each frame that the browser draws, from now on. Each has to be one of `expected`, as
 * `brightMarks` gives them, or dimmed.
 */
export async function watchMarks(page: Page, expected: readonly string[]): Promise<JSHandle<Watching>> {
  return page.evaluateHandle(watch, expected);
}

/**
 * Ends the watching. VS Code itself moves a mark whose line is deleted to the next line: that is there until the
 * extension has heard of it, which takes some frames. What was longer there than `graceMs` is told.
 */
export async function misplacedMarks(watching: JSHandle<Watching>, graceMs: number): Promise<readonly MisplacedMark[]> {
  const { misplaced, frames } = await watching.evaluate((all) => {
    all.stop();
    return { misplaced: [...all.misplaced.values()], frames: all.frames };
  });
  if (frames < 5) throw new Error(`Only ${frames} frames were seen.`);
  return misplaced.filter(({ ms }) => ms > graceMs);
}

/** In the page. Texts of marks are CSS content behind spans of their lines. */
function watch(expected: readonly string[]): Watching {
  const read = (): readonly string[] => {
    const spans = document.querySelectorAll('.part.editor .view-line span[class*="TextEditorDecorationType"]');
    return [...spans].flatMap((span) => {
      const { content, opacity } = getComputedStyle(span, '::after');
      const mark = /^"(.+)"$/s.exec(content)?.[1];
      const code = (span.closest('.view-line')?.textContent ?? '').replaceAll(/\s|\/\/.*/g, '');
      return mark === undefined || Number(opacity) < 1 ? [] : [`${mark} at ${code}`];
    });
  };
  /** When each mark that is misplaced now began to be so. */
  const since = new Map<string, number>();
  const state = { isOver: false };
  const stop = (): void => {
    state.isOver = true;
  };
  const watching: Watching = { marks: read(), misplaced: new Map(), stop, frames: 0 };
  const { misplaced } = watching;
  const look = (): void => {
    if (state.isOver) return;
    watching.frames += 1;
    const now = performance.now();
    const wrong = new Set(read().filter((mark) => !expected.includes(mark)));
    for (const mark of since.keys()) if (!wrong.has(mark)) since.delete(mark);
    for (const mark of wrong) {
      since.set(mark, since.get(mark) ?? now);
      const ms = Math.round(now - (since.get(mark) ?? now));
      misplaced.set(mark, { mark, ms: Math.max(ms, misplaced.get(mark)?.ms ?? 0) });
    }
    requestAnimationFrame(look);
  };
  look();
  return watching;
}
