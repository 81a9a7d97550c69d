import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flameOf } from '../../../show/flame/flame.ts';
import { timelineOf } from '../../../show/flame/timeline.ts';
import { testRegex } from '../../../language-server/recordings/questions.ts';
import { hotspotsOf, ms } from '../../helpers/drawn-hotspots.ts';
import { projectFile } from '../../helpers/project.ts';
import { boxOf } from '../../helpers/vscode/box-of.ts';
import {
  type FakeHost,
  type FlamePage,
  namesOf,
  openFlamePage,
  pagesOfFile,
  type ThemeName,
  until,
} from './flame-page.ts';
import { engineHost } from './recorded-page.ts';

/** Three turns of 40, 150 and 12 ms. In the second, `clone` runs twice, and there is a collection. */
const { analysis } = await hotspotsOf(
  `
  ms 20     40      60     50      20    40     30      10   60     12      40
  (idle)    handler (idle) handler (gc)  handler handler handler (idle) handler (idle)
  .         parse   .      clone   .     save    clone   .    .      lib#next .
`,
  {
    threshold: 10,
    turns: '20-60 120-270 330-342',
    tests: [
      ['begin', 0, 1, '/app/test/cart.test.ts', ['cart', 'reads'], -1],
      ['end', 70, 1],
    ],
  },
);

const newPage = pagesOfFile();

test('a strip shows the turns over the run, and what is under the pointer', async () => {
  const { page } = await open();
  await page.getByText('Turns over 382 ms · longest 150 ms').waitFor();
  assert.equal(await page.locator('.time-turns[data-class=verySlow]').count(), 1);
  assert.equal(await page.locator('.time-turns[data-class=slow]').count(), 1);
  const box = await boxOf(page.locator('.time-brush'));
  const mark = await boxOf(page.locator('.time-axis span', { hasText: '200 ms' }));
  assert.ok(Math.abs(mark.x + mark.width - box.x - (box.width * 200) / 382) < 2, 'a time stands at its place');
  await page.mouse.move(box.x + (box.width * 200) / 382, box.y + 10);
  await page.getByText('a turn of 150 ms, delay up to 70 ms').waitFor();
});

test('a drag chooses a part of the run, for graph and lists, and a click elsewhere ends that', async () => {
  const { page } = await open();
  const box = await boxOf(page.locator('.time-brush'));
  const xAt = (time: number): number => box.x + (box.width * time) / 382;
  await page.mouse.move(xAt(5), box.y + 20);
  await page.mouse.down();
  await page.mouse.move(xAt(100), box.y + 20, { steps: 5 });
  await page.mouse.up();
  await page.getByText(/^Only from 5\S* ms to 1?\d\d\S* ms\. Worst/).waitFor();
  await until(async () => (await page.locator('g.frame[name=clone]').count()) === 0);
  assert.equal(await page.locator('g.frame[name=parse]').count(), 1);
  await page.getByRole('button', { name: /^Functions/ }).click();
  await until(async () => (await page.locator('.functions tbody tr').count()) === 2);
  await page.getByRole('button', { name: /^Long operations/ }).click();
  await until(async () => (await page.getByRole('option').count()) === 1);
  await page.mouse.click(xAt(80), box.y + 20);
  await until(async () => (await page.getByRole('option').count()) === 3);
});

test('the part is chosen by keyboard, too', async () => {
  const { page } = await open();
  const start = page.getByRole('slider', { name: 'Start of the part that is shown' });
  await start.focus();
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Shift+ArrowRight');
  await page.getByText(/^Only from 115 ms to 382 ms/).waitFor();
  assert.equal(await start.getAttribute('aria-valuetext'), '115 ms');
  await until(async () => (await page.locator('g.frame[name=parse]').count()) === 0);
  await page.keyboard.press('Escape');
  await page.locator('g.frame[name=parse]').waitFor();
});

test('J and K go through the long operations, each drawn in time order with what is known of it', async () => {
  const { page } = await open();
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: /^150 ms at 120 ms · clone/ }).waitFor();
  assert.deepEqual(await shownNames(page), ['All', 'handler', 'clone', '(garbage collector)', 'save', 'clone']);
  const [first, save, last] = await Promise.all(
    ['clone', 'save', 'clone'].map(async (name, at) =>
      xOf(page.locator(`.picked g.frame[name=${name}]`).nth(at === 2 ? 1 : 0)),
    ),
  );
  assert.ok((first ?? 0) < (save ?? 0) && (save ?? 0) < (last ?? 0), 'from left to right');
  await page.getByText(/150 ms by the clock/).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: /^40 ms at 20 ms · parse.* · in test "reads"/ }).waitFor();
  await page.keyboard.press('k');
  await page.getByRole('heading', { name: /^150 ms/ }).waitFor();
  await page.keyboard.press('t');
  await until(async () => (await page.locator('.picked g.frame[name=clone]').count()) === 1);
  assert.equal(await page.getByRole('button', { name: 'Heaviest first (T)' }).getAttribute('aria-pressed'), 'true');
});

