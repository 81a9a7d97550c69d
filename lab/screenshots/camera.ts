import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { projectFile } from '../../test/helpers/project.ts';

/** What is photographed: one state of the editor. */
export interface Surface {
  /** Part of the name of its pictures. */
  readonly name: string;
  /** Brings it about, and waits until it is there. */
  readonly show: (page: Page) => Promise<void>;
  /** Set where a change of the theme leaves old colors: then it is brought about anew for each. */
  readonly isPerTheme?: boolean;
  /** Takes back what the next surface would stumble over. */
  readonly leave?: (page: Page) => Promise<void>;
}

/** Surfaces that have something before them in common, such as a result. */
export interface Stage {
  readonly prepare?: (page: Page) => Promise<void>;
  readonly surfaces: readonly Surface[];
}

export function surface(name: string, show: Surface['show']): Surface {
  return { name, show };
}

export const pictureFolder = projectFile('test/e2e/screenshots/surfaces');

/** The themes that a new VS Code has, and the class of the workbench in each. */
export const themes = [
  { name: 'dark', setting: 'Dark 2026', className: 'vs-dark' },
  { name: 'light', setting: 'Light 2026', className: 'vs' },
  { name: 'hc-dark', setting: 'Default High Contrast', className: 'hc-black' },
  { name: 'hc-light', setting: 'Default High Contrast Light', className: 'hc-light' },
] as const;

type Theme = (typeof themes)[number];

/** How pictures are taken: in which themes, and in a window of which width, in px. */
export interface Shot {
  readonly themes: readonly Theme[];
  readonly width: number;
  /** The file whose settings VS Code takes over. */
  readonly settings: string;
}

const height = 900;

/** Brings a surface about, and writes a picture of it in each theme. */
export async function photograph(
  page: Page,
  surface: Surface,
  { themes: wanted, width, settings }: Shot,
): Promise<void> {
  await page.setViewportSize({ width, height });
  for (const [index, theme] of wanted.entries()) {
    // The extension beside this file reads it: the palette would close what is to be photographed.
    writeFileSync(settings, JSON.stringify({ 'workbench.colorTheme': theme.setting }));
    await page.locator(`.monaco-workbench.${theme.className}`).waitFor();
    if (index === 0 || surface.isPerTheme === true) {
      await page.mouse.move(0, 0);
      await surface.show(page);
    }
    await page.screenshot({ path: pictureFile(surface.name, width, theme.name), animations: 'disabled' });
  }
}

/** Writes a picture of what was there when a surface could not be brought about. */
export async function photographFailure(page: Page, name: string, width: number): Promise<void> {
  await page.screenshot({ path: pictureFile(name, width, 'failed') });
}

function pictureFile(name: string, width: number, theme: string): string {
  mkdirSync(pictureFolder, { recursive: true });
  return path.join(pictureFolder, `${name}-${width}-${theme}.png`);
}
