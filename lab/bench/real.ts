// Measures `hotspan analyze` on recordings of real suites: the first analysis, and one with the kept indexes of sources.
// `npm run bench -- real --in FOLDER`: FOLDER has checkouts of mathjs, zod and class-validator at the commits of
// lab/public-suites, with their packages; they are recorded there, and so is a service under load; projects of 375 and 3000
// hot files are made. `node lab/bench/real.ts RECORDING…` takes other recordings. `--beside DIST` measures another build in
// turn. It also checks that JSON and table are the same without kept indexes, with them, with damaged ones, and in both builds.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { projectFile } from '../../test/helpers/project.ts';
import { type Input, layOut } from './real/inputs.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { in: { type: 'string' }, beside: { type: 'string' } },
});
const builds = [projectFile('dist'), ...(values.beside === undefined ? [] : [path.resolve(values.beside)])];
const inputs: readonly Input[] = [
  ...(values.in === undefined ? [] : layOut(path.resolve(values.in))),
  ...positionals.map((recording) => ({
    name: path.basename(recording),
    recording: path.resolve(recording),
    folder: '.',
  })),
];
if (inputs.length === 0) console.log('Give a folder of checkouts (--in FOLDER), or recordings of real suites.');

/** Of noisy figures the least is nearest to the cost. */
const rounds = 7;
const cache = mkdtempSync(path.join(os.tmpdir(), 'hotspan-real-'));
process.on('exit', () => rmSync(cache, { recursive: true }));
const indexes = path.join(cache, 'hotspan', 'indexes');
const forget = (): void => rmSync(indexes, { recursive: true, force: true });

if (inputs.length > 0)
  console.log('| recording | on disk | first: CPU, memory | again: CPU, memory |\n|---|---|---|---|');
for (const input of inputs) {
  assertSame(input);
  const measured = builds.map((): readonly [first: Figures[], again: Figures[]] => [[], []]);
  for (let round = 0; round < rounds; round++) {
    for (const [at, [first, again]] of measured.entries()) {
      forget();
      first.push(analyzed(input, builds[at]).figures);
      again.push(analyzed(input, builds[at]).figures);
    }
  }
  const bytes = filesBelow(input.recording).reduce((sum, file) => sum + statSync(file).size, 0);
  for (const [at, [first, again]] of measured.entries()) {
    const name = at === 0 ? input.name : `${input.name}, the build beside`;
    console.log(`| ${name} | ${Math.round(bytes / 1e6)} MB | ${least(first)} | ${least(again)} |`);
  }
}

function assertSame(input: Input): void {
  for (const words of [[], ['--json']]) {
    forget();
    const { text } = analyzed(input, builds[0], words);
    assert.equal(analyzed(input, builds[0], words).text, text, 'with kept indexes');
    for (const file of filesBelow(indexes)) truncateSync(file, Math.floor(statSync(file).size / 2));
    assert.equal(analyzed(input, builds[0], words).text, text, 'with damaged indexes');
    for (const beside of builds.slice(1))
      assert.equal(analyzed(input, beside, words).text, text, 'of the build beside');
  }
}

interface Figures {
  /** In s, of all threads. */
  readonly cpu: number;
  /** In MB. */
  readonly peak: number;
}

function analyzed({ recording, folder }: Input, build = '', words: readonly string[] = []) {
  const atExit = `process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    require('fs').writeSync(3, [(userCPUTime + systemCPUTime) / 1e6, maxRSS / 1024].join(' '));
  });`;
  const hook = [
    '--import',
    `data:text/javascript,import{createRequire}from'module';const require=createRequire('/');${encodeURIComponent(atExit)}`,
  ];
  const ended = spawnSync(process.execPath, [...hook, path.join(build, 'cli.cjs'), 'analyze', recording, ...words], {
    cwd: folder,
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

/** The file itself where it is one. */
function filesBelow(place: string): readonly string[] {
  if (statSync(place).isFile()) return [place];
  const entries = readdirSync(place, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
