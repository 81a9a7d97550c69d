import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DiffFlame } from '../../../show/diff-flame/diff-flame.ts';
import type { FlameAnswer, FlameFrame, FlameQuery } from '../../../protocol/flame.ts';
import { isPageState } from '../../../protocol/webview-guard.ts';
import { diffOf } from '../../helpers/drawn-diff.ts';
import { contrastOf, drawnPaints } from './contrast.ts';
import {
  type FlamePage,
  frameOn,
  lastQuery,
  openWithFrames,
  pagesOfFile,
  type ThemeName,
  themeNames,
  until,
  withoutSpace,
} from './flame-page.ts';
import { diffHost } from './recorded-page.ts';

/** Before: 312 ms of cloneCatalogue, and loadAll. Now: 41 ms of it, a slower sort, and audit. */
const { flame, idOf } = await diffOf(
  ['ms 312 60 40 90 30\nmain main main main main\ncloneCatalogue lib#each sort loadAll node:fs#read\n. parse . . .'],
  ['ms 41 60 95 30 30\nmain main main main main\ncloneCatalogue lib#each sort audit node:fs#read\n. parse . . .'],
);

const newPage = pagesOfFile();

test('frames have the color of their change, and the legend says each with its sum', async () => {
  const { page } = await open();
  assert.equal(await page.getByText('ms per run (1 before, 1 now)').isVisible(), true);
  assert.deepEqual(await changesOn(page), {
    ...{ main: 'faster', sort: 'slower', cloneCatalogue: 'faster', lib: 'none' },
    ...{ parse: 'none', audit: 'new', 'Node.js': 'none' },
  });
  const legend = await page.locator('.diff-legend').innerText().then(withoutSpace);
  assert.equal(legend, 'Slower +55 ms New +30 ms Faster −271 ms Gone −90 ms Within the noise 0 ms');
  assert.equal(await page.getByRole('button', { name: /^Colors/ }).count(), 0);
});

test('a view is chosen by its button or its number, and kept', async () => {
  const { page, posted, kept } = await open();
  await page.keyboard.press('Alt+2'); // Goes to an editor.
  await page.getByRole('button', { name: 'Gone' }).click();
  await frameOn(page, 'loadAll').waitFor();
  assert.deepEqual(await changesOn(page), { main: 'faster', loadAll: 'gone' });
  await page.keyboard.press('2');
  await frameOn(page, 'cloneCatalogue').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Before' }).getAttribute('aria-pressed'), 'true');
  const sides = posted.flatMap((message) => (message.type === 'query' ? [message.query.side] : []));
  assert.deepEqual(sides, ['now', 'gone', 'before']);
  const state = await kept();
  assert.equal(isPageState(state) ? state.side : null, 'before');
});

test('the card and the label say what a frame took and takes', async () => {
  const { page } = await open();
  assert.equal(await frameOn(page, 'sort').locator('.d3-flame-graph-label').getAttribute('data-time'), '40 → 95 ms');
  await frameOn(page, 'cloneCatalogue').hover({ position: { x: 8, y: 8 } });
  const card = withoutSpace(await page.getByRole('tooltip').innerText());
  assert.match(card, /^cloneCatalogue .* Faster · Your code Total 312 → 41 ms per run Self 312 → 41 ms per run/);
});

test('a function is looked at for each of its operations, and whole runs are one click away', async () => {
  const { page, posted } = await open();
  await frameOn(page, 'cloneCatalogue').hover({ position: { x: 8, y: 8 } });
  await page.getByRole('button', { name: 'Show ms per operation of cloneCatalogue alone' }).click();
  await page.getByText('ms per operation of cloneCatalogue (≈1 before, ≈1 now)').waitFor();
  await until(() => lastQuery(posted)?.perOperationOf === idOf('cloneCatalogue'));
  await page.getByRole('button', { name: 'Show Whole Runs' }).click();
  await page.getByText('ms per run (1 before, 1 now)').waitFor();
});

test('the table has both times and the difference, the largest first', async () => {
  const { page } = await open();
  await page.getByRole('button', { name: /^Tree/ }).click();
  const rows = page.locator('.table tbody tr');
  await rows.first().waitFor();
  const texts = await rows.evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll('td')].slice(0, 5).map((cell) => cell.textContent)),
  );
  assert.deepEqual(texts.slice(0, 4), [
    ['All', '532 ms', '256 ms', '−276 ms', ''],
    ['main', '532 ms', '256 ms', '−276 ms', 'Faster'],
    ['cloneCatalogue', '312 ms', '41 ms', '−271 ms', 'Faster'],
    ['sort', '40 ms', '95 ms', '+55 ms', 'Slower'],
  ]);
});

