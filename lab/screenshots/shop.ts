import type { Page } from 'playwright-core';
import {
  closeAllEditors,
  openFile,
  pickExactRow,
  quickInputRows,
  runCommand,
} from '../../test/helpers/vscode/commands.ts';
import { decorationWith, hoverWith, lenses } from '../../test/helpers/vscode/editor.ts';
import { expandRow, hoverOf, statusBarEntry, toasts, treeRows } from '../../test/helpers/vscode/panels.ts';
import { profileTests } from '../../test/helpers/vscode/profile-tests.ts';
import { clearNotifications } from './before-a-result.ts';
import { type Stage, surface } from './camera.ts';
import { flamegraphSurfaces, tierSurfaces } from './flamegraph.ts';

/** What there is with a result. */
export const resultStages: readonly Stage[] = [
  {
    prepare: async (page) => {
      await profileTests(page);
      await runCommand(page, 'View: Toggle Panel Visibility');
      await toasts(page).first().waitFor({ state: 'detached' });
    },
    surfaces: [
      ...[
        ['marks', 'src/catalogue/catalogue.js'],
        ['marks-two-functions', 'src/catalogue/bestsellers.js'],
        ['marks-logger', 'src/logger.js'],
        ['marks-email', 'src/accounts/email.js'],
        ['marks-tests', 'test/orders.test.js'],
      ].map(([name = '', file = '']) => ({
        name,
        show: async (page: Page) => {
          await closeAllEditors(page);
          await runCommand(page, 'Hotspan: Focus on Hotspots View');
          await treeRows(page, 'Hotspots').filter({ hasText: 'isEmail' }).waitFor();
          await openFile(page, file);
          if (name === 'marks-tests') await page.keyboard.press('Control+End'); // Its helpers stand below the tests.
          await decorationWith(page, name === 'marks-tests' ? ' ms' : 'stack');
          await lenses(page).first().waitFor();
        },
      })),
      hover('hover-clone', 'src/catalogue/catalogue.js', 'JSON', 'Ways out'),
      hover('hover-expression', 'src/accounts/email.js', 'test', 'Ways out'),
      hover('hover-two-functions', 'src/catalogue/bestsellers.js', 'ranked', 'This line'),
      hover('hover-sync', 'src/accounts/card.js', '32', 'worst'),
      surface('status-bar-tooltip', async (page) => {
        await closeAllEditors(page);
        await hoverOf(statusBarEntry(page, / m?s\s*$/), 'Threshold');
      }),
      ...['File', 'Function', 'Package blamed', 'Test', 'Process', 'Route'].map((label) => ({
        name: `tree-${label.split(' ')[0]?.toLowerCase()}`,
        show: async (page: Page) => {
          await closeAllEditors(page);
          await runCommand(page, 'Hotspan: Group Hotspots By…');
          await pickExactRow(page, label);
          await runCommand(page, 'Hotspan: Focus on Hotspots View');
          await expandRow(treeRows(page, 'Hotspots'), 'All hotspots');
        },
      })),
      surface('tree-row-tooltip', async (page) => {
        await runCommand(page, 'Hotspan: Group Hotspots By…');
        await pickExactRow(page, 'File');
        await treeRows(page, 'Hotspots').filter({ hasText: 'catalogue.js' }).first().waitFor();
        await hoverOf(treeRows(page, 'Hotspots').filter({ hasText: 'snapshot' }).first(), /over the threshold/);
      }),
      surface('operations', async (page) => {
        await runCommand(page, 'Hotspan: Focus on Long Operations View');
        await treeRows(page, 'Long Operations').nth(2).waitFor();
      }),
      surface('waits', async (page) => {
        await runCommand(page, 'Hotspan: Focus on Who Waited View');
        await treeRows(page, 'Who Waited').filter({ hasText: 'Event loop of' }).first().waitFor();
      }),
      ...[
        ['pick-group', 'Hotspan: Group Hotspots By…'],
        ['pick-sort', 'Hotspan: Sort Hotspots By…'],
        ['pick-threshold', 'Hotspan: Lower the Threshold'],
        ['pick-compare', 'Hotspan: Compare with…'],
        ['pick-recording', 'Hotspan: Open Recording…'],
        ['pick-target', 'Hotspan: Profile npm Script'],
        ['pick-process', 'Hotspan: Attach to Process…'],
      ].map(([name = '', command = '']) => ({
        name,
        show: async (page: Page) => {
          await openFile(page, 'src/catalogue/catalogue.js');
          await decorationWith(page, 'stack');
          await runCommand(page, command);
          await page.locator('.quick-input-widget:visible:not(:has(input[aria-label*="command"]))').waitFor();
          await quickInputRows(page).first().waitFor();
        },
      })),
      surface('more-actions', async (page) => {
        await openFile(page, 'src/catalogue/catalogue.js');
        await lenses(page).filter({ hasText: 'more…' }).last().click();
        await quickInputRows(page).filter({ hasText: 'Callees' }).waitFor();
      }),
      surface('more-actions-stacks', async (page) => {
        await openFile(page, 'src/catalogue/catalogue.js');
        await lenses(page).filter({ hasText: 'more…' }).last().click();
        await quickInputRows(page).filter({ hasText: 'Heaviest stacks' }).click();
        await page
          .locator('.quick-input-widget:visible', { hasText: 'callers first' })
          .or(page.locator('input[placeholder*="callers first"]'))
          .first()
          .waitFor();
      }),
      surface('toggle-off', async (page) => {
        await openFile(page, 'src/catalogue/catalogue.js');
        await runCommand(page, 'Hotspan: Toggle Annotations');
        await lenses(page).first().waitFor({ state: 'detached' });
        await runCommand(page, 'Hotspan: Toggle Annotations');
        await lenses(page).first().waitFor();
      }),
      {
        name: 'edited',
        show: async (page) => {
          await closeAllEditors(page);
          await openFile(page, 'src/accounts/email.js');
          await decorationWith(page, 'stack');
          await page.locator('.view-line span span', { hasText: 'pattern' }).last().click();
          await page.keyboard.press('Home');
          await page.keyboard.type('void 0; ');
          await lenses(page).filter({ hasText: 're-check' }).waitFor();
        },
        leave: async (page) => {
          await runCommand(page, 'View: Revert and Close Editor');
          await closeAllEditors(page);
        },
      },
    ],
  },
  {
    surfaces: flamegraphSurfaces,
  },
  {
    prepare: async (page) => {
      await closeAllEditors(page);
      await clearNotifications(page);
    },
    surfaces: tierSurfaces,
  },
];

export const problemStages: readonly Stage[] = [
  {
    prepare: async (page) => {
      await profileTests(page);
    },
    surfaces: [
      surface('problems', async (page) => {
        await openFile(page, 'src/catalogue/catalogue.js');
        await runCommand(page, 'View: Focus Problems (Errors, Warnings, Infos)');
        await page.locator('.markers-panel .monaco-list-row').nth(3).waitFor();
      }),
    ],
  },
];

function hover(name: string, file: string, word: string, text: string): Stage['surfaces'][number] {
  return {
    name,
    isPerTheme: true,
    show: async (page) => {
      await openFile(page, file);
      await lenses(page).first().waitFor();
      await hoverWith(page, word, text);
    },
  };
}
