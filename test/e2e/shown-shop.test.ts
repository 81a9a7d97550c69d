import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOf } from '../helpers/source-line.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { openFile, pickExactRow, runCommand, closeAllEditors, closeEditor } from '../helpers/vscode/commands.ts';
import {
  cursorOnLine,
  decorationWith,
  goToLine,
  hoverWith,
  lenses,
  noDecorationWith,
  openCodeActions,
} from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { activeTab, toastButton, toasts, treeRows, webviewPage } from '../helpers/vscode/panels.ts';
import { clearResults, showRecording } from '../helpers/vscode/profile-tests.ts';
import { storeFixtures } from '../helpers/vscode/stored-recordings.ts';
import { switchTheme, themes } from '../helpers/vscode/themes.ts';

const shop = temporaryProject({});
const keybindings = [
  { key: 'ctrl+alt+a', command: 'hotspan.toggleAnnotations' },
  { key: 'ctrl+alt+f', command: 'hotspan.toggleFileAnnotations' },
];
const vscode = await vscodeForTests({ folder: shop, keybindings });
const { page } = vscode;

const file = 'src/accounts/email.js';
const lineWith = (text: string): number => lineOf(`${shop}/${file}`, text);
const hotCode = 'pattern.test(text)';
const hover = page.locator('.monaco-hover:visible').filter({ hasText: 'isEmail' });
const figures = /≈?[\d.]+ m?s · \d+× · \d+ stacks?$/;

test('a recording says its first finding in the status bar', async () => {
  storeFixtures(vscode.server, shop, ['reports/first', 'shop/first']);
  assert.equal(await showRecording(page), 'snapshot 165 ms');
});

test('Next Finding goes to the first finding of the verdict', async () => {
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  const first = treeRows(page, 'Hotspots')
    .filter({ hasText: /\.js:\d+/ })
    .first();
  const [, name = '', line = ''] = /([\w-]+\.js):(\d+)/.exec(await first.innerText()) ?? [];
  await runCommand(page, 'Hotspan: Next Finding');
  await activeTab(page, name).waitFor();
  await cursorOnLine(page, Number(line));
});

test('the figures stand on the line that blocks', async () => {
  await openFile(page, 'src/accounts/email.js');
  const decoration = await decorationWith(page, 'stack');
  assert.match(decoration.text, figures);
  assert.equal(decoration.line, lineOf(`${shop}/src/accounts/email.js`, 'pattern.test(text)'));
});

test('line, hover and tree give one function the same figures, and its lens does', async () => {
  const { text } = await decorationWith(page, 'stack');
  const [worst = '', count = ''] = text.split(/ · |×/);
  await lenses(page).filter({ hasText: worst }).first().waitFor();
  await hoverWith(page, 'isEmail', `${worst} worst · ${count} × >10 ms`);
  await treeRows(page, 'Hotspots')
    .filter({ hasText: `${worst}\u2002isEmail` })
    .first()
    .waitFor();
});

test('a line of two functions says so, and each has its own figures on lens, hover and tree', async () => {
  await openFile(page, 'src/catalogue/bestsellers.js');
  // The line is long: its figures stand in a lens above it.
  await lenses(page)
    .filter({ hasText: / · \d+× · / })
    .first()
    .waitFor();
  const hover = await (await hoverWith(page, 'ranked', 'This line')).innerText();
  for (const name of [String.raw`sort\(\) callback`, 'rankByCategory']) {
    const row = treeRows(page, 'Hotspots').filter({ hasText: new RegExp(`\u2002${name}`) });
    const [own = ''] = /≈?[\d.]+ m?s(?=\s)/.exec(await row.first().innerText()) ?? [];
    await lenses(page).filter({ hasText: own }).first().waitFor();
    assert.match(hover, new RegExp(`${name}.* · ${own} worst`));
  }
});

test('more… names the function with its figures, and leads to whom it calls', async () => {
  await lenses(page).filter({ hasText: 'more…' }).first().click();
  const pick = page.locator('.quick-input-widget:visible');
  await pick.locator('.quick-input-title', { hasText: /^rankByCategory · .*worst/ }).waitFor();
  await pick.getByText('Callees').click();
  await pick.getByText('filter() callback in rankByCategory').click();
  await cursorOnLine(page, lineOf(`${shop}/src/catalogue/bestsellers.js`, 'ranked.filter('));
});

