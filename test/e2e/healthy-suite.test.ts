import { after, test } from 'node:test';
import { projectFile } from '../helpers/project.ts';
import { quickInputRows } from '../helpers/vscode/commands.ts';
import { openVscode } from '../helpers/vscode/open-vscode.ts';
import { statusBarEntry, toastButton, toasts } from '../helpers/vscode/panels.ts';
import { profileTests } from '../helpers/vscode/profile-tests.ts';
import { keepScreenshotsOfFailures, screenshot } from '../helpers/vscode/screenshot.ts';

// Nothing here takes 10 ms, but a busy machine can stop any program for longer.
const settings = { 'hotspan.analysis.threshold': 500 };
const vscode = await openVscode({ folder: projectFile('examples/healthy'), settings });
const { page } = vscode;
after(() => vscode.close());
keepScreenshotsOfFailures(page);

test('a suite that blocks nothing has a result too, and a way on (real clock)', async () => {
  await profileTests(page);
  await statusBarEntry(page, 'nothing over 500 ms').waitFor();
  await toasts(page).filter({ hasText: 'Nothing in your code blocks for more than 500 ms. Longest:' }).waitFor();
  await screenshot(page, 'healthy');
});

test('a lower threshold shows what is there', async () => {
  await toastButton(page, 'Lower the Threshold').click();
  await quickInputRows(page).first().click();
  await statusBarEntry(page, /≈?[\d.]+ ms worst/).waitFor();
});
