import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { lineOf } from '../helpers/source-line.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import {
  closeAllEditors,
  runCommand,
  groupHotspotsBy,
  pickExactRow,
  pressUntil,
  quickInputRows,
} from '../helpers/vscode/commands.ts';
import { boxOf } from '../helpers/vscode/box-of.ts';
import { cursorOnLine } from '../helpers/vscode/editor.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import {
  treeRows,
  activeTab,
  sideBarButton,
  viewHeader,
  viewMessage,
  webviewPage,
  welcome,
  clickWhileOver,
} from '../helpers/vscode/panels.ts';
import { showRecording } from '../helpers/vscode/profile-tests.ts';
import { storeFixtures } from '../helpers/vscode/stored-recordings.ts';

const shop = temporaryProject({});
const { page, server } = await vscodeForTests({ folder: shop });
// The only fonts of a CI machine are far wider than those of Windows and macOS. This one is still wider than these.
await page.addStyleTag({ content: '.monaco-workbench { font-family: "DejaVu Sans Condensed" !important }' });

const rows = treeRows(page, 'Hotspots');

/**
 * Functions, files and routes whose name does not fit in. What stands behind the name may be cut off, and so may code
 * that has no name, and a test's own, which has the name of the test.
 */
async function cutRows(all: Locator): Promise<readonly string[]> {
  return all.evaluateAll((elements) =>
    elements.flatMap((element) => {
      const row = element.querySelector('.monaco-icon-label-container');
      const name = element.querySelector('.monaco-icon-name-container');
      const isCut = (name?.getBoundingClientRect().right ?? 0) > (row?.getBoundingClientRect().right ?? 0) + 0.5;
      const isFigure = element.textContent.includes('\u2002');
      return isFigure && isCut && !/code outside of the workspace|\stest "/.test(element.textContent)
        ? [element.textContent]
        : [];
    }),
  );
}

test('an empty view has nothing to collapse', async () => {
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await welcome(page, 'Hotspots', 'Find the lines that block the event loop.').waitFor();
  await sideBarButton(page, 'Views and More Actions').first().waitFor();
  await sideBarButton(page, 'Collapse All').and(page.locator('.disabled')).first().waitFor();
});

test('with a result there is, and the header is one line', async () => {
  storeFixtures(server, shop, ['shop/first']);
  await showRecording(page);
  await runCommand(page, 'Hotspan: Focus on Hotspots View');
  await rows.filter({ hasText: 'isEmail' }).first().waitFor();
  await viewHeader(page, 'Hotspots').hover();
  await sideBarButton(page, 'Collapse All').and(page.locator(':not(.disabled)')).first().waitFor();
  const message = viewMessage(page, 'Hotspots');
  assert.match(await message.innerText(), /^First: ≈?[\d.]+ m?s · [\w-]+\.js:\d+$/);
  const box = await boxOf(message);
  assert.ok(box.height < 35, String(box.height));
});

test('the verdict stands first, each finding with its cause, and what it leaves out is reached by keyboard', async () => {
  const first = rows.first();
  assert.match((await first.innerText()).replaceAll('\n', ' '), /m?s\u2002/);
  assert.doesNotMatch(await rows.nth(1).innerText(), /\u2002/, 'a sentence');
  await first.focus();
  const left = rows.filter({ hasText: /^Not in the verdict/ });
  await rows.filter({ hasText: 'All hotspots' }).waitFor();
  if ((await left.count()) === 0) return;
  const below = Number(await left.getAttribute('data-index'));
  const keys = ['Home', ...Array.from({ length: below }, () => 'ArrowDown'), 'ArrowRight'];
  await pressUntil(keys, left.and(page.locator('[aria-expanded="true"]')), 'visible');
  await page.keyboard.press('ArrowLeft');
});

test('rows begin with their figures, and their names are whole at the default width', async () => {
  const { width } = await boxOf(page.locator('.part.sidebar'));
  assert.ok(width <= 310, String(width));
  await rows
    .filter({ hasText: /m?s\u2002isEmail\d+ × · (\d stacks · )?:\d+/ })
    .first()
    .waitFor();
  assert.deepEqual(await cutRows(rows), []);
  const spoken = await rows
    .filter({ hasText: /m?s\u2002isEmail/ })
    .last()
    .getAttribute('aria-label');
  assert.match(spoken ?? '', /^isEmail, (about )?\d+ ms, \d+ times?, (\d stacks, )?line \d+/);
});

