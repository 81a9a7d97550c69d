import { rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { busyFor } from '../helpers/busy-for.ts';
import { blockingShop, shopFiles } from '../helpers/blocking-shop.ts';
import { lineOf } from '../helpers/source-line.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { Repository } from '../helpers/temporary-repository.ts';
import { closeAllEditors, openFile, quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
import { goToLine, hoverWith, lenses } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { activeTab, toastButton, treeRows, webviewPage } from '../helpers/vscode/panels.ts';
import { profileTests } from '../helpers/vscode/profile-tests.ts';

const flag = `${temporaryProject({ flag: '' })}/flag`;
/** While this file is there the tests of the shop wait, so that what is shown of a run stays in sight. */
const hold = `${flag}.hold`;
const waits = `
const { existsSync } = require('node:fs');
test('waits', async () => {
  while (existsSync('${hold}')) await new Promise((resolve) => setTimeout(resolve, 10));
});
`;
/** `quote` takes so many ms, `rank` more than a pause of the machine while the flag is there: in the first run alone. */
const shop = (ms: number): string =>
  `const { existsSync } = require('node:fs');${blockingShop(ms)}`.replace(
    'limit = 40',
    `limit = existsSync('${flag}') ? 150 : 0`,
  );
/** A function begins where the module does. */
const script = (ms: number): string => `function idle() {\n  return 1;\n}\n${busyFor(ms)}\nidle();\n`;
// A re-check runs the sources of the baseline, so they are in a repository.
const repository = new Repository({
  '.gitignore': '.hotspan\n',
  ...shopFiles,
  'shop.js': shop(70),
  'script.js': script(150),
  'shop.test.js': `${shopFiles['shop.test.js']}${waits}`,
});
const { folder } = repository;
const { page } = await vscodeForTests({ folder, settings: { 'hotspan.recheck.onSave': 'finding' } });

/** What a lens says after a re-check, busy machine or not. */
const verdict = /^((under |≈|≤ )?[\d.]+( ms)? → |not seen → |no change seen|too noisy to say)/;

test('a baseline is set', async () => {
  await profileTests(page);
  rmSync(flag);
  await runCommand(page, 'Hotspan: Set Baseline');
  await said(/The baseline "main" is set: [35] runs of npm test/);
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

test('after a fix, Re-check says on the lens and in the tree what it was and what it is, and runs alone', async () => {
  writeFileSync(`${folder}/shop.js`, shop(2));
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
  await hoverWith(page, 'quote', 'Re-checked.', 'function quote');
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await treeRows(page, 'Hotspots').filter({ hasText: 'quote' }).filter({ hasText: '→' }).first().waitFor();
  repository.assertClean(' M shop.js\n');
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
  await diff.getByText(/^ms per operation of quote \(\d+ before, \d+ now\)$/).waitFor();
  await diff.getByRole('button', { name: 'Before' }).click();
  await diff.locator('.sides [aria-pressed="true"]', { hasText: 'Before' }).waitFor();
  await diff.getByRole('button', { name: 'Now' }).click();
  const quote = diff.locator('g.frame[name="quote"]').first();
  await quote.click({ modifiers: ['ControlOrMeta'], position: { x: 8, y: 8 } });
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
});

test('where the person wants it, a save re-checks the findings that it changed', async () => {
  await closeAllEditors(page);
  writeFileSync(
    `${folder}/shop.js`,
    shop(70).replace('function quote', 'function price').replace('{ quote,', '{ quote: price,'),
  );
  await openFile(page, 'shop.js');
  await goToLine(page, lineOf(`${folder}/shop.js`, 'function price') + 1);
  await page.keyboard.type('void 0;');
  await treeRows(page, 'Hotspots').filter({ hasText: '→' }).first().waitFor({ state: 'detached' });
  writeFileSync(hold, '');
  await page.keyboard.press('Control+s');
  await itsProgress();
});

test('a function that is over the threshold in neither run has no figure, and its lens says so', async () => {
  await lensThatSays(/^was and is under the threshold$/);
  await goToLine(page, lineOf(`${folder}/shop.js`, 'function rank') + 1);
  await runCommand(page, 'Hotspan: Undo the Change');
  await said(/There is nothing to put back: the function is as it was measured/);
});

test('a renamed function is shown with both names', async () => {
  await lensThatSays(new RegExp(`${verdict.source}.* · was quote$`));
});

test('a script that was profiled as a file is re-checked, what it runs outside of functions, too', async () => {
  await closeAllEditors(page);
  await openFile(page, 'script.js');
  await runCommand(page, 'Hotspan: Profile File');
  await lensThatSays(/^script\.js \(module\): ≈?\d+ ms$/);
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
