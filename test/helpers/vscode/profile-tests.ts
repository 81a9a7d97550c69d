import type { Page } from 'playwright-core';
import { runCommand } from './commands.ts';
import { statusBarEntry } from './panels.ts';

const runLimitMs = 120_000;

/** Runs "Hotspan: Profile Tests" until its result is there; what the status bar then says: `312 ms worst`. */
export async function profileTests(page: Page): Promise<string> {
  await runCommand(page, 'Hotspan: Profile Tests');
  return resultInStatusBar(page);
}

export async function resultInStatusBar(page: Page): Promise<string> {
  const entry = statusBarEntry(page, /≈?[\d.]+ m?s worst|nothing over/);
  await entry.waitFor({ timeout: runLimitMs });
  return (await entry.innerText()).trim();
}
