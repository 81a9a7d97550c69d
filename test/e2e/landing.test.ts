import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { cloneLine, recordShop } from '../helpers/shop-recording.ts';
import { openFile, pickExactRow, runCommand, closeAllEditors } from '../helpers/vscode/commands.ts';
import { decorationWith, hoverWith, lenses } from '../helpers/vscode/editor.ts';
import { openProfile, untilSaid } from '../helpers/vscode/open-profile.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import {
  activeTab,
  statusBarEntry,
  toastButton,
  toasts,
  treeRows,
  webviewPage,
  welcome,
} from '../helpers/vscode/panels.ts';
import { resultInStatusBar, clearResults } from '../helpers/vscode/profile-tests.ts';

const shop = await recordShop();
const { folder } = shop;
after(() => shop.remove());
mkdirSync(path.join(folder, '.vscode'));
const settings = path.join(folder, '.vscode/settings.json');
writeFileSync(path.join(folder, 'zipped.cpuprofile.gz'), gzipSync(readFileSync(shop.profile)));
writeFileSync(path.join(folder, 'package.json'), '{ "name": "shop", "scripts": { "test": "node --test" } }');
writeFileSync(
  path.join(folder, 'src/hash.js'),
  `const { pbkdf2Sync } = require('node:crypto');
exports.ofPassword = () => pbkdf2Sync('secret', 'salt', 300_000, 32, 'sha512');
exports.ofToken = () => pbkdf2Sync('token', 'salt', 300_000, 32, 'sha512');
`,
);
writeFileSync(
  path.join(folder, 'hash.test.js'),
  `const { describe, it, test } = require('node:test');
const { ofPassword, ofToken } = require('./src/hash.js');

describe('hashes', () => {
  it('a password', () => { ofPassword(); });
  it('a token', () => { ofToken(); });
});

for (const kind of ['good', 'bad']) {
  test(\`of a \${kind} token\`, () => { ofToken(); });
}
`,
);
writeFileSync(
  path.join(folder, 'names.test.js'),
  `const { describe, it, test } = require('node:test');
const name = process.env.CURRENCY;

test(name, () => {});
describe('prices', () => {
  it(name, () => {});
});
`,
);

const vscode = await vscodeForTests({ folder, settings: { 'hotspan.annotations.testLenses': true } });
const { page } = vscode;
const graph = webviewPage(page);

test('where there is no recording, the way to one is a button', async () => {
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await welcome(page, 'Hotspots', 'Or open a profile that was recorded elsewhere.').waitFor();
  await runCommand(page, 'Hotspan: Open Recording…');
  await toasts(page).filter({ hasText: 'There is no recording of this workspace yet' }).waitFor();
  await toastButton(page, 'Profile Tests').waitFor();
  await toastButton(page, 'Open Profile…').click();
  await page.locator('.quick-input-title:visible', { hasText: 'Open a CPU profile or a recording' }).waitFor();
  await page.keyboard.press('Escape');
});

test('Open Profile… opens the flamegraph, and marks the lines', async () => {
  await openProfile(page, 'shop.cpuprofile');
  await graph.locator('g.frame[name="quote"]').first().waitFor();
  await openFile(page, 'src/shop.js');
  assert.equal((await decorationWith(page, 'stack')).line, cloneLine + 1);
  await hoverWith(page, 'quote', 'this profile does not say where one operation ends and the next begins');
  await closeAllEditors(page);
  await runCommand(page, 'Hotspan: Clear');
});

test('a profile opens in the editor of VS Code, and by Open With… as its flamegraph beside it in the list', async () => {
  await openFile(page, 'shop.cpuprofile');
  await graph.getByText('Self Time').waitFor();
  assert.equal(await graph.locator('g.frame').count(), 0, 'VS Code keeps its own table as what opens by itself');
  await runCommand(page, 'View: Reopen Editor With...');
  await pickExactRow(page, 'Hotspan Flamegraph');
  await graph.locator('g.frame[name="quote"]').first().waitFor();
  await activeTab(page, 'shop.cpuprofile').waitFor();
  await closeAllEditors(page);
});

test('a gzipped profile opens as its flamegraph, and has Open Profile… in the Explorer', async () => {
  await openFile(page, 'zipped.cpuprofile.gz');
  await graph.locator('g.frame[name="quote"]').first().waitFor();
  writeFileSync(settings, '{ "hotspan.analysis.threshold": 1000 }');
  await graph.getByText('Nothing in your code blocks for more than 1 s').waitFor();
  writeFileSync(settings, '{}');
  await graph.getByText('≈312 ms worst in quote').waitFor();
  await closeAllEditors(page);
  await runCommand(page, 'View: Show Explorer');
  const file = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'zipped.cpuprofile.gz' });
  const item = page.locator('.monaco-menu a.action-menu-item', { hasText: 'Open Profile…' });
  await untilSaid(item, async () => file.click({ button: 'right', timeout: 60_000 }));
  await item.hover();
  // A menu takes no click right after it has opened, but a key.
  await page.locator('.monaco-menu .action-item.focused', { hasText: 'Open Profile…' }).waitFor();
  await page.keyboard.press('Enter');
  await graph.locator('g.frame[name="quote"]').first().waitFor();
  await statusBarEntry(page, /312 ms/).waitFor();
  await closeAllEditors(page);
});

test('a lens over a name that is made while tests run stands for the suite around it, or for the file', async () => {
  await openFile(page, 'names.test.js');
  await lenses(page).filter({ hasText: 'Profile Suite "prices"' }).waitFor();
  await lenses(page).filter({ hasText: 'Profile This File' }).waitFor();
});

test('a lens over each test and suite says what it runs', async () => {
  await openFile(page, 'hash.test.js');
  await lenses(page).filter({ hasText: 'Profile These Tests' }).waitFor();
  const titles = (await lenses(page).allInnerTexts()).map((title) => title.replaceAll(/^[^\w]+/g, '')); // An icon.
  assert.deepEqual(titles, ['Profile This Suite', 'Profile This Test', 'Profile This Test', 'Profile These Tests']);
});

test('the lens over a test profiles just that test', async () => {
  await clearResults(page);
  await lenses(page).filter({ hasText: 'Profile This Test' }).nth(1).click();
  await resultInStatusBar(page);
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  const rows = treeRows(page, 'Hotspots');
  await rows.filter({ hasText: 'ofToken' }).first().waitFor();
  assert.equal(await rows.filter({ hasText: 'ofPassword' }).count(), 0);
});

test('a lens stays while the text is half written, and moves with its line', async () => {
  await page.locator('.monaco-editor .view-line', { hasText: 'a password' }).first().click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('const { = ;\n');
  await lenses(page).filter({ hasText: 'Profile This Suite' }).waitFor();
  await page.keyboard.press('Control+Z');
  await runCommand(page, 'File: Revert File');
});

test('the lenses can be switched off', async () => {
  writeFileSync(settings, '{ "hotspan.annotations.testLenses": false }');
  await openFile(page, 'hash.test.js');
  await lenses(page).filter({ hasText: 'Profile This' }).first().waitFor({ state: 'detached' });
});

test('no request has left the machine', () => {
  assert.deepEqual([...vscode.foreignHosts], []);
});
