import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { closeAllEditors, openFile, pickExactRow, runCommand } from '../../test/helpers/vscode/commands.ts';
import { decorationWith } from '../../test/helpers/vscode/editor.ts';
import { statusBarEntry, toasts, treeRows, welcome } from '../../test/helpers/vscode/panels.ts';
import { profileTests, resultInStatusBar } from '../../test/helpers/vscode/profile-tests.ts';
import { type Stage, surface } from './camera.ts';
import { appPort } from './folders.ts';

export const appStages: readonly Stage[] = [
  {
    surfaces: [
      surface('pick-app', async (page) => {
        await runCommand(page, 'Hotspan: Profile App');
        await page.locator('.quick-input-widget:visible', { hasText: 'Production' }).waitFor();
      }),
    ],
  },
  {
    prepare: async (page) => {
      await runCommand(page, 'Hotspan: Profile App');
      await pickExactRow(page, 'Production');
      while (!(await answers('/'))) await wait(100);
    },
    surfaces: [
      surface('app-listens', async (page) => {
        await toasts(page).filter({ hasText: 'loop held up to' }).waitFor();
        await statusBarEntry(page, String(appPort)).waitFor();
      }),
    ],
  },
  {
    prepare: async (page) => {
      for (let round = 0; round < 4; round++)
        await Promise.all(['/', '/sign-in', '/', '/sign-in', '/', '/'].map(async (url) => answers(url)));
      await runCommand(page, 'Hotspan: Stop and Show');
      await resultInStatusBar(page);
      await runCommand(page, 'View: Toggle Panel Visibility');
    },
    surfaces: [
      surface('who-waited', async (page) => {
        await closeAllEditors(page);
        await openFile(page, 'app.js');
        await decorationWith(page, 'stack');
        await runCommand(page, 'Hotspan: Focus on Who Waited View');
        await treeRows(page, 'Who Waited').filter({ hasText: 'lost behind it' }).first().waitFor();
      }),
    ],
  },
];

export const healthyStages: readonly Stage[] = [
  {
    prepare: async (page) => {
      await profileTests(page);
    },
    surfaces: [
      surface('nothing-blocks', async (page) => {
        await statusBarEntry(page, 'nothing over').waitFor();
        await runCommand(page, 'Hotspan: Focus on Hotspots View');
      }),
    ],
  },
];

export const restrictedStages: readonly Stage[] = [
  {
    surfaces: [
      surface('restricted', async (page) => {
        await runCommand(page, 'Hotspan: Focus on Hotspots View');
        await welcome(page, 'Hotspots', 'Hotspan runs nothing in a folder that you have not trusted.').waitFor();
      }),
    ],
  },
];

/** Whether the app answers. */
async function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port: appPort, path: url }, (response) => {
      response.resume().once('end', () => resolve(true));
    }).once('error', () => resolve(false));
  });
}
