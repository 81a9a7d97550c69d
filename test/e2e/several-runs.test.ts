import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { openFile, quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
import { decorationWith, lenses } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { statusBarEntry, treeRows } from '../helpers/vscode/panels.ts';
import { storeFixtures } from '../helpers/vscode/stored-recordings.ts';

const folder = temporaryProject({});
const { page, server } = await vscodeForTests({ folder });

test('several recordings that are opened together show the range of the runs', async () => {
  storeFixtures(server, folder, ['small/run-1', 'small/run-2']);
  await runCommand(page, 'Hotspan: Open Recording…');
  const rows = quickInputRows(page).filter({ hasText: 'node --test' });
  await rows.nth(1).waitFor();
  await page.locator('.quick-input-widget:visible .codicon-checklist').click();
  // A click on the row itself, before the list has its boxes, would choose that one alone.
  for (const number of [0, 1]) await rows.nth(number).locator('.monaco-checkbox').click();
  await page.locator('.quick-input-widget:visible .monaco-button', { hasText: 'OK' }).click();
  await statusBarEntry(page, /worst/).waitFor();
  await openFile(page, 'shop.js');
  await lenses(page).filter({ hasText: 'flamegraph' }).first().waitFor();
  assert.match((await decorationWith(page, '2 runs')).text, /≈?(\d+–)?\d+ ms worst, 2 runs · 1 × >10 ms/);
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await treeRows(page, 'Hotspots')
    .filter({ hasText: /(\d+–)?\d+ ms\u2002\w+2 runs · 1 ×/ })
    .first()
    .waitFor();
  await treeRows(page, 'Hotspots').filter({ hasText: 'About these figures' }).waitFor();
});
