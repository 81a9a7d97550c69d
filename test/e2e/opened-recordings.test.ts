import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { drawnStates as folder, drawnKeys } from '../helpers/drawn-states.ts';
import {
  closeAllEditors,
  compareRecordings,
  groupHotspotsBy,
  openFile,
  pressUntil,
  quickInputRows,
  runCommand,
} from '../helpers/vscode/commands.ts';
import { hoverWith, lenses } from '../helpers/vscode/editor.ts';
import { environmentWithoutNode } from '../helpers/vscode/environment-without-node.ts';
import { logSays } from '../helpers/vscode/hotspan-log.ts';
import { chooseFolderInDialog, openProfile, untilSaid } from '../helpers/vscode/open-profile.ts';
import { resultPattern } from '../helpers/vscode/profile-tests.ts';
import { storeDrawn } from '../helpers/vscode/stored-recordings.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import {
  expandRow,
  hoverOf,
  lastRow,
  statusBarEntry,
  toastButton,
  toasts,
  treeRows,
  viewHeader,
  viewMessage,
  clickWhileOver,
} from '../helpers/vscode/panels.ts';

const vscode = await vscodeForTests({ folder, environment: environmentWithoutNode(folder), keybindings: drawnKeys });
const { page } = vscode;
const rows = treeRows(page, 'Hotspots');

const recordings = ['short', 'others', 'unseen', 'many', 'crowd', 'waits', 'facts', 'remedies'] as const;
storeDrawn(vscode.server, folder, recordings);

/** Shows one of these recordings beside others. */
async function add(name: (typeof recordings)[number]): Promise<void> {
  const row = quickInputRows(page).filter({ hasText: `npm run ${name}` });
  await pressUntil(['Control+Alt+R'], row, 'visible');
  await row.click();
  await row.waitFor({ state: 'detached' }); // The next list comes after this one.
}

async function show(name: (typeof recordings)[number]): Promise<void> {
  await clearAll();
  await add(name);
}

/** Takes all results and messages away. */
async function clearAll(): Promise<void> {
  const shown = statusBarEntry(page, / m?s\s*$|nothing (?:over|to do)|seen|short calls/);
  await pressUntil(['Control+Alt+C'], shown, 'detached');
  await clearMessages();
}

async function clearMessages(): Promise<void> {
  await pressUntil(['Control+Alt+N'], toasts(page), 'detached');
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
  await show('short');
  await statusBarEntry(page, 'short calls 90 ms').waitFor();
  await toasts(page)
    .filter({
      hasText: 'No single function of yours blocks, but short calls of your code together do: up to 90 ms in one go',
    })
    .waitFor();
  await viewMessage(page, 'Hotspots').filter({ hasText: 'Short calls of yours up to 90 ms' }).waitFor();
  await rows.filter({ hasText: 'Your code, in short calls' }).waitFor();
});

test('so is what blocks with no line of one’s own', async () => {
  await show('others');
  await toasts(page).filter({ hasText: 'Nothing in your own code, but bcryptjs blocks up to 118 ms' }).waitFor();
  await rows.filter({ hasText: 'Not in your code' }).waitFor();
  await statusBarEntry(page, 'bcryptjs 118 ms').waitFor();
});

test('and a run in which none of one’s own code was seen', async () => {
  await show('unseen');
  await statusBarEntry(page, 'none of your code seen').waitFor();
  await toasts(page).filter({ hasText: 'None of your code was seen in this run.' }).waitFor();
  await viewMessage(page, 'Hotspots').filter({ hasText: 'None of your code was seen' }).waitFor();
});

test('of very many functions one row stands for the rest', async () => {
  await show('many');
  await rows.filter({ hasText: '+5 more' }).waitFor();
});

test('of very many tests the worst stand in the tree, and a row says of how many others nothing is said', async () => {
  await show('crowd');
  await statusBarEntry(page, 'nothing to do').waitFor();
  await viewMessage(page, 'Hotspots').filter({ hasText: 'Nothing to do · worst ≈10 ms' }).waitFor();
  await groupHotspotsBy(page, 'Test');
  await lastRow(page, 'Hotspots', /\+\d+ more, with shorter operations/);
});

