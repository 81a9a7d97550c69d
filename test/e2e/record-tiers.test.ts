import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { projectFile } from '../helpers/project.ts';
import { openFile, runCommand } from '../helpers/vscode/commands.ts';
import { cursorOnLine, hoverWith } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { activeTab, webviewPage } from '../helpers/vscode/panels.ts';
import { profileTests } from '../helpers/vscode/profile-tests.ts';

const vscode = await vscodeForTests({ folder: projectFile('examples/shop') });
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
  const isSlow = ':is([data-tier=ignition], [data-tier=sparkplug])';
  await graph.getByRole('button', { name: 'Not optimized' }).click();
  // It is called a few times and spends its time in JSON.
  await highlighted.and(graph.locator('[name="snapshot"]')).first().waitFor();
  assert.equal(await highlighted.and(graph.locator(`:not(${isSlow})`)).count(), 0);
  await graph.getByRole('button', { name: 'Optimized', exact: true }).click();
  // It runs thousands of times.
  await highlighted
    .and(graph.locator('[name="detectBrowser"]:is([data-tier=maglev], [data-tier=turbofan])'))
    .first()
    .waitFor();
  assert.equal(await highlighted.and(graph.locator(':not([data-tier=maglev], [data-tier=turbofan])')).count(), 0);
  await graph.getByRole('button', { name: 'Optimized', exact: true }).click();
});

test('a frame leads to the line where V8 threw its code away', async () => {
  const frame = graph.locator('g.frame[name="parseOrders"]').first();
  await frame.hover({ position: { x: 4, y: 8 } });
  const card = await graph.getByRole('tooltip').filter({ hasText: 'Deoptimized' }).innerText();
  const [, file = '', line = ''] = /Deoptimized\s[^\n]*, (\S+):(\d+)/.exec(card) ?? [];
  assert.equal(file, 'src/orders/csv.js', card);
  await graph.getByRole('button', { name: 'Open where V8 threw code of parseOrders away' }).click();
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
  await openFile(page, 'src/catalogue/catalogue.js');
  // It is called a few times and spends its time in JSON.
  await hoverWith(page, 'JSON', /V8 never optimized it|Too few ticks in JavaScript/);
});

test('no request has left the machine', () => {
  assert.deepEqual([...vscode.foreignHosts], []);
});
