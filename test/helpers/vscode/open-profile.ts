import type { Page } from 'playwright-core';
import { runCommand } from './commands.ts';

/** How long the dialog may take to read a folder, in ms. Before, Enter only chooses the folder. */
const readLimitMs = 2_000;
const attempts = 10;

/** Chooses a file of the workspace's top folder in the dialog of *Open Profile…*, in whatever folder that begins. */
export async function openProfile(page: Page, name: string): Promise<void> {
  await runCommand(page, 'Hotspan: Open Profile…');
  const folder = new URL(page.url()).searchParams.get('folder') ?? '';
  const dialog = page.locator('.quick-input-widget:visible');
  for (let attempt = 1; attempt < attempts; attempt++) {
    await dialog.locator('input.input').fill(`${folder}/${name}`);
    await page.keyboard.press('Enter');
    const isClosed = await dialog.waitFor({ state: 'hidden', timeout: readLimitMs }).then(
      () => true,
      () => false, // not read yet
    );
    if (isClosed) return;
  }
  throw new Error(`The dialog does not open ${name}.`);
}
