import type { Locator, Page } from 'playwright-core';
import { hoverOf } from './panels.ts';
import { untilItWorks } from './until-it-works.ts';

/** Waits until the cursor of the active editor is on a line, 1-based. */
export async function cursorOnLine(page: Page, line: number, timeout?: number): Promise<void> {
  await cursorText(page)
    .filter({ hasText: new RegExp(`^Ln ${line}, `) })
    .waitFor({ ...(timeout === undefined ? {} : { timeout }) });
}

/** Moves the cursor of the active editor to a line, 1-based. */
export async function goToLine(page: Page, line: number): Promise<void> {
  await untilItWorks(async (limit) => {
    await page.keyboard.press('Control+G');
    await page.locator('.quick-input-widget:visible input').fill(`:${line}`, { timeout: limit });
    await page.keyboard.press('Enter');
    await cursorOnLine(page, line, limit);
  }, `The cursor does not go to line ${line}.`);
}

/** Where the cursor is, in the status bar's words: `Ln 207, Col 1`. */
function cursorText(page: Page): Locator {
  return page.locator('#status\\.editor\\.selection a');
}

/** The links over functions, in sight. */
export function lenses(page: Page): Locator {
  return page.locator('.monaco-editor .codelens-decoration a').filter({ visible: true });
}

/** What a decoration writes behind the end of a line. */
export interface LineDecoration {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  /** WCAG contrast of its text on the editor, from 1 to 21. */
  readonly contrast: number;
}

/**
 * Waits until a decoration in sight has this text in it, and gives the topmost one, or the lowest. `line`: waits until that
 * one is on this line, 1-based. `leastContrast`: the colours of a theme come a moment after it.
 */
export async function decorationWith(
  page: Page,
  text: string,
  { fromBottom = false, leastContrast = 1, line }: Partial<Omit<Wanted, 'wanted'>> = {},
): Promise<LineDecoration> {
  const found = await page.waitForFunction(
    findDecoration,
    { wanted: text, fromBottom, leastContrast, line },
    { polling: 100 },
  );
  const decoration = await found.jsonValue();
  if (decoration === null) throw new Error('waitForFunction gave null.');
  return decoration;
}

/** Waits until no decoration in sight has this text in it. */
export async function noDecorationWith(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      const spans = [...document.querySelectorAll('.part.editor .monaco-editor .view-line span')];
      return !spans.some((span) => getComputedStyle(span, '::after').content.includes(wanted));
    },
    text,
    { polling: 100 },
  );
}

interface Wanted {
  readonly wanted: string;
  readonly fromBottom: boolean;
  readonly leastContrast: number;
  readonly line: number | undefined;
}

/** In the page. Texts of decorations are CSS content of spans; line numbers stand in a margin at the same height. */
function findDecoration({ wanted, fromBottom, leastContrast, line }: Wanted): LineDecoration | null {
  const editor = document.querySelector('.part.editor .editor-group-container.active .monaco-editor');
  const background = getComputedStyle(
    editor?.querySelector('.monaco-editor-background') ?? document.body,
  ).backgroundColor;
  const spans = [...(editor?.querySelectorAll('.view-line span') ?? [])].toSorted(
    (a, b) => (fromBottom ? -1 : 1) * (a.getBoundingClientRect().top - b.getBoundingClientRect().top),
  );
  for (const span of spans) {
    const { content, color } = getComputedStyle(span, '::after');
    const text = /^"(.*)"$/s.exec(content)?.[1] ?? '';
    if (!text.includes(wanted)) continue;
    const { top } = span.getBoundingClientRect();
    const numbers = [...(editor?.querySelectorAll('.line-numbers') ?? [])];
    const number = numbers.find((element) => Math.abs(element.getBoundingClientRect().top - top) < 8);
    const [light = 0, dark = 0] = [luminance(color), luminance(background)].toSorted((a, b) => b - a);
    const contrast = (light + 0.05) / (dark + 0.05);
    const found = { line: Number(number?.textContent), text, contrast };
    return contrast < leastContrast || found.line !== (line ?? found.line) ? null : found;
  }
  return null;

  /** Relative, 0 to 1, of `rgb(…)`. Inside, because this one function is all that the page gets. */
  // oxlint-disable-next-line unicorn/consistent-function-scoping
  function luminance(css: string): number {
    const [red = 0, green = 0, blue = 0] = [...css.matchAll(/[\d.]+/g)].map(([channel]) => {
      const share = Number(channel) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
}

/**
 * Holds the mouse over a word of the active editor, on the first line that has it, or that has `line` in it, until a hover
 * with this text shows.
 */
export async function hoverWith(page: Page, word: string, text: string | RegExp, line = word): Promise<Locator> {
  const lines = page.locator('.editor-group-container.active .view-line', { hasText: line });
  const place = lines.locator('span span', { hasText: word }).first();
  return hoverOf(place, text);
}

/** Opens the menu of code actions at the cursor: a list that is still closing may take the key. */
export async function openCodeActions(page: Page): Promise<Locator> {
  const menu = page.locator('.action-widget');
  await untilItWorks(async (limit) => {
    if ((await menu.count()) > 0) return;
    await page.keyboard.press('Control+.');
    await menu.waitFor({ timeout: limit });
  }, 'There are no code actions at the cursor.');
  return menu;
}
