import assert from 'node:assert/strict';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { hashModule, temporaryProject } from '../helpers/temporary-project.ts';
import { openFile, runCommand } from '../helpers/vscode/commands.ts';
import { decorationWith, hoverWith, lenses } from '../helpers/vscode/editor.ts';
import { logSays } from '../helpers/vscode/hotspan-log.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { statusBarEntry, toastButton, toasts, toastsAreAtMost, treeRows } from '../helpers/vscode/panels.ts';
import { languageServer, processesOf, startedProcess } from '../helpers/vscode/processes.ts';
import { resultInStatusBar, resultPattern } from '../helpers/vscode/profile-tests.ts';
import { storedRecordings } from '../helpers/vscode/stored-recordings.ts';

const folder = temporaryProject({
  'package.json': '{ "name": "killed", "type": "module", "scripts": { "test": "node --test" } }',
  'hash.js': hashModule,
  'test/hash.test.js': `import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { hash } from '../hash.js';

test('hashes', async () => {
  hash();
  while (!existsSync('may-end')) await setTimeout(50);
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

test('a run goes on while another server is started', async () => {
  await runCommand(page, 'Hotspan: Profile Tests');
  await toastButton(page, 'Stop and Show').waitFor();
  await killServer();
  await runningServer();
  await toastButton(page, 'Stop and Show').waitFor();
});

test('a run whose analysis fails says so in the view and in the status bar, with the way to try again', async () => {
  // It is asked for the result, and does not answer.
  process.kill(await runningServer(), 'SIGSTOP');
  writeFileSync(path.join(folder, 'may-end'), '');
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

/** A file of the installed extension. */
function bundleNamed(name: string): string {
  const extensions = path.join(server.folder, 'extensions');
  const home = readdirSync(extensions).find((folder) => folder.startsWith('hotspan.')) ?? '';
  return path.join(extensions, home, 'dist', name);
}

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

test('marks stay while another server is started, which knows what the one before it knew', async () => {
  const worst = await resultInStatusBar(page);
  await runCommand(page, 'Notifications: Clear All Notifications');
  await openFile(page, 'hash.js');
  const { text } = await decorationWith(page, 'stack');
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

const givenUp = toasts(page).filter({ hasText: 'ended five times within three minutes' });

test('after the fifth end one sentence is said, with a button that starts the server again, and marks stay', async () => {
  const bundle = bundleNamed('server.cjs');
  renameSync(bundle, `${bundle}.away`);
  await killServer();
  await givenUp.waitFor();
  await toastsAreAtMost(page, 1);
  await toastButton(page, 'Start Again').waitFor();
  await decorationWith(page, 'stack');
  assert.deepEqual(processesOf(server, languageServer), []);
});

test('a server that cannot be started is given up, and the log says why', async () => {
  await toastButton(page, 'Start Again').click();
  await logSays(server, /The language server could not be started\./);
  await logSays(
    server,
    /The language server could not be started ahead of time; it is tried again when it is needed\./,
  );
  await givenUp.waitFor();
});

test('a result whose recording is gone when a server is started again says so, and goes', async () => {
  for (const recording of storedRecordings(server)) rmSync(recording, { recursive: true });
  const bundle = bundleNamed('server.cjs');
  renameSync(`${bundle}.away`, bundle);
  await toastButton(page, 'Start Again').click();
  await toasts(page).filter({ hasText: 'The result of npm test is no longer shown: ' }).waitFor();
  await statusBarEntry(page, resultPattern).waitFor({ state: 'detached' });
  await runningServer();
});
