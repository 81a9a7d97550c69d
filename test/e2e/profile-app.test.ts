import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { openFile, pickExactRow, quickInputRows, runCommand, closeAllEditors } from '../helpers/vscode/commands.ts';
import { cursorOnLine, decorationWith } from '../helpers/vscode/editor.ts';
import { openVscode } from '../helpers/vscode/open-vscode.ts';
import { activeTab, toastButton, toasts, treeRows } from '../helpers/vscode/panels.ts';
import { resultInStatusBar } from '../helpers/vscode/profile-tests.ts';
import { keepScreenshotsOfFailures, screenshot } from '../helpers/vscode/screenshot.ts';
import { switchTheme, themes } from '../helpers/vscode/themes.ts';

const port = await freePort();

const folder = temporaryProject({
  'package.json': '{ "name": "app", "type": "module", "scripts": { "start": "node app.js" } }',
  'app.js': `import { pbkdf2Sync } from 'node:crypto';
import { createServer } from 'node:http';

function answer(request, response) {
  pbkdf2Sync('secret', 'salt', 300_000, 32, 'sha512');
  response.end(String(process.env.NODE_ENV));
}

createServer(answer).listen(${port}, '127.0.0.1');
`,
});
const vscode = await openVscode({ folder });
const { page } = vscode;
after(() => vscode.close());
keepScreenshotsOfFailures(page);

/** One that nothing listens on. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}

/** What the app says, as soon as it listens. */
async function answerOfApp(): Promise<string> {
  for (;;) {
    const answer = await new Promise<string | null>((resolve) => {
      get({ host: '127.0.0.1', port }, (response) => {
        response.setEncoding('utf8').once('data', resolve);
      }).once('error', () => resolve(null));
    });
    if (answer !== null) return answer;
    await delay(100);
  }
}

test('Profile App asks for the environment once, runs until it is stopped, and shows what blocked', async () => {
  await runCommand(page, 'Hotspan: Profile App');
  await pickExactRow(page, 'Production');
  assert.equal(await answerOfApp(), 'production');
  await toasts(page).filter({ hasText: 'loop held up to' }).waitFor();
  await Promise.all(Array.from({ length: 6 }, async () => answerOfApp())); // Each waits for those before it.
  await toastButton(page, 'Stop and Show').click();
  assert.match(await resultInStatusBar(page), /≈?[\d.]+ m?s worst/);
  await openFile(page, 'app.js');
  const { text } = await decorationWith(page, 'worst');
  assert.match(text, /worst · \d+ × >10 ms · 1 stack$/);
});

test('Who Waited says how many requests waited for others, and leads to the line behind which they did', async () => {
  await closeAllEditors(page);
  await runCommand(page, 'Hotspan: Focus on Who Waited View');
  const rows = treeRows(page, 'Who Waited');
  await rows.filter({ hasText: /≈\d+ ms\u2002GET \/p99 · \d+ % of \d+ wait > 10 ms/ }).waitFor();
  await rows.filter({ hasText: /Event loop of app\.js/ }).waitFor();
  for (const theme of themes) {
    await switchTheme(page, theme);
    await screenshot(page, `waits-${theme.className}`);
  }
  await rows.filter({ hasText: /answerapp\.js:5 · lost behind it/ }).click();
  await activeTab(page, 'app.js').waitFor();
  await cursorOnLine(page, 5);
});

test('the environment is remembered and can be changed', async () => {
  await runCommand(page, 'Hotspan: Profile App');
  await quickInputRows(page).filter({ hasText: 'NODE_ENV=production' }).waitFor();
  await pickExactRow(page, 'Change Environment…');
  await pickExactRow(page, 'Development');
  await quickInputRows(page).filter({ hasText: 'NODE_ENV=development' }).waitFor();
  await pickExactRow(page, 'npm start');
  assert.equal(await answerOfApp(), 'development');
  await toastButton(page, 'Stop and Show').click();
  await toasts(page).filter({ hasText: 'profile npm start' }).waitFor({ state: 'detached' });
});