test('the list is ordered by time and by test, and the arrows walk it', async () => {
  const { page } = await open();
  await page.getByRole('button', { name: /^Long operations/ }).click();
  const figures = (): Promise<readonly string[]> => page.locator('.operation-held').allInnerTexts();
  await until(async () => (await figures()).join() === '150 ms,40 ms,12 ms');
  await page.getByRole('button', { name: 'In time order', exact: true }).click();
  await until(async () => (await figures()).join() === '40 ms,150 ms,12 ms');
  await page.getByRole('button', { name: 'By test' }).click();
  await page.getByRole('group', { name: 'cart > reads' }).waitFor();
  await page.getByRole('option', { name: /^150 ms/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('heading', { name: /^12 ms/ }).waitFor();
  assert.match((await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) ?? '', /^12 ms/);
});

test('a click on a long turn shows it; who goes back to the graph sees all of the run', async () => {
  const { page } = await open();
  const box = await boxOf(page.locator('.time-brush'));
  await page.mouse.click(box.x + (box.width * 40) / 382, box.y + 30);
  await page.getByRole('heading', { name: /^40 ms/ }).waitFor();
  await page.getByRole('button', { name: /^Graph/ }).click();
  await page.locator('.graph g.frame[name=save]').waitFor();
});

test('what an operation waited for and who waited behind it stand over its frames', async () => {
  const { page } = await open('Dark 2026', 1000, (query) => {
    const answer = flameOf(analysis, query, testRegex);
    const times = { runUs: ms(100), waitUs: ms(30), sleptUs: ms(20), waitedIn: 'execSync', loadUs: ms(4) };
    const waiting = [{ route: 'GET /', requests: 8, longestUs: ms(120) }];
    return answer.picked === undefined ? answer : { ...answer, picked: { ...answer.picked, ...times, waiting } };
  });
  await page.keyboard.press('j');
  await page.getByText('100 ms with a processor, of 150 ms by the clock · waited 30 ms for a processor').waitFor();
  await page.getByText('slept 20 ms in execSync · GC 20 ms · loading modules 4 ms').waitFor();
  await page.getByText('≈8 requests waited behind it: GET / 8 × up to ≈120 ms').waitFor();
});

test('where nothing was long in a part of the run, the list says so; where nothing ran, the graph does', async () => {
  const { page } = await open();
  await page.getByRole('button', { name: /^Long operations/ }).click();
  const box = await boxOf(page.locator('.time-brush'));
  await page.mouse.move(box.x + (box.width * 280) / 382, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + (box.width * 320) / 382, box.y + 20, { steps: 3 });
  await page.mouse.up();
  await page.getByText('Nothing ran in this part of the run.').waitFor();
  await page.getByRole('button', { name: 'Show All of the Run' }).click();
  await page.getByRole('heading', { name: /^150 ms/ }).waitFor();
  await page.locator('g.frame[name=clone]').first().press('c');
  await page.getByText(/^clone: /).waitFor();
  const end = page.getByRole('slider', { name: /^End/ });
  for (let tenth = 0; tenth < 9; tenth += 1) await end.press('Shift+ArrowLeft');
  await page.getByText('This function did not run here: the graph shows what did.').waitFor();
  const { analysis: short } = await hotspotsOf('a a (idle)', { turns: '0-2', threshold: 100 });
  const other = await open('Dark 2026', 1000, (query) => flameOf(short, query, testRegex));
  await other.page.keyboard.press('j');
  await other.page.getByText('No operation held an event loop for more than 10 ms.').waitFor();
});

test('one of several processes is chosen, for the strip and for all that is shown', async () => {
  const { page } = await open('Dark 2026', 1000, undefined, 2);
  await page.getByText('each process from its own start').waitFor();
  await page.getByRole('combobox', { name: 'Process' }).selectOption('1');
  await page.getByRole('combobox', { name: 'Process' }).press('j');
  await page.getByText(/^Only in process 7/).waitFor();
  await page.getByText('Nothing ran in this part of the run.').waitFor();
  await page.getByRole('combobox', { name: 'Process' }).selectOption('0');
  await page.locator('g.frame[name=parse]').waitFor();
});

const themes: readonly ThemeName[] = ['Dark 2026', 'Light 2026', 'High Contrast', 'High Contrast Light'];
for (const theme of themes) {
  test(`strip and list can be looked at in ${theme}, at two widths`, async () => {
    for (const width of [1000, 500]) {
      const { page } = await open(theme, width);
      await page.keyboard.press('j');
      await page.getByRole('heading', { name: /^150 ms/ }).waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, 'nothing stands out');
      await page.screenshot({
        path: projectFile(`test/e2e/screenshots/time-${theme.replaceAll(' ', '-')}-${width}.png`),
      });
    }
  });
}

/** `processes`: as many are in the timeline, with clocks of their own; the samples are of the first one. */
async function open(
  theme: ThemeName = 'Dark 2026',
  width = 1000,
  answer: FakeHost['answer'] = engineHost(analysis).answer,
  processes = 1,
): Promise<FlamePage> {
  const page = await newPage(width);
  const opened = await openFlamePage(page, {
    ...engineHost(analysis),
    theme,
    answer,
    timeline: (query) => {
      const timeline = timelineOf(analysis, query);
      const lanes = Array.from({ length: processes }, (_, number) => ({ number, name: 'process 7' }));
      return { ...timeline, lanes, isOneClock: processes === 1 };
    },
  });
  await page.locator('.time-chart svg').waitFor();
  return opened;
}

/** Names of the frames that can be seen, callers first. */
async function shownNames(page: FlamePage['page']): Promise<readonly (string | null)[]> {
  return namesOf(page.locator('.picked g.frame:not([data-gap])'));
}

async function xOf(locator: ReturnType<FlamePage['page']['locator']>): Promise<number> {
  return (await boxOf(locator.locator('rect'))).x;
}
