import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { flameOf } from '../../../show/flame/flame.ts';
import { freshChoices } from '../../../webview/basics/page-state.ts';
import { threadNames } from '../../../words/thread-names.ts';
import { hotspotsOf } from '../../helpers/drawn-hotspots.ts';
import type { FixtureName } from '../../helpers/recording-fixtures.ts';
import { boxOf } from '../../helpers/vscode/box-of.ts';
import { openFlamePage, pagesOfFile } from './flame-page.ts';
import { engineHost, openFixture, readFixture } from './recorded-page.ts';

const newPage = pagesOfFile();

/** Each runner that the recorder knows, and a server, with files of tests that ran in processes of their own. */
const runs: readonly (readonly [FixtureName, readonly string[]])[] = [
  ['runners/vitest', ['accounts.vitest.test.mjs', 'transfers.vitest.test.mjs']],
  ['runners/vitest-threads', ['accounts.vitest.test.mjs', 'transfers.vitest.test.mjs']],
  ['runners/jest', ['accounts.jest.test.cjs', 'transfers.jest.test.cjs']],
  ['runners/mocha', ['accounts.mocha.cjs']],
  ['runners/node', ['accounts.node.cjs', 'transfers.node.cjs']],
  ['runners/server', ['server.cjs']],
];

for (const [run, files] of runs)
  test(`${run}: accrue is the first finding, all but own code is one frame, and processes have the names of their files`, async () => {
    const { analysis, summary } = await readFixture(run);
    assert.equal(summary.headline?.label, 'accrue');
    const fold = { kinds: freshChoices.folded, open: [], apart: true } as const;
    const { root } = flameOf(analysis, { leastShare: 0.001, fold });
    const outside = root.children.filter(({ category }) => category !== 'own' && category !== 'test');
    assert.deepEqual(
      outside.map(({ folded }) => folded?.type),
      ['outside'],
    );
    const lanes = threadNames(analysis.streams).map(({ name }) => name);
    for (const name of files) assert.ok(lanes.includes(name), lanes.join(' | '));
    assert.ok(!lanes.some((name) => /^process \d/.test(name)), lanes.join(' | '));
  });

for (const run of ['runners/vitest', 'runners/server'] as const)
  test(`${run}: the page opens at the first finding, with own code as wide as the page`, async () => {
    const page = await openRun(run);
    assert.equal(await page.locator('g.frame:focus').getAttribute('name'), 'accrue', 'the focus is on it');
    assert.ok((await shareOf(page, 'g.frame[data-chosen]')) >= 0.2, 'it can be read');
    const outside = page.locator('g.frame[data-folded=outside]');
    assert.match((await outside.getAttribute('name')) ?? '', /^\d\S* % /, 'its share is on it, if it has room');
    const own = await ownWidth(page);
    assert.ok(own >= 0.9, `own code takes ${own} of the width`);
    await page.keyboard.press('Escape');
    await page.locator('.breadcrumb').waitFor({ state: 'hidden' });
    assert.ok((await ownWidth(page)) >= 0.9, 'and where everything is shown');
  });

test('what is outside of own code is unfolded by a click and folded by F, and no share of a frame changes', async () => {
  const page = await openRun('runners/vitest');
  await page.keyboard.press('Escape');
  await page.locator('.breadcrumb').waitFor({ state: 'hidden' });
  const sentence = await page.locator('g.frame[name=accrue]').first().getAttribute('aria-label');
  const legend = await page.locator('.legend').innerText();
  await page.locator('g.frame[data-folded=outside]').click();
  await page.locator('g.frame[data-folded=outside]').waitFor({ state: 'detached' });
  await page.locator('g.frame[data-folded=others]').first().focus();
  assert.equal(await page.locator('.legend').innerText(), legend);
  await page.keyboard.press('f');
  await page.locator('g.frame[data-folded=outside]').waitFor();
  assert.equal(await page.locator('g.frame[name=accrue]').first().getAttribute('aria-label'), sentence);
});

