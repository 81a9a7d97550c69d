// Measures in a real VS Code with the packaged extension how quick the editor is: from the end of a run to its result and
// its first mark, activation, marks of a very large file, and opening a large profile. Writes the table in
// lab/docs/performance.md. It takes 4 minutes.
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { vsixFile } from '../../scripts/setup.mjs';
import { median } from '../../protocol/figures.ts';
import { projectFile } from '../../test/helpers/project.ts';
import { replaceBetween } from '../replace-between.ts';
import { figure } from '../figure.mjs';
import { closeAllEditors, openFile, runCommand } from '../../test/helpers/vscode/commands.ts';
import { decorationWith, noDecorationWith } from '../../test/helpers/vscode/editor.ts';
import { openProfile } from '../../test/helpers/vscode/open-profile.ts';
import { openVscode, type Vscode } from '../../test/helpers/vscode/open-vscode.ts';
import { statusBarEntry, toasts, webviewPage } from '../../test/helpers/vscode/panels.ts';
import { extensionHost, processesOf } from '../../test/helpers/vscode/processes.ts';
import { writeProfile } from './analyze/write-profile.ts';
import { activationTimes } from './editor/activation.ts';
import { type Delay, delaysOfRun } from './editor/after-run.ts';
import { writeLargeFile } from './editor/large-file.ts';
import { mainThreadTime } from './editor/processor.ts';

const windows = 3;
const warmRuns = 5;
const rounds = 4;
const runLimitMs = 120_000;
const restMs = 10_000;

