import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOf } from '../helpers/source-line.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { closeAllEditors, openFile, runCommand } from '../helpers/vscode/commands.ts';
import { cursorOnLine, decorationWith, goToLine, openCodeActions } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { activeTab, toastButton, toasts, treeRows, webviewPage } from '../helpers/vscode/panels.ts';
import { showRecording } from '../helpers/vscode/profile-tests.ts';
import { storeFixtures } from '../helpers/vscode/stored-recordings.ts';

const shop = temporaryProject({});
const { page, server } = await vscodeForTests({ folder: shop });
const file = 'src/accounts/email.js';
const lineWith = (text: string): number => lineOf(`${shop}/${file}`, text);
const hotCode = 'pattern.test(text)';
const hover = page.locator('.monaco-hover:visible').filter({ hasText: 'isEmail' });

test('Next Finding goes to the first finding of the verdict', async () => {
  storeFixtures(server, shop, ['shop/first']);
  await showRecording(page);
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  const first = treeRows(page, 'Hotspots')
    .filter({ hasText: /\.js:\d+/ })
    .first();
  const [, name = '', line = ''] = /([\w-]+\.js):(\d+)/.exec(await first.innerText()) ?? [];
  await closeAllEditors(page);
  await runCommand(page, 'Hotspan: Next Finding');
  await activeTab(page, name).waitFor();
  await cursorOnLine(page, Number(line));
});

test('Explain opens the hover of the function around the cursor, with the focus in it', async () => {
  await openFile(page, file);
  await decorationWith(page, 'stack', { line: lineWith(hotCode) });
  await goToLine(page, lineWith('function isEmail'));
  await page.keyboard.press('Control+K');
  await page.keyboard.press('Alt+E');
  await hover.first().waitFor();
  await cursorOnLine(page, lineWith(hotCode));
  await page.keyboard.press('Escape');
});

test('a marked line has code actions, which do not ask the server', async () => {
  await goToLine(page, lineWith(hotCode));
  const menu = await openCodeActions(page);
  for (const title of ['Hotspan: Explain: ', 'Hotspan: Re-check: Has My Change Helped?'])
    await menu.getByText(title).first().waitFor();
  await menu.getByText('Hotspan: Show Its Worst Operation').first().click();
  await webviewPage(page).locator('.operation', { hasText: 'One operation alone' }).waitFor();
  await closeAllEditors(page);
});

test('where the cursor is in no such function, that is said, with the way to the first finding', async () => {
  await openFile(page, file);
  await decorationWith(page, 'stack');
  await goToLine(page, 1);
  await runCommand(page, 'Hotspan: Show the Worst Operation Alone in the Flamegraph');
  await toasts(page)
    .filter({ hasText: 'The cursor is in no function that blocks: put it on a marked line.' })
    .waitFor();
  await toastButton(page, 'Next Finding').waitFor();
  assert.equal(await page.locator('iframe.webview.ready').count(), 0);
});
