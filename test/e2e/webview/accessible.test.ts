import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { changeTheme, openWithFrames, pagesOfFile, type ThemeName } from './flame-page.ts';
import { states, usual } from './page-states.ts';

/** After the first, which pages have when they are opened. */
const themes: readonly ThemeName[] = ['Light 2026', 'High Contrast', 'High Contrast Light'];

/** What axe says of elements that pass, and a selector of each, would take longer than its rules. */
const shortResults = { resultTypes: ['violations', 'incomplete'], selectors: false };

const newPage = pagesOfFile();
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

test('axe sees what is wrong', async () => {
  const { page } = await openWithFrames(await newPage(), usual);
  await page
    .locator('.tool')
    .first()
    .evaluate((button) => ['aria-label', 'title'].map((name) => button.removeAttribute(name)));
  assert.match((await violations(page)).join(), /^button-name/);
});

for (const { name, host, act } of states) {
  test(`axe finds nothing in ${name}`, async () => {
    const opened = await openWithFrames(await newPage(), host);
    await act(opened);
    assert.deepEqual(await violations(opened.page), []);
    for (const theme of themes) {
      await changeTheme(opened.page, theme);
      assert.deepEqual(await violations(opened.page, ['color-contrast']), [], theme);
    }
  });
}

/**
 * What axe finds on the page by all of its rules or by some, with the elements, and what it cannot decide. The contrast of
 * text that lies on a pattern or on something else is not for it to tell: contrast.test.ts measures that of frames.
 */
async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const options = { ...shortResults, ...(rules === undefined ? {} : { runOnly: rules }) };
  const results = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  const undecided = results.incomplete.filter(({ id }) => id !== 'color-contrast');
  return [...results.violations, ...undecided].flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
  );
}
