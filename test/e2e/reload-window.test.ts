import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { lineOf } from '../helpers/source-line.ts';
import { hashModule, temporaryProject } from '../helpers/temporary-project.ts';
import { openFile, quickInputRows, runCommand, closeAllEditors, reloadWindow } from '../helpers/vscode/commands.ts';
import { decorationWith } from '../helpers/vscode/editor.ts';
import { logSays } from '../helpers/vscode/hotspan-log.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import {
  clickWhileOver,
  statusBarEntry,
  toasts,
  toastsAreAtMost,
  treeRows,
  webviewPage,
  welcome,
} from '../helpers/vscode/panels.ts';
import {
  clearResults,
  profileTests,
  resultInStatusBar,
  resultPattern,
  showRecording,
} from '../helpers/vscode/profile-tests.ts';
import { storeComparison, storeFixtures, storedRecordings } from '../helpers/vscode/stored-recordings.ts';

const folder = temporaryProject({
  'package.json': '{ "name": "reloaded", "type": "module", "scripts": { "test": "node --test test/hash.test.js" } }',
  'hash.js': hashModule,
  'test/hash.test.js': `import { test } from 'node:test';
import { hash } from '../hash.js';

test('hashes', () => { hash(); });
`,
});
const { page, server } = await vscodeForTests({ folder });
const [other = ''] = storeFixtures(server, path.join(folder, 'shop'), ['small/run-1']);
rmSync(path.join(folder, 'shop/package.json')); // There is one package whose tests are profiled.
/** Where results are kept: a file for each. */
const kept = path.join(server.folder, 'user-data/User/globalStorage/hotspan.hotspan/shown');
const hotspots = treeRows(page, 'Hotspots');

test('after a reload of the window lines, status bar, tree, comparison and flamegraph are back, whatever view is open', async () => {
  await showRecording(page, 'shop.test.js');
  await clearResults(page);
  const worst = await profileTests(page);
  await runCommand(page, 'Hotspan: Open Flamegraph');
  const frame = webviewPage(page).locator('g.frame[name="hash"]').first();
  await frame.waitFor();
  await runCommand(page, 'View: Show Explorer');
  await keepDamagedAndDeleted();
  storeComparison(server);
  await reloadWindow(page);
  assert.equal(await resultInStatusBar(page), worst);
  await frame.waitFor();
  await openFile(page, 'hash.js');
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  const row = hotspots.filter({ hasText: /m?s\u2002hash/ });
  await row.first().waitFor();
  assert.equal((await decorationWith(page, 'stack')).line, lineOf(`${folder}/hash.js`, 'return pbkdf2Sync('));
  await treeRows(page, 'Comparison').filter({ hasText: 'main (3 runs) → your work tree (3 runs)' }).waitFor();
  await closeAllEditors(page);
});

/** Adds two results to those that are kept: a damaged one, and one whose recording is deleted once this window has read it. */
async function keepDamagedAndDeleted(): Promise<void> {
  const [name = ''] = readdirSync(kept);
  const keep = (id: string, text: string): void =>
    writeFileSync(path.join(kept, name.replace(/\w{16}\.json$/, `${id}.json`)), text);
  const empty = path.join(folder, 'empty');
  mkdirSync(empty);
  keep('0000000000000000', '{ "target": 7 }');
  keep('1111111111111111', JSON.stringify({ target: empty, isOurs: false, shownAt: 1, recordings: [empty] }));
  await logSays(server, /empty is not shown again: /);
  rmSync(empty, { recursive: true });
}

test('a recording that has been deleted is gone without a word, and so is a damaged file: the log has both', async () => {
  await logSays(server, /empty is no longer shown: it has been deleted\./);
  await logSays(server, /0000000000000000\.json is not a result that this version can show\./);
  await toastsAreAtMost(page, 0);
});

test('after Clear it stays cleared, and Open Recording… brings it back', async () => {
  assert.equal(await hotspots.filter({ hasText: 'quote' }).count(), 0); // It was cleared before the reload.
  await clearResults(page);
  await welcome(page, 'Hotspots', 'Find the lines that block the event loop.').waitFor();
  await runCommand(page, 'Hotspan: Open Recording…');
  const row = quickInputRows(page).filter({ hasText: 'npm test' });
  await row.filter({ hasText: /[\d.]+ [kM]B/ }).waitFor();
  assert.equal(await statusBarEntry(page, resultPattern).count(), 0);
  await row.click();
  await resultInStatusBar(page);
});

test('a recording that is deleted while a pick is open is said to be gone', async () => {
  await runCommand(page, 'Hotspan: Compare with…');
  await quickInputRows(page).filter({ hasText: 'A commit or branch…' }).click();
  const pick = page.locator('.quick-input-widget:visible input.input[placeholder*="Any name can be typed"]');
  await pick.waitFor();
  const recording = storedRecordings(server).find((one) => one !== other) ?? '';
  renameSync(recording, `${recording}.away`);
  await pick.fill('HEAD');
  await quickInputRows(page).filter({ hasText: 'as typed' }).click();
  await toasts(page).filter({ hasText: 'The recording is not there any more: profile the tests again.' }).waitFor();
  renameSync(`${recording}.away`, recording);
  await runCommand(page, 'Notifications: Clear All Notifications');
});

test('the trash in Open Recording… asks first, and never takes a recording that goes on', async () => {
  const ended = storedRecordings(server).find((one) => one !== other) ?? '';
  const running = path.join(path.dirname(ended), '2026-01-31T12-00-00-000Z');
  cpSync(ended, running, { recursive: true });
  const manifest = readFileSync(path.join(ended, 'recording.json'), 'utf8');
  const goesOn = manifest.replace(/"endedAt": "[^"]*"/, '"endedAt": null').replace('"npm"', '"pnpm"');
  writeFileSync(path.join(running, 'recording.json'), goesOn);
  const dialog = page.locator('.monaco-dialog-box');

  await pressTrash('pnpm test');
  await toasts(page).filter({ hasText: 'This recording is still going on: stop it first, then delete it.' }).waitFor();
  await page.keyboard.press('Escape');

  await pressTrash(/^npm test/);
  await dialog.filter({ hasText: 'Delete the recording of npm test?' }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(storedRecordings(server).length, 3);

  await pressTrash(/^npm test/);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await quickInputRows(page)
    .filter({ hasText: /^npm test/ })
    .waitFor({ state: 'detached' });
  assert.deepEqual(storedRecordings(server).toSorted(), [running, other].toSorted());
  await page.keyboard.press('Escape');
  await runCommand(page, 'Notifications: Clear All Notifications');
});

async function pressTrash(command: string | RegExp): Promise<void> {
  await page.keyboard.press('Escape');
  await runCommand(page, 'Hotspan: Open Recording…');
  const row = quickInputRows(page).filter({ hasText: command });
  await clickWhileOver(row, row.locator('.codicon-trash'));
}

test('where results cannot be kept, they are shown until the window closes, and the log says why', async () => {
  await clearResults(page);
  rmSync(kept, { recursive: true });
  writeFileSync(kept, 'no folder');
  await showRecording(page, 'shop.test.js');
  await logSays(server, /A reload of the window will not show this result: /);
  await reloadWindow(page);
  await logSays(server, /Results of other windows are not seen: /);
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await welcome(page, 'Hotspots', 'Find the lines that block the event loop.').waitFor();
  await statusBarEntry(page, resultPattern).waitFor({ state: 'detached' });
});
