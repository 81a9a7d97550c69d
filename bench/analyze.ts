// Processor time and peak memory of a whole `hotspan analyze --json`, in turn with a process that only parses the same file, and with
// other tools' importers. Makes real profiles, and large ones by a generator, in the temporary folder; takes half an hour.
// `npm run bench -- analyze`; `node bench/analyze.ts FILE…`: these alone, and docs/performance.md stays as it is.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectFile } from '../test/helpers/project.ts';
import { type Way, compare } from './analyze/processes.ts';
import { compilerProfile, installPackages, longProfile } from './analyze/real-profiles.ts';
import { writeProfile } from './analyze/write-profile.ts';
import { replaceTables } from './analyze/replace-tables.ts';

interface Input {
  readonly name: string;
  readonly file: string;
  readonly rounds: number;
}

const generated = [
  ['made up, 0.2 GB', 0.2e9, 5],
  ['made up, 0.6 GB', 0.6e9, 3],
  ['made up, 2 GB', 2e9, 1],
] as const;

const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-analyze-'));
try {
  const [, , ...given] = process.argv;
  if (given.length > 0) {
    for (const file of given) show(rowsOf({ name: path.basename(file), file: path.resolve(file), rounds: 7 }, false));
  } else measureAll();
} finally {
  rmSync(folder, { recursive: true });
}

function measureAll(): void {
  mkdirSync(path.join(folder, 'reports'));
  installPackages(folder);
  const rows: string[] = [];
  const add = (input: Input, withPeers: boolean): void => {
    const measured = rowsOf(input, withPeers);
    show(measured);
    rows.push(...measured);
  };
  add({ name: 'TypeScript checks its library', file: compilerProfile(folder), rounds: 7 }, true);
  add({ name: 'a long run of acorn', file: longProfile(folder, 240), rounds: 7 }, true);
  for (const [name, size, rounds] of generated) {
    const file = path.join(folder, 'generated.cpuprofile');
    writeProfile(file, size);
    add({ name, file, rounds }, false);
    rmSync(file);
  }
  replaceTables(rows);
}

function rowsOf({ name, file, rounds }: Input, withPeers: boolean): readonly string[] {
  const size = statSync(file).size / 1e6;
  const figures = compare(withPeers ? [...ways(file), ...peers(file)] : ways(file), rounds, folder);
  const parsed = figures.get('JSON.parse');
  const base = parsed?.isGood === true ? parsed : undefined;
  const limit = (size / 2 + 60).toFixed(0);
  return [...figures].map(([way, { cpuMs, mainMs, peakMb, isGood }]) => {
    const times = isGood
      ? `${cpuMs.toFixed(0)} ms | ${ratio(cpuMs, base?.cpuMs)} | ${mainMs.toFixed(0)} ms | ${ratio(mainMs, base?.mainMs)} | ${(cpuMs / size).toFixed(1)} ms`
      : 'fails | | | |';
    return `| ${name}, ${size.toFixed(0)} MB | ${way} | ${times} | ${isGood ? `${peakMb.toFixed(0)} MB` : ''} | ${limit} MB |`;
  });
}

/** Strings end at 512 MB: there is no ratio where `JSON.parse` cannot read the file. */
function ratio(ms: number, base: number | undefined): string {
  return base === undefined ? '' : `${(ms / base).toFixed(2)} ×`;
}

function ways(file: string): readonly Way[] {
  const parse = `JSON.parse(require('fs').readFileSync(${JSON.stringify(file)}, 'utf8'))`;
  return [
    { name: 'JSON.parse', words: ['--eval', parse] },
    { name: 'hotspan analyze', words: [projectFile('dist/cli.cjs'), 'analyze', '--json', file] },
  ];
}

function peers(file: string): readonly Way[] {
  const script = (name: string): string => path.join(folder, 'node_modules', name);
  return [
    { name: 'cpupro', words: [script('cpupro/bin/cpupro'), file, '--no-open', '--output-dir', 'reports'] },
    { name: '0x', words: [script('0x/cmd.js'), '--visualize-cpu-profile', file, '--output-dir', 'reports/0x'] },
  ];
}

function show(rows: readonly string[]): void {
  console.log(rows.join('\n'));
}
