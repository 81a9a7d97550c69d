import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { lineOf } from '../helpers/source-line.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import {
  closeAllEditors,
  closeEditor,
  openFile,
  quickInputRows,
  runCommand,
  reloadWindow,
} from '../helpers/vscode/commands.ts';
import { decorationWith, hoverWith, lenses } from '../helpers/vscode/editor.ts';
import { resultPattern } from '../helpers/vscode/profile-tests.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { activeTab, hoverOf, statusBarEntry, treeRows, welcome, clickWhileOver } from '../helpers/vscode/panels.ts';
import { endedRecordings, recordingsHaveEnded } from '../helpers/vscode/stored-recordings.ts';

const testOf = (name: string, file: string): string => `import { test } from 'node:test';
import { ${name} } from '${file}';

test('${name}', () => { ${name}(); });
`;

/**
 * Two packages. The tests of `web` reach `core`, too, and `page` takes about three times as long as `hash`, which takes longer
 * than V8's sampler waits for a processor on a busy machine.
 */
const folder = temporaryProject({
  'package.json': '{ "name": "mono", "private": true, "workspaces": ["packages/*"] }',
  'packages/core/package.json': '{ "name": "core", "type": "module", "scripts": { "test": "node --test" } }',
  'packages/core/hash.js': `import { pbkdf2Sync } from 'node:crypto';

export function hash(rounds = 1_000_000) {
  return pbkdf2Sync('secret', 'salt', rounds, 32, 'sha512');
}
`,
  'packages/core/test/hash.test.js': testOf('hash', '../hash.js'),
  'packages/web/package.json': '{ "name": "web", "type": "module", "scripts": { "test": "node --test" } }',
  'packages/web/page.js': `import { pbkdf2Sync } from 'node:crypto';
import { hash } from '../core/hash.js';

export function page() {
  hash(800_000);
  return pbkdf2Sync('secret', 'salt', 2_500_000, 32, 'sha512');
}
`,
  'packages/web/test/page.test.js': testOf('page', '../page.js'),
});
const { page, server } = await vscodeForTests({ folder });

/** The row of a package's result in the tree: its label is a figure and the folder. */
function resultRow(window: Page, name: string): Locator {
  return treeRows(window, 'Hotspots').filter({ hasText: new RegExp(`\u2002packages/${name}`) });
}

/** Runs the tests of a package's test file. */
async function profile(window: Page, file: string): Promise<void> {
  await openFile(window, file);
  await runCommand(window, 'Hotspan: Profile File');
}

test('the result of a second package stands beside that of the first', async () => {
  await profile(page, 'packages/core/test/hash.test.js');
  await statusBarEntry(page, resultPattern).waitFor();
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await treeRows(page, 'Hotspots').filter({ hasText: 'hash.js' }).first().waitFor();
  assert.equal(await resultRow(page, 'core').count(), 0, 'one result has no row over it');

  await profile(page, 'packages/web/test/page.test.js');
  await resultRow(page, 'web').waitFor();
  await resultRow(page, 'core').waitFor();
  assert.match(await treeRows(page, 'Hotspots').first().innerText(), /packages\/web/, 'the worst comes first');
  await openFile(page, 'packages/core/hash.js');
  const { line } = await decorationWith(page, 'stack');
  assert.equal(line, lineOf(`${folder}/packages/core/hash.js`, 'return pbkdf2Sync('));
});

test('a function that both have reached has one mark and one lens, and the hover says whose they are', async () => {
  await lenses(page).filter({ hasText: 'more…' }).first().waitFor();
  assert.equal(await lenses(page).filter({ hasText: 'more…' }).count(), 1);
  const hover = await hoverWith(page, 'hash', 'From node --test test/hash.test.js');
  const text = await hover.innerText();
  assert.match(text, /From node --test test\/hash\.test\.js in packages\/core, /);
  assert.match(text, /In node --test test\/page\.test\.js in packages\/web: ≈?\d+ ms worst/);
});

test('a command that is for one result asks which', async () => {
  for (const [command, question] of [
    ['Hotspan: Open Flamegraph', 'Which result to show as a flamegraph'],
    ['Hotspan: Set Baseline', 'What to set a baseline of'],
  ] as const) {
    await runCommand(page, command);
    await page.locator(`.quick-input-widget:visible input[placeholder="${question}"]`).waitFor();
    await page.keyboard.press('Escape');
  }
});

