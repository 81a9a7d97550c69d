import type { Vscode } from '../../test/helpers/vscode/open-vscode.ts';
import { closeAllEditors, runCommand } from '../../test/helpers/vscode/commands.ts';
import { toasts, webviewPage } from '../../test/helpers/vscode/panels.ts';

const limitMs = 60_000;

/** From the choice of a file in the dialog of *Open Profile…* to what the person sees, in ms by the clock. */
export interface Opening {
  readonly progress: number;
  readonly frames: number;
}

/** Opens a profile, looks at it, and closes it again. */
export async function openingOf({ page }: Vscode, file: string): Promise<Opening> {
  await runCommand(page, 'Hotspan: Open Profile…');
  const input = page
    .locator('.quick-input-widget:visible', { has: page.locator('.quick-input-title') })
    .locator('input');
  await input.fill(file);
  // The dialog lists the folder of what is typed; Enter before that is lost.
  await page.locator('.quick-input-list .monaco-list-row', { hasText: file.split('/').at(-1) ?? file }).waitFor();
  const chosen = performance.now();
  await input.press('Enter');
  const since = async (shown: Promise<void>): Promise<number> => shown.then(() => performance.now() - chosen);
  const [progress, frames] = await Promise.all([
    since(toasts(page).filter({ hasText: 'reading the recording' }).waitFor({ timeout: limitMs })),
    since(webviewPage(page).locator('g.frame').first().waitFor({ timeout: limitMs })),
  ]);
  await closeAllEditors(page);
  await runCommand(page, 'Hotspan: Clear');
  return { progress, frames };
}
