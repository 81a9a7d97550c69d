// Measures time and peak memory of a whole `hotspan analyze --json`, beside a process that only parses the same file. It makes real profiles, and large ones by a generator, in the temporary
// folder (3 GB), and takes 5 to 15 minutes.
// `npm run bench -- analyze` measures all of them. `node lab/bench/analyze.ts FILE…` measures only these files, and leaves
// lab/docs/performance.md as it is.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { figure } from '../figure.mjs';
import { projectFile } from '../../test/helpers/project.ts';
import { replaceBetween } from '../replace-between.ts';
import { type Figures, type Way, compare } from './analyze/processes.ts';
import { compilerProfile, installPackages, longProfile, serverProfile } from './analyze/real-profiles.ts';
import { type Shape, writeProfile, shapeOf } from './analyze/write-profile.ts';

interface Input {
  readonly name: string;
  readonly file: string;
  /**
   * What `hotspan analyze` may take, by the name of the way: as the table says it, the row of a nightly run, and what the
   * start may take of it, in ms.
   */
  readonly goals?: Readonly<Record<string, readonly [text: string, row: string, startMs?: number]>>;
}

/** How often each real profile is read. */
const rounds = 7;

type Measured = ReadonlyMap<string, Figures>;

const generated = [
  ['made up, 0.2 GB', 0.2e9, 3],
  ['made up, 0.6 GB', 0.6e9, 3],
  ['made up, 2 GB', 2e9, 1],
] as const;

/** A real profile, and how it is read. */
interface Real extends Input {
  readonly ways: readonly ((file: string) => Way)[];
}

const own = 'hotspan analyze';
const foreign = 'hotspan analyze, as foreign code';

const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-analyze-'));
const elsewhere = mkdtempSync(path.join(os.tmpdir(), 'hotspan-elsewhere-'));
try {
  const [, , ...given] = process.argv;
  if (given.length > 0) {
    for (const file of given) {
      const input: Input = { name: path.basename(file), file: path.resolve(file) };
      show(
        rowsOf(input, shapeOrNone(input.file), compare([parsing(input.file), analyzing(input.file)], rounds, folder)),
      );
    }
  } else measureAll();
} finally {
  rmSync(folder, { recursive: true });
  rmSync(elsewhere, { recursive: true });
}

function measureAll(): void {
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
  const real: readonly Real[] = [
    {
      ...compilerProfile(folder, 0, 1000),
      goals: { [own]: ['1.0 × at 35 MB', 'mostly nodes, sampled every ms'] },
      ways: [analyzing],
    },
    {
      ...compilerProfile(folder, 200e6),
      goals: { [own]: ['0.45 × at 234 MB', 'mostly nodes'] },
      ways: [analyzing],
    },
    {
      ...longProfile(folder, 40),
      goals: { [own]: ['1.8 ×', 'mostly samples'], [foreign]: ['0.9 ×', 'mostly samples, foreign code'] },
      ways: [analyzing, analyzingElsewhere],
    },
    { ...serverProfile(folder, 40), goals: { [own]: ['120 ms + 1.0 ×', 'a server', 120] }, ways: [analyzing] },
  ];
  for (const { ways, ...profile } of real) {
    const { file } = profile;
    add(profile, shapeOf(file), compare([parsing(file), ...ways.map((way) => way(file))], rounds, folder));
  }
  const perMb: number[] = [];
  for (const [name, size, times] of generated) {
    const file = path.join(folder, 'generated.cpuprofile');
    const shape = writeProfile(file, size);
    const measured = compare([parsing(file), analyzing(file)], times, folder);
    add({ name, file }, shape, measured);
    perMb.push((measured.get(own)?.cpuMs ?? Number.NaN) / (statSync(file).size / 1e6));
    rmSync(file);
  }
  const memory = (os.totalmem() / 2 ** 30).toFixed(0);
  const machine = `${os.cpus()[0]?.model ?? 'an unknown processor'}, ${os.cpus().length} cores, ${memory} GB of memory`;
  replaceBetween(
    'lab/docs/performance.md',
    ['measured', 'end'],
    [
      `Measured on ${machine}, at a load of ${os.loadavg()[1]?.toFixed(0)}, Node.js ${process.versions.node}, by \`npm run bench -- analyze\`.`,
      '',
      '| profile | size | nodes | samples | deepest stack |',
      '|---|---|---|---|---|',
      ...profiles,
      '',
      'Wall time is from start to end. The main thread (its processor time) is what a person waits for where no other program runs; all threads are what it takes of the processors.',
      '',
      '| profile | read by | wall time | to JSON.parse | main thread | to JSON.parse | all threads | to JSON.parse | goal | memory at most | allowed |',
      '|---|---|---|---|---|---|---|---|---|---|---|',
      ...rows,
      '',
      linearity(perMb),
    ],
  );
}

