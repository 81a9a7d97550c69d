import path from 'node:path';
import { test } from 'node:test';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { uncertainProgram, uncertainRecording } from '../helpers/uncertain-recording.ts';
import { quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
import { lenses } from '../helpers/vscode/editor.ts';
import { openProfile } from '../helpers/vscode/open-profile.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import {
  activeTab,
  clickUntil,
  expandRow,
  toastButton,
  toasts,
  treeRows,
  webviewPage,
} from '../helpers/vscode/panels.ts';
import { profileTests } from '../helpers/vscode/profile-tests.ts';

const scripts = { test: 'node shop.js' };
const folder = temporaryProject({ ...uncertainProgram, 'package.json': JSON.stringify({ name: 'shop', scripts }) });
const { page } = await vscodeForTests({ folder });

test('Make sure says what it costs, runs it, and the verdict has what was seen again', async () => {
  await profileTests(page); // So the command is one that this person has run.
  await runCommand(page, 'Hotspan: Clear');
  await openProfile(page, path.join(uncertainRecording(folder, ['npm', 'run', 'test']), 'recording.json'));
  const rows = treeRows(page, 'Hotspots');
  const row = rows
    .filter({ hasText: 'Make sure of 2 findings' })
    .filter({ hasText: '2 × about 76 ms, the whole command' });
  // Before the page is there the rows move, and it takes the focus.
  await webviewPage(page).locator('g.frame[name=quote]').waitFor();
  await clickUntil(row, toasts(page).filter({ hasText: /Make Sure|seen again/ }));
  await page.getByText('2 uncertain findings: 1 seen again, 1 not.').first().waitFor();
  await row.waitFor({ state: 'detached' });
  await rows
    .filter({ hasText: /^36 ms\s+quote/ })
    .first()
    .waitFor();
  await expandRow(rows, 'Not in the verdict');
  await rows.filter({ hasText: 'rank' }).filter({ hasText: 'not seen again' }).waitFor();
});

test('a re-check of more than a minute asks first', async () => {
  await runCommand(page, 'Hotspan: Clear');
  const recording = uncertainRecording(folder, ['npm', 'run', 'test'], 11_000);
  await openProfile(page, path.join(recording, 'recording.json'));
  // Before the page is there the rows move, and it takes the focus: a click may close the group of the row.
  await webviewPage(page).locator('g.frame[name=quote]').waitFor();
  await clickUntil(treeRows(page, 'Hotspots').filter({ hasText: /quote/ }).first(), activeTab(page, 'shop.js'));
  await lenses(page).filter({ hasText: 'more…' }).first().click();
  await quickInputRows(page).filter({ hasText: 'Re-check: has my change helped?' }).click();
  await page
    .getByText(/: 6 to 16 × about 11\.\d s, the whole command\. Run it\?$/)
    .first()
    .waitFor();
  await toastButton(page, 'Re-check').waitFor();
});
