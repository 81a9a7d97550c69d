import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { projectFile } from '../../helpers/project.ts';
import { drawnFlame } from '../../webview/drawn-flame.ts';
import { contrastOf, drawnPaints, frameContrasts } from './contrast.ts';
import { openFlamePage, pagesOfFile, shown, themeNames, variablesOf } from './flame-page.ts';

/** WCAG 2.2, 1.4.3 (AA). */
const leastContrast = 4.5;
/** WCAG 2.2, 1.4.11 (AA). */
const leastOfShapes = 3;

const newPage = pagesOfFile();

for (const theme of themeNames) {
  test(`names can be read on every kind of frame in ${theme}`, async () => {
    const page = await newPage();
    await openFlamePage(page, { theme, answer: () => drawnFlame('main 5 own') });
    await page.locator('.d3-flame-graph-label').first().waitFor();
    const pairs = await frameContrasts(page);
    assert.equal(pairs.length, 16);
    assert.deepEqual(
      pairs.filter(({ ratio }) => !(ratio >= leastContrast)),
      [],
    );
    await page.close();
  });
}

const tiered = drawnFlame(`
  main  5 own ignition
  warm  5 own sparkplug
  mid   5 own maglev
  hot   5 own turbofan
  read  5 native unknown
`);

for (const theme of themeNames) {
  test(`tiers can be read and told apart in ${theme}, without their hue`, async () => {
    const page = await newPage();
    await openFlamePage(page, { theme, answer: () => tiered, opening: [{ ...shown, isTiers: true }] });
    await page.locator('g.frame[data-tier=unknown]').waitFor();
    const drawn = await drawnPaints(page, 'tier');
    const tiers = new Map(drawn.paints.map((tier) => [tier.key, tier]));
    for (const { key: tier, ground, lines, text, stroke, edge } of drawn.paints) {
      assert.ok(contrastOf(text, ground) >= leastContrast, `text on ${tier}`);
      assert.ok(contrastOf(text, lines) >= leastContrast, `text on the lines of ${tier}`);
      assert.ok(contrastOf(stroke, drawn.page) < 1.01, `the page parts ${tier} from its neighbours`);
      const shape = Math.max(...[ground, edge].map((one) => contrastOf(one, drawn.page)));
      if (tier !== 'unknown') assert.ok(shape >= leastOfShapes, `${tier} on the page`);
    }
    for (const [slow, fast] of ['ignition', 'sparkplug'].flatMap((one) => [
      [one, 'maglev'] as const,
      [one, 'turbofan'] as const,
    ])) {
      const contrast = contrastOf(tiers.get(slow)?.ground ?? 0, tiers.get(fast)?.ground ?? 0);
      assert.ok(contrast >= leastOfShapes, `${slow} beside ${fast}: ${contrast.toFixed(2)}`);
    }
    assert.notEqual(tiers.get('ignition')?.pattern, tiers.get('sparkplug')?.pattern);
    assert.notEqual(tiers.get('maglev')?.pattern, tiers.get('turbofan')?.pattern);
    await page.close();
  });
}

test('every colour of the page is one that VS Code gives in all themes, or has another to fall back to', async () => {
  const css = await readFile(projectFile('dist/flamegraph.css'), 'utf8');
  const bare = new Set([...css.matchAll(/var\((--vscode-[\w-]+)\)/g)].map(([, name]) => name ?? ''));
  const missing = themeNames.flatMap((theme) =>
    [...bare].filter((name) => !variablesOf(theme).has(name)).map((name) => `${theme}: ${name}`),
  );
  assert.deepEqual(missing, []);
});
