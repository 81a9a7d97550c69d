import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { projectFile } from '../helpers/project.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { clearMessages, openFile, pickExactRow, quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
import { lenses } from '../helpers/vscode/editor.ts';
import { untilSaid } from '../helpers/vscode/open-profile.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { statusBarEntry, toastButton, toasts, treeRows, viewMessage } from '../helpers/vscode/panels.ts';
import { storeFixtures } from '../helpers/vscode/stored-recordings.ts';

const folder = temporaryProject({
  'package.json':
    '{ "name": "empty", "scripts": { "test": "mocha none.test.js", "test:bun": "bun test", "hello": "node hello.js" } }',
  'hello.js': "console.log('hello');\n",
  'elsewhere.test.js': `const { test } = require('node:test');
if (process.env.ONLY_ELSEWHERE) test('only elsewhere', () => {});
`,
  '.vscode/tasks.json': JSON.stringify({
    version: '2.0.0',
    tasks: [{ label: 'missing', type: 'hotspan', command: ['no-such-program'], problemMatcher: [] }],
  }),
});
symlinkSync(projectFile('examples/shop/node_modules'), path.join(folder, 'node_modules'));
const lensOverFile = { lensUri: pathToFileURL(path.join(folder, 'elsewhere.test.js')).href, test: null };
const keybindings = [{ key: 'ctrl+alt+r', command: 'hotspan.recheckTest', args: lensOverFile }];
const { page, server } = await vscodeForTests({
  folder,
  keybindings,
  // On a busy machine V8's samples come late: in a gap of over the threshold, code may have run unseen. `small/killed` has less.
  settings: { 'hotspan.annotations.testLenses': true, 'hotspan.analysis.threshold': 500 },
});

test('where there is nothing yet, commands that need something say so, with the way to it', async () => {
  await runCommand(page, 'Hotspan: Open Flamegraph');
  await toasts(page).filter({ hasText: 'There is no recording yet: profile your tests, or open a profile.' }).waitFor();
  await runCommand(page, 'Hotspan: Profile Debug Session');
  await toasts(page).filter({ hasText: 'Nothing is being debugged.' }).waitFor();
  await toastButton(page, 'Start Debugging').waitFor();
  await runCommand(page, 'Notifications: Clear All Notifications');
});

test('a run in which no test was reported says so, and offers a file or an npm script', async () => {
  await runCommand(page, 'Hotspan: Profile Tests');
  await toasts(page).filter({ hasText: 'No test was reported (profile npm test).' }).waitFor();
  await toastButton(page, 'Profile File').waitFor();
  await toastButton(page, 'Profile npm Script').click();
  await quickInputRows(page).filter({ hasText: 'node hello.js' }).waitFor();
});

test('what came of that run stays in the view and in the status bar, with the ways on, until another run begins', async () => {
  await page.keyboard.press('Escape');
  await clearMessages(page);
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  const rows = treeRows(page, 'Hotspots');
  await rows.filter({ hasText: 'No test was reported (profile npm test). The terminal says what ran.' }).waitFor();
  await rows.filter({ hasText: 'Profile npm Script' }).waitFor();
  await statusBarEntry(page, 'no test reported').click();
  await toastButton(page, 'Show This Run').click();
  await statusBarEntry(page, /no test reported.*none of your code seen/).waitFor();
  await viewMessage(page, 'Hotspots').filter({ hasText: 'None of your code was seen' }).waitFor();
  await toasts(page).filter({ hasText: 'None of your code was seen in this run.' }).waitFor();
});

test('a test that only another machine has passes without a test, and the whole file is offered', async () => {
  writeFileSync(
    path.join(folder, 'package.json'),
    '{ "scripts": { "test": "node --test", "hello": "node hello.js" } }',
  );
  await openFile(page, 'elsewhere.test.js');
  await lenses(page).filter({ hasText: 'Profile This Test' }).click();
  await statusBarEntry(page, 'no test reported').waitFor({ state: 'detached' });
  await toasts(page)
    .filter({ hasText: ': its name may be made only while tests run. Profile the whole file instead.' })
    .waitFor();
  await clearMessages(page);
  // For VS Code, a log that has the focus is the active text editor.
  await runCommand(page, 'View: Toggle Output');
  await page.locator('.output-view .monaco-editor').click();
  await page.locator('.output-view .monaco-editor.focused').waitFor();
  await runCommand(page, 'Hotspan: Profile File');
  await toasts(page).filter({ hasText: 'Profile a file or another npm script instead.' }).waitFor();
  // Its result stands beside: on a busy machine something of Node.js may be over the threshold.
  await statusBarEntry(page, /no test reported.*(\d ms|none of your code seen)/).waitFor();
});