test('what is outside of own code says its share on its card, to screen readers and in the last row of the tree', async () => {
  const page = await openRun('runners/vitest');
  const outside = page.locator('g.frame[data-folded=outside]');
  const sentence = String(await outside.getAttribute('aria-label'));
  assert.match(sentence, /^Outside of your code: .* total, \d\S* %, .*folded frames/);
  assert.equal(await page.locator('.card:visible').count(), 0, 'nothing covers what the page was opened for');
  await outside.hover();
  const card = page.locator('.card:visible');
  await card.getByText('Its width is not its time: your code has the room').waitFor();
  assert.match(await card.innerText(), /In them\s+.*\d %/);
  await page.getByRole('button', { name: /^Tree/ }).click();
  const row = page.getByRole('row', { name: /Outside of your code/ });
  await row.waitFor();
  assert.equal(await row.getAttribute('aria-level'), '2');
  assert.match(await row.innerText(), /\d %/);
});

test('own code that is too narrow to be drawn has its room, and its card says where it is shown', async () => {
  const narrow = Array.from({ length: 1500 }, (_, index) => `f${index}`);
  const times = ['900', '150', ...narrow.map(() => '0.1')];
  const { analysis } = await hotspotsOf(`ms ${times.join(' ')}\nlib#load handle ${narrow.join(' ')}`);
  const { page } = await openFlamePage(await newPage(850, 600), engineHost(analysis));
  const small = page.locator('g.frame[data-folded=small]');
  await small.getByText('1500 frames too narrow to draw').waitFor();
  assert.ok((await ownWidth(page)) >= 0.9);
  const outside = page.locator('g.frame[data-folded=outside] > rect');
  const [rest, all] = [await boxOf(outside), await boxOf(page.locator('g.frame[data-id=""] > rect'))];
  assert.ok(Math.abs(rest.x + rest.width - all.x - all.width) < 2, 'it is at the end');
  await small.click();
  await page.getByText('A part of the run, a search and the table of functions show them').waitFor();
  await page.locator('.breadcrumb').waitFor({ state: 'hidden' });
});

test('the profile of one test is rooted at that test, not at its runner', async () => {
  const page = await openRun('runners/jest-one-test');
  const first = page.locator('g.frame[aria-level="2"]').first();
  assert.equal(await first.getAttribute('name'), 'test "pays interest"');
  assert.ok((await shareOf(page, 'g.frame[aria-level="2"][data-category=test]')) >= 0.5, 'it is the widest');
});

/** Opens the page of a run, once the focus has arrived. */
async function openRun(name: FixtureName): Promise<Page> {
  const { page } = await openFixture(await newPage(850, 800), name);
  await page.locator('g.frame[data-chosen]:focus').waitFor();
  await page.locator('.time-turns').first().waitFor();
  return page;
}

/** Share of the graph's width that the widest of these frames has. */
async function shareOf(page: Page, selector: string): Promise<number> {
  return page.evaluate((frames) => {
    const widthOf = (element: Element | null): number => element?.getBoundingClientRect().width ?? 0;
    const widths = [...document.querySelectorAll(`${frames} > rect`)].map(widthOf);
    return Math.max(0, ...widths) / widthOf(document.querySelector('g.frame[data-id=""] > rect'));
  }, selector);
}

/** Share of the graph's width that frames of own code and tests have in the first row below All. */
async function ownWidth(page: Page): Promise<number> {
  return page.evaluate(() => {
    const widthOf = (element: Element | null): number => element?.getBoundingClientRect().width ?? 0;
    const own = ['own', 'test'].map((kind) => `g.frame[aria-level="2"][data-category="${kind}"] > rect`).join();
    const sum = [...document.querySelectorAll(own)].reduce((width, rect) => width + widthOf(rect), 0);
    return sum / widthOf(document.querySelector('g.frame[data-id=""] > rect'));
  });
}
