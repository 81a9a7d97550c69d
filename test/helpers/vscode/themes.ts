import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';

/** The themes that everything must be readable in, with the class that the workbench has in each, and no theme before it. */
export const themes = [
  { name: 'Light+', className: 'vs' },
  { name: 'Dark+', className: 'vs-dark' },
  { name: 'Default High Contrast', className: 'hc-black' },
  { name: 'Default High Contrast Light', className: 'hc-light' },
] as const;

/** By the settings of the folder, of which it writes a file with nothing else. */
export async function switchTheme(page: Page, folder: string, theme: (typeof themes)[number]): Promise<void> {
  mkdirSync(path.join(folder, '.vscode'), { recursive: true });
  writeFileSync(path.join(folder, '.vscode/settings.json'), JSON.stringify({ 'workbench.colorTheme': theme.name }));
  await page.locator(`.monaco-workbench.${theme.className}`).waitFor();
}
