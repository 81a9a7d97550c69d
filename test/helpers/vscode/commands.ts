import type { Locator, Page } from 'playwright-core';

/**
 * How long the palette may take to list a command at the first attempt, in ms; at each further one it is so much more. Its
 * list does not change once it is open, so then it is opened again.
 */
const listLimitMs = 3_000;
const attempts = 12;

/** Runs a command of the palette by its title, as soon as it is offered. A pick of the command's own may follow. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await withPalette(page, title, async (row, timeout) => row.click({ timeout }));
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
  while ((await first.count()) === 0) {
    await runCommand(page, 'Hotspan: Compare with…');
    const others = quickInputRows(page).filter({ hasText: 'Other recordings…' });
    await others.click({ timeout: 10_000 }).catch(() => undefined);
    await first.waitFor({ timeout: 10_000 }).catch(() => undefined);
  }
  for (const [placeholder, chosen] of [
    ['before the change', before],
    ['after the change', after],
  ] as const) {
    await pick.locator(`input.input[placeholder*="${placeholder}"]`).waitFor();
    for (const row of chosen) await quickInputRows(page).nth(row).locator('.monaco-checkbox').click();
    await pick.getByText('OK', { exact: true }).click();
  }
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
  await openPalette(page, text);
  await quickInputRows(page).filter({ hasText: text }).first().waitFor();
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
  for (let attempt = 1; attempt < attempts; attempt++) {
    await openQuickInput(page, 'Control+P', file);
    // By a click: a key may still go to the flamegraph that had the focus.
    await quickInputRows(page).filter({ hasText: name }).first().click();
    const isOpen = await opened.waitFor({ timeout: attempt * listLimitMs }).then(
      () => true,
      () => false,
    );
    if (isOpen) return;
  }
  throw new Error(`${file} is not opened.`);
}

/**
 * Filters the pick that opens by a label and chooses the row that is called exactly so. What is typed while the palette
 * still closes is lost, and a long list shows only its first rows: then it is typed once more.
 */
export async function pickExactRow(page: Page, label: string): Promise<void> {
  for (let attempt = 1; attempt < attempts; attempt++) {
    await quickInput(page).fill(label);
    const click = rowCalled(page, label).click({ timeout: attempt * listLimitMs });
    const isDone = await click.then(
      () => true,
      () => false, // not listed yet
    );
    if (isDone) return;
  }
  throw new Error(`The pick has no row "${label}".`);
}

export function quickInputRows(page: Page): Locator {
  return page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
}

/** Whatever takes the focus while VS Code starts closes the palette: then it is opened anew. */
export async function withPalette(
  page: Page,
  title: string,
  use: (row: Locator, timeout: number) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; attempt < attempts; attempt++) {
    await openPalette(page, title);
    const isDone = await use(rowCalled(page, title), attempt * listLimitMs).then(
      () => true,
      () => false, // not offered yet, or closed
    );
    if (isDone) return;
    await closePalette(page);
  }
  throw new Error(`The palette does not offer "${title}".`);
}

/** The row that is called exactly so: "Hotspan: Clear" is no "Hotspan: Clear All". */
function rowCalled(page: Page, title: string): Locator {
  const label = page
    .locator('.label-name')
    .filter({ hasText: new RegExp(`^${title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) });
  return quickInputRows(page).filter({ has: label }).first();
}

async function openPalette(page: Page, text: string): Promise<void> {
  await openQuickInput(page, 'F1', `>${text}`);
}

/** A key that is pressed while the focus moves is lost: then it is pressed again. */
async function openQuickInput(page: Page, key: string, text: string): Promise<void> {
  for (let attempt = 1; attempt < attempts; attempt++) {
    await page.keyboard.press(key);
    const isOpen = await quickInput(page)
      .fill(text, { timeout: attempt * listLimitMs })
      .then(
        () => true,
        () => false, // not open, or closed again
      );
    if (isOpen) return;
  }
  throw new Error(`${key} opens nothing.`);
}

/** Where the command has run after all, that is its own list, which may not have the focus yet. */
async function closePalette(page: Page): Promise<void> {
  const widget = page.locator('.quick-input-widget');
  for (let attempt = 1; attempt < attempts && (await widget.isVisible()); attempt++) {
    await quickInput(page)
      .press('Escape', { timeout: listLimitMs })
      .catch(() => undefined); // It has closed meanwhile.
    await widget.waitFor({ state: 'hidden', timeout: listLimitMs }).catch(() => undefined); // Then once more.
  }
}

function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget:visible input.input');
}
