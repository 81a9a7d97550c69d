import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { runCommand } from './commands.ts';

/**
 * How long the dialog may take to read a folder at the first attempt, in ms; at each further one it is so much more. Before,
 * Enter only chooses the folder, and filling it in again begins the reading anew.
 */
const readLimitMs = 2_000;
const attempts = 6;

/**
 * Chooses a file in the dialog of *Open Profile…*, in whatever folder that begins. A name alone is of the workspace's top
 * folder.
 */
export async function openProfile(page: Page, name: string): Promise<void> {
  await runCommand(page, 'Hotspan: Open Profile…');
  await chooseInDialog(page, name);
}

/** Chooses a file in the dialog that opens. */
export async function chooseInDialog(page: Page, name: string): Promise<void> {
  const file = path.isAbsolute(name) ? name : `${new URL(page.url()).searchParams.get('folder') ?? ''}/${name}`;
  // It has a title, unlike the palette, which may still be closing.
  const titled = page.locator('.quick-input-title', { hasText: /\w/ });
  const dialog = page.locator('.quick-input-widget:visible', { has: titled });
  await dialog.waitFor();
  for (let attempt = 1; attempt < attempts; attempt++) {
    const input = dialog.locator('input.input');
    await input.fill(file);
    await input.press('Enter');
    const isClosed = await dialog.waitFor({ state: 'hidden', timeout: attempt * readLimitMs }).then(
      () => true,
      () => false, // not read yet
    );
    if (isClosed) return;
  }
  throw new Error(`The dialog does not take ${name}.`);
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
 * Chooses in a dialog until it is said what came of it. VS Code closes its dialog without a choice, or with another one,
 * where it is answered before it has read the folder that was typed.
 */
export async function untilSaid(said: Locator, choose: () => Promise<void>): Promise<void> {
  for (let attempt = 1; attempt < attempts && (await said.count()) === 0; attempt++) {
    await choose();
    await said.waitFor({ timeout: attempt * readLimitMs }).catch(() => undefined); // Then once more.
  }
  await said.waitFor();
}
