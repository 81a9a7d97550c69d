import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxOf } from '../../helpers/vscode/box-of.ts';
import { drawnFlame, frameNamed } from '../../webview/drawn-flame.ts';
import { type FlamePage, lastQuery, openWithFrames, pagesOfFile, until, withoutSpace } from './flame-page.ts';

const folded = drawnFlame(`
  Node.js·express 4 node folded
    handler      60 own file:///home/me/catalogue/src/handler.js:5
      bcryptjs   36 dependency folded
`);
const bar = frameNamed(folded, 'Node.js·express');
const unfolded = drawnFlame(`
  emit           4 node
    handler     60 own file:///home/me/catalogue/src/handler.js:5
      bcryptjs  36 dependency folded
`);
const emit = { ...frameNamed(unfolded, 'emit'), unfolded: bar.id };
const plain = { ...unfolded, root: { ...unfolded.root, children: [emit] } };

const newPage = pagesOfFile();

test('code of others is a thin bar with its name and share, which a click unfolds and F folds again', async () => {
  const { page, posted } = await open();
  const thin = page.locator('g.frame[data-folded=others]').first();
  const sentence = String(await thin.getAttribute('aria-label'));
  assert.match(sentence, /^Node.js·express, 100 ms total, 100 %, .*12 folded frames/);
  assert.equal(await thin.locator('.d3-flame-graph-label').getAttribute('data-time'), '100 ms · 100 %');
  const box = await boxOf(thin.locator('rect'));
  const own = await boxOf(page.locator('g.frame[name=handler] rect'));
  assert.ok(box.height < own.height, `${box.height} ${own.height}`);
  await thin.click();
  await page.locator('g.frame[name=emit]').waitFor();
  assert.deepEqual(lastQuery(posted)?.fold?.open, [bar.id]);
  await page.locator('g.frame[name=emit]').focus();
  await page.keyboard.press('f');
  await page.locator('g.frame[name=emit]').waitFor({ state: 'detached' });
  assert.deepEqual(lastQuery(posted)?.fold?.open, []);
});

test('a bar is unfolded by keyboard alone, and a button of its frames folds it again', async () => {
  const { page, posted } = await open();
  for (const key of ['ArrowDown', 'ArrowDown', 'u']) await page.keyboard.press(key);
  await page.locator('g.frame[name=emit]').waitFor();
  assert.equal(await page.locator('g.frame:focus').getAttribute('name'), 'emit');
  await page.getByRole('button', { name: 'Fold emit again' }).click();
  await until(() => lastQuery(posted)?.fold?.open.length === 0);
});

test('the card of a bar says what is folded into it', async () => {
  const { page } = await open();
  await page.locator('g.frame[data-folded=others]').first().hover();
  const card = withoutSpace(await page.getByRole('tooltip').innerText());
  assert.match(card, /Folded 12 frames In them Node.js·express 100 % A click or U unfolds them/);
});

async function open(): Promise<FlamePage> {
  return openWithFrames(await newPage(), {
    answer: ({ fold }) => (fold?.open.includes(bar.id) === true ? plain : folded),
  });
}
