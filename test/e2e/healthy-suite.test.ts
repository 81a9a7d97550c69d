import { test } from 'node:test';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { statusBarEntry, toastButton, toasts, treeRows, viewMessage } from '../helpers/vscode/panels.ts';
import { clearResults, resultPattern, showRecording } from '../helpers/vscode/profile-tests.ts';
import { storeFixtures } from '../helpers/vscode/stored-recordings.ts';

// Nothing here takes 10 ms, but a busy machine can stop any program for longer.
const folder = temporaryProject({});
const settings = { 'hotspan.analysis.threshold': 500 };
const { page, server } = await vscodeForTests({ folder, settings });

test('a suite that blocks nothing has a result too, and a way on', async () => {
  storeFixtures(server, folder, ['healthy/first']);
  await showRecording(page);
  await statusBarEntry(page, 'nothing over 500 ms').waitFor();
  await toasts(page).filter({ hasText: 'Nothing in your code blocks for more than 500 ms. Longest:' }).waitFor();
});

test('each view says that nothing blocks, and Next Hotspot, too', async () => {
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await viewMessage(page, 'Hotspots')
    .filter({ hasText: /^Nothing over 500 ms · longest ≈?[\d.]+ ms/ })
    .waitFor();
  await runCommand(page, 'Hotspan: Focus on Long Operations View');
  await treeRows(page, 'Long Operations')
    .filter({ hasText: 'No operation held an event loop for more than 500 ms.' })
    .waitFor();
  await runCommand(page, 'Hotspan: Next Hotspot');
  await toasts(page)
    .filter({ hasText: 'There is no hotspot to go to: nothing of yours blocks for more than 500 ms.' })
    .waitFor();
});

test('a lower threshold shows what is there', async () => {
  await runCommand(page, 'Notifications: Clear All Notifications');
  await clearResults(page);
  await showRecording(page);
  await toastButton(page, 'Lower the Threshold').click();
  await quickInputRows(page).first().click();
  await statusBarEntry(page, resultPattern).waitFor();
});
