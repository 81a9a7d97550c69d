// Measures in a real VS Code with the packaged extension, on examples/shop, the time from the end of a run to its first
// mark in the editor, and how long the activation of the extension held the extension host (as VS Code itself measures
// it).
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { recordingFile } from '../protocol/recording.ts';
import { projectFile } from '../test/helpers/project.ts';
import { openFile, runCommand } from '../test/helpers/vscode/commands.ts';
import { decorationWith } from '../test/helpers/vscode/editor.ts';
import { openVscode, type Vscode } from '../test/helpers/vscode/open-vscode.ts';
import { statusBarEntry } from '../test/helpers/vscode/panels.ts';
import { resultInStatusBar } from '../test/helpers/vscode/profile-tests.ts';

const runs = 5;
const starts = 3;
const runLimitMs = 120_000;
const restMs = 10_000;

const vscode = await openVscode({ folder: projectFile('examples/shop') });
try {
  const { page } = vscode;
  page.setDefaultTimeout(runLimitMs);
  await openFile(page, 'src/catalogue/catalogue.js');
  const delays: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    await runCommand(page, 'Hotspan: Profile Tests');
    await decorationWith(page, 'worst');
    delays.push(Date.now() - lastEnd(vscode));
    await resultInStatusBar(page);
    await runCommand(page, 'Hotspan: Clear');
    await statusBarEntry(page, /worst/).waitFor({ state: 'detached' });
  }
  console.log(`end of the run → first mark   ${delays.join(', ')} ms (goal: < 1000)`);
} finally {
  await vscode.close();
}
for (let start = 0; start < starts; start += 1) console.log(`${await activation()} (goal: < 10 ms)`);

/** When the command of the newest recording ended, in ms since the epoch, as `record` wrote it. */
function lastEnd({ server }: Vscode): number {
  const files = readdirSync(server.folder, { recursive: true, encoding: 'utf8' });
  const ends = files
    .filter((file) => path.basename(file) === recordingFile)
    .map((file): unknown => JSON.parse(readFileSync(path.join(server.folder, file), 'utf8')))
    .map((manifest) => (hasEnd(manifest) ? Date.parse(manifest.endedAt) : 0));
  return Math.max(...ends);
}

function hasEnd(manifest: unknown): manifest is { readonly endedAt: string } {
  return (
    typeof manifest === 'object' && manifest !== null && 'endedAt' in manifest && typeof manifest.endedAt === 'string'
  );
}

/**
 * What *Show Running Extensions* says about Hotspan, once VS Code has come to rest: the extension host starts many
 * extensions in its first seconds, and counts the time that they wait.
 */
async function activation(): Promise<string> {
  const { page, close } = await openVscode({ folder: projectFile('examples/shop') });
  try {
    await page.waitForTimeout(restMs);
    await runCommand(page, 'Hotspan: Show Log');
    return await activationTime(page);
  } finally {
    await close();
  }
}

/** `Activation: 8ms` */
async function activationTime(page: Page): Promise<string> {
  await runCommand(page, 'Developer: Show Running Extensions');
  const row = page.locator('.monaco-list-row:has(.activation-time)', { hasText: 'Hotspan' });
  await row.waitFor();
  return (await row.locator('.activation-time').innerText()).trim();
}
