import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { after, test } from 'node:test';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { openFile, quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
import { decorationWith, lenses } from '../helpers/vscode/editor.ts';
import { openVscode } from '../helpers/vscode/open-vscode.ts';
import { statusBarEntry, treeRows } from '../helpers/vscode/panels.ts';
import { profileTests } from '../helpers/vscode/profile-tests.ts';
import { keepScreenshotsOfFailures, screenshot } from '../helpers/vscode/screenshot.ts';
import { switchTheme, themes } from '../helpers/vscode/themes.ts';

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
const vscode = await openVscode({ folder });
const { page, server } = vscode;
after(() => vscode.close());
keepScreenshotsOfFailures(page);

/** How many runs of this workspace are over, and kept under the name that they have then. */
function keptRecordings(): number {
  const storage = path.join(server.folder, 'user-data/User/workspaceStorage');
  const names = readdirSync(storage, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ended')).length;
}

test('several recordings that are opened together show the range of the runs', async () => {
  for (const count of [1, 2]) {
    await profileTests(page);
    while (keptRecordings() < count) await delay(200);
    await runCommand(page, 'Hotspan: Clear');
    await statusBarEntry(page, /worst/).waitFor({ state: 'detached' });
  }
  await runCommand(page, 'Hotspan: Open Recording…');
  const rows = quickInputRows(page).filter({ hasText: 'npm test' });
  await rows.nth(1).waitFor();
  await page.locator('.quick-input-widget:visible .codicon-checklist').click();
  // A click on the row itself, before the list has its boxes, would choose that one alone.
  for (const number of [0, 1]) await rows.nth(number).locator('.monaco-checkbox').click();
  await screenshot(page, 'several-recordings-pick');
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
  for (const theme of themes) {
    await switchTheme(page, theme);
    await screenshot(page, `several-runs-${theme.className}`);
  }
});
