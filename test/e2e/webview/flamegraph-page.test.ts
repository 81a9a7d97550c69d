import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { FlameSearchAnswer } from '../../../protocol/flame.ts';
import { line1, microseconds } from '../../../protocol/units.ts';
import type { PageMessage } from '../../../protocol/webview.ts';
import { boxOf } from '../../helpers/vscode/box-of.ts';
import { drawnFlame, frameNamed, zoomedTo } from '../../webview/drawn-flame.ts';
import {
  type FakeHost,
  type FlamePage,
  frameOn,
  lastQuery,
  namesOf,
  openFlamePage,
  pagesOfFile,
  shown,
  until,
  withoutSpace,
} from './flame-page.ts';

const catalogue = drawnFlame(`
  main            0 own file:///home/me/catalogue/src/main.js:1
    handler       2 own file:///home/me/catalogue/src/handler.js:5
      clone      60 own file:///home/me/catalogue/src/clone.js:12
      sort       20 dependency file:///home/me/catalogue/node_modules/lodash/sort.js:3
    readFileSync 10 node node:fs:42
  (gc)            8 gc
`);
const host: FakeHost = {
  answer: ({ zoom, find }) => {
    const answer = zoomedTo(catalogue, zoom ?? '');
    const { id } = frameNamed(catalogue, 'clone');
    return find === undefined ? answer : { ...answer, found: { id, number: 1, matches: 1, open: [] } };
  },
  search: () => ({
    ...{ type: 'found', matches: 1, matchedUs: microseconds(60_000) },
    ...{ functionIds: [frameNamed(catalogue, 'clone').functionId], categories: [], bars: [] },
    heaviest: frameNamed(catalogue, 'clone').id,
  }),
};

const newPage = pagesOfFile();

test('every frame stands on the page with its kind of code', async () => {
  const { page } = await open();
  const names = await namesOf(page.locator('g.frame'));
  assert.deepEqual(names, ['All', 'main', 'handler', 'clone', 'sort', 'readFileSync', '(gc)']);
  assert.equal(await page.locator('g.frame[name=sort]').getAttribute('data-category'), 'dependency');
  assert.equal(
    await page.locator('.legend').innerText().then(withoutSpace),
    'Your code 62 % Tests 0 % Dependencies 20 % folded Test runner 0 % Node.js 10 % folded Native 0 % GC 8 %',
  );
});

test('a click zooms, the breadcrumb leads back and Escape resets', async () => {
  const { page, posted } = await open();
  await frameOn(page, 'handler').click();
  await page.locator('.breadcrumb', { hasText: 'handler' }).waitFor();
  assert.deepEqual(lastQuery(posted)?.zoom, frameNamed(catalogue, 'handler').id);
  await gone(frameOn(page, 'readFileSync'));
  await page.locator('.breadcrumb').getByRole('button', { name: 'main' }).click();
  await frameOn(page, 'readFileSync').waitFor();
  await page.keyboard.press('Escape');
  await frameOn(page, '(gc)').waitFor();
  assert.equal(await page.locator('.breadcrumb').isVisible(), false);
});

test('Ctrl+click, the arrow button and Enter open the source', async () => {
  const { page, posted } = await open();
  const source: PageMessage = { type: 'openSource', url: 'file:///home/me/catalogue/src/clone.js', line: line1(12) };
  // At its beginning: the arrow button comes up at its end.
  await frameOn(page, 'clone').click({ modifiers: ['ControlOrMeta'], position: { x: 8, y: 8 } });
  await page.getByRole('button', { name: 'Open the source of clone' }).click();
  await page.keyboard.press('Enter');
  await until(() => posted.filter(({ type }) => type === 'openSource').length === 3);
  const opened = posted.filter(({ type }) => type === 'openSource');
  assert.deepEqual(opened, [source, source, source]);
});

test('the whole graph can be walked and zoomed by keyboard', async () => {
  const { page, posted } = await open();
  const keys = ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'Space'];
  for (const key of keys) await page.keyboard.press(key);
  assert.equal(await page.locator('g.frame:focus').getAttribute('name'), 'sort');
  const sentence = String(await page.locator('g.frame:focus').getAttribute('aria-label'));
  assert.match(sentence, /^sort, 20 ms total, 20 %, 20 ms self, Dependencies/);
  await until(() => lastQuery(posted)?.zoom === frameNamed(catalogue, 'sort').id);
});

test('the card says what a frame is', async () => {
  const { page } = await open();
  await frameOn(page, 'clone').hover();
  assert.equal(
    withoutSpace(await page.getByRole('tooltip').innerText()),
    'clone src/clone.js:12 Your code Total 60 ms · 60 % of all Self 60 ms · 100 % of its total Ctrl+click or Enter opens the source',
  );
});

test('the card of all says what its time is, which is less than that of the turns', async () => {
  const { page } = await open();
  await frameOn(page, 'All').hover();
  await page.getByRole('tooltip').getByText('Held time: without idle time').waitFor();
});

test('a search counts in the whole recording, marks what matches and brings the first match on screen', async () => {
  const { page, posted } = await open();
  await page.keyboard.press('/');
  await page.keyboard.type('CLONE');
  await page.getByText('1 match · 60 %').waitFor();
  assert.deepEqual(await namesOf(page.locator('g.frame[data-match]')), ['clone']);
  assert.ok(posted.filter(({ type }) => type === 'search').length < 5, 'not for each letter');
  await page.locator('g.frame[data-chosen][name=clone]').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('g.frame[data-found][name=clone]').waitFor();
  await page.getByText('1 of 1 · 60 %').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'INPUT', 'Enter goes on');
  assert.deepEqual(lastQuery(posted)?.find, { pattern: 'CLONE', isRegex: false, from: null, step: 1 });
});

