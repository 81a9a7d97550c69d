import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { drawnProfiles, drawnStates as folder } from '../helpers/drawn-states.ts';
import { closeAllEditors, openFile, quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
import { hoverWith, lenses } from '../helpers/vscode/editor.ts';
import { openProfile } from '../helpers/vscode/open-profile.ts';
import { openVscode } from '../helpers/vscode/open-vscode.ts';
import { statusBarEntry, toastButton, toasts, treeRows, viewMessage } from '../helpers/vscode/panels.ts';
import { keepScreenshotsOfFailures, screenshot } from '../helpers/vscode/screenshot.ts';

/** There is no node on this PATH. VS Code asks a login shell, too, which may have another one. */
const bin = path.join(folder, 'bin');
mkdirSync(bin);
for (const name of ['sh', 'ps', 'which', 'sed', 'cat']) symlinkSync(`/bin/${name}`, path.join(bin, name));
const shell = path.join(bin, 'plain-shell');
writeFileSync(shell, '#!/bin/sh\nfor last; do :; done\nexec /bin/sh -c "$last"\n', { mode: 0o755 });
const vscode = await openVscode({
  folder,
  environment: { PATH: bin, SHELL: shell },
  keybindings: [
    { key: 'ctrl+alt+d', command: 'hotspan.openDiffFlamegraph', args: { base: 'before', head: [] } },
    { key: 'ctrl+alt+e', command: 'hotspan.openDiffFlamegraph', args: drawnProfiles },
  ],
});
const { page } = vscode;
after(() => vscode.close());
keepScreenshotsOfFailures(page);
const rows = treeRows(page, 'Hotspots');

/** Opens one of the recordings above alone. */
async function open(name: string): Promise<void> {
  const shown = statusBarEntry(page, /worst|nothing over|seen|short calls|bcryptjs/);
  if ((await shown.count()) > 0) {
    await runCommand(page, 'Hotspan: Clear');
    await shown.waitFor({ state: 'detached' });
  }
  await clearMessages();
  await openProfile(page, name.includes('.') ? name : `${name}/recording.json`);
}

async function clearMessages(): Promise<void> {
  await runCommand(page, 'Notifications: Clear All Notifications');
  await toasts(page).first().waitFor({ state: 'detached' });
}

test('where there is no node on the PATH, nothing is run, and a sentence says so', async () => {
  await runCommand(page, 'Hotspan: Profile Tests');
  await toasts(page)
    .filter({ hasText: 'There is no node on the PATH. Install Node.js, or set the path of yours.' })
    .waitFor();
  await toastButton(page, 'Open Settings').waitFor();
});

test('a key that gives a diff something else says what it needs', async () => {
  await page.keyboard.press('Control+Alt+D');
  await toasts(page).filter({ hasText: 'A diff needs the absolute paths of recordings of both sides' }).waitFor();
});

test('a diff of profiles whose commands are not known is of two recordings', async () => {
  await page.keyboard.press('Control+Alt+E');
  await page.locator('.tab', { hasText: 'Diff: two recordings' }).waitFor();
  await closeAllEditors(page);
});

test('short calls that are long together are said as such, in the status bar, the view and a message', async () => {
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await open('short');
  await statusBarEntry(page, 'short calls 90 ms').waitFor();
  await toasts(page)
    .filter({
      hasText: 'No single function of yours blocks, but short calls of your code together do: up to 90 ms in one go',
    })
    .waitFor();
  await viewMessage(page, 'Hotspots').filter({ hasText: 'Short calls of yours up to 90 ms' }).waitFor();
  await rows.filter({ hasText: 'Your code, in short calls' }).waitFor();
  await screenshot(page, 'drawn-short-calls');
});

test('so is what blocks with no line of one’s own', async () => {
  await open('others');
  await toasts(page).filter({ hasText: 'Nothing in your own code, but bcryptjs blocks up to 118 ms' }).waitFor();
  await rows.filter({ hasText: 'Not in your code' }).waitFor();
  await statusBarEntry(page, 'bcryptjs 118 ms').waitFor();
});

test('and a run in which none of one’s own code was seen', async () => {
  await open('unseen');
  await statusBarEntry(page, 'none of your code seen').waitFor();
  await toasts(page).filter({ hasText: 'None of your code was seen in this run.' }).waitFor();
  await viewMessage(page, 'Hotspots').filter({ hasText: 'None of your code was seen' }).waitFor();
});

test('of very many functions one row stands for the rest', async () => {
  await open('many');
  await rows.filter({ hasText: '+5 more' }).waitFor();
});

test('requests that waited behind a package are said to have', async () => {
  await open('waits');
  await runCommand(page, 'Hotspan: Focus on Who Waited View');
  await treeRows(page, 'Who Waited').filter({ hasText: 'no function of yours, longest: bcryptjs' }).first().waitFor();
});

test('a hover says what a function waited for, loaded and collected, and what its line has of it', async () => {
  await open('facts');
  await statusBarEntry(page, /worst/).waitFor();
  await closeAllEditors(page);
  await openFile(page, 'src/app.ts');
  await hoverWith(page, 'silent', 'During its worst time it waited 50 ms for something that its stack does not show');
  await screenshot(page, 'drawn-hover-waited');
  await hoverWith(page, 'map', 'This line: ≈30 ms worst');
  await hoverWith(page, 'lazy', /Loading of modules: \d+ % of its time\./);
  await hoverWith(page, 'garbage', /Garbage collection: \d+ % of its own time\./);
  await hoverWith(page, 'held', 'The whole operation of its worst time took');
});

test('what a profile alone does not say is asked for in a sentence: where it was recorded', async () => {
  await closeAllEditors(page);
  await open('plain.cpuprofile');
  await statusBarEntry(page, /worst/).waitFor();
  await runCommand(page, 'Hotspan: Compare with…');
  await toasts(page).filter({ hasText: 'Where this was recorded is not known: profile the tests again.' }).waitFor();
  writeFileSync(
    path.join(folder, '.vscode/settings.json'),
    JSON.stringify({ 'hotspan.recorder.nodePath': process.execPath }),
  );
  await closeAllEditors(page);
  await openFile(page, 'src/app.ts');
  await lenses(page).filter({ hasText: 're-check' }).first().click();
  await toasts(page)
    .filter({ hasText: 'Where this function is, or where it was recorded, is not known: profile the tests again.' })
    .waitFor();
  await clearMessages();
});

test('a function that nothing calls, one of Node.js itself, and one of a file outside are said to be that', async () => {
  const more = async (action: string): Promise<void> => {
    await lenses(page).filter({ hasText: 'more…' }).first().click();
    await quickInputRows(page).filter({ hasText: action }).click();
  };
  await more('Callers');
  await toasts(page).filter({ hasText: 'Nothing calls it: it is where its stacks begin.' }).waitFor();
  await more('Callees');
  await quickInputRows(page).filter({ hasText: 'pbkdf2Sync' }).click();
  await toasts(page).filter({ hasText: 'This is code of Node.js itself: there is no file to open.' }).waitFor();
  await clearMessages();
  await more('Callees');
  await quickInputRows(page).filter({ hasText: 'far' }).click();
  const dialog = page.locator('.monaco-dialog-box', {
    hasText: 'The profile names a file outside this workspace: /gone/far.js',
  });
  await dialog.getByRole('button', { name: 'Open' }).click();
  await toasts(page).filter({ hasText: '/gone/far.js cannot be opened: it is not on this machine.' }).waitFor();
  await toastButton(page, 'Choose Its Folder…').waitFor();
  await screenshot(page, 'drawn-not-here');
  assert.equal(await page.locator('.tab', { hasText: 'far.js' }).count(), 0);
});

test('the folder of a file from elsewhere can be chosen in a dialog', async () => {
  await toastButton(page, 'Choose Its Folder…').click();
  await page.locator('.quick-input-widget:visible').getByText('Use This Folder').waitFor();
  await page.keyboard.press('Escape');
});
