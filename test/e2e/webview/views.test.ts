import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../helpers/assert-each.ts';
import { hotspotsOf } from '../../helpers/drawn-hotspots.ts';
import { boxOf } from '../../helpers/vscode/box-of.ts';
import { type FlamePage, namesOf, openWithFrames, pagesOfFile, shown, until, withoutSpace } from './flame-page.ts';
import { analysis, usual } from './page-states.ts';
import { engineHost } from './recorded-page.ts';

const idOf = (name: string): number => analysis.functions.functions.findIndex((fn) => fn.name === name);

const viewWords = ['Graph', 'Long operations', 'Callers', 'Functions', 'Tree'];

const newPage = pagesOfFile();

test('a lens shows its function between its callers and its callees, and a click goes on to another one', async () => {
  const { page, send } = await open();
  await send({ type: 'focus', functionId: idOf('clone'), alone: false });
  await page.getByText('clone: ≈50 ms, 75 % of all.').waitFor();
  await page.locator('.callees g.frame[name=clone]:focus').waitFor(); // No Tab is needed to get there.
  assert.deepEqual(await namesIn(page, '.callers'), ['clone', 'list', 'lib', 'main', 'price', 'lib', 'main']);
  assert.deepEqual(await namesIn(page, '.callees'), ['clone']);
  const [caller, itself] = [page.locator('.callers g.frame[name=list]'), page.locator('.callees g.frame[name=clone]')];
  assert.ok((await topOf(caller)) < (await topOf(itself)), 'callers stand above');
  const copy = page.locator('.callers g.frame[name=clone]');
  assert.equal(await topOf(copy), await topOf(itself), 'one row for the function');
  await caller.hover();
  const card = page.locator('.card:visible');
  assert.match(withoutSpace(await card.innerText()), /Part ≈30 ms · 45 % of all, 60 % of clone Ctrl/);
  await caller.click();
  await page.getByText('list: ≈30 ms, 45 % of all.').waitFor();
  await page.getByRole('button', { name: 'Show in the Graph' }).click();
  await page.locator('.breadcrumb', { hasText: 'list' }).waitFor();
});

test('a name that reads from right to left stays before all of its figures', async () => {
  const { analysis: hebrew } = await hotspotsOf('ms 42\nשלום');
  const { page, send } = await openWithFrames(await newPage(), engineHost(hebrew));
  await send({ type: 'focus', functionId: 0, alone: false });
  const [name, line] = [await boxOf(page.locator('.around-line bdi')), await boxOf(page.locator('.around-line span'))];
  assert.ok(name.x === line.x && name.width < line.width, 'no figure is left of it');
});

test('C on a frame shows its function so, and bars there are unfolded, too', async () => {
  const { page } = await open();
  await page.locator('g.frame[name=clone]').first().focus();
  await page.keyboard.press('c');
  await page.locator('.callers g.frame[data-folded=others]').first().click();
  await page.locator('.callers g.frame[name=run]').waitFor();
});

test('the table of functions has the figures of the lines, and is sorted by a click or a key on its heads', async () => {
  const { page } = await open();
  await page.getByRole('button', { name: /^Functions/ }).click();
  const slow = page.getByRole('row', { name: /slow/ });
  assert.match(withoutSpace(await slow.innerText()), /^slow ≈12 ms · 18 % ≈12 ms ≈12 ms 1 1/);
  const firstRow = (): Promise<string> => page.locator('.functions tbody tr').first().innerText();
  assert.match(await firstRow(), /^main/);
  await page.getByRole('button', { name: 'Self' }).click();
  await until(async () => (await firstRow()).startsWith('clone'));
  assert.equal(await page.getByRole('columnheader', { name: 'Self' }).getAttribute('aria-sort'), 'descending');
  await page.keyboard.press('Enter');
  await until(async () => !(await firstRow()).startsWith('clone'));
  assert.match(await page.locator('.functions-note').innerText(), /3 functions of folded kinds are not listed/);
  await page.getByRole('button', { name: 'clone', exact: true }).click();
  await page.getByText('clone: ≈50 ms').waitFor();
});

