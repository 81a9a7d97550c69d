import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { openFile, runCommand } from '../helpers/vscode/commands.ts';
import { decorationWith, hoverWith, lenses } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { expandRow, treeRows } from '../helpers/vscode/panels.ts';
import { profileTests } from '../helpers/vscode/profile-tests.ts';

const spin = (ms: number): string =>
  `  let n = 0;\n  for (let i = 0; i < ${ms * 1e6}; i++) n += Math.sqrt(i);\n  return n;\n`;
const folder = temporaryProject({
  'package.json': '{ "name": "apart", "scripts": { "test": "node --test app.test.js" } }',
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
const { page } = await vscodeForTests({ folder, settings: { 'hotspan.annotations.loading': true } });

test('what tools built, what only loads and what nobody waits on stand behind the person’s own code', async () => {
  await profileTests(page);
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  const rows = treeRows(page, 'Hotspots');
  await rows.filter({ hasText: 'Left out' }).waitFor();
  for (const group of ['Module loading', 'Left out']) await expandRow(rows, group);
  await rows.filter({ hasText: /worker 1 of app\.test\.js.*longest operation/ }).waitFor();
  await rows.filter({ hasText: /≈?\d+ ms\u2002view.*loads views · the first time/ }).waitFor();
  const texts = await rows.allInnerTexts();
  const at = (word: string): number => texts.findIndex((text) => text.includes(word));
  assert.ok(at('total') < at('Built files') && at('Built files') < at('Module loading'), texts.join('\n'));
  await openFile(page, 'src/cart.js');
  const { text } = await decorationWith(page, 'first call');
  assert.match(text, /^first call ≈?\d+ ms$/);
  await lenses(page).filter({ hasText: 'flamegraph' }).first().waitFor();
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

test('the hover of a function in a built file says that it stands there', async () => {
  await openFile(page, 'dist/built.js');
  await hoverWith(page, 'built', 'It is in a built file');
});

test('a function that was edited since says so, and its mark goes with its text', async () => {
  const file = path.join(folder, 'src/cart.js');
  const text = `// a line above\nexports.total = function total() {\n${spin(80)}};\nexports.view = (name) => require(name).n;\n`;
  writeFileSync(file, text);
  await openFile(page, 'src/cart.js');
  await page.locator('.view-line', { hasText: 'a line above' }).waitFor();
  await decorationWith(page, 'stack', { line: 4 });
  writeFileSync(file, text.replace('Math.sqrt', 'Math.cbrt'));
  await page.locator('.view-line', { hasText: 'cbrt' }).waitFor();
  await hoverWith(page, 'total', 'This function has changed since');
});
