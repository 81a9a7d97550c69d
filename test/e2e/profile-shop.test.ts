import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import { projectFile } from '../helpers/project.ts';
import { lineOf } from '../helpers/source-line.ts';
import { openFile, runCommand } from '../helpers/vscode/commands.ts';
import { cursorOnLine, decorationWith, hoverWith, lenses, noDecorationWith } from '../helpers/vscode/editor.ts';
import { openVscode } from '../helpers/vscode/open-vscode.ts';
import { activeTab, statusBarEntry, treeRows, viewMessage, webviewPage } from '../helpers/vscode/panels.ts';
import { profileTests } from '../helpers/vscode/profile-tests.ts';
import { keepScreenshotsOfFailures, screenshot } from '../helpers/vscode/screenshot.ts';
import { switchTheme, themes } from '../helpers/vscode/themes.ts';

const shop = projectFile('examples/shop');
const vscode = await openVscode({ folder: shop });
const { page } = vscode;
after(() => vscode.close());
keepScreenshotsOfFailures(page);

const figures = /≈?[\d.]+ m?s worst · \d+ × >10 ms · \d+ stacks?$/;

test('Profile Tests says the worst in the status bar', async () => {
  assert.match(await profileTests(page), /worst ≈?[\d.]+ m?s/);
});

test('the figures stand on the line that blocks', async () => {
  await openFile(page, 'src/accounts/email.js');
  const decoration = await decorationWith(page, 'worst');
  assert.match(decoration.text, figures);
  assert.equal(decoration.line, lineOf(`${shop}/src/accounts/email.js`, 'pattern.test(text)'));
});

test('line, lens, hover and tree give one function the same figures', async () => {
  const { text } = await decorationWith(page, 'worst');
  const [, worst = '', counts = ''] = /^(.+) worst · (.+)$/.exec(text) ?? [];
  const reordered = `worst ${worst} · ${counts}`;
  await lenses(page).filter({ hasText: reordered }).waitFor();
  await hoverWith(page, 'isEmail', worst);
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await treeRows(page, 'Hotspots').filter({ hasText: `isEmail` }).filter({ hasText: reordered }).waitFor();
});

test('Next Hotspot goes to the worst line, with no editor open too', async () => {
  await runCommand(page, 'View: Close All Editors');
  const verdict = await viewMessage(page, 'Hotspots').innerText();
  const [, worst = '', file = '', line = ''] = /^worst (.+) in .+, (\S+):(\d+)/.exec(verdict) ?? [];
  await runCommand(page, 'Hotspan: Next Hotspot');
  await activeTab(page, path.basename(file)).waitFor();
  await cursorOnLine(page, Number(line));
  await statusBarEntry(page, `worst ${worst}`).waitFor();
});

test('a remedy in a hover leads to its page, which is packed with the extension', async () => {
  await openFile(page, 'src/catalogue/catalogue.js');
  const hover = await hoverWith(page, 'JSON', 'Ways out');
  await hover.locator('a', { hasText: 'Ways out' }).first().click();
  await page.locator('.tab.active', { hasText: 'json-clone.md' }).waitFor();
  await webviewPage(page).locator('h1', { hasText: 'Cloning by JSON' }).waitFor();
  await screenshot(page, 'remedy');
  await runCommand(page, 'View: Close All Editors');
});

test('a lens opens the flamegraph at its function, and a frame leads back to the source', async () => {
  await openFile(page, 'src/catalogue/catalogue.js');
  await lenses(page).filter({ hasText: 'worst' }).last().click();
  const graph = webviewPage(page);
  await graph.locator('.breadcrumb', { hasText: 'snapshot' }).waitFor();
  const caller = graph.locator(':is(g.frame[name="listProducts"], g.frame[name="priceOf"])').first();
  const name = await caller.getAttribute('name');
  await caller.click({ modifiers: ['ControlOrMeta'] });
  await activeTab(page, 'listing.js').waitFor();
  await cursorOnLine(page, lineOf(`${shop}/src/catalogue/listing.js`, `function ${name}`));
});

test('a hover leads to the worst operation alone, which lasts no shorter than the figure', async () => {
  await openFile(page, 'src/catalogue/catalogue.js');
  const { text } = await decorationWith(page, 'stacks');
  const hover = await hoverWith(page, 'JSON', 'its worst operation alone');
  await hover.locator('a', { hasText: 'its worst operation alone' }).click();
  const graph = webviewPage(page);
  const sentence = await graph.locator('.operation', { hasText: 'One operation alone' }).innerText();
  const [, duration = ''] = /held the event loop for (\d+) ms, in the test "catalogue > .+"\./.exec(sentence) ?? [];
  assert.ok(Number(duration) >= Number(/\d+/.exec(text)?.[0]), `${sentence} ${text}`);
  await graph.getByRole('button', { name: 'Show All Operations' }).click();
  await graph.locator('.operation').waitFor({ state: 'hidden' });
});

test('a row of the tree leads to its function', async () => {
  await treeRows(page, 'Hotspots').filter({ hasText: 'detectBrowser' }).click();
  await activeTab(page, 'user-agent.js').waitFor();
  await cursorOnLine(page, lineOf(`${shop}/src/visits/user-agent.js`, 'function detectBrowser'));
});

test('the figures can be read in light, dark and high contrast', async () => {
  await runCommand(page, 'View: Toggle Panel Visibility');
  for (const theme of themes) {
    await switchTheme(page, theme);
    await decorationWith(page, 'worst', { leastContrast: 4.5 });
    await screenshot(page, `shop-${theme.className}`);
  }
});

test('Toggle Annotations hides lines and lenses, and brings both back', async () => {
  await runCommand(page, 'Hotspan: Toggle Annotations');
  await noDecorationWith(page, 'worst');
  await lenses(page).first().waitFor({ state: 'detached' });
  await runCommand(page, 'Hotspan: Toggle Annotations');
  await decorationWith(page, 'worst');
  await lenses(page).filter({ hasText: 'worst' }).first().waitFor();
});

test('so does the switch for one file', async () => {
  await runCommand(page, 'Hotspan: Toggle Annotations for This File');
  await noDecorationWith(page, 'worst');
  await lenses(page).first().waitFor({ state: 'detached' });
  await runCommand(page, 'Hotspan: Toggle Annotations for This File');
  await decorationWith(page, 'worst');
  await lenses(page).filter({ hasText: 'worst' }).first().waitFor();
});

test('Clear takes the figures away', async () => {
  await runCommand(page, 'Hotspan: Clear');
  await statusBarEntry(page, /worst/).waitFor({ state: 'detached' });
  await lenses(page).first().waitFor({ state: 'detached' });
});

test('no request has left the machine', () => {
  assert.deepEqual([...vscode.foreignHosts], []);
});
