import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { openFile, runCommand } from '../helpers/vscode/commands.ts';
import { cursorOnLine, hoverWith } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { activeTab, hoverUntil, webviewPage } from '../helpers/vscode/panels.ts';
import { profileTests } from '../helpers/vscode/profile-tests.ts';

/** Each function works for some 200 ms, so that it is drawn on a machine of any speed; `sum` is the first finding. */
const folder = temporaryProject({
  'package.json': '{ "name": "tiers", "scripts": { "test": "node --test app.test.js" } }',
  'src/sum.js': `exports.sum = function sum(count) {
  let total = 0;
  for (let i = 0; i < count; i++) total += Math.sqrt(i % 7);
  return total;
};
`,
  'src/copy.js': `exports.copy = function copy(list) {
  return JSON.parse(JSON.stringify(list));
};
`,
  'src/total.js': `exports.totalOf = function totalOf(items) {
  let total = 0;
  for (const item of items) total += Math.sqrt(item.net) * item.count;
  return total;
};
`,
  'app.test.js': `const { test } = require('node:test');
const { sum } = require('./src/sum.js');
const { copy } = require('./src/copy.js');
const { totalOf } = require('./src/total.js');
const items = (make) => Array.from({ length: 100_000 }, (_, id) => make(id));
test('sums', () => { for (let n = 0; n < 100; n++) sum(1e6); });
test('copies', () => { for (let n = 0; n < 2; n++) copy(items((id) => ({ id, name: String(id), tags: [id] }))); });
test('totals', () => {
  const whole = items((id) => ({ net: id, count: 2 }));
  const half = items((id) => ({ count: 1.5, title: String(id), net: id / 2 }));
  for (const list of [whole, half]) for (let n = 0; n < 150; n++) totalOf(list);
});
`,
});
const vscode = await vscodeForTests({ folder });
const { page } = vscode;

const graph = webviewPage(page);

test('a profile has no tiers, says why, and its page goes over to those of a second run', async () => {
  await profileTests(page);
  await runCommand(page, 'View: Toggle Panel Visibility');
  await runCommand(page, 'Hotspan: Open Flamegraph');
  await graph.getByRole('button', { name: /^Colors: V8 tiers/ }).click();
  await graph.getByText('V8 keeps no log while its profiler runs').waitFor();
  await graph.getByRole('button', { name: 'Record V8 Tiers' }).click();
  await graph.locator('g.frame[data-tier="turbofan"]').first().waitFor();
  assert.equal(await page.locator('.tab', { hasText: 'Flamegraph' }).count(), 1);
  await runCommand(page, 'View: Toggle Panel Visibility');
});

test('the recording of tiers is drawn by tier', async () => {
  await graph.getByRole('heading', { name: /^V8 tiers of npm test$/ }).waitFor();
  await graph.getByText(/^This is a second run, .*: your lines show those of the profile\.$/).waitFor();
  const legend = await graph.getByRole('group', { name: 'V8 tiers' }).innerText();
  const shares = [...legend.matchAll(/(\d+(?:\.\d+)?) %/g)].map(([, share]) => Number(share));
  assert.equal(shares.length, 5);
  assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100) < 2, legend);
});

test('the buttons highlight what is optimized, and what is not', async () => {
  const highlighted = graph.locator('g.frame[data-highlight]');
  await graph.locator('g.frame').first().press('0'); // All of the run, wherever the page has opened.
  const isSlow = ':is([data-tier=ignition], [data-tier=sparkplug])';
  await graph.getByRole('button', { name: 'Not optimized' }).click();
  // It is called a few times and spends its time in JSON.
  await highlighted.and(graph.locator('[name="copy"]')).first().waitFor();
  assert.equal(await highlighted.and(graph.locator(`:not(${isSlow})`)).count(), 0);
  await graph.getByRole('button', { name: 'Optimized', exact: true }).click();
  await highlighted.and(graph.locator('[name="sum"]:is([data-tier=maglev], [data-tier=turbofan])')).first().waitFor();
  assert.equal(await highlighted.and(graph.locator(':not([data-tier=maglev], [data-tier=turbofan])')).count(), 0);
  await graph.getByRole('button', { name: 'Optimized', exact: true }).click();
});

test('a frame leads to the line where V8 threw its code away', async () => {
  const frame = graph.locator('g.frame[name="totalOf"]').first();
  const shown = graph.getByRole('tooltip').filter({ hasText: 'Deoptimized' });
  await hoverUntil(frame, shown);
  const card = await shown.innerText();
  const [, file = '', line = ''] = /Deoptimized\s[^\n]*, (\S+):(\d+)/.exec(card) ?? [];
  assert.equal(file, 'src/total.js', card);
  await graph.getByRole('button', { name: 'Open where V8 threw code of totalOf away' }).click();
  await activeTab(page, path.basename(file)).waitFor();
  await cursorOnLine(page, Number(line));
});

test('and back to the profile, which leads there again', async () => {
  await graph.getByRole('button', { name: 'Back to the Profile' }).click();
  await graph.getByRole('heading', { name: /^npm test$/ }).waitFor();
  await graph.getByRole('button', { name: /^Colors: V8 tiers/ }).click();
  await graph.getByText(/There are tiers from a second run, (just now|\d minutes? ago)\./).waitFor();
  await graph.getByRole('button', { name: 'Open Its Flamegraph' }).click();
  await graph.getByRole('heading', { name: /^V8 tiers of npm test$/ }).waitFor();
  await graph.getByRole('button', { name: 'Back to the Profile' }).click();
  await graph.getByRole('heading', { name: /^npm test$/ }).waitFor();
});

test('the hover of a function says how V8 ran it', async () => {
  await openFile(page, 'src/copy.js');
  // It is called a few times and spends its time in JSON.
  await hoverWith(page, 'JSON', /V8 never optimized it|Too few ticks in JavaScript/);
});

test('no request has left the machine', () => {
  assert.deepEqual([...vscode.foreignHosts], []);
});
