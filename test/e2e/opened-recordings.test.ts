import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { writeDrawn } from '../helpers/drawn-workspace.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { closeAllEditors, openFile, quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
import { hoverWith, lenses } from '../helpers/vscode/editor.ts';
import { openProfile } from '../helpers/vscode/open-profile.ts';
import { openVscode } from '../helpers/vscode/open-vscode.ts';
import { statusBarEntry, toastButton, toasts, treeRows, viewMessage } from '../helpers/vscode/panels.ts';
import { keepScreenshotsOfFailures, screenshot } from '../helpers/vscode/screenshot.ts';

// What somebody recorded elsewhere, drawn: states that the runs of a test cannot be brought to.
const source = `export function silent(ms) {
  return wait(ms);
}
export function twice(list) {
  const first = list.map(double);
  return first.filter(known);
}
export function lazy() {
  return require('./cart.ts');
}
export function garbage() {
  return new Array(1e7).fill(0);
}
export function held(list) {
  return sorted(list);
}
export function handler() {
  return far(pbkdf2Sync('secret'));
}
export function answer() {
  return handler();
}
`;
const folder = temporaryProject({
  'package.json': '{ "name": "drawn", "scripts": { "test": "node --test" } }',
  'src/app.ts': source,
  '.vscode/settings.json': '{}',
});
const range = (length: number): readonly number[] => Array.from({ length }, (_, number) => number);

const steps = range(30).map((number) => `step${number}`);
writeDrawn(folder, { name: 'short' }, `ms ${steps.map(() => 3).join(' ')}\n${steps.join(' ')}`, { turns: [[0, 90]] });
writeDrawn(folder, { name: 'others' }, 'ms 118 5 20\nbcryptjs#hash (idle) bcryptjs#hash', {
  turns: [
    [0, 118],
    [123, 143],
  ],
});
writeDrawn(folder, { name: 'unseen' }, 'ms 8 5\nnode:fs#read (idle)', { turns: [[0, 8]] });
writeDrawn(folder, { name: 'waits' }, 'ms 118 5 20 5\nbcryptjs#hash (idle) answer (idle)', {
  turns: [
    [0, 118],
    [123, 143],
  ],
  requests: [
    { since: 1, start: 120, end: 125 },
    { since: 2, start: 124, end: 150, slow: true },
    { since: 10, start: 119, end: 160 },
  ],
});
writeDrawn(
  folder,
  { name: 'facts', source },
  `
  ms 60 5 30 30 5 20 10 5 40 20 40 5 50
  silent (idle) twice twice (idle) lazy lazy (idle) garbage (gc) garbage (idle) held
  . . . . . node:internal/modules/cjs/loader#require node:internal/modules/cjs/loader#require . . . . . .
  . . . . . . cart.ts#<module> . . . . . .
  `,
  {
    turns: [
      [65, 125],
      [130, 160],
      [165, 265],
    ],
    turnLines: [
      ['turn', 2_050_000, 2_110_000, 10_000, 0, 0],
      ['turn', 2_320_000, 2_370_000, 20_000, 0, 30_000],
    ],
    ticks: {
      twice: [
        [5, 30],
        [6, 30],
      ],
    },
  },
);
writeDrawn(
  folder,
  { name: 'plain', source },
  `
  ms 60 30 5
  handler handler (idle)
  node:crypto#pbkdf2Sync file:///gone/far.js#far .
  `,
  { isProfileAlone: true },
);

/** There is no node on this PATH. VS Code asks a login shell, too, which may have another one. */
const bin = path.join(folder, 'bin');
mkdirSync(bin);
for (const name of ['sh', 'ps', 'which', 'sed', 'cat']) symlinkSync(`/bin/${name}`, path.join(bin, name));
const shell = path.join(bin, 'plain-shell');
writeFileSync(shell, '#!/bin/sh\nfor last; do :; done\nexec /bin/sh -c "$last"\n', { mode: 0o755 });
const vscode = await openVscode({
  folder,
  environment: { PATH: bin, SHELL: shell },
  keybindings: [{ key: 'ctrl+alt+d', command: 'hotspan.openDiffFlamegraph', args: { base: 'before', head: [] } }],
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
