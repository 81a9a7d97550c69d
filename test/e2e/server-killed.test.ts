import assert from 'node:assert/strict';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { hashModule, temporaryProject } from '../helpers/temporary-project.ts';
import { closeEditor, openFile, runCommand } from '../helpers/vscode/commands.ts';
import { decorationWith, hoverWith, lenses } from '../helpers/vscode/editor.ts';
import { logSays } from '../helpers/vscode/hotspan-log.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import {
  statusBarEntry,
  toastButton,
  toasts,
  toastsAreAtMost,
  treeRows,
  webviewPage,
} from '../helpers/vscode/panels.ts';
import { languageServer, processesOf, startedProcess } from '../helpers/vscode/processes.ts';
import { clearResults, profileTests, resultInStatusBar, resultPattern } from '../helpers/vscode/profile-tests.ts';
import { storedRecordings } from '../helpers/vscode/stored-recordings.ts';

const folder = temporaryProject({
  'package.json': '{ "name": "killed", "type": "module", "scripts": { "test": "node --test" } }',
  'hash.js': hashModule,
  'test/hash.test.js': `import { test } from 'node:test';
import { hash } from '../hash.js';

test('hashes', async () => {
  hash();
  await new Promise((resolve) => { setTimeout(resolve, 3_000); });
});
`,
});
const { page, server } = await vscodeForTests({ folder });

const killed = new Set<number>();

/** Waits for a server that was not killed yet, and kills it. */
async function killServer(): Promise<void> {
  const pid = await runningServer();
  killed.add(pid);
  process.kill(pid, 'SIGKILL');
}

async function runningServer(): Promise<number> {
  return startedProcess(server, languageServer, killed);
}

test('marks stay while another server is started, which knows what the one before it knew', async () => {
  const worst = await profileTests(page);
  await openFile(page, 'hash.js');
  const { text } = await decorationWith(page, 'stack');
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await treeRows(page, 'Hotspots').filter({ hasText: 'hash' }).first().waitFor();
  const missing = await page.evaluateHandle(countFramesWithoutMark);
  await killServer();
  await runningServer();
  await hoverWith(page, 'salt', 'samples behind the worst');
  await lenses(page).filter({ hasText: 'flamegraph' }).first().waitFor();
  assert.equal((await decorationWith(page, 'stack')).text, text);
  assert.equal((await missing.jsonValue()).frames, 0);
  assert.equal(await resultInStatusBar(page), worst);
  await toastsAreAtMost(page, 0);
});

/** In the page: from now on, how many frames were drawn in which no mark stood in the editor. */
function countFramesWithoutMark(): { frames: number } {
  const missing = { frames: 0 };
  const look = (): void => {
    const spans = [...document.querySelectorAll('.part.editor .view-line span[class*="TextEditorDecorationType"]')];
    if (!spans.some((span) => getComputedStyle(span, '::after').content.includes('stack'))) missing.frames += 1;
    requestAnimationFrame(look);
  };
  look();
  return missing;
}

test('a flamegraph that is open goes on', async () => {
  await runCommand(page, 'Hotspan: Open Flamegraph');
  const frame = webviewPage(page).locator('g.frame[name="hash"]').first();
  await frame.waitFor();
  await killServer();
  await runningServer();
  await frame.click();
  await webviewPage(page).locator('.breadcrumb', { hasText: 'hash' }).waitFor();
  await toastsAreAtMost(page, 0);
  await closeEditor(page);
});

test('a run that goes on meanwhile ends with its result', async () => {
  await clearResults(page);
  await runCommand(page, 'Hotspan: Profile Tests');
  await toastButton(page, 'Stop and Show').waitFor();
  await killServer();
  await resultInStatusBar(page);
  await openFile(page, 'hash.js');
  await decorationWith(page, 'stack');
});

