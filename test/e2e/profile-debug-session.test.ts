import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
import { untilSaid } from '../helpers/vscode/open-profile.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { toastButton, toasts } from '../helpers/vscode/panels.ts';
import { resultInStatusBar } from '../helpers/vscode/profile-tests.ts';

/** No console of the debugger, which the test does not look at. */
const quiet = { internalConsoleOptions: 'neverOpen' };
const folder = temporaryProject({
  'package.json': '{ "name": "debugged" }',
  '.vscode/launch.json': JSON.stringify({
    version: '0.2.0',
    configurations: [
      { type: 'node', request: 'launch', name: 'app', program: '${workspaceFolder}/app.js', ...quiet },
      { type: 'other', request: 'launch', name: 'another language', ...quiet },
    ],
  }),
  'app.js': `const { pbkdf2Sync } = require('node:crypto');
function block() {
  pbkdf2Sync('secret', 'salt', 200_000, 32, 'sha512');
}
setInterval(block, 50);
`,
});
const { page } = await vscodeForTests({ folder });

test('Profile Debug Session shows what blocks in a program that is being debugged', async () => {
  await runCommand(page, 'Debug: Start Debugging');
  await page.locator('.debug-toolbar').waitFor();
  const said = toasts(page).filter({ hasText: /A debugger is attached|loop held up to/ });
  // On a slow machine its session is there later than the toolbar, and what is said first is soon replaced.
  await untilSaid(said, async () => runCommand(page, 'Hotspan: Profile Debug Session'), 8_000);
  const terminal = page.locator('.terminal-wrapper.active .xterm-rows');
  for (const hasText of ['A debugger is attached', 'Attached to process']) await terminal.filter({ hasText }).waitFor();
  await toasts(page).waitFor();
  await toastButton(page, 'Stop and Show').click();
  assert.match(await resultInStatusBar(page), /block ≈?\d/);
});

test('a session of another language is none that can be profiled, and a sentence says so', async () => {
  await runCommand(page, 'Debug: Stop');
  await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  await runCommand(page, 'Debug: Select and Start Debugging');
  await quickInputRows(page).filter({ hasText: 'another language' }).first().click();
  await page.locator('.debug-toolbar').waitFor();
  await runCommand(page, 'Hotspan: Profile Debug Session');
  await toasts(page)
    .filter({
      hasText: 'another language is not a session of the JavaScript debugger. Choose that of your Node.js program',
    })
    .waitFor();
});
