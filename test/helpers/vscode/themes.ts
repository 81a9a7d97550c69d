import type { Page } from 'playwright-core';
import { pickExactRow, runCommand } from './commands.ts';

/** The themes that everything must be readable in, with the class that the workbench has in each. */
export const themes = [
  { name: 'Dark+', className: 'vs-dark' },
  { name: 'Light+', className: 'vs' },
  { name: 'Dark High Contrast', className: 'hc-black' },
  { name: 'Light High Contrast', className: 'hc-light' },
] as const;

export async function switchTheme(page: Page, theme: (typeof themes)[number]): Promise<void> {
  await runCommand(page, 'Preferences: Color Theme');
  await pickExactRow(page, theme.name);
  await page.locator(`.monaco-workbench.${theme.className}`).waitFor();
}
