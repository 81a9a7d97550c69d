import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { closeAllEditors, openFile, quickInputRows, runCommand } from '../../test/helpers/vscode/commands.ts';
import { lenses } from '../../test/helpers/vscode/editor.ts';
import { toastButton, treeRows, webviewPage } from '../../test/helpers/vscode/panels.ts';
import { profileTests } from '../../test/helpers/vscode/profile-tests.ts';
import { clearNotifications } from './before-a-result.ts';
import { type Stage, surface } from './camera.ts';

const patience = { timeout: 180_000 };

/** A re-check, its diff, and a comparison with the commit before. */
export const fixStages: readonly Stage[] = [
  {
    prepare: async (page) => {
      await profileTests(page);
      await runCommand(page, 'View: Toggle Panel Visibility');
      await fixClone(page);
      await openFile(page, 'src/catalogue/catalogue.js');
      await lenses(page)
        .filter({ hasText: /^re-check$/ })
        .last()
        .click();
    },
    surfaces: [
      surface('recheck-progress', async (page) => {
        await lenses(page)
          .filter({ hasText: /^re-checking|^≈?\d.* → / })
          .first()
          .waitFor(patience);
      }),
    ],
  },
  {
    prepare: async (page) => {
      await lenses(page)
        .filter({ hasText: /^≈?\d.* → / })
        .first()
        .waitFor(patience);
      await clearNotifications(page);
    },
    surfaces: [
      surface('recheck', async (page) => {
        await closeAllEditors(page);
        await openFile(page, 'src/catalogue/catalogue.js');
        await runCommand(page, 'Hotspan: Focus on Hotspots View');
        await treeRows(page, 'Hotspots').filter({ hasText: '→' }).first().waitFor();
      }),
      surface('diff', async (page) => {
        await closeAllEditors(page);
        await openFile(page, 'src/catalogue/catalogue.js');
        await lenses(page)
          .filter({ hasText: /^≈?\d.* → / })
          .first()
          .click();
        await webviewPage(page).locator('g.frame[name="snapshot"]').first().waitFor(patience);
      }),
    ],
  },
  {
    prepare: async (page) => {
      await runCommand(page, 'Hotspan: Compare with…');
      await quickInputRows(page).filter({ hasText: 'A commit or branch…' }).click();
      await quickInputRows(page).filter({ hasText: 'The shop' }).first().waitFor();
      await page.keyboard.type('HEAD');
      await quickInputRows(page).filter({ hasText: 'as typed' }).click();
    },
    surfaces: [
      surface('compare-progress', async (page) => {
        await toastButton(page, 'Cancel').or(treeRows(page, 'Comparison').first()).first().waitFor(patience);
      }),
    ],
  },
  {
    prepare: async (page) => {
      await treeRows(page, 'Comparison').nth(1).waitFor({ timeout: 280_000 });
    },
    surfaces: [
      surface('comparison', async (page) => {
        await treeRows(page, 'Comparison').nth(1).waitFor();
      }),
    ],
  },
];

async function fixClone(page: Page): Promise<void> {
  const file = path.join(new URL(page.url()).searchParams.get('folder') ?? '', 'src/catalogue/catalogue.js');
  const clone = 'JSON.parse(JSON.stringify(products))';
  writeFileSync(file, readFileSync(file, 'utf8').replace(clone, 'products.map((product) => ({ ...product }))'));
}