test('the source of a frame is opened where it is now, and of one that is gone as the text that ran', async () => {
  const { page, posted } = await open();
  await frameOn(page, 'sort').click({ modifiers: ['ControlOrMeta'], position: { x: 8, y: 8 } });
  await page.keyboard.press('3');
  await frameOn(page, 'loadAll').click({ modifiers: ['ControlOrMeta'], position: { x: 8, y: 8 } });
  await until(() => posted.filter(({ type }) => type.startsWith('open')).length === 2);
  const opened = posted.filter(({ type }) => type.startsWith('open'));
  assert.deepEqual(opened[0]?.type, 'openSource');
  assert.deepEqual(opened[1], { type: 'openBefore', functionId: idOf('loadAll') });
});

test('the card of a function that was renamed has both names', async () => {
  const renamed = (one: FlameFrame): FlameFrame => ({
    ...one,
    ...(one.name === 'sort' && one.diff !== undefined ? { diff: { ...one.diff, wasName: 'order' } } : {}),
    children: one.children.map(renamed),
  });
  const answer = (query: FlameQuery): FlameAnswer => {
    const drawn = flame.answer(query);
    return { ...drawn, root: renamed(drawn.root) };
  };
  const { page } = await open({ answer, search: (search) => flame.search(search) });
  await frameOn(page, 'sort').hover();
  assert.match(withoutSpace(await page.getByRole('tooltip').innerText()), /Name before order Total/);
});

test('an empty view says why, and so does a function that no run was in', async () => {
  const same = await diffOf(['ms 30\nmain'], ['ms 30\nmain']);
  const { page, send } = await open(same.flame);
  await page.keyboard.press('3');
  await page.getByText('Nothing is gone beyond the noise: what took time before still has samples.').waitFor();
  await page.keyboard.press('1');
  await frameOn(page, 'main').waitFor();
  await send({ type: 'note', text: 'No run reached sort: this is the whole graph.' });
  await page.getByText('No run reached sort').waitFor();
});

for (const theme of themeNames) {
  test(`changes can be read and told apart in ${theme}, without their hue`, async () => {
    const { page } = await open(flame, theme);
    const now = await drawnPaints(page, 'change');
    await page.keyboard.press('3');
    await frameOn(page, 'loadAll').waitFor();
    const paints = new Map([...(await drawnPaints(page, 'change')).paints, ...now.paints].map((one) => [one.key, one]));
    assert.deepEqual([...paints.keys()].toSorted(), ['faster', 'gone', 'new', 'none', 'slower']);
    for (const { key, ground, lines, text, edge } of paints.values()) {
      assert.ok(contrastOf(text, ground) >= 4.5, `text on ${key}: ${contrastOf(text, ground).toFixed(2)}`);
      assert.ok(contrastOf(text, lines) >= 4.5, `text on the lines of ${key}: ${contrastOf(text, lines).toFixed(2)}`);
      const shape = Math.max(...[ground, edge].map((one) => contrastOf(one, now.page)));
      if (key !== 'none') assert.ok(shape >= 3, `${key} on the page: ${shape.toFixed(2)}`);
    }
    const [slower, faster] = [paints.get('slower'), paints.get('faster')];
    const apart = contrastOf(slower?.ground ?? 0, faster?.ground ?? 0);
    assert.ok(apart >= 3, `slower beside faster: ${apart.toFixed(2)}`);
    assert.equal(new Set([...paints.values()].map(({ pattern }) => pattern)).size, 5);
  });
}

async function open(
  drawn: Pick<DiffFlame, 'answer' | 'search'> = flame,
  theme: ThemeName = 'Dark 2026',
): Promise<FlamePage> {
  return openWithFrames(await newPage(1000, 500), { theme, ...diffHost(drawn) });
}

async function changesOn(page: FlamePage['page']): Promise<Readonly<Record<string, string | null>>> {
  const all = await page
    .locator('g.frame:not([data-id=""])')
    .evaluateAll((frames: SVGElement[]) =>
      frames.map((one): [string, string | null] => [one.getAttribute('name') ?? '', one.dataset['change'] ?? null]),
    );
  return Object.fromEntries<string | null>(all);
}
