// Measures time and peak memory of decoding a real profile that is made here (knip on this repository, sampled every 50
// µs), as a ratio to `JSON.parse` of the same file. The figures are medians of processes that run in turn, with the
// bundled code. Processor time is that of all threads: where others use the machine, it tells more than the clock does.
// `node bench/decode.ts [FILE]`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { readCpuProfile } from '../engine/import/cpuprofile/read-cpu-profile.ts';
import { diskWorld } from '../recordings/disk-world.ts';

interface Figures {
  readonly ms: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

const rounds = 5;
const ways = {
  'JSON.parse': async (file: string): Promise<unknown> => JSON.parse(readFileSync(file, 'utf8')),
  decode: async (file: string) => readCpuProfile((await diskWorld.readChunks?.(file)) ?? []),
  'empty process': async () => undefined,
};

const [, , given, way] = process.argv;
if (given !== undefined && way !== undefined) await measure(given, way);
else await compare();

/** Measures in this process, and prints the figures. */
async function measure(file: string, way: string): Promise<void> {
  const start = performance.now();
  const before = process.cpuUsage();
  await Object.entries(ways).find(([name]) => name === way)?.[1](file);
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  console.log(`${ms} ${(user + system) / 1000} ${process.resourceUsage().maxRSS / 1024}`);
}

async function compare(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-bench-'));
  const file = given ?? profileIn(folder);
  const bundle = path.join(folder, 'decode.mjs');
  const { build } = await import('esbuild'); // Not in the bundle.
  await build({
    entryPoints: [import.meta.filename],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['esbuild'],
  });
  console.log(`${(statSync(file).size / 2 ** 20).toFixed(0)} MB`);
  const figures = new Map<string, Figures[]>(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, list] of figures) list.push(figuresOf(bundle, file, name));
  }
  rmSync(folder, { recursive: true });
  const base = medians(figures.get('JSON.parse') ?? []);
  for (const [name, list] of figures) {
    const { ms, cpuMs, peakMb } = medians(list);
    const time = `${ms.toFixed(0).padStart(6)} ms, ${(ms / base.ms).toFixed(2)} × JSON.parse`;
    const cpu = `${cpuMs.toFixed(0).padStart(6)} ms of processors, ${(cpuMs / base.cpuMs).toFixed(2)} ×`;
    console.log(`${name.padEnd(14)} ${time}  ${cpu}  ${peakMb.toFixed(0).padStart(5)} MB at most`);
  }
}

function figuresOf(bundle: string, file: string, way: string): Figures {
  const output = execFileSync(process.execPath, [bundle, file, way], { encoding: 'utf8' });
  const [ms = Number.NaN, cpuMs = Number.NaN, peakMb = Number.NaN] = output.split(' ').map(Number);
  return { ms, cpuMs, peakMb };
}

function medians(figures: readonly Figures[]): Figures {
  return {
    ms: median(figures.map(({ ms }) => ms)),
    cpuMs: median(figures.map(({ cpuMs }) => cpuMs)),
    peakMb: median(figures.map(({ peakMb }) => peakMb)),
  };
}

/** Knip on this repository: its parser and resolver, many stacks. */
function profileIn(folder: string): string {
  const knip = path.join(path.dirname(createRequire(import.meta.url).resolve('knip/package.json')), 'bin/knip.js');
  const options = ['--cpu-prof', '--cpu-prof-interval=50', `--cpu-prof-dir=${folder}`];
  execFileSync(process.execPath, [...options, knip, '--no-exit-code'], { cwd: path.join(import.meta.dirname, '..') });
  const files = readdirSync(folder).map((name) => path.join(folder, name));
  return files.toSorted((a, b) => statSync(b).size - statSync(a).size)[0] ?? '';
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