test('Enter and Shift+Enter walk the matches, unfold what they are in, and the count stands beside the query', async () => {
  const { page } = await open();
  await page.keyboard.press('/');
  await page.keyboard.type('next|parse');
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await page.getByText('2 matches · 37 %').waitFor();
  assert.deepEqual(await namesIn(page, '.searching', '[data-match]'), ['lib']);
  const [box, count] = [await boxOf(page.locator('.search')), await boxOf(page.locator('.search-count'))];
  assert.ok(box.x + box.width <= count.x, 'beside, not over it');
  await page.getByRole('textbox', { name: 'Search' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('g.frame[data-found][name=next]').waitFor();
  await page.getByText('1 of 2').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('g.frame[data-found][name=parse]').waitFor();
  await page.keyboard.press('Shift+Enter');
  await page.locator('g.frame[data-found][name=next]').waitFor();
  assert.deepEqual(new Set(await namesIn(page, '.searching', '[data-match]')), new Set(['next', 'parse']));
});

test('what was typed a moment ago stays where the focus leaves it and the page changes', async () => {
  const { page, send } = await open();
  // In one turn of the page, so that the pause after typing cannot be over.
  const input = page.getByRole('textbox', { name: 'Search' });
  const typed = await input.evaluate((box: HTMLInputElement) => {
    box.focus();
    box.setRangeText('parse');
    box.dispatchEvent(new Event('input'));
    box.blur();
    const list = [...document.querySelectorAll('button')].find(({ ariaLabel }) => ariaLabel?.startsWith('Functions'));
    list?.click();
    return [list?.ariaPressed, box.value];
  });
  assert.deepEqual(typed, ['true', 'parse']);
  await page.getByText('1 match ·').waitFor();
  await input.focus();
  await send({ ...shown, recording: 'another', title: 'npm test, again' });
  await page.getByText('npm test, again').waitFor();
  assert.equal(await input.inputValue(), '', 'another recording is not searched, wherever the focus is');
});

test('a wrong regular expression is said in a sentence', async () => {
  const { page } = await open();
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('(');
  await page.getByText('This is not a regular expression: Unterminated group.').waitFor();
  assert.equal(await page.locator('.searching').count(), 0, 'nothing is dimmed');
});

test('at 500 px all controls but the views are one row, below that the rarer ones are in a menu; each has a name and a tooltip', async () => {
  const { page } = await open();
  await page.setViewportSize({ width: 500, height: 600 });
  const shown = page.locator('.tools button:visible');
  const inRow = page.locator('.tools > :not(.views) button:visible, .tools > button:visible');
  const tops = await inRow.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().bottom)));
  assert.ok(Math.max(...tops) - Math.min(...tops) < 8, tops.join(' '));
  for (const one of await shown.all()) {
    assert.match((await one.getAttribute('title')) ?? '', /\w/);
    assert.match((await one.getAttribute('aria-label')) ?? '', /\w/);
  }
  await page.setViewportSize({ width: 360, height: 600 });
  const flame = page.getByRole('button', { name: /^Flame/ });
  await flame.waitFor({ state: 'hidden' });
  const more = page.getByRole('button', { name: 'More controls' });
  const copy = page.getByRole('menuitem', { name: 'Copy as Markdown' });
  await more.click();
  await page.getByRole('button', { name: 'Copy or save' }).click();
  await copy.waitFor();
  await flame.waitFor({ state: 'hidden' }); // One menu at a time.
  await more.click();
  await copy.waitFor({ state: 'hidden' });
  await flame.click();
  await page.keyboard.press('Escape');
  await flame.waitFor({ state: 'hidden' });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
});

test('in a wide panel each view has its word beside the icon, in one row, and nothing of the search is lost', async () => {
  const { page } = await open();
  await page.setViewportSize({ width: 1400, height: 600 });
  const views = page.getByRole('group', { name: 'View', exact: true }).getByRole('button');
  const words = await views.evaluateAll((buttons) => buttons.map((one) => [one.textContent, one.ariaLabel ?? '']));
  assertEach(words, ([word]) => word, viewWords);
  for (const [word = '', name = ''] of words) assert.ok(name.startsWith(word), name);
  const boxes = await views.evaluateAll((buttons) => buttons.map((one) => one.getBoundingClientRect().top));
  assert.equal(new Set(boxes).size, 1);
  const search = await boxOf(page.getByPlaceholder('Search functions and files'));
  assert.ok(search.width > 140, `${search.width}`);
});

for (const width of [360, 500, 850])
  test(`at ${width} px each view still has its word, and none is cut off`, async () => {
    const { page } = await open();
    await page.setViewportSize({ width, height: 600 });
    for (const word of viewWords) {
      const shown = page.locator('.views').getByText(word, { exact: true });
      const box = await boxOf(shown);
      assert.ok(box.x >= 0 && box.x + box.width <= width, word);
      assert.ok(await shown.evaluate((one) => one.scrollWidth <= one.clientWidth || one.clientWidth === 0), word);
    }
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
  });

async function open(): Promise<FlamePage> {
  return openWithFrames(await newPage(), usual);
}

async function namesIn(page: FlamePage['page'], side: string, which = ''): Promise<readonly (string | null)[]> {
  return namesOf(page.locator(`${side} g.frame${which}`));
}

async function topOf(locator: ReturnType<FlamePage['page']['locator']>): Promise<number> {
  return Math.round((await boxOf(locator.locator('rect'))).y);
}