test('more… leads to whom calls it, and to each function of its heaviest stacks', async () => {
  const file = `${shop}/src/catalogue/bestsellers.js`;
  const pick = page.locator('.quick-input-widget:visible');
  for (const [action, placeholder, line] of [
    ['Callers', 'Who calls it on the heaviest stacks: choose one to go to', 'function bestsellers'],
    ['Heaviest stacks', 'The heaviest stacks, callers first: choose a function to go to', 'function rankByCategory'],
  ] as const) {
    await lenses(page).filter({ hasText: 'more…' }).first().click();
    await pick.getByText(action).click();
    await pick.locator(`input.input[placeholder="${placeholder}"]`).waitFor();
    await pickExactRow(page, line.replace('function ', ''));
    await cursorOnLine(page, lineOf(file, line));
  }
});

test('Next Hotspot goes to the worst line, with no editor open too', async () => {
  await closeAllEditors(page);
  await runCommand(page, 'Hotspan: Next Hotspot');
  await activeTab(page, 'logger.js').waitFor();
  await cursorOnLine(page, lineOf(`${shop}/src/logger.js`, 'new Error().stack'));
});

test('a remedy in a hover leads to its page, which is packed with the extension', async () => {
  await openFile(page, 'src/catalogue/catalogue.js');
  await lenses(page).filter({ hasText: 'flamegraph' }).first().waitFor(); // They move the lines below the mouse.
  const hover = await hoverWith(page, 'JSON', 'Ways out');
  assert.match(await hover.innerText(), /return products\.map\(\(item\) => \(\{ \.\.\.item \}\)\);/);
  await hover.locator('a', { hasText: 'Ways out' }).first().click();
  await page.locator('.tab.active', { hasText: 'json-clone.md' }).waitFor();
  await webviewPage(page).locator('h1', { hasText: 'Cloning by JSON' }).waitFor();
  await closeEditor(page);
});

test('a hover leads to the worst operation alone, which lasts no shorter than the figure', async () => {
  const { text } = await decorationWith(page, 'stack', { fromBottom: true });
  const hover = await hoverWith(page, 'JSON', 'its worst operation alone');
  await hover.locator('a', { hasText: 'its worst operation alone' }).click();
  const graph = webviewPage(page);
  const sentence = await graph.locator('.operation', { hasText: 'One operation alone' }).innerText();
  const [, duration = ''] = /held the event loop for (\d+) ms, in the test "catalogue > .+"\./.exec(sentence) ?? [];
  assert.ok(Number(duration) >= Number(/\d+/.exec(text)?.[0]), `${sentence} ${text}`);
  await page.mouse.move(0, 0); // The hover stays where the pointer is, over the page.
  await hover.waitFor({ state: 'hidden' });
  await graph.getByRole('button', { name: 'Show All Operations' }).click();
  await graph.locator('.operation').waitFor({ state: 'hidden' });
});

test('the graph opens on the code of the shop: at least half of its frames are its own', async () => {
  const graph = webviewPage(page);
  await graph.getByRole('button', { name: /^Graph/ }).click();
  const frames = graph.locator('g.frame:not([data-id=""])');
  await frames.and(graph.locator('[data-folded=others]')).first().waitFor();
  const own = frames.and(graph.locator(':is([data-category=own], [data-category=test]):not([data-folded=others])'));
  const [all, ours] = [await frames.count(), await own.count()];
  assert.ok(ours >= all / 2, `${ours} of ${all}`);
});

test('a lens shows its function between its callers and callees, and a frame leads back to the source', async () => {
  await lenses(page).filter({ hasText: 'flamegraph' }).last().click();
  const graph = webviewPage(page);
  await graph.locator('.around-line', { hasText: /^snapshot: / }).waitFor();
  await graph.locator('.callees g.frame[name="snapshot"]').hover();
  await graph.locator('.card', { hasText: '165 ms' }).waitFor();
  const caller = graph.locator('.callers :is(g.frame[name="listProducts"], g.frame[name="priceOf"])').first();
  const name = await caller.getAttribute('name');
  await caller.click({ modifiers: ['ControlOrMeta'] });
  await activeTab(page, 'listing.js').waitFor();
  await cursorOnLine(page, lineOf(`${shop}/src/catalogue/listing.js`, `function ${name}`));
});