test('a run of the same target replaces its own result alone', async () => {
  const before = await resultRow(page, 'web').innerText();
  const runs = endedRecordings(server);
  const row = resultRow(page, 'core');
  await clickWhileOver(row, row.getByRole('button', { name: 'Profile Again' }));
  await recordingsHaveEnded(server, runs + 1);
  await statusBarEntry(page, 'reading the recording').waitFor({ state: 'detached' });
  await resultRow(page, 'core').waitFor();
  assert.equal(
    await treeRows(page, 'Hotspots')
      .filter({ hasText: /\u2002packages\/\w+/ })
      .count(),
    2,
  );
  assert.equal(await resultRow(page, 'web').innerText(), before);
});

test('after a reload of the window all results are back', async () => {
  await reloadWindow(page);
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  for (const name of ['core', 'web']) await resultRow(page, name).waitFor();
  const tooltip = await hoverOf(statusBarEntry(page, resultPattern), 'packages/core');
  assert.match(await tooltip.innerText(), /packages\/web/);
});

test('Next Hotspot goes through all results, the worst first', async () => {
  await openFile(page, 'package.json');
  for (const file of ['page.js', 'hash.js', 'page.js']) {
    await runCommand(page, 'Hotspan: Next Hotspot');
    await activeTab(page, file).waitFor();
  }
});

test('Next Hotspot goes to where a file is seen beside another', async () => {
  await closeAllEditors(page);
  await openFile(page, 'package.json');
  await openFile(page, 'packages/web/page.js');
  const active = page.locator('.editor-group-container.active');
  await runCommand(page, 'View: Split Editor Right');
  await activeTab(page, 'page.js').nth(1).waitFor();
  await runCommand(page, 'View: Focus First Editor Group');
  await active.filter({ has: page.locator('.tab[data-resource-name="package.json"]') }).waitFor();
  await closeEditor(page);
  await activeTab(page, 'package.json').waitFor();
  await runCommand(page, 'Hotspan: Next Hotspot');
  await active.filter({ has: activeTab(page, 'page.js') }).waitFor();
  assert.equal(await page.locator('.tab[data-resource-name="page.js"]').count(), 1);
  await closeAllEditors(page);
});

test('two windows on one folder agree', async () => {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.locator('.monaco-workbench .part.statusbar').waitFor();
  await runCommand(other, 'Hotspan: Focus on Hotspots View');
  for (const window of [other, page]) for (const name of ['core', 'web']) await resultRow(window, name).waitFor();
  // VS Code passes a row to a command only after it has fetched the rows below it.
  for (const file of ['hash.js', 'page.js'])
    await treeRows(page, 'Hotspots').filter({ hasText: file }).first().waitFor();

  const row = resultRow(page, 'web');
  await clickWhileOver(row, row.getByRole('button', { name: 'Forget Result' }));
  for (const window of [page, other]) {
    await resultRow(window, 'web').waitFor({ state: 'detached' });
    await treeRows(window, 'Hotspots').filter({ hasText: 'hash.js' }).first().waitFor();
  }

  await profile(other, 'packages/web/test/page.test.js');
  for (const window of [other, page]) await resultRow(window, 'web').waitFor();

  await runCommand(other, 'Hotspan: Clear');
  for (const window of [other, page]) await welcome(window, 'Hotspots', 'Find the lines').waitFor();
  await statusBarEntry(page, resultPattern).waitFor({ state: 'detached' });
  await other.close();
});

test('Forget Result asks which one, where there are several', async () => {
  for (const file of ['packages/core/test/hash.test.js', 'packages/web/test/page.test.js']) await profile(page, file);
  for (const name of ['core', 'web']) await resultRow(page, name).waitFor();
  await runCommand(page, 'Hotspan: Forget Result');
  await quickInputRows(page).filter({ hasText: 'packages/core' }).waitFor();
  await quickInputRows(page).filter({ hasText: 'packages/web' }).click();
  await resultRow(page, 'web').waitFor({ state: 'detached' });
  await treeRows(page, 'Hotspots').filter({ hasText: 'hash.js' }).first().waitFor();
});
