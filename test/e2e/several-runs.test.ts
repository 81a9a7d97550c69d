import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { openFile, quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
import { decorationWith, lenses } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { statusBarEntry, treeRows } from '../helpers/vscode/panels.ts';
import { profileTests } from '../helpers/vscode/profile-tests.ts';
import { recordingsHaveEnded } from '../helpers/vscode/stored-recordings.ts';

const folder = temporaryProject({
  'package.json': '{ "name": "runs", "type": "module", "scripts": { "test": "node --test" } }',
  'hash.js': `import { pbkdf2Sync } from 'node:crypto';

export function hash() {
  return pbkdf2Sync('secret', 'salt', 200_000, 32, 'sha512');
}
`,
  'test/hash.test.js': `import { test } from 'node:test';
import { hash } from '../hash.js';

test('hashes', () => { hash(); });
`,
});
const { page, server } = await vscodeForTests({ folder });

test('several recordings that are opened together show the range of the runs', async () => {
  for (const count of [1, 2]) {
    await profileTests(page);
    await recordingsHaveEnded(server, count);
    await runCommand(page, 'Hotspan: Clear');
    await statusBarEntry(page, /worst/).waitFor({ state: 'detached' });
  }
  await runCommand(page, 'Hotspan: Open Recording…');
  const rows = quickInputRows(page).filter({ hasText: 'npm test' });
  await rows.nth(1).waitFor();
  await page.locator('.quick-input-widget:visible .codicon-checklist').click();
  // A click on the row itself, before the list has its boxes, would choose that one alone.
  for (const number of [0, 1]) await rows.nth(number).locator('.monaco-checkbox').click();
  await page.locator('.quick-input-widget:visible .monaco-button', { hasText: 'OK' }).click();
  await statusBarEntry(page, /worst/).waitFor();
  await openFile(page, 'hash.js');
  await lenses(page).filter({ hasText: 'flamegraph' }).first().waitFor();
  assert.match((await decorationWith(page, '2 runs')).text, /≈?(\d+–)?\d+ ms worst, 2 runs · 1 × >10 ms/);
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await treeRows(page, 'Hotspots')
    .filter({ hasText: /(\d+–)?\d+ ms\u2002\w+2 runs · 1 ×/ })
    .first()
    .waitFor();
  await treeRows(page, 'Hotspots').filter({ hasText: 'About these figures' }).waitFor();
});
