import type { Page } from 'playwright-core';
import {
  closeAllEditors,
  openFile,
  pickExactRow,
  quickInputRows,
  runCommand,
} from '../../test/helpers/vscode/commands.ts';
import { lenses } from '../../test/helpers/vscode/editor.ts';
import { toastButton, toasts, welcome } from '../../test/helpers/vscode/panels.ts';
import { type Stage, surface } from './camera.ts';

/** What there is before anything was run. */
export const startStages: readonly Stage[] = [
  {
    surfaces: [
      surface('empty-views', async (page) => {
        await runCommand(page, 'Hotspan: Focus on Hotspots View');
        await welcome(page, 'Hotspots', 'Find the lines that block the event loop.').waitFor();
      }),
      surface('empty-notification', async (page) => {
        await runCommand(page, 'Hotspan: Open Recording…');
        await toastButton(page, 'Profile Tests').waitFor();
      }),
      surface('walkthrough', async (page) => {
        await clearNotifications(page);
        await runCommand(page, 'Welcome: Open Walkthrough...');
        await pickExactRow(page, 'Find What Blocks the Event Loop');
        await page.getByRole('button', { name: 'Profile Tests' }).first().waitFor();
      }),
      surface('settings', async (page) => {
        await closeAllEditors(page);
        await runCommand(page, 'Preferences: Open Settings (UI)');
        await page.locator('.settings-editor .suggest-input-container .monaco-editor').click();
        await page.keyboard.press('Control+A');
        await page.keyboard.type('@ext:hotspan.hotspan');
        await page.locator('.settings-editor .setting-item-label', { hasText: 'Threshold' }).first().waitFor();
      }),
      surface('palette', async (page) => {
        await closeAllEditors(page);
        await page.keyboard.press('F1');
        await page.locator('.quick-input-widget:visible input.input').fill('>Hotspan');
        await quickInputRows(page).filter({ hasText: 'Profile Tests' }).waitFor();
      }),
      surface('test-lenses', async (page) => {
        await openFile(page, 'test/catalogue.test.js');
        await lenses(page).filter({ hasText: 'Profile This' }).first().waitFor();
      }),
    ],
  },
];

/** What there is while a run goes on. */
export const runStages: readonly Stage[] = [
  {
    prepare: async (page) => {
      await clearNotifications(page);
      await closeAllEditors(page);
    },
    surfaces: [
      surface('progress', async (page) => {
        await openFile(page, 'src/catalogue/catalogue.js');
        await runCommand(page, 'Hotspan: Profile Tests');
        await toasts(page).filter({ hasText: 'loop held up to' }).waitFor();
      }),
    ],
  },
];

export async function clearNotifications(page: Page): Promise<void> {
  await runCommand(page, 'Notifications: Clear All Notifications');
  await toasts(page).first().waitFor({ state: 'detached' });
}