test('a row of the tree leads to its function', async () => {
  await treeRows(page, 'Hotspots').filter({ hasText: 'detectBrowser' }).last().click();
  await activeTab(page, 'user-agent.js').waitFor();
  await cursorOnLine(page, lineOf(`${shop}/src/visits/user-agent.js`, 'pattern.exec(userAgent)'));
});

test('the figures can be read in light, dark and high contrast', async () => {
  await closeAllEditors(page);
  await openFile(page, 'src/accounts/email.js');
  for (const theme of themes) {
    await switchTheme(page, shop, theme);
    await decorationWith(page, 'stack', { leastContrast: 4.5 });
  }
});

test('Toggle Annotations hides lines and lenses, and brings both back', async () => hideAndShow('', 'Control+Alt+A'));

test('so does the switch for one file', async () => hideAndShow(' for This File', 'Control+Alt+F'));

async function hideAndShow(where: string, key: string): Promise<void> {
  await runCommand(page, `Hotspan: Toggle Annotations${where}`);
  await noDecorationWith(page, 'stack');
  await lenses(page).first().waitFor({ state: 'detached' });
  await page.keyboard.press(key);
  await decorationWith(page, 'stack');
  await lenses(page).filter({ hasText: 'more…' }).first().waitFor();
}

test('Explain opens the hover of the function around the cursor, with the focus in it', async () => {
  await decorationWith(page, 'stack', { line: lineWith(hotCode) });
  await goToLine(page, lineWith('function isEmail'));
  await page.keyboard.press('Control+K');
  await page.keyboard.press('Alt+E');
  await hover.first().waitFor();
  await cursorOnLine(page, lineWith(hotCode));
  await page.keyboard.press('Escape');
});

test('where the cursor is in no such function, that is said, with the way to the first finding', async () => {
  await goToLine(page, 1);
  await runCommand(page, 'Hotspan: Show the Worst Operation Alone in the Flamegraph');
  await toasts(page)
    .filter({ hasText: 'The cursor is in no function that blocks: put it on a marked line.' })
    .waitFor();
  await toastButton(page, 'Next Finding').waitFor();
  assert.equal(await page.locator('iframe.webview.ready').count(), 0);
});

test('a marked line has code actions, which do not ask the server', async () => {
  await goToLine(page, lineWith(hotCode));
  const menu = await openCodeActions(page);
  for (const title of ['Hotspan: Explain: ', 'Hotspan: Re-check: Has My Change Helped?'])
    await menu.getByText(title).first().waitFor();
  await menu.getByText('Hotspan: Show Its Worst Operation').first().click();
  await webviewPage(page).locator('.operation', { hasText: 'One operation alone' }).waitFor();
});

test('Clear takes the figures away', async () => {
  await clearResults(page);
  await lenses(page).first().waitFor({ state: 'detached' });
});

test('the figures stand on the line of the TypeScript that was written', async () => {
  await closeAllEditors(page);
  await showRecording(page, /:25:38/);
  await openFile(page, 'src/archive.ts');
  await lenses(page).filter({ hasText: 'flamegraph' }).last().waitFor();
  const { line, text } = await decorationWith(page, 'stack', { fromBottom: true });
  assert.match(text, figures);
  assert.equal(line, lineOf(`${shop}/src/archive.ts`, 'return gzipSync('));
});

test('the flamegraph of its lens leads back to the TypeScript', async () => {
  await lenses(page).filter({ hasText: 'flamegraph' }).last().click();
  const graph = webviewPage(page);
  await graph.locator('.around-line', { hasText: 'compressed' }).waitFor();
  await graph
    .locator('g.frame[name="archiveOf"]')
    .first()
    .click({ modifiers: ['ControlOrMeta'] });
  await activeTab(page, 'archive.ts').waitFor();
  await cursorOnLine(page, lineOf(`${shop}/src/archive.ts`, 'export function archiveOf('));
});

test('no request has left the machine', () => {
  assert.deepEqual([...vscode.foreignHosts], []);
});
