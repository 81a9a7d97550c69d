// Measures time and peak memory of a whole `hotspan analyze --json`, beside a process that only parses the same file,
// and beside the importers of other tools. It makes real profiles, and large ones by a generator, in the temporary
// folder (3 GB), and takes 15 minutes or more.
// `npm run bench -- analyze` measures all of them. `node bench/analyze.ts FILE…` measures only these files, and leaves
// docs/performance.md as it is.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectFile } from '../test/helpers/project.ts';
import { type Figures, type Way, compare } from './analyze/processes.ts';
import { compilerProfile, installPackages, longProfile, serverProfile } from './analyze/real-profiles.ts';
import { replaceTables } from './analyze/replace-tables.ts';
import { type Shape, writeProfile, shapeOf } from './analyze/write-profile.ts';

interface Input {
  readonly name: string;
  readonly file: string;
  readonly rounds: number;
}

type Measured = ReadonlyMap<string, Figures>;

const generated = [
  ['made up, 0.2 GB', 0.2e9, 3],
  ['made up, 0.6 GB', 0.6e9, 3],
  ['made up, 2 GB', 2e9, 1],
] as const;

const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-analyze-'));
try {
  const [, , ...given] = process.argv;
  if (given.length > 0) {
    for (const file of given) {
      const input: Input = { name: path.basename(file), file: path.resolve(file), rounds: 7 };
      show(rowsOf(input, shapeOrNone(input.file), compare(ways(input.file), input.rounds, folder)));
    }
  } else measureAll();
} finally {
  rmSync(folder, { recursive: true });
}

function measureAll(): void {
  mkdirSync(path.join(folder, 'reports'));
  installPackages(folder);
  const profiles: string[] = [];
  const rows: string[] = [];
  const add = (input: Input, shape: Shape, measured: Measured): void => {
    const profile = shapeRow(input, shape);
    const measuredRows = rowsOf(input, shape, measured);
    show([profile, ...measuredRows]);
    profiles.push(profile);
    rows.push(...measuredRows);
  };
  for (const { name, file } of [compilerProfile(folder), longProfile(folder, 120)]) {
    const others = compare(peers(file), 3, folder);
    add({ name, file, rounds: 7 }, shapeOf(file), new Map([...compare(ways(file), 7, folder), ...others]));
  }
  const { name, file: served } = serverProfile(folder, 40);
  add({ name, file: served, rounds: 7 }, shapeOf(served), compare(ways(served), 7, folder));
  const perMb: number[] = [];
  for (const [name, size, rounds] of generated) {
    const file = path.join(folder, 'generated.cpuprofile');
    const shape = writeProfile(file, size);
    const measured = compare(ways(file), rounds, folder);
    add({ name, file, rounds }, shape, measured);
    perMb.push((measured.get('hotspan analyze')?.cpuMs ?? Number.NaN) / (statSync(file).size / 1e6));
    rmSync(file);
  }
  replaceTables(profiles, rows, linearity(perMb));
}

function shapeRow({ name, file }: Input, { nodes, samples, depth }: Shape): string {
  return `| ${name} | ${megabytes(file).toFixed(0)} MB | ${nodes} | ${samples} | ${depth} |`;
}

function rowsOf({ name }: Input, shape: Shape | null, measured: Measured): readonly string[] {
  const parsed = measured.get('JSON.parse');
  const base = parsed?.isGood === true ? parsed : undefined;
  const limit = shape === null ? '' : `${(80 + (8 * shape.samples + 110 * shape.nodes) / 1e6).toFixed(0)} MB`;
  return [...measured].map(([way, figures]) => {
    const { wallMs, cpuMs, mainMs, peakMb, isGood } = figures;
    if (!isGood) return `| ${name} | ${way} | fails | | | | | | | |`;
    const times = [
      [wallMs, base?.wallMs],
      [mainMs, base?.mainMs],
      [cpuMs, base?.cpuMs],
    ] as const;
    const cells = times.map(([ms, ofParse]) => `${ms.toFixed(0)} ms | ${ratio(ms, ofParse)}`);
    return `| ${name} | ${way} | ${cells.join(' | ')} | ${peakMb.toFixed(0)} MB | ${limit} |`;
  });
}

/** Null where a file is too large for `JSON.parse`. */
function shapeOrNone(file: string): Shape | null {
  try {
    return shapeOf(file);
  } catch {
    return null;
  }
}

/** A sentence on how far the times per MB lie apart. The goal is a ratio of 1.2. */
function linearity(perMb: readonly number[]): string {
  const apart = (Math.max(...perMb) / Math.min(...perMb)).toFixed(2);
  return `All threads of \`hotspan analyze\` on the made-up files take ${perMb.map((ms) => ms.toFixed(1)).join(', ')} ms per MB: linear within ${apart} × (the goal: 1.2).`;
}

function megabytes(file: string): number {
  return statSync(file).size / 1e6;
}

/** A string can have 512 MB at most: there is no ratio where `JSON.parse` cannot read the file. */
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
