// Measures in real Chromium how quick the flamegraph page is on large profiles, with the answers of the real language
// server. Writes the table in lab/docs/performance.md. It takes 4 minutes.
// `node lab/bench/page.ts FILE WORD` measures only this file, in which the word is searched for, without the table.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { median } from '../../protocol/figures.ts';
import { launchBrowser } from '../../test/helpers/vscode/shared-vscode.ts';
import { projectFile } from '../../test/helpers/project.ts';
import { replaceBetween } from '../replace-between.ts';
import { figure } from '../figure.mjs';
import { compilerProfile, installPackages } from './analyze/real-profiles.ts';
import { ownFolder, shapeOf, writeLargeTree } from './analyze/write-profile.ts';
import type { Step } from './page/frames.ts';
import { measurePage, type Opened, type PageFigures } from './page/our-page.ts';

const compilerPackages = ['typescript@5.9.3'];
const rounds = 3;

interface Measured {
  readonly name: string;
  readonly ours: readonly PageFigures[];
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-page-'));
const browser = await launchBrowser();
try {
  const [, , given, wanted = 'a'] = process.argv;
  if (given === undefined) await measureAll();
  else show(await measured(path.basename(given), { file: path.resolve(given), folder, wanted, isFolded: false }));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

async function measureAll(): Promise<void> {
  const made = path.join(folder, 'made.cpuprofile');
  writeLargeTree(made, 1e6);
  installPackages(folder, compilerPackages);
  const { name, file } = compilerProfile(folder);
  const library = { file, folder: path.join(folder, 'project'), wanted: 'check', isFolded: false };
  const large = { file: made, folder: ownFolder, wanted: 'function12', isFolded: true };
  const all = [
    show(await measured(described(`${name}, all of it unfolded`, file), library)),
    show(await measured(described('made up, code of others folded', made), large)),
  ];
  for (const [at, one] of all.entries()) handOver(at === 0 ? 'TypeScript' : 'made up', one);
  const load = os.loadavg()[1]?.toFixed(0);
  const size = (statSync(projectFile('dist/flamegraph.js')).size / 1e3).toFixed(0);
  replaceBetween(
    'lab/docs/performance.md',
    ['page', 'end of page'],
    [
      `Measured on ${os.cpus().length} cores at a load of ${load}, Node.js ${process.versions.node}, Chromium ${browser.version()}; medians, with all values in brackets. The script of the page has ${size} kB (goal: 300).`,
      '',
      '| profile | what | measured | goal |',
      '|---|---|---|---|',
      ...all.flatMap(rowsOf),
    ],
  );
}

function described(name: string, file: string): string {
  const { nodes, depth } = shapeOf(file);
  return `${name}, ${(statSync(file).size / 1e6).toFixed(0)} MB, ${nodes} nodes, ${depth} deep`;
}

async function measured(name: string, opened: Opened): Promise<Measured> {
  const ours: PageFigures[] = [];
  for (let round = 0; round < rounds; round += 1) ours.push(await measurePage(browser, opened));
  return { name, ours };
}

function show(one: Measured): Measured {
  console.log(rowsOf(one).join('\n'));
  return one;
}

/** The rows of a nightly run; `which` is the profile in a word. */
function handOver(which: string, { ours }: Measured): void {
  figure(`${which}, first paint`, median(ours.map(({ paint }) => paint.ms)));
  figure(`${which}, zoom`, median(ours.map(({ zoom }) => zoom.ms)));
  figure(`${which}, search`, median(ours.map(({ search }) => search.ms)));
  figure(`${which}, a move of brushing`, median(ours.map(({ move }) => move)));
  figure(`${which}, memory`, Math.max(...ours.map(({ heapMb }) => heapMb)));
}

function rowsOf({ name, ours }: Measured): readonly string[] {
  const row = (what: string, goal: string, own: string): string => `| ${name} | ${what} | ${own} | ${goal} |`;
  const fromFile = ours.map(({ read, paint }) => read + paint.ms);
  return [
    row('first paint, once the server has the profile', '< 300 ms', stepText(ours.map(({ paint }) => paint))),
    row('first paint, from the file on', '', timesText(fromFile)),
    row('zoom, to its first frame', '< 50 ms', stepText(ours.map(({ zoom }) => zoom))),
    row('search, to the first match on screen', '< 100 ms', stepText(ours.map(({ search }) => search))),
    row('brushing, the main thread for a move', '≤ 16 ms', `${median(ours.map(({ move }) => move)).toFixed(1)} ms`),
    row('elements', '≤ 3000', most(ours.map((one) => one.elements))),
    row('memory of the page', '< 150 MB', `${most(ours.map((one) => one.heapMb))} MB`),
  ];
}

function stepText(steps: readonly Step[]): string {
  const main = median(steps.map(({ mainMs }) => mainMs)).toFixed(0);
  return `${timesText(steps.map(({ ms }) => ms))}; main thread ${main} ms`;
}

function timesText(times: readonly number[]): string {
  return `${median(times).toFixed(0)} ms (${times.map((ms) => ms.toFixed(0)).join(', ')})`;
}

function most(values: readonly number[]): string {
  return Math.max(...values).toFixed(0);
}
