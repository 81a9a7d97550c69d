import { timelineOf } from '../../../show/flame/timeline.ts';
import { diffOf } from '../../helpers/drawn-diff.ts';
import { hotspotsOf } from '../../helpers/drawn-hotspots.ts';
import { drawnFlame, zoomedTo } from '../../webview/drawn-flame.ts';
import { type FakeHost, type FlamePage, shown } from './flame-page.ts';
import { diffHost, engineHost } from './recorded-page.ts';

/** `clone` is called from two handlers, through `lib`, and `slow` is the worst. */
export const { analysis } = await hotspotsOf(`
  ms 20      30      12   5
  main       main    main main
  lib#next   lib#run slow lib#next
  price      list    .    lib#parse
  clone      clone   .    .
`);
export const usual = engineHost(analysis);
const timed = await hotspotsOf(
  `
  ms 20     40      60     50      20    40     30
  (idle)    handler (idle) handler (gc)  handler handler
  .         parse   .      clone   .     save    lib#next
`,
  { threshold: 10, turns: '20-60 120-260' },
);
const overTime: FakeHost = {
  ...engineHost(timed.analysis),
  timeline: (query) => {
    const lanes = ['process 7', 'process 8'].map((name, number) => ({ number, name }));
    return { ...timelineOf(timed.analysis, query), lanes };
  },
};
const { flame } = await diffOf(
  ['ms 312 60 40 90\nmain main main main\ncloneCatalogue lib#each sort loadAll'],
  ['ms 41 60 95 30\nmain main main main\ncloneCatalogue lib#each sort audit'],
);
const diff = diffHost(flame);
export const tiered = drawnFlame(`
  main        5 own file:///home/me/catalogue/src/main.js:1 ignition
    warm     10 own sparkplug
    hot      50 own file:///home/me/catalogue/src/hot.js:7 turbofan
      tiny   20 own turbofan+inlined
    mid      10 own maglev
    read      5 native unknown
`);
const tiers: FakeHost = { answer: ({ zoom }) => zoomedTo(tiered, zoom ?? ''), opening: [{ ...shown, isTiers: true }] };

/** What a person does to see each state of the page. A state shows as much at once as the page can. */
export const states = [
  state('a search in a zoomed graph, with a card and a note', usual, async ({ page, send }) => {
    await page.keyboard.press('/');
    await page.keyboard.type('clone');
    await page.locator('g.frame[data-match]').first().waitFor();
    await page.locator('g.frame[name=price]').click();
    await page.locator('.breadcrumb', { hasText: 'price' }).waitFor();
    await send({ type: 'note', text: 'No run reached sort: this is the whole graph.' });
    await page.getByText('No run reached sort').waitFor();
    await page.locator('g.frame[name=clone]').hover();
    await page.getByRole('tooltip').waitFor();
  }),
  state('callers and callees, with a wrong search', usual, async ({ page }) => {
    await page.getByRole('button', { name: /^Callers and callees/ }).click();
    await page.locator('.callers g.frame').first().waitFor();
    await page.getByRole('button', { name: 'Regular expression' }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('(');
    await page.getByText('This is not a regular expression').waitFor();
  }),
  state('the table of functions', usual, async ({ page }) => {
    await page.getByRole('button', { name: /^Functions/ }).click();
    await page.locator('.functions tbody tr').first().waitFor();
  }),
  state('a narrow panel with its menu', usual, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 600 });
    await page.getByRole('button', { name: 'More controls' }).click();
  }),
  state('a part of the run, and a long operation of it in time order', overTime, async ({ page }) => {
    await page.setViewportSize({ width: 1400, height: 600 });
    await page.getByRole('slider', { name: 'Start of the part that is shown' }).focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByText(/^Only from /).waitFor();
    await page.keyboard.press('j');
    await page.locator('.picked g.frame').first().waitFor();
  }),
  state('long operations by test, with their groups', overTime, async ({ page }) => {
    await page.getByRole('button', { name: /^Long operations/ }).click();
    await page.getByRole('button', { name: 'By test' }).click();
    await page.locator('.operation-row').first().waitFor();
  }),
  state('a diff', diff),
  state('the tree of a diff', diff, async ({ page }) => {
    await page.getByRole('button', { name: /^Tree/ }).click();
    await page.locator('.table tbody tr').first().waitFor();
  }),
  state('tiers, with the menu that takes away', tiers, async ({ page }) => {
    await page.getByRole('button', { name: 'Optimized', exact: true }).click();
    await page.locator('g.frame[data-highlight]').first().waitFor();
    await page.getByRole('button', { name: 'Copy or save' }).click();
    await page.getByRole('menuitem').first().waitFor();
  }),
  state('a failure', usual, async ({ page, send }) => {
    await send({ type: 'failed', id: null, text: 'The recording is gone: profile again.' });
    await page.getByText('The recording is gone').waitFor();
  }),
];

function state(name: string, host: FakeHost, act: (opened: FlamePage) => Promise<unknown> = async () => undefined) {
  return { name, host, act };
}
