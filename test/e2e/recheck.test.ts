import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { projectFile } from '../helpers/project.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { openFile, runCommand } from '../helpers/vscode/commands.ts';
import { lenses } from '../helpers/vscode/editor.ts';
import { openVscode } from '../helpers/vscode/open-vscode.ts';
import { treeRows } from '../helpers/vscode/panels.ts';
import { profileTests } from '../helpers/vscode/profile-tests.ts';
import { keepScreenshotsOfFailures, screenshot } from '../helpers/vscode/screenshot.ts';
import { switchTheme, themes } from '../helpers/vscode/themes.ts';

// The shop in a repository of its own, because a re-check runs the sources of the baseline.
const folder = temporaryProject({ '.gitignore': 'node_modules\n' });
cpSync(projectFile('examples/shop'), folder, { recursive: true });
const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
execFileSync('git', ['init', '--quiet'], { cwd: folder });
execFileSync('git', ['add', '--all'], { cwd: folder });
execFileSync('git', [...identity, 'commit', '--quiet', '-m', 'The shop'], { cwd: folder });

const vscode = await openVscode({ folder });
const { page } = vscode;
after(() => vscode.close());
keepScreenshotsOfFailures(page);

const catalogue = path.join(folder, 'src/catalogue/catalogue.js');
const before = readFileSync(catalogue, 'utf8');
const fixed = before.replace('JSON.parse(JSON.stringify(products))', 'products.map((product) => ({ ...product }))');
/** A re-check runs 3 to 8 pairs of a test file. */
const patience = { timeout: 180_000 };

test('a baseline is set', async () => {
  await profileTests(page);
  await runCommand(page, 'Hotspan: Set Baseline');
  await page
    .getByText(/The baseline "main" is set: [35] runs of npm test/)
    .first()
    .waitFor(patience);
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
  for (const theme of themes) {
    await switchTheme(page, theme);
    await screenshot(page, `recheck-${theme.className}`);
  }
});

test('the same edit undone is no change (real clock)', async () => {
  writeFileSync(catalogue, before);
  await lenses(page)
    .filter({ hasText: /^re-check/ })
    .last()
    .click();
  await lenses(page)
    .filter({ hasText: /^re-check: Pair/ })
    .first()
    .waitFor(patience);
  await lenses(page)
    .filter({ hasText: /no change seen|too noisy to say/ })
    .first()
    .waitFor(patience);
});
