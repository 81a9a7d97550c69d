import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { closeAllEditors, openFile, runCommand } from '../helpers/vscode/commands.ts';
import { openProfile } from '../helpers/vscode/open-profile.ts';
import { vscodeForTests } from '../helpers/vscode/open-vscode.ts';
import { statusBarEntry } from '../helpers/vscode/panels.ts';
import { resultPattern } from '../helpers/vscode/profile-tests.ts';

/** Hot lines of 40 to 236 characters, which is as long as those of public projects are. */
const lengths = Array.from({ length: 50 }, (_, number) => 40 + 4 * number);
const source = lengths
  .map((length) => `function f${length}(a) {\n  ${`return a[${'x'.repeat(length)}`.slice(0, length - 4)}];\n}\n`)
  .join('');
/** In px: a window shows all functions at once, each with a line of lenses. */
const height = 4_100;

/** Each function works for as many ms as its line is long, in one go, so that its figure names it. */
function profileOf(folder: string): string {
  const frame = (functionName: string, url: string, lineNumber: number) => {
    return { functionName, scriptId: '1', url, lineNumber, columnNumber: 0 };
  };
  const functions = lengths.map((length, number) => {
    const url = pathToFileURL(path.join(folder, 'all.js')).href;
    const line = 3 * number;
    const positionTicks = [{ line: line + 2, ticks: length }];
    return { id: number + 3, callFrame: frame(`f${length}`, url, line), hitCount: length, positionTicks };
  });
  // Idle at the end, because a sample lasts until the next one.
  const samples = [...lengths.flatMap((length, number) => [2, ...Array.from({ length }, () => number + 3)]), 2];
  return JSON.stringify({
    nodes: [
      { id: 1, callFrame: frame('(root)', '', -1), hitCount: 0, children: [2, ...functions.map(({ id }) => id)] },
      { id: 2, callFrame: frame('(idle)', '', -1), hitCount: lengths.length + 1 },
      ...functions,
    ],
    startTime: 1_000_000,
    endTime: 1_000_000 + samples.length * 1000,
    samples,
    timeDeltas: samples.map(() => 1000),
  });
}

const folder = temporaryProject({ 'all.js': source });
writeFileSync(path.join(folder, 'all.cpuprofile'), profileOf(folder));
const { page } = await vscodeForTests({
  folder,
  viewport: { width: 1440, height },
  settings: { 'editor.minimap.enabled': true },
});

/** In the page: for each editor, the texts behind and above lines, and whether the minimap or the edge cuts them off. */
function figuresInSight(): readonly { readonly text: string; readonly isCut: boolean }[] {
  return [...document.querySelectorAll('.editor-group-container .monaco-editor')].flatMap((editor) => {
    const minimap = editor.querySelector('.minimap')?.getBoundingClientRect();
    const edge = minimap === undefined || minimap.width === 0 ? editor.getBoundingClientRect().right : minimap.left;
    const marks = [...editor.querySelectorAll('.view-line span')].flatMap((span) => {
      const text = getComputedStyle(span, '::after').content;
      return text.includes('stack')
        ? [{ text: text.slice(1, -1), isCut: span.getBoundingClientRect().right > edge }]
        : [];
    });
    const above = [...editor.querySelectorAll('.codelens-decoration a')].map((lens) => {
      return { text: lens.textContent, isCut: lens.getBoundingClientRect().right > edge };
    });
    return [...marks, ...above];
  });
}

/** Waits until each line of the file has its figure in sight, and gives what is cut off. */
async function cutOff(): Promise<readonly string[]> {
  await openFile(page, 'all.js');
  await page.waitForFunction(hasAll, lengths, { polling: 100 });
  const found = await page.evaluate(figuresInSight);
  return found.filter(({ isCut }) => isCut).map(({ text }) => text);
}

/** In the page: whether the editor shows the figure of each line behind it, or in a lens, with an action over each function. */
function hasAll(lengths: readonly number[]): boolean {
  const editor = document.querySelector('.editor-group-container.active .monaco-editor');
  const above = [...(editor?.querySelectorAll('.codelens-decoration a') ?? [])].map(({ textContent }) => textContent);
  const spans = [...(editor?.querySelectorAll('.view-line span') ?? [])];
  const behind = spans.map((span) => getComputedStyle(span, '::after').content);
  const actions = above.filter((text) => text === 'flamegraph');
  return (
    actions.length >= lengths.length &&
    lengths.every((length) => [...above, ...behind].some((text) => text.includes(`≈${length} ms`))) &&
    lengths.every((length) => above.some((text) => text.startsWith(`≈${length} ms`)))
  );
}

test('in one column at 1440 px with the side bar, all figures and actions of 50 long lines are in sight', async () => {
  await openProfile(page, 'all.cpuprofile');
  await statusBarEntry(page, resultPattern).waitFor();
  await closeAllEditors(page);
  assert.deepEqual(await cutOff(), []);
});

test('so they are in two columns at 1920 px', async () => {
  await page.setViewportSize({ width: 1920, height });
  await runCommand(page, 'View: Split Editor');
  assert.deepEqual(await cutOff(), []);
});
