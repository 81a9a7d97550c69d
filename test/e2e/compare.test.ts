import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { noteOwnCommand } from '../../recorder/launch/run/own-commands.ts';
import { shopFiles } from '../helpers/blocking-shop.ts';
import { lineOf } from '../helpers/source-line.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { Repository } from '../helpers/temporary-repository.ts';
import { checkRows, closeEditor, compareRecordings, quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
import { cursorOnLine } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import {
  activeTab,
  sideBarButton,
  toastButton,
  treeRows,
  viewHeader,
  webviewPage,
  clickWhileOver,
} from '../helpers/vscode/panels.ts';
import { showRecording, resultInStatusBar } from '../helpers/vscode/profile-tests.ts';
import { storeFixtures } from '../helpers/vscode/stored-recordings.ts';

// The shop is slow in the commit, and fast in the work tree. While the file `hold` is there, a run of its tests does not end.
const hold = path.join(temporaryProject({}), 'hold');
const repository = new Repository({
  '.gitignore': '.hotspan\n',
  ...shopFiles,
  'shop.test.js': `${shopFiles['shop.test.js']}if (require('node:fs').existsSync('${hold}')) setInterval(() => {}, 1000);\n`,
});
const project = repository.folder;
const { page, server } = await vscodeForTests({ folder: project });
const runs = ['run-1', 'faster-1', 'run-2', 'faster-2', 'run-3', 'faster-3'] as const;
storeFixtures(
  server,
  project,
  runs.map((run) => `small/${run}` as const),
);
repository.git('clean', '-d', '--force', '--quiet');
repository.git('checkout', '--quiet', 'shop.test.js');

const rows = treeRows(page, 'Comparison');
const quote = rows.filter({ hasText: / {2}quote/ });

test('several recordings that are opened together show the range of the runs', async () => {
  await runCommand(page, 'Hotspan: Open Recording…');
  const listed = quickInputRows(page).filter({ hasText: 'node --test' });
  await listed.nth(1).waitFor();
  await page.locator('.quick-input-widget:visible .codicon-checklist').click();
  await checkRows(page, [1, 3]);
  await resultInStatusBar(page);
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await treeRows(page, 'Hotspots')
    .filter({ hasText: /(\d+–)?\d+ ms\u2002\w+2 runs · 1 ×/ })
    .first()
    .waitFor();
  await treeRows(page, 'Hotspots').filter({ hasText: 'About these figures' }).waitFor();
});

test('recordings from before and after a fix fill a tree, grouped by what became of each function', async () => {
  await showRecording(page);
  // The newest comes first, without the one on screen, and without those that are chosen already.
  await compareRecordings(page, { before: [0, 2, 4], after: [0, 1] });
  await rows.filter({ hasText: 'before (3 runs) → now (3 runs)' }).waitFor();
  await rows.filter({ hasText: /^Faster1 function$/ }).waitFor();
  await quote.waitFor();
});

test('the flamegraph of a comparison opens at the function that changed most', async () => {
  await clickWhileOver(
    viewHeader(page, 'Comparison'),
    page.getByRole('button', { name: 'Open Flamegraph of Comparison' }),
  );
  await webviewPage(page)
    .getByText(/^ms per operation of quote \(\d+ before, \d+ now\)$/)
    .waitFor();
  await closeEditor(page);
});

test('a click opens the function where it begins now, also after an edit above it', async () => {
  const line = lineOf(`${project}/shop.js`, 'function quote()');
  await quote.click();
  await activeTab(page, 'shop.js').waitFor();
  await cursorOnLine(page, line);
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('// one line more\n');
  await quote.click();
  await cursorOnLine(page, line + 1);
  await runCommand(page, 'File: Revert File');
});

test('a comparison with a commit says what runs, and can be cancelled', async () => {
  // What this person has not recorded is not run.
  const env = { XDG_CACHE_HOME: path.join(server.folder, 'home/.cache'), ...process.env };
  const command = ['node', '--test', 'shop.test.js'];
  await noteOwnCommand({ command, cwd: project, env }, command);
  writeFileSync(hold, '');
  await compareWithHead();
  await page
    .getByText(/Pair 1 of 3 …/)
    .first()
    .waitFor();
  await toastButton(page, 'Cancel').click();
  await page
    .getByText(/It was stopped before there was a verdict/)
    .first()
    .waitFor();
  await quote.waitFor();
  repository.assertClean(' M shop.js\n');
  rmSync(hold);
});

test('a comparison with a commit runs nothing where only a comment differs', async () => {
  writeFileSync(path.join(project, 'shop.js'), `${shopFiles['shop.js']}// only a comment\n`);
  await compareWithHead();
  await rows.filter({ hasText: /^HEAD → your work tree$/ }).waitFor();
  await rows.filter({ hasText: /^No code differs from HEAD/ }).waitFor();
});

async function compareWithHead(): Promise<void> {
  await runCommand(page, 'Hotspan: Compare with…');
  await quickInputRows(page).filter({ hasText: 'A commit or branch…' }).click();
  await quickInputRows(page).filter({ hasText: 'first' }).first().waitFor();
  await page.locator('.quick-input-widget:visible input.input').fill('HEAD');
  await quickInputRows(page).filter({ hasText: 'as typed' }).click();
}

test('a comparison is shown until it is cleared', async () => {
  await clickWhileOver(viewHeader(page, 'Comparison'), sideBarButton(page, 'Clear Comparison'));
  await page.locator('.pane-header', { hasText: 'Comparison' }).waitFor({ state: 'detached' });
  assert.equal(await rows.count(), 0);
});
