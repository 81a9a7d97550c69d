import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { lineOf } from '../helpers/source-line.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { openFile, quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
import { decorationWith } from '../helpers/vscode/editor.ts';
import { openVscode } from '../helpers/vscode/open-vscode.ts';
import { statusBarEntry, toasts, treeRows, webviewPage, welcome } from '../helpers/vscode/panels.ts';
import { profileTests, resultInStatusBar } from '../helpers/vscode/profile-tests.ts';
import { keepScreenshotsOfFailures, screenshot } from '../helpers/vscode/screenshot.ts';

const folder = temporaryProject({
  'package.json': '{ "name": "reloaded", "type": "module", "scripts": { "test": "node --test" } }',
  'hash.js': `import { pbkdf2Sync } from 'node:crypto';

export function hash() {
  return pbkdf2Sync('secret', 'salt', 200_000, 32, 'sha512');
}
`,
  'test/hash.test.js': `import { test } from 'node:test';
import { hash } from '../hash.js';

test('hashes', () => { hash(); });
`,
});
const vscode = await openVscode({ folder });
const { page, server } = vscode;
after(() => vscode.close());
keepScreenshotsOfFailures(page);

/** By VS Code's own command, which saves what is open before. */
async function reload(): Promise<void> {
  const loaded = page.waitForEvent('load', { timeout: 120_000 });
  await runCommand(page, 'Developer: Reload Window');
  await loaded;
  await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 120_000 });
}

test('after a reload of the window the view brings lines and tree back', async () => {
  const worst = await profileTests(page);
  await openFile(page, 'hash.js');
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await treeRows(page, 'Hotspots').filter({ hasText: 'hash' }).first().waitFor();
  await reload();
  assert.equal(await resultInStatusBar(page), worst);
  await treeRows(page, 'Hotspots').filter({ hasText: 'worst' }).first().waitFor();
  assert.equal((await decorationWith(page, 'worst')).line, lineOf(`${folder}/hash.js`, 'return pbkdf2Sync('));
  await screenshot(page, 'reloaded');
});

test('so is the flamegraph, with the figures of the lines', async () => {
  await runCommand(page, 'Hotspan: Open Flamegraph');
  const frame = webviewPage(page).locator('g.frame[name="hash"]').first();
  await frame.waitFor();
  await reload();
  await resultInStatusBar(page);
  await frame.waitFor();
  await runCommand(page, 'View: Close All Editors');
});

test('after Clear it stays cleared, and Open Recording… brings it back', async () => {
  await runCommand(page, 'Hotspan: Clear');
  await statusBarEntry(page, /worst/).waitFor({ state: 'detached' });
  await reload();
  await welcome(page, 'Hotspots', 'Find the lines that block the event loop.').waitFor();
  await runCommand(page, 'Hotspan: Open Recording…');
  const row = quickInputRows(page).filter({ hasText: 'npm test' });
  await row.filter({ hasText: /[\d.]+ [kM]B/ }).waitFor();
  await screenshot(page, 'open-recording');
  assert.equal(await statusBarEntry(page, /worst/).count(), 0);
  await row.click();
  await resultInStatusBar(page);
});

test('a recording that has been deleted is gone without a word', async () => {
  const storage = path.join(server.folder, 'user-data/User/workspaceStorage');
  for (const workspace of readdirSync(storage))
    rmSync(path.join(storage, workspace, 'hotspan.hotspan'), { recursive: true, force: true });
  await reload();
  await welcome(page, 'Hotspots', 'Find the lines that block the event loop.').waitFor();
  assert.equal(await toasts(page).count(), 0);
  await statusBarEntry(page, /worst/).waitFor({ state: 'detached' });
});
