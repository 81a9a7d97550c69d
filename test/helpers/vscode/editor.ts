import type { Locator, Page } from 'playwright-core';

/** The name on the active tab. */
export async function activeTab(page: Page): Promise<string> {
  return page.locator('.part.editor .tab.active .label-name').first().innerText();
}

/** Waits until the cursor of the active editor is on a line, 1-based. */
export async function cursorOnLine(page: Page, line: number): Promise<void> {
  await cursorText(page)
    .filter({ hasText: new RegExp(`^Ln ${line}, `) })
    .waitFor();
}

/** Where the cursor is, in the status bar's words: `Ln 207, Col 1`. */
export function cursorText(page: Page): Locator {
  return page.locator('#status\\.editor\\.selection a');
}

/** The links over functions. */
export function lenses(page: Page): Locator {
  return page.locator('.monaco-editor .codelens-decoration a');
}

/** A decoration behind the end of a line: its text, and the number of its line, 1-based. */
export interface LineDecoration {
  readonly line: number;
  readonly text: string;
  /** CSS colour. */
  readonly color: string;
}

/** The texts that decorations add to the lines in sight, from top to bottom. They are CSS content, not text of the page. */
export async function decorations(page: Page): Promise<readonly LineDecoration[]> {
  return page.evaluate(() => {
    const numberAt = new Map<number, number>();
    for (const margin of document.querySelectorAll('.part.editor .monaco-editor .margin-view-overlays .line-numbers'))
      numberAt.set(Math.round(margin.getBoundingClientRect().top), Number(margin.textContent));
    return [...document.querySelectorAll('.part.editor .monaco-editor .view-line')].flatMap((line) => {
      const top = Math.round(line.getBoundingClientRect().top);
      return [...line.querySelectorAll('span')].flatMap((span) => {
        const { content, color } = getComputedStyle(span, '::after');
        const quoted = /^"(.*)"$/s.exec(content)?.[1];
        return quoted === undefined || quoted === '' ? [] : [{ line: numberAt.get(top) ?? 0, text: quoted, color }];
      });
    });
  });
}

/** Waits until a decoration in sight has this text in it. */
export async function decorationWith(page: Page, text: string): Promise<LineDecoration> {
  const isThere = (wanted: string): boolean =>
    [...document.querySelectorAll('.part.editor .monaco-editor .view-line span')].some((span) =>
      getComputedStyle(span, '::after').content.includes(wanted),
    );
  await page.waitForFunction(isThere, text);
  const found = (await decorations(page)).find((decoration) => decoration.text.includes(text));
  if (found === undefined) throw new Error(`The decoration "${text}" was there, and is gone.`);
  return found;
}

/** Holds the mouse over a text of the editor until a hover shows, and gives the hover. */
export async function hoverOver(page: Page, text: string): Promise<Locator> {
  await page.locator('.monaco-editor .view-line span span', { hasText: text }).first().hover();
  const hover = page.locator('.monaco-hover:visible');
  await hover.first().waitFor();
  return hover.first();
}