test('of very many long operations later ones stand below one row, with the longest of them', async () => {
  await runCommand(page, 'Hotspan: Focus on Long Operations View');
  const later = await lastRow(page, 'Long Operations', /\+50 moreat [\d.]+ s to [\d.]+ s/);
  await hoverOf(later, /^50 long operations at [\d.]+ s to [\d.]+ s, the longest 10 ms$/);
});

test('requests that waited behind a package are said to have', async () => {
  await show('waits');
  await runCommand(page, 'Hotspan: Focus on Who Waited View');
  await treeRows(page, 'Who Waited').filter({ hasText: 'no function of yours, longest: bcryptjs' }).first().waitFor();
});

test('a hover says what a function waited for, loaded and collected, and what its line has of it', async () => {
  await show('facts');
  await statusBarEntry(page, resultPattern).waitFor();
  await openFile(page, 'src/app.ts');
  await hoverWith(page, 'silent', 'During its worst time it waited 25 ms for something that its stack does not show');
  await hoverWith(page, 'map', '≈30 ms of it on this line');
});

test('a profile that another editor shows opens by a button in the title of its editor', async () => {
  await clearAll();
  await openFile(page, 'plain.cpuprofile');
  await page.locator('.title .editor-actions [aria-label*="Open Profile"]').click();
  await page.locator('.tab', { hasText: 'Flamegraph: plain.cpuprofile' }).waitFor();
});

test('what a profile alone does not say is asked for in a sentence: where it was recorded', async () => {
  await statusBarEntry(page, resultPattern).waitFor();
  await runCommand(page, 'Hotspan: Compare with…');
  await toasts(page).filter({ hasText: 'Where this was recorded is not known: profile the tests again.' }).waitFor();
  writeFileSync(
    path.join(folder, '.vscode/settings.json'),
    JSON.stringify({ 'hotspan.recorder.nodePath': process.execPath }),
  );
  await closeAllEditors(page);
  await openFile(page, 'src/app.ts');
  // VS Code reads a file of settings some time after it was written.
  await untilSaid(
    toasts(page).filter({
      hasText: 'Where this function is, or where it was recorded, is not known: profile the tests again.',
    }),
    async () => more('Re-check: has my change helped?'),
  );
  await clearMessages();
});

test('a function that nothing calls, one of Node.js itself, and one of a file outside are said to be that', async () => {
  await more('Callers');
  await toasts(page).filter({ hasText: 'Nothing calls it: it is where its stacks begin.' }).waitFor();
  await more('Callees');
  await quickInputRows(page).filter({ hasText: 'pbkdf2Sync' }).click();
  await toasts(page).filter({ hasText: 'This is code of Node.js itself: there is no file to open.' }).waitFor();
  await clearMessages();
  await goToFileElsewhere();
  assert.equal(await page.locator('.tab', { hasText: 'far.js' }).count(), 0);
});

async function more(action: string): Promise<void> {
  await lenses(page).filter({ hasText: 'more…' }).first().click();
  await quickInputRows(page).filter({ hasText: action }).click();
}

async function goToFileElsewhere(): Promise<void> {
  await more('Callees');
  await quickInputRows(page).filter({ hasText: 'far' }).click();
  const dialog = page.locator('.monaco-dialog-box', {
    hasText: 'The profile names a file outside this workspace: /gone/far.js',
  });
  await dialog.getByRole('button', { name: 'Open' }).click();
  await toasts(page).filter({ hasText: '/gone/far.js cannot be opened: it is not on this machine.' }).waitFor();
  await toastButton(page, 'Choose Its Folder…').waitFor();
}

test('the folder of a file from elsewhere can be chosen in a dialog', async () => {
  await chooseItsFolder('/tmp', '/tmp is in no folder that is open: open it first.');
  await chooseItsFolder(path.join(folder, 'src'), '/src does not have far.js: choose the folder that has it.');
});

