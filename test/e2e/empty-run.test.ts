import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
import { openVscode } from '../helpers/vscode/open-vscode.ts';
import { toastButton, toasts } from '../helpers/vscode/panels.ts';
import { keepScreenshotsOfFailures } from '../helpers/vscode/screenshot.ts';

const folder = temporaryProject({
  'package.json':
    '{ "name": "empty", "scripts": { "test": "node --test none.test.js", "test:bun": "bun test", "hello": "node hello.js" } }',
  'hello.js': "console.log('hello');\n",
});
const vscode = await openVscode({ folder });
const { page } = vscode;
after(() => vscode.close());
keepScreenshotsOfFailures(page);

test('where there is nothing yet, commands that need something say so, with the way to it', async () => {
  await runCommand(page, 'Hotspan: Open Flamegraph');
  await toasts(page).filter({ hasText: 'There is no recording yet: profile your tests, or open a profile.' }).waitFor();
  await runCommand(page, 'Hotspan: Profile Debug Session');
  await toasts(page).filter({ hasText: 'Nothing is being debugged.' }).waitFor();
  await toastButton(page, 'Start Debugging').waitFor();
  await runCommand(page, 'Notifications: Clear All Notifications');
});

test('a run in which no test was seen says so, and offers a file or an npm script', async () => {
  await runCommand(page, 'Hotspan: Profile Tests');
  await toasts(page).filter({ hasText: 'No test was seen to run (profile npm test).' }).waitFor({ timeout: 120_000 });
  await toastButton(page, 'Profile File').waitFor();
  await toastButton(page, 'Profile npm Script').click();
  await quickInputRows(page).filter({ hasText: 'node hello.js' }).waitFor();
});

test('where only Bun runs tests, that is said, with the same ways on', async () => {
  await page.keyboard.press('Escape');
  writeFileSync(path.join(folder, 'package.json'), '{ "scripts": { "test": "bun test", "hello": "node hello.js" } }');
  await runCommand(page, 'Hotspan: Profile Tests');
  await toasts(page)
    .filter({ hasText: 'that Node.js runs, and Hotspan profiles Node.js: "test" runs in Bun.' })
    .waitFor();
  await toastButton(page, 'Profile npm Script').last().click();
  await quickInputRows(page).filter({ hasText: 'node hello.js' }).waitFor();
});

test('Profile File without an open file says to open one first (real clock)', async () => {
  await page.keyboard.press('Escape');
  await runCommand(page, 'Hotspan: Profile Tests');
  await toastButton(page, 'Profile File').last().click();
  await toasts(page).filter({ hasText: 'Open the file that you want to profile first.' }).waitFor();
  await toastButton(page, 'Open File…').waitFor();
});
