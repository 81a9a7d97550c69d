import { rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { work } from '../helpers/blocking-shop.ts';
import { busyFor } from '../helpers/busy-for.ts';
import { lineOf } from '../helpers/source-line.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { Repository } from '../helpers/temporary-repository.ts';
import { closeAllEditors, openFile, quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
import { goToLine, hoverWith, lenses } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { activeTab, toastButton, treeRows, webviewPage } from '../helpers/vscode/panels.ts';

const flag = `${temporaryProject({ flag: '' })}/flag`;
/** While this file is there the program does not end, so that what is shown of a run stays in sight. */
const hold = `${flag}.hold`;
/** `quote` takes so many ms in one go. Other code finds it under that name whatever its own is. */
const shop = (ms: number, name = 'quote'): string => `${work(name, ms)}exports.quote = ${name};\n`;
/** More than a pause of the machine while the flag is there: in the first run alone. */
const rank = `${work('rank', `require('node:fs').existsSync('${flag}') ? 150 : 0`)}exports.rank = rank;\n`;
/** The module itself takes so many ms, too, and another function begins where it does. */
const script = (ms: number): string => `function idle() {
  return 1;
}
${busyFor(ms)}
idle();
setTimeout(require('./shop.js').quote, 5);
setTimeout(require('./rank.js').rank, 5);
const waiting = setInterval(() => require('node:fs').existsSync('${hold}') || clearInterval(waiting), 10);
`;
// A re-check runs the sources of the recording, so they are in a repository.
const repository = new Repository({
  '.gitignore': '.hotspan\n',
  'shop.js': shop(150),
  'rank.js': rank,
  'script.js': script(150),
});
const { folder } = repository;
const { page } = await vscodeForTests({ folder, settings: { 'hotspan.recheck.onSave': 'finding' } });

/** What a lens says after a re-check, busy machine or not. */
const verdict = /^((under |≈|≤ )?[\d.]+( ms)? → |not seen → |no change seen|too noisy to say)/;

test('after a fix, Re-check says on the lens and in the tree what it was and what it is, and runs alone', async () => {
  await profileScript();
  writeFileSync(`${folder}/shop.js`, shop(2, 'price'));
  await openFile(page, 'shop.js');
  // Where the machine stood still in a run, the runs may differ too much to say: then a person asks again.
  do {
    writeFileSync(hold, '');
    await lenses(page)
      .filter({ hasText: /^re-check$/ })
      .first()
      .click();
    await lensThatSays(/^re-checking/);
    await runCommand(page, 'Hotspan: Set Baseline');
    await said('” is running, and two measurements would disturb each other');
    await itsProgress();
    await lensThatSays(verdict);
  } while ((await lenses(page).filter({ hasText: 'too noisy to say' }).count()) > 0);
  await hoverWith(page, 'price', 'Re-checked.', 'function price');
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await treeRows(page, 'Hotspots').filter({ hasText: 'quote' }).filter({ hasText: '→' }).first().waitFor();
  repository.assertClean(' M shop.js\n');
});

/** Whose module, `quote` and `rank` are findings then. */
async function profileScript(): Promise<void> {
  await openFile(page, 'script.js');
  await runCommand(page, 'Hotspan: Profile File');
  await lensThatSays(/^script\.js \(module\): ≈?\d+ ms$/);
  rmSync(flag);
}

test('a renamed function is shown with both names', async () => {
  await lensThatSays(new RegExp(`${verdict.source}.* · was quote$`));
});

test('a finding that is fixed leaves the verdict, and its row says what can be done now', async () => {
  await page
    .getByText(/1 fixed since: shop\.js:\d+ ≈?\d+( ms)? →/)
    .first()
    .waitFor();
  const row = treeRows(page, 'Hotspots').filter({ hasText: '→' }).last();
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Undo the Change' }).waitFor();
  await page.getByRole('menuitem', { name: 'Compare Graphs' }).waitFor();
  await page.keyboard.press('Escape');
});

test('that lens opens the diff at the function, and a frame of it leads back to the source', async () => {
  await lenses(page).filter({ hasText: verdict }).first().click();
  const diff = webviewPage(page);
  await diff.getByText(/^ms per operation of price \(\d+ before, \d+ now\)$/).waitFor();
  await diff.getByRole('button', { name: 'Before' }).click();
  await diff.locator('.sides [aria-pressed="true"]', { hasText: 'Before' }).waitFor();
  const price = diff.locator('g.frame:is([name="price"], [name="quote"])').first();
  await price.click({ modifiers: ['ControlOrMeta'], position: { x: 8, y: 8 } });
  await activeTab(page, 'shop.js').waitFor();
  await diff.getByRole('button', { name: 'Show Whole Runs' }).click();
  await diff.getByText(/^ms per run \([358] before, [358] now\)$/).waitFor();
  // Lenses of the same file in another group are found, too.
  await closeAllEditors(page);
});

test('a change that helped is kept as the baseline, and the lens says so', async () => {
  await openFile(page, 'shop.js');
  await lenses(page).filter({ hasText: 'keep as baseline' }).first().click();
  await lensThatSays(/^this is the baseline$/);
  await said(/The baseline "main" is set: [35] runs of node .*script\.js/);
});

test('a comparison with a baseline says what is prepared', async () => {
  await runCommand(page, 'Hotspan: Compare with…');
  const row = quickInputRows(page).filter({ hasText: 'Baseline main' });
  await row.filter({ hasText: 'Runs its sources and your files in turn, three times each or more.' }).waitFor();
  writeFileSync(hold, '');
  await row.click();
  await said(/Preparing the baseline "main" …|Run 1 of /);
  await toastButton(page, 'Cancel').click();
  await said(/It was stopped (before anything (was run|could be said)|while the base was prepared)/);
  rmSync(hold);
});

async function said(text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

test('where the person wants it, a save re-checks the findings that it changed', async () => {
  await openFile(page, 'rank.js');
  await goToLine(page, lineOf(`${folder}/rank.js`, 'function rank') + 1);
  await page.keyboard.type('void 0;');
  await treeRows(page, 'Hotspots')
    .filter({ hasText: /rank\s*was/ })
    .first()
    .waitFor();
  writeFileSync(hold, '');
  await page.keyboard.press('Control+s');
  await itsProgress();
});

test('a function that is over the threshold in neither run has no figure, and its lens says so', async () => {
  await lensThatSays(/^was and is under the threshold$/);
});

test('a script that was profiled as a file is re-checked, what it runs outside of functions, too', async () => {
  await openFile(page, 'script.js');
  await goToLine(page, lineOf(`${folder}/script.js`, 'performance.now'));
  await runCommand(page, 'Hotspan: Undo the Change');
  await said(/There is nothing to put back: the function is as it was measured/);
  writeFileSync(`${folder}/script.js`, script(20));
  await lenses(page)
    .filter({ hasText: /^re-check$/ })
    .first()
    .click();
  await lensThatSays(new RegExp(`^script\\.js \\(module\\): ${verdict.source.slice(1)}`));
});

/** Waits until a lens says what the re-check runs, and lets it go on. */
async function itsProgress(): Promise<void> {
  await lensThatSays(/^re-checking 1 of at least \d+/);
  rmSync(hold);
}

async function lensThatSays(text: RegExp): Promise<void> {
  await lenses(page).filter({ hasText: text }).first().waitFor();
}
