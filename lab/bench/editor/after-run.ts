import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { recordingFile } from '../../../protocol/recording.ts';
import { runCommand } from '../../../test/helpers/vscode/commands.ts';
import type { Vscode } from '../../../test/helpers/vscode/open-vscode.ts';
import { extensionHost, languageServer, processesOf } from '../../../test/helpers/vscode/processes.ts';
import { WaitWatch } from './processor.ts';

const runLimitMs = 120_000;

/** Both in ms: by the clock, and what the processes on the way waited for a processor. */
export interface Delay {
  readonly clock: number;
  readonly waited: number;
}

/** From the end of the run, as `record` wrote it, to what the person sees. */
export async function delaysOfRun(vscode: Vscode): Promise<{ readonly result: Delay; readonly mark: Delay }> {
  const { page, server } = vscode;
  const watch = new WaitWatch(() =>
    ['dist/cli.cjs', extensionHost, languageServer].flatMap((one) => processesOf(server, one)),
  );
  try {
    await runCommand(page, 'Hotspan: Profile Tests');
    const options = { timeout: runLimitMs };
    const [result, mark] = await Promise.all([
      page.waitForFunction(resultShown, undefined, options).then((at) => at.jsonValue()),
      page.waitForFunction(markShown, undefined, options).then((at) => at.jsonValue()),
    ]);
    await page.waitForTimeout(200);
    const end = lastEnd(vscode);
    const delayOf = (at: number): Delay => ({ clock: at - end, waited: watch.waitedBetween(end, at) });
    return { result: delayOf(result), mark: delayOf(mark) };
  } finally {
    watch.stop();
  }
}

/** In the page: when the status bar has a result; 0 as long as it has none. */
function resultShown(): number {
  const entries = [...document.querySelectorAll('.part.statusbar .statusbar-item')];
  return entries.some(({ textContent }) => /\S ≈?[\d.–]+ m?s\s*$|nothing over/.test(textContent)) ? Date.now() : 0;
}

/** In the page: when a mark stands in the editor; 0 as long as there is none. */
function markShown(): number {
  const spans = [...document.querySelectorAll('.part.editor .view-line span[class*="TextEditorDecorationType"]')];
  return spans.some((span) => getComputedStyle(span, '::after').content.includes('stack')) ? Date.now() : 0;
}

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
