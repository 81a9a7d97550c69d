import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { projectFile } from '../helpers/project.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { openFile, quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
import { lenses } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { activeTab, toastButton, treeRows, webviewPage } from '../helpers/vscode/panels.ts';
import { profileTests } from '../helpers/vscode/profile-tests.ts';

// The shop in a repository of its own, because a re-check runs the sources of the baseline.
const folder = temporaryProject({ '.gitignore': 'node_modules\n' });
cpSync(projectFile('examples/shop'), folder, { recursive: true });
const flag = path.join(folder, '.slow');
writeFileSync(flag, '');
writeFileSync(
  path.join(folder, 'src/flagged.js'),
  `import { existsSync } from 'node:fs';

export function flagged() {
  let sum = 0;
  const end = performance.now() + (existsSync(${JSON.stringify(flag)}) ? 60 : 0);
  while (performance.now() < end) sum += Math.sqrt(sum + 1);
  return sum;
}
`,
);
writeFileSync(
  path.join(folder, 'test/flagged.test.js'),
  "import { flagged } from '../src/flagged.js';\n\nit('waits for a file', () => { flagged(); });\n",
);
const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
execFileSync('git', ['init', '--quiet'], { cwd: folder });
execFileSync('git', ['add', '--all'], { cwd: folder });
execFileSync('git', [...identity, 'commit', '--quiet', '-m', 'The shop'], { cwd: folder });

const { page } = await vscodeForTests({ folder });

const catalogue = path.join(folder, 'src/catalogue/catalogue.js');
const listing = path.join(folder, 'src/catalogue/listing.js');
const feed = path.join(folder, 'src/catalogue/feed.js');
const before = readFileSync(catalogue, 'utf8');
const fixed = before.replace('JSON.parse(JSON.stringify(products))', 'products.map((product) => ({ ...product }))');
/** A re-check runs 3 to 8 pairs of a test file, each of which may take 27 s beside an editor that draws without a GPU. */
const patience = { timeout: 360_000 };

test('a baseline is set', async () => {
  await profileTests(page);
  await runCommand(page, 'Hotspan: Set Baseline');
  await page
    .getByText(/The baseline "main" is set: [35] runs of npm test/)
    .first()
    .waitFor(patience);
});

test('a comparison with a baseline says what is prepared', async () => {
  await runCommand(page, 'Hotspan: Compare with…');
  const row = quickInputRows(page).filter({ hasText: 'Baseline main' });
  await row.filter({ hasText: 'Runs its sources and your files in turn, three times each or more.' }).waitFor();
  await row.click();
  await page.getByText('Preparing the baseline "main" …').first().waitFor(patience);
  await toastButton(page, 'Cancel').click();
  await page
    .getByText(/It was stopped before anything (was run|could be said)/)
    .first()
    .waitFor(patience);
});

test('a function that is over the threshold in neither run has no figure, and its lens says so', async () => {
  rmSync(flag);
  await openFile(page, 'src/flagged.js');
  await recheckAgain();
  await lensThatSays(/^was and is under the threshold$/);
});

test('after a fix, Re-check says on the lens and in the tree what it was and what it is', async () => {
  writeFileSync(catalogue, fixed);
  await openFile(page, 'src/catalogue/catalogue.js');
  await lenses(page)
    .filter({ hasText: /^re-check/ })
    .last()
    .click();
  await lenses(page)
    .filter({ hasText: /^re-check: Pair \d of \d/ })
    .first()
    .waitFor(patience);
  await lenses(page)
    .filter({ hasText: /^was \d+ (ms )?→ ((≤ )?[\d.]+ ms \(.+, \d pairs\)|under 8 ms, in all of \d runs)$/ })
    .first()
    .waitFor(patience);
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await treeRows(page, 'Hotspots').filter({ hasText: 'snapshot' }).filter({ hasText: '→' }).waitFor();
});

test('that lens opens the diff at the function, and a frame of it leads back to the source', async () => {
  await lenses(page)
    .filter({ hasText: /^was \d+/ })
    .first()
    .click();
  const diff = webviewPage(page);
  await diff.getByText(/^ms per operation of snapshot \(\d+ before, \d+ now\)$/).waitFor(patience);
  const snapshot = diff.locator('g.frame[name="snapshot"]').first();
  await snapshot.waitFor();
  assert.equal(await snapshot.getAttribute('data-change'), 'faster');
  await diff.getByRole('button', { name: 'Before' }).click();
  await diff.locator('.sides [aria-pressed="true"]', { hasText: 'Before' }).waitFor();
  await snapshot.waitFor();
  await diff.getByRole('button', { name: 'Now' }).click();
  await snapshot.click({ modifiers: ['ControlOrMeta'], position: { x: 8, y: 8 } });
  await activeTab(page, 'catalogue.js').waitFor();
  await diff.getByRole('button', { name: 'Show Whole Runs' }).click();
  await diff.getByText(/^ms per run \([358] before, [358] now\)$/).waitFor();
});

test('the same edit undone is no change', async () => {
  writeFileSync(catalogue, before);
  await recheckAgain();
  await lensThatSays(/no change seen|too noisy to say/);
});

test('a function that got another name is told by both', async () => {
  for (const file of [catalogue, listing, feed]) replaceIn(file, 'snapshot()', 'everything()');
  try {
    await recheckAgain();
    await lensThatSays(/(no change seen|too noisy to say) .*· everything was snapshot$/);
  } finally {
    for (const file of [catalogue, listing, feed]) replaceIn(file, 'everything()', 'snapshot()');
  }
});

test('a function that was split is told as moved, and where to', async () => {
  const call = 'JSON.parse(JSON.stringify(products))';
  writeFileSync(
    catalogue,
    `${before.replace(call, 'copyOf(products)')}\nfunction copyOf(list) {\n  return ${call.replace('products', 'list')};\n}\n`,
  );
  await recheckAgain();
  await lensThatSays(/^its own part \d+ .*; with what it calls .*: see copyOf$/);
});

/** Clicks *re-check* on the lens over the last function, and waits until it runs. */
async function recheckAgain(): Promise<void> {
  await lenses(page)
    .filter({ hasText: /^re-check/ })
    .last()
    .click();
  await lensThatSays(/^re-check: Pair/);
}

async function lensThatSays(text: RegExp): Promise<void> {
  await lenses(page).filter({ hasText: text }).first().waitFor(patience);
}

function replaceIn(file: string, text: string, other: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(text, other));
}