test('a test that reached nothing long has nothing to re-check, and that is said', async () => {
  await page.keyboard.press('Control+Alt+R');
  await toasts(page)
    .filter({ hasText: 'In the result on screen, the test "elsewhere.test.js" reaches nothing of yours' })
    .waitFor();
  await toastButton(page, 'Profile This Test').waitFor();
  await clearMessages(page);
  await runCommand(page, 'View: Close All Editors');
});

test('a command that is not there, or that cannot be recorded, says so, and the status bar keeps it', async () => {
  await runCommand(page, 'Tasks: Run Task');
  await pickExactRow(page, 'missing');
  await toasts(page).filter({ hasText: 'no-such-program could not be started: install it' }).waitFor();
  await toastButton(page, 'Show Terminal').waitFor();
  await statusBarEntry(page, 'not recorded').waitFor();
  await runCommand(page, 'Hotspan: Clear');
  await statusBarEntry(page, 'not recorded').waitFor({ state: 'detached' });
  writeFileSync(path.join(folder, '.vscode/settings.json'), '{ "hotspan.recorder.nodePath": "/usr/bin/false" }');
  await profileUntilSaid('The command could not be recorded. The terminal says why.');
  await clearMessages(page);
});

test('where the settings name a node that is not there, nothing is run, and a button leads to them', async () => {
  writeFileSync(path.join(folder, '.vscode/settings.json'), '{ "hotspan.recorder.nodePath": "/nowhere/node" }');
  await profileUntilSaid('There is no program at /nowhere/node, where the settings say');
  await toastButton(page, 'Open Settings').click();
  await page.locator('.settings-editor .setting-item', { hasText: 'Node Path' }).first().waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.settings-editor').waitFor({ state: 'detached' });
  await clearMessages(page);
  await runCommand(page, 'Tasks: Run Task');
  await pickExactRow(page, 'missing');
  await toasts(page).filter({ hasText: 'There is no program at /nowhere/node' }).waitFor();
  await toastButton(page, 'Stop and Show').waitFor({ state: 'detached' });
  rmSync(path.join(folder, '.vscode/settings.json'));
});

/** VS Code reads a file of settings some time after it was written: until then the tests run as before. */
async function profileUntilSaid(sentence: string): Promise<void> {
  const said = toasts(page).filter({ hasText: sentence });
  await untilSaid(said, async () => runCommand(page, 'Hotspan: Profile Tests'), 5_000);
}

test('where only Bun runs tests, that is said, with the same ways on', async () => {
  rmSync(path.join(folder, 'elsewhere.test.js'));
  writeFileSync(path.join(folder, 'package.json'), '{ "scripts": { "test": "bun test", "hello": "node hello.js" } }');
  await profileUntilSaid('that Node.js runs, and Hotspan profiles Node.js: "test" runs in Bun.');
  await toastButton(page, 'Profile npm Script').last().waitFor();
});

test('Profile File without an open file says to open one first', async () => {
  await toastButton(page, 'Profile File').last().click();
  await toasts(page).filter({ hasText: 'Open the file that you want to profile first.' }).waitFor();
  await toastButton(page, 'Open File…').waitFor();
});

test('where a process of the own code was killed, nothing is said of all of the code', async () => {
  storeFixtures(server, folder, ['small/killed']);
  await runCommand(page, 'Hotspan: Open Recording…');
  await quickInputRows(page).filter({ hasText: 'killed.js' }).click();
  await statusBarEntry(page, 'not all recorded').waitFor();
  await viewMessage(page, 'Hotspots').filter({ hasText: 'Not all recorded' }).waitFor();
});
