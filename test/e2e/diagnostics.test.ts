import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { lineOf } from '../helpers/source-line.ts';
import { hashModule, temporaryProject } from '../helpers/temporary-project.ts';
import { closeEditor, openFile, runCommand } from '../helpers/vscode/commands.ts';
import { decorationWith, openCodeActions } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { webviewPage } from '../helpers/vscode/panels.ts';
import { profileTests } from '../helpers/vscode/profile-tests.ts';

const folder = temporaryProject({
  'package.json': '{ "name": "problems", "type": "module", "scripts": { "test": "node --test" } }',
  'app/(shop)/hash.js': hashModule,
  'sum.js': `export function sum() {
  let total = 0;
  for (let i = 0; i < 2e8; i++) total += i % 7;
  return total;
}
`,
  'clone.js': `const list = Array.from({ length: 6000 }, (_, id) => ({ id, tags: [id, id], name: String(id).repeat(1500) }));
export function copyOf() {
  const products = [...list];
  const copy = JSON.parse(JSON.stringify(products));
  return copy;
}
`,
  'test/both.test.js': `import { test } from 'node:test';
import { hash } from '../app/(shop)/hash.js';
import { copyOf } from '../clone.js';
import { sum } from '../sum.js';

test('hashes', () => { hash(); });
test('sums', () => { sum(); });
test('copies', () => { copyOf(); });
`,
});
const { page } = await vscodeForTests({ folder, settings: { 'hotspan.diagnostics.threshold': 20 } });

const rows = (text: string | RegExp): Locator =>
  page.locator('.markers-panel .monaco-list-row').filter({ hasText: text });

test('Problems lists the lines that block, with the figures of their marks, of files that are not open too', async () => {
  await profileTests(page);
  await runCommand(page, 'View: Focus Problems (Errors, Warnings, Infos)');
  await rows('hash.js').first().waitFor();
  const [hashed = '', summed = ''] = await Promise.all(
    ['key-derivation', 'sum: '].map((code) => rows(code).innerText()),
  );
  assert.match(summed, /sum: ≈?[\d.]+ m?s · 1× · 1 stack \(holds the event loop\)/);
  await openFile(page, 'hash.js');
  const { text, line } = await decorationWith(page, 'stack');
  assert.equal(line, lineOf(`${folder}/app/(shop)/hash.js`, 'pbkdf2Sync('));
  assert.ok(hashed.replaceAll(/\s/g, ' ').includes(`${text} (holds the event loop)`), `${hashed} ${text}`);
  assert.match(hashed, new RegExp(`Ln ${line}, Col 3`));
});

test('the code of a line with a remedy opens its page', async () => {
  await rows('key-derivation').locator('a', { hasText: 'key-derivation' }).click();
  await page.locator('.tab.active', { hasText: 'key-derivation.md' }).waitFor();
  await webviewPage(page).locator('h1').first().waitFor();
  await closeEditor(page);
});

test('where the replacement of a line stands in its hover, it is a quick fix, too', async () => {
  await openFile(page, 'clone.js');
  await decorationWith(page, 'stack');
  await page.locator('.view-line', { hasText: 'JSON.stringify' }).click();
  await (await openCodeActions(page)).getByText('Hotspan: Replace by').first().click();
  await page.locator('.view-line', { hasText: 'products.map((item)' }).waitFor();
  await runCommand(page, 'File: Revert File');
});

test('a function that is edited leaves the list, undo brings it back, and so does closing without saving', async () => {
  await openFile(page, 'hash.js');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await page.keyboard.type(' // no code');
  await page.keyboard.press('Enter');
  await page.keyboard.type('more();');
  await rows('key-derivation').waitFor({ state: 'detached' });
  await rows('sum: ').waitFor();
  await runCommand(page, 'File: Revert File');
  await rows('key-derivation').waitFor();
});

test('a file that another program changes is listed as it is now', async () => {
  const file = `${folder}/sum.js`;
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('% 7', '% 8'));
  await rows('sum: ').waitFor({ state: 'detached' });
  writeFileSync(file, `// above\n${text}`);
  await rows('sum: ').filter({ hasText: 'Ln 4' }).waitFor();
});

test('Toggle Annotations and Clear empty the list', async () => {
  await runCommand(page, 'Hotspan: Toggle Annotations');
  await rows('hotspan').first().waitFor({ state: 'detached' });
  await runCommand(page, 'Hotspan: Toggle Annotations');
  await rows('hotspan').first().waitFor();
  await runCommand(page, 'Hotspan: Clear');
  await rows('hotspan').first().waitFor({ state: 'detached' });
});
