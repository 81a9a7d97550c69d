// Measures the processor time and the peak memory that `analyze` needs for inputs that nobody records, and that
// somebody may make. Each input is read by the shipped code in a process of its own. Writes the table in
// lab/docs/robustness.md if all inputs were measured.
// `node lab/bench/hostile.ts [WORD …]` takes only inputs whose names contain one of the words.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { figure } from '../figure.mjs';
import { replaceBetween } from '../replace-between.ts';
import { type HostileInput, root } from './hostile/hostile-input.ts';
import { logs } from './hostile/logs.ts';
import { maps } from './hostile/maps.ts';
import { profiles } from './hostile/profiles.ts';
import { recordings } from './hostile/recordings.ts';
import { sources } from './hostile/sources.ts';
import { traces } from './hostile/traces.ts';

const limitSeconds = 150;
const groups = { profiles, traces, logs, recordings, maps, sources };
const words = process.argv.slice(2);
const temporary = mkdtempSync(path.join(os.tmpdir(), 'hotspan-hostile-'));
const hook = path.join(temporary, 'figures.cjs');
writeFileSync(
  hook,
  `process.on('exit', () => {
    const fs = require('fs');
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    let kilobytes = maxRSS;
    try {
      // In maxRSS, Linux includes the memory of the process that started this one.
      kilobytes = Number(/VmHWM:\\s*(\\d+)/.exec(fs.readFileSync('/proc/self/status', 'latin1'))[1]);
    } catch {}
    fs.writeSync(3, [(userCPUTime + systemCPUTime) / 1e6, kilobytes / 1024].join(' '));
  });`,
);
mkdirSync(root, { recursive: true });
const worst: Readonly<Record<'seconds' | 'megabytes' | 'ended', number[]>> = { seconds: [], megabytes: [], ended: [] };
const head = ['| Input | Size | Outcome | CPU | Memory |', '|---|---|---|---|---|'];
console.log(head.join('\n'));
const rows = Object.entries(groups).flatMap(([group, inputs]) =>
  inputs
    .filter(({ name }) => words.length === 0 || words.some((word) => word === group || name.includes(word)))
    .map((input) => measured(input)),
);
rmSync(temporary, { recursive: true });
if (words.length === 0)
  replaceBetween(
    'lab/docs/robustness.md',
    ['hostile inputs', 'end of hostile inputs'],
    [
      `Node.js ${process.versions.node}, with everything that a process takes anyway (0.1 s, 60 MB).`,
      '',
      ...head,
      ...rows,
    ],
  );
figure('longest of any input', Math.max(...worst.seconds));
figure('most memory of any input', Math.max(...worst.megabytes));
figure('inputs that end analyze', worst.ended.length);

function measured(input: HostileInput): string {
  const folder = path.join(temporary, 'input');
  mkdirSync(folder);
  const given = input.write(folder);
  const size = sizeOf(folder);
  const cli = path.join(import.meta.dirname, '../../dist/cli.cjs');
  // Own code is below the folder of the input, or below the folder in which the profile says that it ran.
  const isHere = readdirSync(folder).includes('src');
  const own = ['--root', isHere ? folder : root];
  const ended: SpawnSyncReturns<string> = spawnSync(
    process.execPath,
    ['--require', hook, cli, 'analyze', given, ...own],
    {
      cwd: temporary,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      encoding: 'utf8',
      timeout: limitSeconds * 1000,
      maxBuffer: 2 ** 30,
    },
  );
  rmSync(folder, { recursive: true });
  const [seconds = '', megabytes = ''] = (ended.output?.[3] ?? '').split(' ');
  worst.seconds.push(Number(seconds === '' ? limitSeconds : seconds));
  worst.megabytes.push(Number(megabytes));
  if (![0, 2].includes(ended.status ?? 1)) worst.ended.push(1);
  const figures =
    megabytes === '' ? `over ${limitSeconds} s | |` : `${round(Number(seconds))} s | ${round(Number(megabytes))} MB |`;
  const row = `| ${input.name[0]?.toUpperCase()}${input.name.slice(1)} | ${round(size / 1e6)} MB | ${outcomeOf(ended, folder)} | ${figures}`;
  console.log(row);
  return row;
}

/** The result in words: the sentence about the failure, or that there are figures. */
function outcomeOf({ status, signal, stderr }: SpawnSyncReturns<string>, folder: string): string {
  if (status === 0) return 'figures';
  const sentence = (stderr ?? '').trim().split('\n').at(-1) ?? '';
  const plain = sentence
    .replace(/^hotspan: /, '')
    .replaceAll(`${folder}/`, '')
    .slice(0, 200);
  return status === 2 && plain !== '' ? plain : `ended by ${signal ?? status}: ${plain}`;
}

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.reduce((sum, one) => sum + (one.isFile() ? statSync(path.join(one.parentPath, one.name)).size : 0), 0);
}

/** The number with two digits. */
function round(value: number): string {
  return String(value === 0 ? 0 : Number(value.toPrecision(2)));
}
