import type { Page } from 'playwright-core';
import { quickInputRows, runCommand } from './commands.ts';
import { statusBarEntry } from './panels.ts';

/** What the status bar says of a result: `isEmail 312 ms`. */
export const resultPattern = /\S ≈?[\d.–]+ m?s\s*$|nothing (?:over|to do)|not all recorded/;

/** Runs "Hotspan: Profile Tests" until its result is there; what the status bar then says: `isEmail 312 ms`. */
export async function profileTests(page: Page): Promise<string> {
  await withoutResult(page);
  await runCommand(page, 'Hotspan: Profile Tests');
  return resultInStatusBar(page);
}

/** Shows a recording of the workspace, by what its row in *Open Recording…* has; what the status bar then says. */
export async function showRecording(page: Page, command: string | RegExp = ''): Promise<string> {
  await withoutResult(page);
  await runCommand(page, 'Hotspan: Open Recording…');
  await quickInputRows(page).filter({ hasText: command }).first().click();
  return resultInStatusBar(page);
}

/** Takes all results away, so that the status bar says nothing of an earlier one. */
export async function clearResults(page: Page): Promise<void> {
  await runCommand(page, 'Hotspan: Clear');
  await statusBarEntry(page, resultPattern).waitFor({ state: 'detached' });
}

/** What the status bar says next is then of the next result. */
async function withoutResult(page: Page): Promise<void> {
  if ((await statusBarEntry(page, resultPattern).count()) > 0) await clearResults(page);
}

export async function resultInStatusBar(page: Page): Promise<string> {
  const entry = statusBarEntry(page, resultPattern);
  await entry.waitFor();
  return (await entry.innerText()).trim();
}