function shapeRow({ name, file }: Input, { nodes, samples, depth }: Shape): string {
  return `| ${name} | ${megabytes(file).toFixed(0)} MB | ${nodes} | ${samples} | ${depth} |`;
}

function rowsOf({ name, goals = {} }: Input, shape: Shape | null, measured: Measured): readonly string[] {
  const parsed = measured.get('JSON.parse');
  const base = parsed?.isGood === true ? parsed : undefined;
  const limit = shape === null ? '' : `${(80 + (8 * shape.samples + 110 * shape.nodes) / 1e6).toFixed(0)} MB`;
  return [...measured].map(([way, figures]) => {
    const { wallMs, cpuMs, mainMs, peakMb, isGood } = figures;
    if (!isGood) return `| ${name} | ${way} | fails | | | | | | | | |`;
    const times = [
      [wallMs, base?.wallMs],
      [mainMs, base?.mainMs],
      [cpuMs, base?.cpuMs],
    ] as const;
    const cells = times.map(([ms, ofParse]) => `${ms.toFixed(0)} ms | ${ratio(ms, ofParse)}`);
    const [goal = '', nightlyRow, startMs = 0] = goals[way] ?? [];
    const above = startMs > 0 ? ` above ${startMs} ms` : '';
    if (nightlyRow !== undefined)
      figure(`${nightlyRow}, CPU time${above} to JSON.parse`, (cpuMs - startMs) / (base?.cpuMs ?? Number.NaN));
    return `| ${name} | ${way} | ${cells.join(' | ')} | ${goal} | ${peakMb.toFixed(0)} MB | ${limit} |`;
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
  const apart = Math.max(...perMb) / Math.min(...perMb);
  figure('made-up files, most time per MB to least', apart);
  return `All threads of \`hotspan analyze\` on the made-up files take ${perMb.map((ms) => ms.toFixed(1)).join(', ')} ms per MB: linear within ${apart.toFixed(2)} × (the goal: 1.2).`;
}

function megabytes(file: string): number {
  return statSync(file).size / 1e6;
}

/** A string can have 512 MB at most: there is no ratio where `JSON.parse` cannot read the file. */
function ratio(ms: number, base: number | undefined): string {
  return base === undefined ? '' : `${(ms / base).toFixed(2)} ×`;
}

function parsing(file: string): Way {
  const parse = `JSON.parse(require('fs').readFileSync(${JSON.stringify(file)}, 'utf8'))`;
  return { name: 'JSON.parse', words: ['--eval', parse] };
}

/** In the folder of the program, whose code is the person's own there. */
function analyzing(file: string): Way {
  return { name: own, words: [projectFile('dist/cli.cjs'), 'analyze', '--json', file] };
}

/** In a folder of its own, from where all code is that of others. */
function analyzingElsewhere(file: string): Way {
  return { ...analyzing(file), name: foreign, folder: elsewhere };
}

function show(rows: readonly string[]): void {
  console.log(rows.join('\n'));
}
