import { mkdirSync } from 'node:fs';
import { afterEach } from 'node:test';
import type { Page } from 'playwright-core';
import { projectFile } from '../project.ts';

/**
 * Writes `test/e2e/screenshots/<test>.png` after each test that fails, and with HOTSPAN_SCREENSHOTS set after each one.
 * `scripts/test-runner.mjs` repeats the line with the file. Of a failure the texts in sight are printed, too: a log has no
 * pictures.
 */
export function keepScreenshots(page: Page): void {
  afterEach(async (context) => {
    const hasFailed = 'passed' in context && context.passed === false;
    if (!hasFailed && process.env['HOTSPAN_SCREENSHOTS'] === undefined) return;
    const folder = projectFile('test/e2e/screenshots');
    mkdirSync(folder, { recursive: true });
    const file = `${folder}/${context.name.replaceAll(/\W+/g, '-').slice(0, 100)}.png`;
    await page.screenshot({ path: file, animations: 'disabled' });
    console.log(`Screenshot: ${file}`);
    if (hasFailed) for (const window of page.context().pages()) console.log(await textsOf(window));
    if (hasFailed) page.setDefaultTimeout(5_000); // The tests after it may wait in vain for what it did not do.
  });
}

/** What the workbench says, by its parts. */
async function textsOf(page: Page): Promise<string> {
  const parts = Object.entries({
    tabs: '.part.editor .tab',
    lenses: '.monaco-editor .codelens-decoration',
    rows: '.part.sidebar .monaco-list-row, .part.sidebar .message',
    messages: '.notifications-toasts .notification-list-item-message',
    status: '.part.statusbar .statusbar-item',
    picks: '.quick-input-widget .monaco-list-row',
    dialog: '.monaco-dialog-box',
  });
  const lines = parts.map(async ([name, selector]) => {
    const texts = await page.locator(selector).filter({ visible: true }).allInnerTexts();
    return `${name}: ${texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()).join(' ¦ ')}`;
  });
  const decorations = await page
    .locator('.monaco-editor .view-line span')
    .evaluateAll((spans) => spans.map((span) => getComputedStyle(span, '::after').content));
  const drawn = decorations.filter((text) => text.startsWith('"') && text !== '""');
  return [...(await Promise.all(lines)), `decorations: ${drawn.join(' ¦ ')}`].join('\n');
}
