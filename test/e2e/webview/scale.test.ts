import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { Analysis } from '../../../engine/analysis.ts';
import { hotspotsOfProfiles } from '../../helpers/drawn-hotspots.ts';
import { profileOf } from '../../helpers/drawn-profile.ts';
import { boxOf } from '../../helpers/vscode/box-of.ts';
import { freshChoices } from '../../../webview/basics/page-state.ts';
import type { FlameDirection } from '../../../protocol/webview.ts';
import { type FlamePage, namesOf, openFlamePage, pagesOfFile, shown } from './flame-page.ts';
import { engineHost } from './recorded-page.ts';

const newPage = pagesOfFile();

test('neither a graph of many frames, nor a zoom to what was left out, nor the table has more than 3000 elements', async () => {
  const stacks = Array.from({ length: 600 }, (_, number) => [
    `a${number % 40}`,
    ...Array.from('bcdefgh', (level) => `${level}${number}`),
  ]);
  const { page } = await open(await analysisOf(stacks));
  const steps: readonly (readonly [Locator | null, string])[] = [
    [null, '.graph g.frame[name^=b]'],
    [page.locator('g.frame[name=a7]'), '.graph g.frame[name^=h]'],
    [page.getByRole('button', { name: /^Functions/ }), '.functions tbody tr'],
    [page.getByRole('button', { name: /^Graph/ }), '.graph g.frame[name^=b]'],
  ];
  for (const [click, drawn] of steps) {
    await click?.click();
    await page.locator(drawn).first().waitFor();
    await page.locator('.stage[aria-busy=false]').waitFor();
    assert.ok((await elements(page)) <= 3_000, `${drawn}: ${await elements(page)} elements`);
  }
});

test('the tree has a part of very many rows, says how many more there are, and goes on to them by arrows and by a click', async () => {
  const stacks = Array.from({ length: 600 }, (_, number) => [`a${number}`]);
  const { page } = await open(await analysisOf(stacks));
  await page.getByRole('button', { name: /^Tree/ }).click();
  const rows = page.locator('.table tbody tr[data-id]');
  await rows.first().waitFor();
  assert.ok((await elements(page)) <= 3_000, `${await elements(page)} elements`);
  assert.deepEqual(
    [await rows.count(), await page.locator('[role=treegrid]').getAttribute('aria-rowcount')],
    [160, '602'],
  );
  await rows.last().focus();
  await page.keyboard.press('ArrowDown');
  await focusedRow(page, 162);
  await page.getByRole('button', { name: '80 rows above' }).waitFor();
  await page.getByRole('button', { name: '361 rows below' }).click();
  await focusedRow(page, 242);
  await page.getByRole('button', { name: '160 rows above' }).click();
  await focusedRow(page, 161);
  await rows.first().focus();
  await page.keyboard.press('ArrowUp');
  await focusedRow(page, 80);
  assert.equal(await page.getByRole('button', { name: 'above' }).count(), 0);
  assert.ok((await elements(page)) <= 3_000);
});

test('in a narrow panel the rows of the tree keep their names', async () => {
  const { page } = await open(await analysisOf([['main', 'parse'], ['main']]));
  await page.setViewportSize({ width: 440, height: 600 });
  await page.getByRole('button', { name: /^Tree/ }).click();
  const name = await boxOf(page.locator('.table tbody tr .row-name').first());
  assert.ok(name.width > 120, JSON.stringify(name));
});

test('an operation in time order has at most 3000 elements, rows of the list and gaps between frames included', async () => {
  const stacks = Array.from({ length: 600 }, (_, number) =>
    number % 2 === 0 ? ['handler', ...Array.from('abcdefgh', (level) => `${level}${number}`)] : ['handler'],
  );
  const { page } = await open(await analysisOf(stacks));
  await page.locator('g.frame[name=handler]').waitFor();
  await page.keyboard.press('j');
  await page.locator('.operation-rows [aria-selected=true], .picked-title').first().waitFor();
  await page.locator('.stage[aria-busy=false] g.frame[name=handler]').waitFor();
  await page
    .getByRole('button', { name: /time order/ })
    .first()
    .waitFor();
  const drawn = await page.locator('g.frame').count();
  assert.ok(drawn > 200, `${drawn} frames`);
  assert.ok((await elements(page)) <= 3_000, `${await elements(page)} elements`);
});

