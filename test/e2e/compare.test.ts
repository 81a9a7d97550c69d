import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { projectFile } from '../helpers/project.ts';
import { lineOf } from '../helpers/source-line.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { quickInputRows, runCommand, reloadWindow } from '../helpers/vscode/commands.ts';
import { cursorOnLine } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { activeTab, toastButton, treeRows } from '../helpers/vscode/panels.ts';
import { profileTests } from '../helpers/vscode/profile-tests.ts';
import { endedRecordings, recordingsHaveEnded } from '../helpers/vscode/stored-recordings.ts';

// The shop in a repository of its own, with the tests of one file, so that a run is short.
const folder = temporaryProject({ '.gitignore': 'node_modules\n' });
cpSync(projectFile('examples/shop'), folder, { recursive: true });
const manifest = path.join(folder, 'package.json');
writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('test/**/*.test.js', 'test/catalogue.test.js'));
const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
execFileSync('git', ['init', '--quiet'], { cwd: folder });
execFileSync('git', ['add', '--all'], { cwd: folder });
execFileSync('git', [...identity, 'commit', '--quiet', '-m', 'The shop'], { cwd: folder });

const catalogue = path.join(folder, 'src/catalogue/catalogue.js');
const before = readFileSync(catalogue, 'utf8');
const fixed = before.replace('JSON.parse(JSON.stringify(products))', 'products.map((product) => ({ ...product }))');

const { page, server } = await vscodeForTests({ folder, settings: { 'hotspan.recordings.keep': 10 } });

async function profileAgain(): Promise<void> {
  const count = endedRecordings(server);
  await runCommand(page, 'Hotspan: Profile Last Target Again');
  await recordingsHaveEnded(server, count + 1);
}

/** What is compared with has to be prepared first. */
const patience = { timeout: 120_000 };

const rows = treeRows(page, 'Comparison');
/** Other programs can make it too noisy to say: then its figure is an interval. */
const snapshot = rows.filter({ hasText: /(ms|%|×) {2}snapshot/ });

test('recordings from before and after a fix fill a tree, grouped by what became of each function', async () => {
  await profileTests(page);
  await profileAgain();
  await profileAgain();
  writeFileSync(catalogue, fixed);
  for (let run = 0; run < 3; run++) await profileAgain();
  await runCommand(page, 'Hotspan: Compare with…');
  await quickInputRows(page).filter({ hasText: 'Other recordings…' }).waitFor();
  await quickInputRows(page).filter({ hasText: 'Other recordings…' }).click();
  // The newest first: two from after the fix, three from before it.
  for (const row of [2, 3, 4]) await quickInputRows(page).nth(row).locator('.monaco-checkbox').click();
  await page.locator('.quick-input-widget:visible').getByText('OK', { exact: true }).click();
  await page.locator('.quick-input-widget:visible').locator('input.input[placeholder*="after the change"]').waitFor();
  for (const row of [0, 1]) await quickInputRows(page).nth(row).locator('.monaco-checkbox').click();
  await page.locator('.quick-input-widget:visible').getByText('OK', { exact: true }).click();
  await rows.filter({ hasText: 'before (3 runs) → now (3 runs), one after the other' }).waitFor();
  await rows
    .filter({ hasText: /^(Faster|Gone|Moved|Too noisy to say)\d+ functions?$/ })
    .first()
    .waitFor();
  await snapshot.waitFor();
});

test('a click opens the function where it begins now, also after an edit above it', async () => {
  const line = lineOf(catalogue, 'snapshot()');
  await snapshot.click();
  await activeTab(page, 'catalogue.js').waitFor();
  await cursorOnLine(page, line);
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('// one line more\n');
  await snapshot.click();
  await cursorOnLine(page, line + 1);
  await page.keyboard.press('Control+S');
});

test('a comparison with a commit says what runs, and can be cancelled', async () => {
  await runCommand(page, 'Hotspan: Compare with…');
  await quickInputRows(page).filter({ hasText: 'A commit or branch…' }).click();
  await quickInputRows(page).filter({ hasText: 'The shop' }).first().waitFor();
  await page.locator('.quick-input-widget:visible input.input').fill('HEAD');
  await quickInputRows(page).filter({ hasText: 'as typed' }).click();
  await page
    .getByText(/Pair 1 of 3 …/)
    .first()
    .waitFor(patience);
  await toastButton(page, 'Cancel').click();
  await page
    .getByText(/It was stopped before anything could be said/)
    .first()
    .waitFor(patience);
  await snapshot.waitFor();
});

test('a reload of the window shows it again, until it is cleared', async () => {
  await reloadWindow(page);
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await snapshot.waitFor();
  await runCommand(page, 'Hotspan: Clear Comparison');
  await page.locator('.pane-header', { hasText: 'Comparison' }).waitFor({ state: 'detached' });
  assert.equal(await rows.count(), 0);
});
