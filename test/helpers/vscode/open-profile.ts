import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { runCommand } from './commands.ts';
import { untilItWorks } from './until-it-works.ts';

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
  await untilItWorks(async (limit) => {
    await openDialog();
    await dialog.waitFor();
    await takeFile(dialog, file, limit);
    if (!(await dialog.isVisible())) return;
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    throw new Error(`The dialog still reads, or reads a folder without end.`);
  }, `The dialog does not take ${name}.`);
}

async function takeFile(dialog: Locator, file: string, limit: number): Promise<void> {
  try {
    await typePath(dialog, file, limit);
    await dialog.locator('input.input').press('Enter', { timeout: limit });
    await dialog.waitFor({ state: 'hidden', timeout: limit });
  } catch {
    // It has closed meanwhile, or still reads.
  }
}

/**
 * Before the folder has been read, which its row shows, an answer chooses the folder, or what has that name in the folder
 * of the last choice: so the dialog leaves that one first.
 */
async function typePath(dialog: Locator, chosen: string, limit: number): Promise<void> {
  const [input, rows] = [dialog.locator('input.input'), dialog.locator('.monaco-list-row')];
  const row = rows.filter({ hasText: path.basename(chosen) }).first();
  await rows.first().waitFor({ timeout: limit });
  await input.fill('/', { timeout: limit });
  if (path.dirname(chosen) !== '/') await row.waitFor({ state: 'detached', timeout: limit });
  await input.fill(chosen, { timeout: limit });
  // A file that is to be saved has no row.
  if (existsSync(chosen)) await row.waitFor({ timeout: limit });
}

/** Chooses a folder in the dialog that opens, whose button has this label. That dialog has no title. */
export async function chooseFolderInDialog(page: Page, folder: string, label: string): Promise<void> {
  const dialog = page.locator('.quick-input-widget:visible');
  const button = dialog.getByText(label);
  await button.waitFor();
  await untilItWorks(
    async (limit) => {
      if ((await button.count()) === 0) return;
      await typePath(dialog, folder, limit);
      await button.click({ timeout: limit });
      await button.waitFor({ state: 'detached', timeout: limit }); // It may still read.
    },
    `The dialog does not take ${folder}.`,
    300, // Where it has come back over the next list it takes nothing.
  );
}

/**
 * Chooses in a dialog, or clicks, until it is said what came of it. Where VS Code's dialog is answered before it has read
 * the folder that was typed, it closes without a choice or with another one, or comes back over the next list. `step`: ms
 * that the first attempt may take.
 */
export async function untilSaid(said: Locator, choose: () => Promise<void>, step?: number): Promise<void> {
  await untilItWorks(
    async (limit) => {
      if ((await said.count()) > 0) return;
      await choose().catch(async () => said.page().keyboard.press('Escape'));
      await said.waitFor({ timeout: limit });
    },
    `${said.toString()} is not said.`,
    step,
  );
}