const nothingFound: FlameSearchAnswer = {
  ...{ type: 'found', matches: 0, matchedUs: microseconds(0) },
  ...{ functionIds: [], categories: [], bars: [], heaviest: null },
};

test('a search that finds nothing says so', async () => {
  const { page } = await open({ ...host, search: (): FlameSearchAnswer => nothingFound });
  await page.keyboard.press('/');
  await page.keyboard.type('nothing');
  await page.getByText('No match').waitFor();
});

test('a frame without a source says so where somebody wants to open it', async () => {
  const { page, posted } = await open();
  await frameOn(page, '(gc)').click({ modifiers: ['ControlOrMeta'], position: { x: 8, y: 8 } });
  await page.getByText('This frame has no source file.').waitFor({ state: 'attached' });
  assert.equal(posted.filter(({ type }) => type === 'openSource').length, 0);
});

test('a kind of code that is switched off is folded, and keeps its share', async () => {
  const { page, posted } = await open();
  await page.getByRole('checkbox', { name: 'Native' }).uncheck();
  await until(() => lastQuery(posted)?.fold?.kinds.join() === 'dependency,runner,node,native,program');
});

test('a flame has its callers at the bottom', async () => {
  const { page } = await open();
  const isAbove = async () => (await topOf(frameOn(page, 'main'))) < (await topOf(frameOn(page, 'clone')));
  assert.equal(await isAbove(), true);
  await page.getByRole('button', { name: /^Flame/ }).click();
  await until(async () => !(await isAbove()));
});

test('zoom, search, filters and view are there again after a reload', async () => {
  const zoom = frameNamed(catalogue, 'handler').id;
  const kept = {
    ...{ version: 2, recording: 'recording-1', written: '', zoom, folded: ['gc'], open: ['7'], direction: 'flame' },
    ...{ pattern: 'clone', isRegex: false, view: 'graph', around: null, order: { by: 'total', isDescending: true } },
    ...{ colors: 'category', tiers: 'split', highlight: 'none', operation: null, part: { lane: null, range: null } },
    ...{ operations: 'time', isInTime: false, side: 'now', perOperationOf: null },
  };
  const { page, posted, ...opened } = await open({ ...host, kept });
  assert.deepEqual(lastQuery(posted)?.fold, { kinds: ['gc'], open: ['7'], apart: true });
  await page.locator('.breadcrumb', { hasText: 'handler' }).waitFor();
  assert.equal(await page.getByRole('textbox').inputValue(), 'clone');
  assert.deepEqual(await opened.kept(), kept);
});

test('the tree says the same as the graph, by keyboard too', async () => {
  const { page, posted } = await open();
  await page.getByRole('button', { name: /^Tree/ }).click();
  const row = page.getByRole('row', { name: /clone/ });
  assert.equal(withoutSpace(await row.innerText()), 'clone 60 ms 60 % 60 ms Your code src/clone.js:12');
  await page.keyboard.press('Tab');
  await page.getByRole('row', { name: /handler/ }).focus();
  await page.keyboard.press('ArrowLeft');
  await gone(row);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await until(() => posted.some(({ type }) => type === 'openSource'));
});

test('a name is never taken for HTML, and cannot turn the text around it', async () => {
  const hostile = '<img/src=x/onerror=window.pwned=1></script>\u202eevil';
  const { page } = await open({ ...host, answer: () => drawnFlame(`${hostile} 5 own file:///<b>x</b>.js:1`) });
  await page.locator('g.frame').nth(1).hover();
  assert.equal(await page.locator('img, b').count(), 0);
  await page.getByRole('button', { name: /^Tree/ }).click();
  const rows = await page.locator('.table tbody').innerText();
  assert.match(rows, /<img\/src=x\/onerror=window\.pwned=1><\/script>\\u\{202e\}evil/);
});

test('what cannot be drawn is said in a sentence', async () => {
  const { page, send, posted } = await open(
    { ...host, answer: () => drawnFlame(''), opening: [{ type: 'loading', text: 'Analysing file 3 of 8 …' }] },
    '.notice',
  );
  await page.locator('.notice', { hasText: 'Analysing file 3 of 8 …' }).waitFor();
  await send(shown);
  await page.getByText('This recording holds no samples').waitFor();
  await page.getByRole('button', { name: 'Profile Last Target Again' }).click();
  await until(() => posted.at(-1)?.type === 'profileAgain');
  await send({ type: 'failed', id: null, text: 'The recording is gone: profile again.' });
  await page.getByText('The recording is gone: profile again.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Profile Last Target Again' }).isVisible(), false);
  await page.getByRole('button', { name: 'Try Again' }).click();
  await until(() => posted.at(-1)?.type === 'ready');
});

test('a narrow panel needs no scrolling sideways', async () => {
  const { page } = await open();
  await page.setViewportSize({ width: 300, height: 500 });
  await until(async () => Number(await page.locator('.chart svg').getAttribute('width')) <= 300);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 300);
});

async function open(from: FakeHost = host, ready = 'g.frame'): Promise<FlamePage> {
  const opened = await openFlamePage(await newPage(), from);
  await opened.page.locator(ready).first().waitFor();
  return opened;
}

async function topOf(locator: Locator): Promise<number> {
  return (await boxOf(locator)).y;
}

async function gone(locator: Locator): Promise<void> {
  await locator.waitFor({ state: 'detached' });
}
