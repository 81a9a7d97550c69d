import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { test } from 'node:test';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { openFile, pickExactRow, quickInputRows, runCommand, closeAllEditors } from '../helpers/vscode/commands.ts';
import { cursorOnLine, decorationWith, goToLine, lenses } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { activeTab, toastButton, toasts, treeRows } from '../helpers/vscode/panels.ts';
import { resultInStatusBar } from '../helpers/vscode/profile-tests.ts';

const folder = temporaryProject({
  'package.json': '{ "name": "app", "type": "module", "scripts": { "start": "node app.js" } }',
  'app.js': `import { pbkdf2Sync } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

function answer(request, response) {
  pbkdf2Sync('secret', 'salt', 200_000, 32, 'sha512');
  response.end(String(process.env.NODE_ENV));
}

const server = createServer(answer).listen(0, '127.0.0.1', () => {
  writeFileSync('port.part', String(server.address().port));
  renameSync('port.part', 'port');
});
`,
});
const { page } = await vscodeForTests({ folder });

/** Starts the app by what `start` does; what asks it. The app writes its port once it listens. */
async function appStarted(start: () => Promise<void>): Promise<() => Promise<string>> {
  rmSync(`${folder}/port`, { force: true });
  const changes = watch(folder);
  await start();
  for await (const { filename } of changes) if (filename === 'port') break;
  const port = readFileSync(`${folder}/port`, 'utf8');
  return async () => (await fetch(`http://127.0.0.1:${port}`)).text();
}

test('Profile App asks for the environment once, runs until it is stopped, and shows what blocked', async () => {
  const ask = await appStarted(async () => {
    await runCommand(page, 'Hotspan: Profile App');
    await pickExactRow(page, 'Production');
  });
  assert.equal(await ask(), 'production');
  await toasts(page).filter({ hasText: 'loop held up to' }).waitFor();
  const port = readFileSync(`${folder}/port`, 'utf8');
  await toasts(page)
    .filter({ hasText: new RegExp(`listening on :${port}, .*after its start.*Open.*Send Load`) })
    .waitFor();
  await page.locator('.statusbar-item', { hasText: `:${port}` }).waitFor();
  await Promise.all([1, 2, 3, 4].map(ask)); // Each waits for those before it.
  await runCommand(page, 'Hotspan: Send Load to App');
  await quickInputRows(page).filter({ hasText: 'GET /' }).waitFor();
  await pickExactRow(page, '-c 2 -a 4 /');
  await toasts(page)
    .filter({ hasText: /Load with the recorder: .* p99 .* \(4 × GET .* over 2 connections\)/ })
    .waitFor();
  await toastButton(page, 'Stop and Show').first().click();
  await resultInStatusBar(page);
  await openFile(page, 'app.js');
  const { text } = await decorationWith(page, 'stack');
  assert.match(text, / · \d+× · 1 stack$/);
});

test('Who Waited says how many requests waited for others, and leads to the line behind which they did', async () => {
  await closeAllEditors(page);
  await runCommand(page, 'Hotspan: Focus on Who Waited View');
  const rows = treeRows(page, 'Who Waited');
  await rows.filter({ hasText: /≈?[\d.]+ m?s\u2002GET \/p99 · \d+ % of \d+ wait > 10 ms/ }).waitFor();
  await rows.filter({ hasText: /Event loop of app\.js/ }).waitFor();
  await rows.filter({ hasText: /answerapp\.js:6 · lost behind it/ }).click();
  await activeTab(page, 'app.js').waitFor();
  await cursorOnLine(page, 6);
});

test('after a change, Re-check runs the app again under the same load', async () => {
  const text = readFileSync(`${folder}/app.js`, 'utf8');
  writeFileSync(`${folder}/app.js`, text.replace('200_000', '50_000'));
  await goToLine(page, 6);
  await lenses(page).filter({ hasText: 'was' }).first().waitFor(); // VS Code reads the file some time after.
  await runCommand(page, 'Hotspan: Re-check: Has My Change Helped?');
  await lenses(page)
    .filter({ hasText: /(→|too noisy).*; GET \/ p99 / })
    .first()
    .waitFor();
});

test('the environment is remembered and can be changed', async () => {
  await runCommand(page, 'Hotspan: Profile App');
  await quickInputRows(page).filter({ hasText: 'NODE_ENV=production' }).waitFor();
  await pickExactRow(page, 'Change Environment…');
  await pickExactRow(page, 'Development');
  await quickInputRows(page).filter({ hasText: 'NODE_ENV=development' }).waitFor();
  const ask = await appStarted(async () => pickExactRow(page, 'npm start'));
  assert.equal(await ask(), 'development');
  await runCommand(page, 'Hotspan: Send Load to App');
  await quickInputRows(page)
    .filter({ hasText: /GET \/.*Requested before\. Sent without a body, for 10 s/ })
    .waitFor();
  await page.keyboard.press('Escape');
  await runCommand(page, 'Hotspan: Stop and Show'); // The last load's message may still have this button, too.
  await toasts(page).filter({ hasText: 'profile npm start' }).waitFor({ state: 'detached' });
});
