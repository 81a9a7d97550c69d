import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { lineOf } from '../helpers/source-line.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { openFile, quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
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
 * Two packages. The tests of `web` reach `core`, too, and `page` takes three times as long as `hash`, which takes longer than
 * V8's sampler mostly waits for a processor on a busy machine.
 */
const folder = temporaryProject({
  'package.json': '{ "name": "mono", "private": true, "workspaces": ["packages/*"] }',
  'packages/core/package.json': '{ "name": "core", "type": "module", "scripts": { "test": "node --test" } }',
  'packages/core/hash.js': `import { pbkdf2Sync } from 'node:crypto';

export function hash(rounds = 700_000) {
  return pbkdf2Sync('secret', 'salt', rounds, 32, 'sha512');
}
`,
  'packages/core/test/hash.test.js': testOf('hash', '../hash.js'),
  'packages/web/package.json': '{ "name": "web", "type": "module", "scripts": { "test": "node --test" } }',
  'packages/web/page.js': `import { pbkdf2Sync } from 'node:crypto';
import { hash } from '../core/hash.js';

export function page() {
  hash(300_000);
  return pbkdf2Sync('secret', 'salt', 1_800_000, 32, 'sha512');
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
async function profile(file: string): Promise<void> {
  await openFile(page, file);
  await runCommand(page, 'Hotspan: Profile File');
}

test('the result of a second package stands beside that of the first', async () => {
  await profile('packages/core/test/hash.test.js');
  await statusBarEntry(page, resultPattern).waitFor();
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await treeRows(page, 'Hotspots').filter({ hasText: 'hash.js' }).first().waitFor();
  assert.equal(await resultRow(page, 'core').count(), 0, 'one result has no row over it');

  await profile('packages/web/test/page.test.js');
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

test('Next Hotspot goes to the worst, where its file is seen beside another, and on to the other result', async () => {
  await openFile(page, 'packages/web/page.js');
  await runCommand(page, 'View: Split Editor Right');
  await activeTab(page, 'page.js').nth(1).waitFor();
  await runCommand(page, 'View: Focus First Editor Group');
  await openFile(page, 'package.json');
  await runCommand(page, 'Hotspan: Next Hotspot');
  const active = page.locator('.editor-group-container.active');
  await active.filter({ has: activeTab(page, 'page.js') }).waitFor();
  await activeTab(page, 'package.json').waitFor();
  await runCommand(page, 'Hotspan: Next Hotspot');
  await active.filter({ has: activeTab(page, 'hash.js') }).waitFor();
});

test('a window that is opened on the folder shows all its results', async () => {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.locator('.monaco-workbench .part.statusbar').waitFor();
  await runCommand(other, 'Hotspan: Focus on Hotspots View');
  for (const name of ['core', 'web']) await resultRow(other, name).waitFor();
  const tooltip = await hoverOf(statusBarEntry(other, resultPattern), 'packages/core');
  assert.match(await tooltip.innerText(), /packages\/web/);
});

test('Forget Result asks which one, where there are several, and takes it out of both windows', async () => {
  await runCommand(page, 'Hotspan: Forget Result');
  await quickInputRows(page).filter({ hasText: 'packages/web' }).waitFor();
  await quickInputRows(page).filter({ hasText: 'packages/core' }).click();
  for (const window of page.context().pages()) {
    await resultRow(window, 'core').waitFor({ state: 'detached' });
    await treeRows(window, 'Hotspots').filter({ hasText: 'page.js' }).first().waitFor();
  }
});

test('what is opened, forgotten by its row or cleared in one window is so in the other', async () => {
  const [, other = page] = page.context().pages();
  await runCommand(other, 'Hotspan: Open Recording…');
  await quickInputRows(other).filter({ hasText: 'hash.test.js' }).first().click();
  for (const name of ['core', 'web']) await resultRow(page, name).waitFor();
  // VS Code passes a row to a command only after it has fetched the rows below it.
  for (const file of ['hash.js', 'page.js'])
    await treeRows(page, 'Hotspots').filter({ hasText: file }).first().waitFor();

  const row = resultRow(page, 'web');
  await clickWhileOver(row, row.getByRole('button', { name: 'Forget Result' }));
  for (const window of [page, other]) {
    await resultRow(window, 'web').waitFor({ state: 'detached' });
    await treeRows(window, 'Hotspots').filter({ hasText: 'hash.js' }).first().waitFor();
  }

  await runCommand(other, 'Hotspan: Clear');
  for (const window of [other, page]) await welcome(window, 'Hotspots', 'Find the lines').waitFor();
  await statusBarEntry(page, resultPattern).waitFor({ state: 'detached' });
});
