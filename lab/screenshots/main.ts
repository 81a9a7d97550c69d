// `npm run screenshots`: pictures of every surface of the editor, in four themes at two widths. `-- --only hover --only
// tree`: some of them; `--width 800`: of one width; `--theme dark`: in one theme.
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { vsixFile } from '../../scripts/setup.mjs';
import { projectFile } from '../../test/helpers/project.ts';
import { type OpenOptions, openVscode } from '../../test/helpers/vscode/open-vscode.ts';
import { packExtension } from '../../test/helpers/vscode/packed-extension.ts';
import { photograph, photographFailure, pictureFolder, type Shot, type Stage, type Surface, themes } from './camera.ts';
import { fixStages } from './after-a-fix.ts';
import { appStages, healthyStages, restrictedStages } from './other-states.ts';
import { appFolder, healthyFolder, restrictedFolder, shopFolder, shortShopFolder } from './folders.ts';
import { runStages, startStages } from './before-a-result.ts';
import { problemStages, resultStages } from './shop.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    width: { type: 'string', multiple: true, default: ['1400', '800'] },
    theme: { type: 'string', multiple: true, default: themes.map(({ name }) => name) },
  },
});

interface Window extends Omit<OpenOptions, 'folder'> {
  readonly folder: () => string;
  readonly stages: readonly Stage[];
}

const windows: readonly Window[] = [
  { folder: shopFolder, stages: [...startStages, ...runStages, ...resultStages] },
  { folder: shopFolder, settings: { 'hotspan.diagnostics.threshold': 50 }, stages: problemStages },
  { folder: shortShopFolder, stages: fixStages, settings: { 'hotspan.recordings.keep': 10 } },
  { folder: appFolder, stages: appStages },
  { folder: healthyFolder, stages: healthyStages, settings: { 'hotspan.analysis.threshold': 500 } },
  {
    folder: restrictedFolder,
    stages: restrictedStages,
    trust: true,
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
  },
];

const viewport = { width: 1400, height: 900 };
const settingsExtension = packExtension(
  projectFile('lab/screenshots/settings-extension'),
  path.join(tmpdir(), 'hotspan-picture-settings.vsix'),
);
const failures: string[] = [];
for (const window of windows) await tour(window);
console.log(`The pictures are in ${pictureFolder}.`);
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;

async function tour({ folder, stages, ...options }: Window): Promise<void> {
  const last = stages.findLastIndex(({ surfaces }) => surfaces.some(isWanted));
  if (last === -1) return;
  const opened = folder();
  const settingsFile = path.join(path.dirname(opened), 'settings.json');
  writeFileSync(settingsFile, '{}');
  const extensions = [vsixFile, settingsExtension];
  const environment = { HOTSPAN_PICTURE_SETTINGS: settingsFile };
  const vscode = await openVscode({ ...options, folder: opened, extensions, environment, viewport });
  // The only fonts of a bare machine are far wider than those of Windows and macOS. This one is still wider than these.
  await vscode.page.addStyleTag({
    content: '.monaco-workbench { font-family: "DejaVu Sans Condensed", sans-serif !important }',
  });
  try {
    for (const stage of stages.slice(0, last + 1)) await photographAll(vscode.page, stage, settingsFile);
  } catch (error) {
    failures.push(`All further pictures of a window are missing: ${messageOf(error)}`);
  }
  await vscode.close();
  rmSync(path.dirname(opened), { recursive: true, force: true });
}

async function photographAll(page: Page, { prepare, surfaces }: Stage, settings: string): Promise<void> {
  await page.setViewportSize(viewport);
  await prepare?.(page);
  const ofThemes = { themes: themes.filter(({ name }) => values.theme.includes(name)) };
  for (const width of values.width.map(Number))
    for (const surface of surfaces.filter(isWanted))
      await photographOrTell(page, surface, { ...ofThemes, width, settings });
}

/** One that cannot be brought about is told at the end, and the others follow. */
async function photographOrTell(page: Page, surface: Surface, shot: Shot): Promise<void> {
  try {
    await photograph(page, surface, shot);
  } catch (error) {
    failures.push(`${surface.name} at ${shot.width} px: ${messageOf(error)}`);
    await photographFailure(page, surface.name, shot.width);
  }
  await page.keyboard.press('Escape');
  await surface.leave?.(page);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isWanted({ name }: Surface): boolean {
  return values.only.length === 0 || values.only.some((part) => name.includes(part));
}
