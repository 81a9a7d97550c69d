import type { Locator, Page } from 'playwright-core';
import { clickOnce } from './panels.ts';
import { untilItWorks } from './until-it-works.ts';

/** Runs a command of the palette by its title, as soon as it is offered. A pick of the command's own may follow. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await withPalette(page, title, async (row, limit) => clickOnce(row, limit));
}

/** Presses keys until something is there, or gone: one that is pressed while the focus moves is lost. */
export async function pressUntil(keys: readonly string[], what: Locator, state: 'visible' | 'detached'): Promise<void> {
  const pressed = keys.join(' ');
  await untilItWorks(async (limit) => {
    for (const key of keys) await what.page().keyboard.press(key);
    await what.first().waitFor({ state, timeout: limit });
  }, `${pressed} does not do what it should.`);
}

/** Takes all messages away, and waits until they are gone. */
export async function clearMessages(page: Page): Promise<void> {
  await runCommand(page, 'Notifications: Clear All Notifications');
  await page.locator('.notifications-toasts .notification-list-item-message').first().waitFor({ state: 'detached' });
}

/** Groups the Hotspots view, by the label of the grouping. */
export async function groupHotspotsBy(page: Page, label: string): Promise<void> {
  await runCommand(page, 'Hotspan: Group Hotspots By…');
  await pickExactRow(page, label);
}

/** Compares other recordings than the one on screen, and that one, by the numbers of their rows from 0: the newest is the first. */
export async function compareRecordings(
  page: Page,
  { before, after }: { readonly before: readonly number[]; readonly after: readonly number[] },
): Promise<void> {
  const pick = page.locator('.quick-input-widget:visible');
  const first = pick.locator('input.input[placeholder*="before the change"]');
  // Whatever takes the focus at this moment, a message or an editor, hides VS Code's list.
  await untilItWorks(async (limit) => {
    if ((await first.count()) > 0) return;
    await runCommand(page, 'Hotspan: Compare with…');
    const others = quickInputRows(page).filter({ hasText: 'Other recordings…' });
    await others.click({ timeout: limit });
    await first.waitFor({ timeout: limit });
  }, 'The lists of recordings do not open.');
  for (const [placeholder, chosen] of [
    ['before the change', before],
    ['after the change', after],
  ] as const) {
    await pick.locator(`input.input[placeholder*="${placeholder}"]`).waitFor();
    await checkRows(page, chosen);
  }
}

/** Checks the boxes of rows of a pick by their places from 0, and takes them; other boxes of a list before it do not count. */
export async function checkRows(page: Page, places: readonly number[]): Promise<void> {
  const pick = page.locator('.quick-input-widget:visible');
  // A list before it, whose boxes are checked, may still be there.
  await pick.locator('.quick-input-count', { hasText: /^0 / }).waitFor();
  // A click on the row itself, before the list has its boxes, would choose that one alone.
  for (const place of places) await rowAt(page, place).locator('.monaco-checkbox').click();
  await pick.locator('.quick-input-count', { hasText: new RegExp(`^${places.length} `) }).waitFor();
  await pick.locator('.monaco-button', { hasText: 'OK' }).click();
}

/** By VS Code's own command, which saves what is open before. */
export async function reloadWindow(page: Page): Promise<void> {
  const loaded = page.waitForEvent('load');
  await runCommand(page, 'Developer: Reload Window');
  await loaded;
  await page.locator('.monaco-workbench .part.statusbar').waitFor();
}

/** Closes the active editor, and waits until it is gone: a file that opens meanwhile would be closed in its place. */
export async function closeEditor(page: Page): Promise<void> {
  const tabs = page.locator('.part.editor .tab');
  const before = await tabs.count();
  await runCommand(page, 'View: Close Editor');
  await tabs.nth(before - 1).waitFor({ state: 'detached' });
}

/** Closes all editors, and waits until they are gone: a command right after it would still be about the last one. */
export async function closeAllEditors(page: Page): Promise<void> {
  await runCommand(page, 'View: Close All Editors');
  await page.locator('.part.editor .tab').first().waitFor({ state: 'detached' });
}

/** Waits until the palette offers a command. Throws when it does not. */
export async function commandOffered(page: Page, title: string): Promise<void> {
  await withPalette(page, title, async (row, timeout) => row.waitFor({ timeout }));
  await closePalette(page);
}

