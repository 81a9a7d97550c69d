import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { projectFile } from '../helpers/project.ts';
import { recordShop } from '../helpers/shop-recording.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { closeAllEditors, runCommand } from '../helpers/vscode/commands.ts';
import { chooseFile, openProfile, untilSaid } from '../helpers/vscode/open-profile.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { statusBarEntry, toastButton, toasts, webviewPage } from '../helpers/vscode/panels.ts';

const shop = await recordShop();
after(() => shop.remove());
const folder = temporaryProject({
  'spin.js': 'let sum = 0; for (let turn = 0; turn < 1e8; turn++) sum += turn % 7;',
  'wrong-v8.log': 'Error: this is the log of something else\n',
});
execFileSync(process.execPath, ['--prof', 'spin.js'], { cwd: folder });
const log = path.join(folder, readdirSync(folder).find((name) => /^isolate.*-v8\.log$/.test(name)) ?? '');

/** A window in which no folder is open. */
const vscode = await vscodeForTests({
  folder: null,
  keybindings: [{ key: 'ctrl+alt+h', command: 'hotspan.profileTests' }],
});
const { page } = vscode;
const graph = webviewPage(page);
/** What has VS Code load the extension with files that are on no disk. */
const fileSystem = [
  'extensionDevelopmentPath',
  `vscode-remote://${new URL(vscode.server.url).host}${projectFile('test/e2e/virtual-files')}`,
];

test('a window without a folder opens a profile as its flamegraph', async () => {
  await openProfile(page, shop.profile);
  await graph.locator('g.frame[name="quote"]').first().waitFor();
});

test('what the flamegraph shows is saved as a picture where the person chooses', async () => {
  const picture = path.join(folder, 'shown.svg');
  const svg = async (): Promise<void> => runCommand(page, 'Hotspan: Save Flamegraph as SVG…');
  await save(svg, picture, statusBarEntry(page, 'Saved shown.svg'));
  assert.match(readFileSync(picture, 'utf8'), /<title>quote, ≈312 ms total/);
  const png = async (): Promise<void> => {
    await graph.getByRole('button', { name: 'Copy or save' }).click();
    await graph.getByRole('menuitem', { name: 'Save as PNG…' }).click();
  };
  await save(png, path.join(folder, 'shown.png'), statusBarEntry(page, 'Saved shown.png'));
  assert.equal(readFileSync(path.join(folder, 'shown.png')).subarray(1, 4).toString(), 'PNG');
});

test('a place where nothing can be saved is said', async () => {
  const svg = async (): Promise<void> => runCommand(page, 'Hotspan: Save Flamegraph as SVG…');
  await save(svg, '/proc/shown.svg', toasts(page).filter({ hasText: 'The picture could not be saved' }));
  assert.equal(existsSync('/proc/shown.svg'), false);
});

async function save(ask: () => Promise<void>, file: string, said: Locator): Promise<void> {
  await untilSaid(said, async () => chooseFile(page, file, ask), 5_000);
}

test('a V8 log opens by command, as its tiers', async () => {
  await openProfile(page, log);
  await graph.locator('g.frame[data-tier]').first().waitFor();
});

test('a log that is none is said in a sentence, and leaves no flamegraph', async () => {
  await closeAllEditors(page);
  // VS Code shows no more than three messages, progress included, that come within 0.8 s.
  const said = toasts(page).filter({ hasText: 'wrong-v8.log is not a CPU profile' });
  await untilSaid(said, async () => openProfile(page, path.join(folder, 'wrong-v8.log')), 3_000);
  await page.locator('.tab', { hasText: 'Flamegraph' }).waitFor({ state: 'detached' });
});

test('without a folder nothing is run, and a sentence says so', async () => {
  const said = toasts(page).filter({
    hasText: 'No folder is open. Open the folder of your package, or open a profile.',
  });
  // A key goes nowhere while VS Code closes what had the focus.
  await untilSaid(said, async () => page.keyboard.press('Control+Alt+H'), 5_000);
});

test('a virtual workspace says that its files are not on a disk', async () => {
  const query = new URLSearchParams({ folder: 'memfs:/virtual', payload: JSON.stringify([fileSystem]) });
  await page.goto(`${vscode.server.url}/?${query.toString()}`);
  await runCommand(page, 'View: Show Explorer');
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'shop.cpuprofile.gz' }).dblclick();
  const sentence = 'memfs:/virtual/shop.cpuprofile.gz is not on a disk: save it on one, and open it there.';
  await graph.getByText(sentence).waitFor();
  await page.keyboard.press('Control+Alt+H');
  await toasts(page).filter({ hasText: 'These files are not on a disk where a command could run.' }).waitFor();
  await toastButton(page, 'Open Profile…').waitFor();
});

test('no request has left the machine', () => {
  assert.deepEqual([...vscode.foreignHosts], []);
});