test('a stack of 10 000 calls is shown some levels at a time, and can be walked down', async () => {
  const { page } = await open(await analysisOf([Array.from({ length: 10_000 }, (_, level) => `f${level}`)]));
  await page.locator('g.frame[name=f0]').waitFor();
  const deepest = async () =>
    Math.max(...(await namesOf(page.locator('g.frame'))).map((name) => Number(/^f(\d+)$/.exec(name ?? '')?.[1] ?? 0)));
  const first = await deepest();
  assert.ok(first >= 50 && first < 1_000, `down to f${first}`);
  await page.locator(`g.frame[name=f${first}]`).dispatchEvent('click');
  await page.locator(`g.frame[name=f${first + 1}]`).waitFor();
  assert.ok((await elements(page)) <= 3_000);
});

test('where callees grow up, a zoomed frame stays on screen when the answer has more of them', async () => {
  const { page } = await open(
    await analysisOf([Array.from({ length: 400 }, (_, level) => `f${level}`)]),
    [shown],
    'flame',
  );
  await page.locator('g.frame[name=f190]').dispatchEvent('click');
  await page.locator('g.frame[name=f300]').waitFor({ state: 'attached' });
  await page.locator('.stage[aria-busy=false]').waitFor();
  const box = await boxOf(page.locator('g.frame[name=f190] > rect'));
  assert.ok(box.y > 0 && box.y < 600, `at ${box.y} of 600 px`);
});

test('a profile of no frame says so', async () => {
  const { page } = await open(await analysisOf([['(idle)']]));
  await page.locator('.stage[aria-busy=false]').waitFor();
  await page
    .getByText(/no samples|nothing|No time/i)
    .first()
    .waitFor();
});

test('names of 5 000 characters, and names that are HTML, stay within their frame', async () => {
  const html = '<img/src=x/onerror=document.title=1>';
  const { page } = await open(await analysisOf([['n'.repeat(5_000), html], ['n'.repeat(5_000)]]));
  await page.locator('g.frame').nth(2).waitFor();
  assert.equal(await page.locator('.graph img').count(), 0);
  assert.notEqual(await page.title(), '1');
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(sideways <= 0, `${sideways} px to scroll`);
});

test('a page that is hidden while it loads is drawn when it is seen', async () => {
  const { page, send } = await open(await analysisOf([['main', 'parse'], ['main']]), []);
  await page.evaluate(() => (document.body.style.display = 'none'));
  // Until the page has seen it.
  const twoFrames = 'new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))';
  await page.evaluate(twoFrames);
  await send(shown);
  await page.evaluate(twoFrames);
  assert.equal(await page.locator('g.frame').count(), 0);
  await page.evaluate(() => (document.body.style.display = ''));
  await page.locator('g.frame[name=parse]').waitFor();
});

async function open(analysis: Analysis, opening = [shown], direction: FlameDirection = 'icicle'): Promise<FlamePage> {
  return openFlamePage(await newPage(), {
    opening,
    kept: { version: 2, ...freshChoices, direction },
    ...engineHost(analysis),
  });
}

async function analysisOf(stacks: readonly (readonly string[])[]): Promise<Analysis> {
  return (await hotspotsOfProfiles([profileOf(stacks)])).analysis;
}

/** Waits until the row with this number among all has the focus; that of the heads is 1. */
async function focusedRow(page: Page, index: number): Promise<void> {
  await page.locator(`tr:focus[aria-rowindex="${index}"]`).waitFor();
}

async function elements(page: Page): Promise<number> {
  return page.locator('*').count();
}
