import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { lineOf } from '../helpers/source-line.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { openFile, quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
import { decorationWith } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { statusBarEntry, toastButton, toasts } from '../helpers/vscode/panels.ts';
import { resultInStatusBar } from '../helpers/vscode/profile-tests.ts';

const folder = temporaryProject({
  'package.json': '{ "name": "served" }',
  'served-app.js': `const { pbkdf2Sync } = require('node:crypto');
const { createServer } = require('node:http');
function hash() {
  return pbkdf2Sync('', '', 200_000, 32, 'sha512').toString('hex');
}
const server = createServer((request, response) => response.end(hash()));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`,
});
const app = spawn(process.execPath, ['--inspect=127.0.0.1:0', 'served-app.js'], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'ignore'],
});
after(() => app.kill('SIGKILL'));
const said: readonly unknown[] = await once(app.stdout, 'data');
const answers = async (): Promise<string> => (await fetch(`http://127.0.0.1:${Number(String(said[0]))}`)).text();

const { page } = await vscodeForTests({ folder });

/** Offers the processes and inspectors with this word: VS Code draws no more rows than there is room for. */
async function offer(word: string): Promise<void> {
  await runCommand(page, 'Hotspan: Attach to Process…');
  const pick = page.locator('.quick-input-widget:visible');
  await pick.locator('.quick-input-list .monaco-list-row', { hasText: 'process' }).first().waitFor();
  await pick.locator('input.input').fill(word);
}

test('Attach to Process lists what runs, profiles it under load, and shows the line that blocked', async () => {
  await offer('served-app');
  const row = quickInputRows(page)
    .filter({ hasText: `process ${app.pid}` })
    .filter({ hasText: `:${Number(String(said[0]))}` });
  await row.waitFor();
  await row.click();
  await page.locator('.terminal-wrapper.active .xterm-rows', { hasText: 'Attached to process' }).waitFor();
  for (let request = 0; request < 5; request++) await answers();
  await toastButton(page, 'Stop and Show').click();
  await resultInStatusBar(page);
  await openFile(page, 'served-app.js');
  const { text, line } = await decorationWith(page, 'stack');
  assert.match(text, /^ *≈?[\d.]+ .* stack/); // As a busy machine allows.
  assert.equal(line, lineOf(`${folder}/served-app.js`, 'pbkdf2Sync('));
});

test('an inspector can be named by its address, and where none answers there, that is said', async () => {
  await offer('Another');
  await quickInputRows(page).filter({ hasText: 'Another Inspector…' }).click();
  const pick = page.locator('.quick-input-widget:visible', { hasText: 'Address of the inspector' });
  await pick.locator('input.input').fill('1');
  await page.keyboard.press('Enter');
  await toasts(page).filter({ hasText: 'The command could not be recorded. The terminal says why.' }).waitFor();
  await statusBarEntry(page, /not recorded.* m?s/).waitFor();
});

test('the process goes on as before', async () => {
  assert.equal(app.exitCode, null);
  assert.equal((await answers()).length, 64);
});
