import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { runCommand } from './commands.ts';

/**
 * How long the dialog may take to read a folder at the first attempt, in ms; at each further one it is so much more. Before,
 * Enter only chooses the folder, and filling it in again begins the reading anew.
 */
const readLimitMs = 2_000;
const attempts = 6;
/** How often a name is filled in before the dialog is closed: on a busy machine it may read a folder without end. */
const fillings = 3;

/**
 * Chooses a file in the dialog of *Open Profile…*, in whatever folder that begins. A name alone is of the workspace's top
 * folder.
 */
export async function openProfile(page: Page, name: string): Promise<void> {
  await chooseFile(page, name, async () => runCommand(page, 'Hotspan: Open Profile…'));
}

/** Chooses a file in a dialog, which is opened anew where it does not take the file. */
export async function chooseFile(page: Page, name: string, openDialog: () => Promise<void>): Promise<void> {
  const file = path.isAbsolute(name) ? name : `${new URL(page.url()).searchParams.get('folder') ?? ''}/${name}`;
  // It has a title, unlike the palette, which may still be closing.
  const titled = page.locator('.quick-input-title', { hasText: /\w/ });
  const dialog = page.locator('.quick-input-widget:visible', { has: titled });
  for (let attempt = 1; attempt < attempts; attempt++) {
    await openDialog();
    await dialog.waitFor();
    if (await takesFile(dialog, file)) return;
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  }
  throw new Error(`The dialog does not take ${name}.`);
}

async function takesFile(dialog: Locator, file: string): Promise<boolean> {
  const input = dialog.locator('input.input');
  for (let filling = 1; filling <= fillings; filling++) {
    const limit = { timeout: filling * readLimitMs };
    await input.fill(file, limit).catch(() => undefined); // It has closed meanwhile, or still reads: then once more.
    await input.press('Enter', limit).catch(() => undefined);
    const isClosed = await dialog.waitFor({ state: 'hidden', ...limit }).then(
      () => true,
      () => false, // not read yet
    );
    if (isClosed) return true;
  }
  return false;
}

/** Chooses a folder in the dialog that opens, whose button has this label. That dialog has no title. */
export async function chooseFolderInDialog(page: Page, folder: string, label: string): Promise<void> {
  const dialog = page.locator('.quick-input-widget:visible');
  const button = dialog.getByText(label);
  await button.waitFor();
  for (let attempt = 1; attempt < attempts && (await button.count()) > 0; attempt++) {
    await dialog.locator('input.input').fill(folder);
    await button.click();
    await button.waitFor({ state: 'detached', timeout: attempt * readLimitMs }).catch(() => undefined); // It still reads.
  }
}

/**
 * Chooses in a dialog, or clicks, until it is said what came of it. Where VS Code's dialog is answered before it has read
 * the folder that was typed, it closes without a choice or with another one, or comes back over the next list.
 */
export async function untilSaid(said: Locator, choose: () => Promise<void>): Promise<void> {
  for (let attempt = 1; attempt < attempts && (await said.count()) === 0; attempt++) {
    await choose().catch(async () => said.page().keyboard.press('Escape'));
    await said.waitFor({ timeout: attempt * readLimitMs }).catch(() => undefined); // Then once more.
  }
  await said.waitFor();
}
