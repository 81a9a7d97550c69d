import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, test } from 'node:test';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { diffOf } from '../../helpers/drawn-diff.ts';
import { launchBrowser } from '../../helpers/vscode/open-vscode.ts';
import { drawnFlame, zoomedTo } from '../../webview/drawn-flame.ts';
import { flameOf, searchFlame } from '../../../engine/flame/flame.ts';
import { testRegex } from '../../../language-server/queries/test-regex.ts';
import { hotspotsOf } from '../../helpers/drawn-hotspots.ts';
import { type FakeHost, type FlamePage, openFlamePage, shown, type ThemeName } from './flame-page.ts';

const { analysis } = await hotspotsOf(`
  ms 20      30      12   5
  main       main    main main
  lib#next   lib#run slow lib#next
  price      list    .    lib#parse
  clone      clone   .    .
`);
const usual: FakeHost = {
  answer: (query) => flameOf(analysis, query, testRegex),
  search: (search) => searchFlame(analysis, search, testRegex),
};
const { flame } = await diffOf(
  ['ms 312 60 40 90\nmain main main main\ncloneCatalogue lib#each sort loadAll'],
  ['ms 41 60 95 30\nmain main main main\ncloneCatalogue lib#each sort audit'],
);
const diff: FakeHost = {
  answer: (query) => flame.answer(query),
  search: (search) => flame.search(search),
  opening: [{ ...shown, isDiff: true, folders: ['file:///app'] }],
};
const tiered = drawnFlame(`
  main        5 own file:///home/me/catalogue/src/main.js:1 ignition
    warm     10 own sparkplug
    hot      50 own file:///home/me/catalogue/src/hot.js:7 turbofan
      tiny   20 own turbofan+inlined
    mid      10 own maglev
    read      5 native unknown
`);
const tiers: FakeHost = { answer: ({ zoom }) => zoomedTo(tiered, zoom ?? ''), opening: [{ ...shown, isTiers: true }] };

/** What a person does to see each state of the page. */
const states: readonly (readonly [name: string, host: FakeHost, act: (opened: FlamePage) => Promise<unknown>])[] = [
  ['the graph', usual, async () => undefined],
  [
    'a zoomed graph with a card',
    usual,
    async ({ page }) => {
      await page.locator('g.frame[name=price]').click();
      await page.locator('.breadcrumb', { hasText: 'price' }).waitFor();
      await page.locator('g.frame[name=clone]').hover();
      await page.getByRole('tooltip').waitFor();
    },
  ],
  [
    'a search',
    usual,
    async ({ page }) => {
      await page.keyboard.press('/');
      await page.keyboard.type('clone');
      await page.locator('g.frame[data-match]').first().waitFor();
    },
  ],
  [
    'a wrong search',
    usual,
    async ({ page }) => {
      await page.getByRole('button', { name: 'Regular expression' }).click();
      await page.keyboard.press('/');
      await page.keyboard.type('(');
      await page.getByText('This is no regular expression').waitFor();
    },
  ],
  [
    'callers and callees',
    usual,
    async ({ page }) => {
      await page.getByRole('button', { name: /^Callers and callees/ }).click();
      await page.locator('.callers g.frame').first().waitFor();
    },
  ],
  [
    'the table of functions',
    usual,
    async ({ page }) => {
      await page.getByRole('button', { name: /^Functions/ }).click();
      await page.locator('.functions tbody tr').first().waitFor();
    },
  ],
  [
    'the tree',
    usual,
    async ({ page }) => {
      await page.getByRole('button', { name: /^Tree/ }).click();
      await page.locator('.table tbody tr').first().waitFor();
    },
  ],
  [
    'the menu that takes away',
    usual,
    async ({ page }) => {
      await page.getByRole('button', { name: 'Copy or save' }).click();
      await page.getByRole('menuitem').first().waitFor();
    },
  ],
  [
    'a narrow panel with its menu',
    usual,
    async ({ page }) => {
      await page.setViewportSize({ width: 360, height: 600 });
      await page.getByRole('button', { name: 'More controls' }).click();
    },
  ],
  ['a diff', diff, async () => undefined],
  [
    'the tree of a diff',
    diff,
    async ({ page }) => {
      await page.getByRole('button', { name: /^Tree/ }).click();
      await page.locator('.table tbody tr').first().waitFor();
    },
  ],
  [
    'tiers',
    tiers,
    async ({ page }) => {
      await page.getByRole('button', { name: 'Optimized', exact: true }).click();
      await page.locator('g.frame[data-highlight]').first().waitFor();
    },
  ],
  [
    'a note',
    usual,
    async ({ page, send }) => {
      await send({ type: 'note', text: 'No run reached sort: this is the whole graph.' });
      await page.getByText('No run reached sort').waitFor();
    },
  ],
  [
    'a failure',
    usual,
    async ({ page, send }) => {
      await send({ type: 'failed', id: null, text: 'The recording is gone: profile again.' });
      await page.getByText('The recording is gone').waitFor();
    },
  ],
  [
    'a recording that is read',
    usual,
    async ({ send, page }) => {
      await send({ type: 'failed', id: null, text: 'Gone' });
      await send({ type: 'loading', text: 'Reading the recording…' });
      await page.getByText('Reading the recording…').waitFor();
    },
  ],
];

const themes: readonly ThemeName[] = ['Dark 2026', 'Light 2026', 'High Contrast', 'High Contrast Light'];

const running: { browser: Browser | null; axe: string } = { browser: null, axe: '' };
before(async () => {
  running.browser = await launchBrowser();
  running.axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
});
afterEach(async () => {
  for (const context of running.browser?.contexts() ?? []) await context.close();
});
after(() => running.browser?.close());

test('axe sees what is wrong', async () => {
  const { page } = await open(usual);
  await page
    .locator('.tool')
    .first()
    .evaluate((button) => ['aria-label', 'title'].map((name) => button.removeAttribute(name)));
  assert.match((await violations(page)).join(), /^button-name/);
});

for (const theme of themes) {
  test(`axe finds nothing in ${theme}`, async (context) => {
    for (const [name, host, act] of states) {
      await context.test(name, async () => {
        const opened = await open({ ...host, theme });
        await act(opened);
        assert.deepEqual(await violations(opened.page), []);
      });
    }
  });
}

/**
 * What axe finds on the page, with the elements, and what it cannot decide. The contrast of text that lies on a pattern or
 * on something else is not for it to tell: contrast.test.ts measures that of frames.
 */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(running.axe);
  const { violations: found, incomplete } = await page.evaluate<AxeResults>('axe.run(document)');
  return [...found, ...incomplete.filter(({ id }) => id !== 'color-contrast')].flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
  );
}

async function open(host: FakeHost): Promise<FlamePage> {
  assert.ok(running.browser);
  const opened = await openFlamePage(await running.browser.newPage({ viewport: { width: 1000, height: 600 } }), host);
  await opened.page.locator('g.frame').first().waitFor();
  return opened;
}
