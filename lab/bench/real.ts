// Measures `hotspan analyze` on recordings of real suites: the first analysis, and one with the kept indexes of sources.
// `npm run build && node lab/bench/real.ts RECORDING…` takes recordings of public suites at the commits in
// lab/public-suites/kept-suites.ts, each by `hotspan record --out RECORDING -- …` in its checkout. It also checks that
// the JSON and the table are the same without kept indexes, with them, and with damaged ones.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectFile } from '../../test/helpers/project.ts';

const recordings = process.argv.slice(2).filter((word) => !word.startsWith('-'));
if (recordings.length === 0) {
  console.log('Give recordings of real suites: node lab/bench/real.ts RECORDING…');
  process.exit();
}

/** Of noisy figures the least is nearest to the cost. */
const rounds = 7;
const cache = mkdtempSync(path.join(os.tmpdir(), 'hotspan-real-'));
process.on('exit', () => rmSync(cache, { recursive: true }));
const indexes = path.join(cache, 'hotspan', 'indexes');
const forget = (): void => rmSync(indexes, { recursive: true, force: true });

console.log('| recording | on disk | first: CPU, memory | again: CPU, memory |');
console.log('|---|---|---|---|');
for (const recording of recordings) {
  assertSame(recording);
  const [first, again]: [Figures[], Figures[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    forget();
    first.push(analyzed(recording).figures);
    again.push(analyzed(recording).figures);
  }
  const bytes = filesBelow(recording).reduce((sum, file) => sum + statSync(file).size, 0);
  const name = path.basename(recording);
  console.log(`| ${name} | ${Math.round(bytes / 1e6)} MB | ${least(first)} | ${least(again)} |`);
}

function assertSame(recording: string): void {
  for (const words of [[], ['--json']]) {
    forget();
    const { text } = analyzed(recording, words);
    assert.equal(analyzed(recording, words).text, text, 'with kept indexes');
    for (const file of filesBelow(indexes)) truncateSync(file, Math.floor(statSync(file).size / 2));
    assert.equal(analyzed(recording, words).text, text, 'with damaged indexes');
  }
}

interface Figures {
  /** In s, of all threads. */
  readonly cpu: number;
  /** In MB. */
  readonly peak: number;
}

function analyzed(recording: string, words: readonly string[] = []) {
  const atExit = `process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    require('fs').writeSync(3, [(userCPUTime + systemCPUTime) / 1e6, maxRSS / 1024].join(' '));
  });`;
  const hook = [
    '--import',
    `data:text/javascript,import{createRequire}from'module';const require=createRequire('/');${encodeURIComponent(atExit)}`,
  ];
  const cli = projectFile('dist/cli.cjs');
  const ended = spawnSync(process.execPath, [...hook, cli, 'analyze', recording, ...words], {
    env: { ...process.env, XDG_CACHE_HOME: cache },
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  assert.equal(ended.status, 0, recording);
  const [cpu = Number.NaN, peak = Number.NaN] = (ended.output[3] ?? '').split(' ').map(Number);
  return { text: ended.stdout, figures: { cpu, peak } };
}

function least(all: readonly Figures[]): string {
  const of = (figure: keyof Figures): number => Math.min(...all.map((one) => one[figure]));
  return `${of('cpu').toFixed(2)} s, ${Math.round(of('peak'))} MB`;
}

function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
