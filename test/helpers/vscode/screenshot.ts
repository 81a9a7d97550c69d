import { mkdirSync } from 'node:fs';
import { afterEach } from 'node:test';
import type { Page } from 'playwright-core';
import { projectFile } from '../project.ts';

/** Writes `test/e2e/screenshots/<name>.png`, for a person to look at. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = projectFile('test/e2e/screenshots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled' });
}

/** Writes `test/e2e/screenshots/failed-<test>.png` after each test that fails. */
export function keepScreenshotsOfFailures(page: Page): void {
  afterEach(async (context) => {
    if ('passed' in context && context.passed === false)
      await screenshot(page, `failed-${context.name.replaceAll(/\W+/g, '-')}`);
  });
}
