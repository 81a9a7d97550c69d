import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlameFrame } from '../../../protocol/flame.ts';
import { microseconds } from '../../../protocol/units.ts';
import { drawnFlame } from '../../webview/drawn-flame.ts';
import { type FlamePage, openWithFrames, pagesOfFile, withoutSpace } from './flame-page.ts';

const catalogue = drawnFlame(`
  main      0 own file:///home/me/catalogue/src/main.js:1
    clone  60 own file:///home/me/catalogue/dist/clone.js:12
`);

const newPage = pagesOfFile();

test('card and tree say what is too small to be drawn, and where a file only stands in for its source', async () => {
  const { page } = await open(withClone(catalogue.root));
  await page.locator('g.frame[name=clone]').hover();
  const card = page.getByRole('tooltip');
  await card.getByText('5 ms, zoom to see it').waitFor();
  assert.match(withoutSpace(await card.innerText()), /Too small to draw 5 ms, zoom to see it It is in a built file/);
  await page.getByRole('button', { name: 'Tree: frames as rows' }).click();
  await page.getByText('(zoom to see what it calls)').waitFor();
});

/** `clone` is of a built file, and 5 ms of what it calls are too small to be drawn. */
function withClone(root: FlameFrame): FlameFrame {
  if (root.name === 'clone') return { ...root, hiddenUs: microseconds(5_000), role: 'built' };
  return { ...root, children: root.children.map(withClone) };
}

async function open(root: FlameFrame): Promise<FlamePage> {
  return openWithFrames(await newPage(), { answer: () => ({ ...catalogue, root }) });
}
