import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { noteOwnCommand } from '../../recorder/launch/run/own-commands.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { uncertainProgram, uncertainRecording } from '../helpers/uncertain-recording.ts';
import { openFile, quickInputRows, runCommand } from '../helpers/vscode/commands.ts';
import { decorationWith, hoverWith, lenses } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import {
  activeTab,
  clickUntil,
  expandRow,
  statusBarEntry,
  toastButton,
  toasts,
  treeRows,
  viewMessage,
} from '../helpers/vscode/panels.ts';
import { profileTests, showRecording } from '../helpers/vscode/profile-tests.ts';
import { storeDrawn } from '../helpers/vscode/stored-recordings.ts';

const spin = (ms: number): string =>
  `  let n = 0;\n  for (let i = 0; i < ${ms * 1e6}; i++) n += Math.sqrt(i);\n  return n;\n`;
const folder = temporaryProject({
  ...uncertainProgram,
  'package.json': '{ "name": "apart", "scripts": { "test": "node app.test.js" } }',
  'node_modules/views/index.js': spin(60).replace('return n;', 'exports.n = n;'),
  'dist/built.js': `exports.built = function built() {\n${spin(50)}};\n`,
  'worker.js': spin(150).replace('return n;', ''),
  'node_modules/tables/index.js': spin(60).replace('return n;', 'exports.table = [n];'),
  'src/prices.js': "exports.table = require('tables').table;\n",
  'src/cart.js': `exports.total = function total() {\n${spin(80)}};\nexports.view = function view(name) {\n  return require(name).n;\n};\n`,
  'app.test.js': `const { test } = require('node:test');
const { Worker } = require('node:worker_threads');
const { total, view } = require('./src/cart.js');
const { built } = require('./dist/built.js');
require('./src/prices.js');
const turn = () => new Promise((done) => setTimeout(done, 15));
test('all', async () => {
  const worker = new Worker('./worker.js');
  const ended = new Promise((done) => worker.on('exit', done));
  for (const work of [total, () => view('views'), built]) { await turn(); work(); }
  await ended;
});
`,
});
const { page, server } = await vscodeForTests({
  folder,
  settings: { 'hotspan.analysis.threshold': 500, 'hotspan.annotations.loading': true },
});
const command = ['node', 'shop.js'];
const rows = treeRows(page, 'Hotspots');

test('a recording in which nothing blocks for long is a result too, and has a way on', async () => {
  await showUncertain(2);
  await statusBarEntry(page, 'nothing over 500 ms').waitFor();
  await toasts(page).filter({ hasText: 'Nothing in your code blocks for more than 500 ms. Longest:' }).waitFor();
  await toastButton(page, 'Lower the Threshold').waitFor();
});

/** Shows a recording with two uncertain findings of 36 ms, and an idle time. */
async function showUncertain(idleMs: number): Promise<void> {
  const recording = uncertainRecording(folder, command, idleMs);
  storeDrawn(server, path.dirname(recording), [path.basename(recording)]);
  await showRecording(page);
}

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
    .filter({ hasText: 'There is no hotspot to go to: no function of yours blocks for more than 500 ms.' })
    .waitFor();
});

test('a lower threshold shows what is there', async () => {
  await toastButton(page, 'Lower the Threshold').first().click();
  await quickInputRows(page).filter({ hasText: '10 ms' }).click();
  await statusBarEntry(page, /36 ms/).waitFor();
});

test('Make sure says what it costs, runs it, and the verdict has what was seen again', async () => {
  // What this person has not recorded is not run.
  const env = { XDG_CACHE_HOME: path.join(server.folder, 'home/.cache'), ...process.env };
  await noteOwnCommand({ command, cwd: folder, env }, command);
  const row = rows
    .filter({ hasText: 'Make sure of 2 findings' })
    .filter({ hasText: '2 × about 76 ms, the whole command' });
  await clickUntil(row, toasts(page).filter({ hasText: /Make Sure|seen again/ }));
  await page.getByText('2 uncertain findings: 1 seen again, 1 not.').first().waitFor();
  await row.waitFor({ state: 'detached' });
  await rows
    .filter({ hasText: /^36 ms\s+quote/ })
    .first()
    .waitFor();
  await expandRow(rows, 'Not in the verdict');
  await rows.filter({ hasText: 'rank' }).filter({ hasText: 'not seen again' }).waitFor();
});

test('a re-check of more than a minute asks first', async () => {
  await showUncertain(11_000);
  await clickUntil(rows.filter({ hasText: /quote/ }).first(), activeTab(page, 'shop.js'));
  await lenses(page).filter({ hasText: 'more…' }).first().click();
  await quickInputRows(page).filter({ hasText: 'Re-check: has my change helped?' }).click();
  await page
    .getByText(/: 6 to 16 × about 11\.\d s, the whole command\. Run it\?$/)
    .first()
    .waitFor();
  await toastButton(page, 'Re-check').waitFor();
});

test('built files, module loading and workers are listed below the person’s own code', async () => {
  await profileTests(page);
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await rows.filter({ hasText: 'Left out' }).waitFor();
  for (const group of ['Module loading', 'Left out']) await expandRow(rows, group);
  await rows.filter({ hasText: /worker 1 of app\.test\.js.*longest operation/ }).waitFor();
  await rows.filter({ hasText: /≈?\d+ ms\u2002view.*loads views · the first time/ }).waitFor();
  const texts = await rows.allInnerTexts();
  const at = (word: string): number => texts.findIndex((text) => text.includes(word));
  assert.ok(at('total') < at('Built files') && at('Built files') < at('Module loading'), texts.join('\n'));
});

test('a line that imports a slow module says how long that took, and its hover what is counted', async () => {
  await openFile(page, 'src/prices.js');
  assert.match((await decorationWith(page, 'loaded in')).text, /^loaded in \d+ ms$/);
  await hoverWith(
    page,
    'require',
    /loaded in \d+ ms.*The time to find, read, compile and evaluate this module and what it loads/s,
  );
});

test('a function that was edited since says so, and its mark goes with its text', async () => {
  const file = path.join(folder, 'src/cart.js');
  const text = `// a line above\nexports.total = function total() {\n${spin(80)}};\nexports.view = (name) => require(name).n;\n`;
  writeFileSync(file, text);
  await openFile(page, 'src/cart.js');
  await decorationWith(page, 'stack', { line: 4 });
  writeFileSync(file, text.replace('Math.sqrt', 'Math.cbrt'));
  await page.locator('.view-line', { hasText: 'cbrt' }).waitFor();
  await hoverWith(page, 'total', 'This function has changed since');
});