test('functions stand below their tests, routes and processes, too', async () => {
  await groupHotspotsBy(page, 'Test');
  await rows.filter({ hasText: /m?s\u2002takes the nightly list/ }).waitFor();
  await groupHotspotsBy(page, 'Route');
  await rows
    .filter({ hasText: /m?s\u2002(GET|POST) \// })
    .first()
    .waitFor();
  assert.deepEqual(await cutRows(rows), []);
  await groupHotspotsBy(page, 'Process');
  const processes = rows.filter({ hasText: /m?s\u2002accounts\.test\.js/ }); // A list of files, which may be cut off.
  await processes.first().waitFor();
  await groupHotspotsBy(page, 'Function');
  await processes.first().waitFor({ state: 'detached' });
  await rows
    .filter({ hasText: /\u2002detectBrowser\d+ × · user-agent\.js:\d+/ })
    .last()
    .waitFor();
  assert.deepEqual(await cutRows(rows), []);
  await groupHotspotsBy(page, 'File');
});

test('functions are sorted as the person chooses', async () => {
  await runCommand(page, 'Hotspan: Sort Hotspots By…');
  await quickInputRows(page).filter({ hasText: 'Time not optimized by V8' }).waitFor();
  await pickExactRow(page, 'Count');
  await runCommand(page, 'Hotspan: Sort Hotspots By…');
  await quickInputRows(page)
    .filter({ hasText: /^Count\s*now/ })
    .waitFor();
  await pickExactRow(page, 'Worst');
  await rows.filter({ hasText: 'isEmail' }).first().waitFor();
});

test('a row of the verdict opens the line that it names', async () => {
  const row = rows.filter({ hasText: /snapshot.*catalogue\.js:\d+/ }).first();
  const [, line = ''] = /catalogue\.js:(\d+)/.exec(await row.innerText()) ?? [];
  await row.click();
  await activeTab(page, 'catalogue.js').waitFor();
  await cursorOnLine(page, Number(line));
  await closeAllEditors(page);
});

test('Long Operations stand in time order, and one of them opens in the flamegraph in time order, by keyboard', async () => {
  await viewHeader(page, 'Hotspots').click(); // Closed, it leaves its room to the others.
  await runCommand(page, 'Hotspan: Focus on Long Operations View');
  const operations = treeRows(page, 'Long Operations');
  await operations.nth(15).waitFor();
  const texts = await operations.allInnerTexts();
  const starts = texts.flatMap((text) => {
    if (text.includes(' more')) return [];
    const [, time, milli] = /at ([\d.]+) (m?)s/.exec(text) ?? [];
    return time === undefined ? [] : [Number(time) * (milli === 'm' ? 1 : 1000)];
  });
  assert.deepEqual(
    starts.toSorted((a, b) => a - b),
    starts,
  );
  assert.deepEqual(await cutRows(operations), []);
  const number = texts.findIndex((text) => text.includes('snapshot'));
  const [, time = '', title = ''] =
    /≈?([\d.]+ m?s)\u2002at [\d.]+ m?s\s*snapshot · in test "([^"]+)"/.exec(texts[number] ?? '') ?? [];
  assert.notEqual(title, '', texts.join('\n'));
  await operations.first().focus();
  await page.keyboard.press('Home');
  for (let row = 0; row < number; row++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const graph = webviewPage(page);
  await graph.locator('.picked-title', { hasText: new RegExp(`^≈?${time} at [\\d.]+ m?s · snapshot`) }).waitFor();
  await graph.locator('.picked-lines', { hasText: 'by the clock' }).waitFor();
  await graph.locator('g.frame[name="snapshot"]').first().waitFor();
});

test('J goes on from that operation to the next, below the turns of the run', async () => {
  const graph = webviewPage(page);
  await graph.locator('.time-chart .time-turns').first().waitFor();
  await graph.locator('g.frame[name="snapshot"]').first().focus();
  const first = await graph.locator('.picked-title').innerText();
  await page.keyboard.press('j');
  await graph.locator('.picked-title').filter({ hasNotText: first }).waitFor();
});

test('from an operation the way to the line of its culprit is one click', async () => {
  const row = treeRows(page, 'Long Operations').filter({ hasText: 'snapshot' }).first();
  await clickWhileOver(row, row.getByRole('button', { name: 'Go to Its Line' }));
  await activeTab(page, 'catalogue.js').waitFor();
  await cursorOnLine(page, lineOf(`${shop}/src/catalogue/catalogue.js`, 'JSON.parse(JSON.stringify('));
});

test('Who Waited says of requests of tests that they are, and lists the event loop', async () => {
  await runCommand(page, 'Hotspan: Focus on Who Waited View');
  const waits = treeRows(page, 'Who Waited');
  await waits.filter({ hasText: 'No waits are known: the requests came from tests' }).waitFor();
  await waits.filter({ hasText: /m?s\u2002Event loop of .+p99 · busy \d+ % of/ }).waitFor();
  await waits.filter({ hasText: /delayp50 .+, p99 .+, at most/ }).waitFor();
  await waits.filter({ hasText: /GC\d+ %/ }).waitFor();
});