/** The titles that the palette offers now for a text, in its order. */
export async function paletteTitles(page: Page, text: string): Promise<readonly string[]> {
  const listed = quickInputRows(page).filter({ hasText: text });
  await untilItWorks(async (limit) => {
    await openPalette(page, text, limit);
    await listed.first().waitFor({ timeout: limit });
  }, `The palette offers nothing for "${text}".`);
  const titles = await quickInputRows(page).locator('.label-name').allInnerTexts();
  await closePalette(page);
  return titles;
}

/**
 * Opens a file of the workspace by its path, at its start. On a busy machine the list changes under the pointer, and the
 * click closes it: then the file is asked for again.
 */
export async function openFile(page: Page, file: string): Promise<void> {
  const name = file.split('/').at(-1) ?? file;
  const opened = page.locator(`.editor-group-container.active .tab.active[data-resource-name="${name}"]`);
  await untilItWorks(async (limit) => {
    await openQuickInput(page, 'Control+P', file, limit);
    // By a click: a key may still go to the flamegraph that had the focus.
    await quickInputRows(page).filter({ hasText: name }).first().click({ timeout: limit });
    await opened.waitFor({ timeout: limit });
  }, `${file} is not opened.`);
}

/**
 * Filters the pick that opens by a label and chooses the row that is called exactly so. What is typed while the palette
 * still closes is lost, and a long list shows only its first rows: then it is typed once more.
 */
export async function pickExactRow(page: Page, label: string): Promise<void> {
  await untilItWorks(async (limit) => {
    await quickInput(page).fill(label, { timeout: limit });
    await clickOnce(rowCalled(page, label), limit);
  }, `The pick has no row "${label}".`);
}

/** Opens a pick by its command, and types until it lists no row with another text: before that rows move below a click. */
export async function filterPick(
  page: Page,
  title: string,
  { prompt, text, without }: { readonly prompt: string; readonly text: string; readonly without: string },
): Promise<void> {
  const input = page.locator(`.quick-input-widget:visible input.input[placeholder="${prompt}"]`);
  await untilItWorks(async (limit) => {
    await runCommand(page, title);
    await input.fill(text, { timeout: limit });
    await quickInputRows(page).filter({ hasText: without }).first().waitFor({ state: 'detached', timeout: limit });
  }, `The pick of ${title} does not open.`);
}

/** A row of the pick by its place from 0: in the page the rows stand in the order in which they were drawn. */
function rowAt(page: Page, place: number): Locator {
  return page.locator(`.quick-input-widget:visible .quick-input-list .monaco-list-row[data-index="${place}"]`);
}

export function quickInputRows(page: Page): Locator {
  return page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
}

/** Opens the palette until it lists the title: it closes when it loses the focus, and does not update its list. */
export async function withPalette(
  page: Page,
  title: string,
  use: (row: Locator, limit: number) => Promise<void>,
): Promise<void> {
  await untilItWorks(async (limit) => {
    try {
      await openPalette(page, title, limit);
      await use(rowCalled(page, title), limit);
    } catch (error) {
      await closePalette(page);
      throw error;
    }
  }, `The palette does not offer "${title}".`);
}

/** The row that is called exactly so: "Hotspan: Clear" is no "Hotspan: Clear All". */
function rowCalled(page: Page, title: string): Locator {
  const label = page
    .locator('.label-name')
    .filter({ hasText: new RegExp(`^${title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) });
  return quickInputRows(page).filter({ has: label }).first();
}

async function openPalette(page: Page, text: string, limit: number): Promise<void> {
  await openQuickInput(page, 'F1', `>${text}`, limit);
}

/** A key that is pressed while the focus moves is lost. */
async function openQuickInput(page: Page, key: string, text: string, limit: number): Promise<void> {
  await page.keyboard.press(key);
  await quickInput(page).fill(text, { timeout: limit });
}

/** Where the command has run after all, that is its own list, which may not have the focus yet. */
async function closePalette(page: Page): Promise<void> {
  const widget = page.locator('.quick-input-widget');
  await untilItWorks(async (limit) => {
    if (!(await widget.isVisible())) return;
    await quickInput(page).press('Escape', { timeout: limit });
    await widget.waitFor({ state: 'hidden', timeout: limit });
  }, 'The palette does not close.');
}

function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget:visible input.input');
}