test('after the fifth end one sentence is said, marks stay, and its button brings the server back', async () => {
  while (killed.size < 5) await killServer();
  await toasts(page).filter({ hasText: 'ended five times within three minutes' }).waitFor();
  await toastsAreAtMost(page, 1);
  await decorationWith(page, 'stack');
  assert.deepEqual(processesOf(server, languageServer), []);
  await toastButton(page, 'Start Again').click();
  await hoverWith(page, 'salt', 'samples behind the worst');
  await lenses(page).filter({ hasText: 'flamegraph' }).first().waitFor();
  await toastsAreAtMost(page, 0);
});

test('a result whose recording is gone when a server is started again says so, and goes', async () => {
  for (const recording of storedRecordings(server)) rmSync(recording, { recursive: true });
  const said = toasts(page).filter({ hasText: 'The result of npm test is no longer shown: ' });
  // A server that ends before it was asked anything has not tried to read it.
  for (let kills = 0; kills < 3 && (await said.count()) === 0; kills += 1) {
    await killServer();
    await said.waitFor({ timeout: (kills + 1) * 15_000 }).catch(() => undefined);
  }
  await said.waitFor();
  await statusBarEntry(page, resultPattern).waitFor({ state: 'detached' });
});

/** A file of the installed extension. */
function bundleNamed(name: string): string {
  const extensions = path.join(server.folder, 'extensions');
  const home = readdirSync(extensions).find((folder) => folder.startsWith('hotspan.')) ?? '';
  return path.join(extensions, home, 'dist', name);
}

test('a server that cannot be started is given up, and the log says why', async () => {
  const bundle = bundleNamed('server.cjs');
  await runCommand(page, 'Notifications: Clear All Notifications');
  renameSync(bundle, `${bundle}.away`);
  await killServer();
  await logSays(server, /The language server could not be started\./);
  const givenUp = toasts(page).filter({ hasText: 'ended five times within three minutes' });
  await givenUp.waitFor();
  await toastButton(page, 'Start Again').click();
  await logSays(
    server,
    /The language server could not be started ahead of time; it is tried again when it is needed\./,
  );
  await givenUp.waitFor();
  renameSync(`${bundle}.away`, bundle);
  await toastButton(page, 'Start Again').click();
  await runningServer();
});

test('a run whose analysis fails says so in the view and in the status bar, with the way to try again', async () => {
  await runCommand(page, 'Notifications: Clear All Notifications');
  await runCommand(page, 'Hotspan: Profile Tests');
  await toastButton(page, 'Stop and Show').waitFor();
  // It is asked for the result, and does not answer.
  process.kill(await runningServer(), 'SIGSTOP');
  await toasts(page).filter({ hasText: 'reading the recording' }).waitFor();
  await killServer();
  await killServer();
  const sentence = 'language server ended twice before it had an answer';
  await toasts(page).filter({ hasText: sentence }).waitFor();
  await toastButton(page, 'Show This Run').waitFor();
  await runCommand(page, 'Notifications: Clear All Notifications');
  await statusBarEntry(page, 'not analyzed').waitFor();
  const rows = treeRows(page, 'Hotspots');
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await rows.filter({ hasText: sentence }).waitFor();
});

test('an error that ends the analysis is said with its words, and what is mended meanwhile can be shown', async () => {
  const rows = treeRows(page, 'Hotspots');
  const worker = bundleNamed('analysis-worker.cjs');
  renameSync(worker, `${worker}.away`);
  writeFileSync(worker, "throw new Error('damaged');\n");
  await rows.filter({ hasText: 'Show This Run' }).click();
  const sentence = 'The recording could not be analyzed, because of an error of Hotspan. Please report it: damaged';
  await toasts(page).filter({ hasText: sentence }).waitFor();
  await rows.filter({ hasText: sentence }).waitFor();
  renameSync(`${worker}.away`, worker);
  await rows.filter({ hasText: 'Show This Run' }).click();
  await resultInStatusBar(page);
  await statusBarEntry(page, 'not analyzed').waitFor({ state: 'detached' });
});
