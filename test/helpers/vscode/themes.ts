import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Vscode } from './open-vscode.ts';

/** The themes that everything must be readable in, with the class that the workbench has in each. */
export const themes = [
  { name: 'Dark+', className: 'vs-dark' },
  { name: 'Light+', className: 'vs' },
  { name: 'Default High Contrast', className: 'hc-black' },
  { name: 'Default High Contrast Light', className: 'hc-light' },
] as const;

/** Switches the theme by the settings file, as a person who edits it would. */
export async function switchTheme({ server, page }: Vscode, theme: (typeof themes)[number]): Promise<void> {
  const file = path.join(server.folder, 'user-data/User/settings.json');
  const settings: unknown = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(
    file,
    JSON.stringify(Object.assign({}, settings, { 'workbench.colorTheme': theme.name }), undefined, 2),
  );
  await page.locator(`.monaco-workbench.${theme.className}`).waitFor();
}