async function chooseItsFolder(chosen: string, sentence: string): Promise<void> {
  const button = toastButton(page, 'Choose Its Folder…');
  await untilSaid(toasts(page).filter({ hasText: sentence }), async () => {
    if ((await button.count()) === 0) await goToFileElsewhere();
    await button.click();
    await chooseFolderInDialog(page, chosen, 'Use This Folder');
  });
  await clearMessages();
}

test('a row whose recording was closed says so', async () => {
  await page.keyboard.press('Control+Alt+M');
  await toasts(page).filter({ hasText: 'This recording is no longer open' }).waitFor();
  await clearMessages();
});

test('a text that ran before, and is not in memory any more, says so', async () => {
  await page.keyboard.press('Control+Alt+T');
  await page
    .locator('.view-line', { hasText: 'This text is no longer in memory: open it from the diff again.' })
    .waitFor();
  await closeAllEditors(page);
});

test('over a file that was edited after a profile stands what has no line, and Next Hotspot says why it goes nowhere', async () => {
  const file = path.join(folder, 'src/app.ts');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll('handler', 'answered'));
  await clearAll();
  await openProfile(page, 'plain.cpuprofile');
  await statusBarEntry(page, resultPattern).waitFor();
  await openFile(page, 'src/app.ts');
  await page.locator('.codelens-decoration', { hasText: 'none of its functions was found again' }).waitFor();
  await lenses(page)
    .filter({ hasText: /^≈90 ms handler: line unknown/ })
    .waitFor();
  await runCommand(page, 'Hotspan: Next Hotspot');
  await toasts(page)
    .filter({ hasText: 'app.ts has another text than ran, and this function was not found in it.' })
    .waitFor();
  writeFileSync(file, text);
  await closeAllEditors(page);
});

test('a comparison says of functions that they moved, are gone, or are of tests', async () => {
  await clearAll();
  await openProfile(page, '.hotspan/after1/recording.json');
  await statusBarEntry(page, resultPattern).waitFor();
  await compareRecordings(page, { before: [2, 3, 4], after: [0, 1] });
  const compared = treeRows(page, 'Comparison');
  await compared.filter({ hasText: 'vanished' }).waitFor();
  await expandRow(compared, 'No change seen');
  for (const [name, said] of [
    ['parcel', 'it was in src/old.ts'],
    ['vanished', 'the sources have no such function any more'],
    ['case', 'code of tests: no user waits for it'],
  ] as const) {
    await hoverOf(compared.filter({ hasText: name }), said);
  }
});

test('a function of a comparison that is gone opens nothing, and a sentence says why', async () => {
  await treeRows(page, 'Comparison').filter({ hasText: 'vanished' }).click();
  await toasts(page)
    .filter({ hasText: 'vanished is gone: your files have no such function any more. It was in src/app.ts.' })
    .waitFor();
  await clickWhileOver(viewHeader(page, 'Comparison'), page.getByRole('button', { name: 'Clear Comparison' }));
});

test('a command line that ends without a word is said to', async () => {
  const silent = path.join(folder, 'silent-node');
  writeFileSync(silent, '#!/bin/sh\nkill -9 $$\n', { mode: 0o755 });
  writeFileSync(path.join(folder, '.vscode/settings.json'), JSON.stringify({ 'hotspan.recorder.nodePath': silent }));
  const said = toasts(page).filter({ hasText: 'command line ended without a word. The log has what it did before.' });
  // VS Code reads a file of settings some time after it was written.
  await untilSaid(said, async () => runCommand(page, 'Hotspan: Set Baseline'), 5_000);
});

test('of nine results the oldest leaves, and the log says which', async () => {
  for (const name of recordings) await add(name); // Beside that of the comparison.
  await logSays(
    vscode.server,
    /The result of .* is no longer shown, because there is memory for eight results, or fewer large ones/,
  );
});