interface Row {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-editor-'));
try {
  cpSync(projectFile('examples/shop'), folder, { recursive: true, verbatimSymlinks: true });
  const rows = [
    ...(await freshWindows()),
    ...(await warmWindow()),
    ...[activationAlone(), sizeOfExtension()].map(told),
    told(await largeProfile()),
  ];
  const load = os.loadavg()[1]?.toFixed(0);
  replaceBetween(
    'lab/docs/performance.md',
    ['editor', 'end of editor'],
    [
      `Measured on ${os.cpus().length} cores at a load of ${load}, Node.js ${process.versions.node}; medians, with all values in brackets.`,
      '',
      '| what | measured | goal |',
      '|---|---|---|',
      ...rows.map(({ what, measured, goal }) => `| ${what} | ${measured} | ${goal} |`),
    ],
  );
} finally {
  rmSync(folder, { recursive: true });
}

function told(row: Row): Row {
  console.log(`${row.what}: ${row.measured} (goal: ${row.goal})`);
  figure(row.what.replaceAll(/[`*]/g, ''), Number(row.measured.split(' ')[0]));
  return row;
}

/** The first run of a window. */
async function freshWindows(): Promise<readonly Row[]> {
  const marks: Delay[] = [];
  for (let number = 0; number < windows; number += 1) {
    await inWindow(async (vscode) => {
      await openFile(vscode.page, 'src/catalogue/catalogue.js');
      await vscode.page.waitForTimeout(restMs); // The extension host starts many extensions in its first seconds.
      marks.push((await delaysOfRun(vscode)).mark);
    });
  }
  const what = 'First mark of a fresh window, after the end of the run';
  return [told({ what, measured: delayText(marks), goal: '< 1000 ms' })];
}

async function inWindow<Result>(work: (vscode: Vscode) => Promise<Result>): Promise<Result> {
  const vscode = await openVscode({ folder, extensions: [vsixFile], builtins: undefined });
  try {
    return await work(vscode);
  } finally {
    await vscode.close();
  }
}

async function warmWindow(): Promise<readonly Row[]> {
  const { profile } = writeLargeFile(folder);
  return inWindow(async (vscode) => {
    const { page } = vscode;
    await openFile(page, 'src/catalogue/catalogue.js');
    await page.waitForTimeout(restMs);
    const delays: { readonly result: Delay; readonly mark: Delay }[] = [];
    for (let run = 0; run < warmRuns; run += 1) {
      if (run > 0) await clear(page);
      delays.push(await delaysOfRun(vscode));
    }
    const result = delayText(delays.map((one) => one.result));
    const mark = delayText(delays.map((one) => one.mark));
    const shown = [
      { what: 'Result in the status bar, after the end of the run', measured: result, goal: '< 1000 ms' },
      { what: 'First mark, after the end of the run', measured: mark, goal: '< 1000 ms' },
    ].map(told);
    return [...shown, told(await largeFile(vscode, profile))];
  });
}

/** Processor time that the extension host takes to show marks, in a file of 50 000 lines and in a small one. */
async function largeFile({ page, server }: Vscode, profile: string): Promise<Row> {
  const [host = 0] = processesOf(server, extensionHost);
  const small = await hostTimes(page, host);
  await clear(page); // Of several results the status bar shows the worst.
  await openProfile(page, profile);
  await statusBarEntry(page, '≈16 ms').waitFor({ timeout: runLimitMs });
  await openFile(page, 'large.js');
  await decorationWith(page, 'stack');
  await untilQuiet(page, host); // Other extensions read the file, too.
  const large = await hostTimes(page, host);
  const measured = `${median(large).toFixed(0)} ms; the same in a file of 30 lines ${median(small).toFixed(0)} ms`;
  const what = 'Extension host, to show the marks of 50 000 lines with 5 000 hot ones (20 are drawn)';
  return { what, measured, goal: '< 50 ms' };
}

/** A profile of 100 MB, in a window that has read one before. */
async function largeProfile(): Promise<Row> {
  const file = path.join(folder, 'huge.cpuprofile');
  writeProfile(file, 1e8);
  const openings: Opening[] = [];
  await inWindow(async (vscode) => {
    await vscode.page.waitForTimeout(restMs);
    await openingOf(vscode, file);
    for (let round = 0; round < rounds + 1; round += 1) openings.push(await openingOf(vscode, file));
  });
  const progress = timesText(openings.map((one) => one.progress));
  const measured = `${timesText(openings.map(({ frames }) => frames))}; progress ${progress}`;
  return { what: '*Open Profile…* of 100 MB, from the choice to the first frames', measured, goal: '< 1500 ms' };
}

/** From when the dialog of *Open Profile…* has closed to what the person sees, in ms by the clock. */
interface Opening {
  readonly progress: number;
  readonly frames: number;
}

/** Opens a profile, looks at it, and closes it again. */
async function openingOf({ page }: Vscode, file: string): Promise<Opening> {
  await openProfile(page, file);
  const closed = performance.now();
  const since = (): number => performance.now() - closed;
  const told = toasts(page).filter({ hasText: 'reading the recording' });
  const [progress, frames] = await Promise.all([
    told.waitFor({ timeout: runLimitMs }).then(since),
    webviewPage(page).locator('g.frame').first().waitFor({ timeout: runLimitMs }).then(since),
  ]);
  await closeAllEditors(page);
  await runCommand(page, 'Hotspan: Clear');
  return { progress, frames };
}

/** Waits for a second in which the extension host has next to nothing to do. */
async function untilQuiet(page: Page, host: number): Promise<void> {
  for (let before = -Infinity, now = mainThreadTime(host); now - before > 20; now = mainThreadTime(host)) {
    before = now;
    await page.waitForTimeout(1_000);
  }
}

async function hostTimes(page: Page, host: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await toggle(page, 'off');
    await page.waitForTimeout(1_500);
    const before = mainThreadTime(host);
    await toggle(page, 'on');
    await page.waitForTimeout(500);
    times.push(mainThreadTime(host) - before);
  }
  return times;
}

function activationAlone(): Row {
  const measured = timesText(activationTimes(folder));
  return { what: 'Activation, processor time in a process of its own', measured, goal: '< 10 ms' };
}

function sizeOfExtension(): Row {
  return {
    what: 'Size of the `.vsix`',
    measured: `${(statSync(vsixFile).size / 1e6).toFixed(2)} MB`,
    goal: '< 1.5 MB',
  };
}

async function clear(page: Page): Promise<void> {
  await runCommand(page, 'Hotspan: Clear');
  await statusBarEntry(page, / ms/).waitFor({ state: 'detached' });
}

async function toggle(page: Page, to: 'on' | 'off'): Promise<void> {
  await runCommand(page, 'Hotspan: Toggle Annotations');
  await (to === 'on' ? decorationWith(page, 'stack') : noDecorationWith(page, 'stack'));
}

function timesText(times: readonly number[]): string {
  return `${median(times).toFixed(0)} ms (${times.map((ms) => ms.toFixed(0)).join(', ')})`;
}

function delayText(delays: readonly Delay[]): string {
  const clock = timesText(delays.map((one) => one.clock));
  const held = median(delays.map((one) => Math.max(0, one.clock - one.waited)));
  return `${clock}; ${held.toFixed(0)} ms without waiting for a processor`;
}
