import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { projectFile } from '../../helpers/project.ts';
import { launchBrowser } from '../../helpers/vscode/open-vscode.ts';
import { drawnFlame } from '../../webview/drawn-flame.ts';
import { frameContrasts } from './contrast.ts';
import { openFlamePage, themeNames } from './flame-page.ts';
import themes from './themes.json' with { type: 'json' };

/** WCAG 2.2, 1.4.3 (AA). */
const leastContrast = 4.5;

const running: { browser: Browser | null } = { browser: null };
before(async () => {
  running.browser = await launchBrowser();
});
after(() => running.browser?.close());

for (const theme of themeNames) {
  test(`names can be read on every kind of frame in ${theme}`, async () => {
    assert.ok(running.browser);
    const page = await running.browser.newPage();
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

test('every colour of the page is one that VS Code gives in all themes, or has another to fall back to', async () => {
  const css = await readFile(projectFile('dist/flamegraph.css'), 'utf8');
  const bare = new Set([...css.matchAll(/var\((--vscode-[\w-]+)\)/g)].map(([, name]) => name ?? ''));
  const missing = themeNames.flatMap((theme) =>
    [...bare].filter((name) => !Object.hasOwn(themes[theme].variables, name)).map((name) => `${theme}: ${name}`),
  );
  assert.deepEqual(missing, []);
});
