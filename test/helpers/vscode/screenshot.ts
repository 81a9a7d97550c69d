import { mkdirSync } from 'node:fs';
import { afterEach } from 'node:test';
import type { Page } from 'playwright-core';
import { projectFile } from '../project.ts';

/**
 * Writes `test/e2e/screenshots/<test>.png` after each test that fails, and with HOTSPAN_SCREENSHOTS set after each one.
 * `scripts/test-runner.mjs` repeats the line with the file.
 */
export function keepScreenshots(page: Page): void {
  afterEach(async (context) => {
    const hasFailed = 'passed' in context && context.passed === false;
    if (!hasFailed && process.env['HOTSPAN_SCREENSHOTS'] === undefined) return;
    const folder = projectFile('test/e2e/screenshots');
    mkdirSync(folder, { recursive: true });
    const file = `${folder}/${context.name.replaceAll(/\W+/g, '-').slice(0, 100)}.png`;
    await page.screenshot({ path: file, animations: 'disabled' });
    console.log(`Screenshot: ${file}`);
    if (hasFailed) page.setDefaultTimeout(5_000); // The tests after it may wait in vain for what it did not do.
  });
}
