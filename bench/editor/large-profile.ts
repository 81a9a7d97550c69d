import { closeAllEditors, runCommand } from '../../test/helpers/vscode/commands.ts';
import { openProfile } from '../../test/helpers/vscode/open-profile.ts';
import type { Vscode } from '../../test/helpers/vscode/open-vscode.ts';
import { toasts, webviewPage } from '../../test/helpers/vscode/panels.ts';

const limitMs = 60_000;

/** From when the dialog of *Open Profile…* has closed to what the person sees, in ms by the clock. */
export interface Opening {
  readonly progress: number;
  readonly frames: number;
}

/** Opens a profile, looks at it, and closes it again. */
export async function openingOf({ page }: Vscode, file: string): Promise<Opening> {
  await openProfile(page, file);
  const closed = performance.now();
  const since = (): number => performance.now() - closed;
  const told = toasts(page).filter({ hasText: 'reading the recording' });
  const [progress, frames] = await Promise.all([
    told.waitFor({ timeout: limitMs }).then(since),
    webviewPage(page).locator('g.frame').first().waitFor({ timeout: limitMs }).then(since),
  ]);
  await closeAllEditors(page);
  await runCommand(page, 'Hotspan: Clear');
  return { progress, frames };
}
