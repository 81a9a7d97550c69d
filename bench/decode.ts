// Time and peak memory of decoding a real profile made here (knip on this repository, sampled every 50 µs), as a ratio
// to `JSON.parse` of the same file: medians, in turn, each in a process of its own.
// `node bench/decode.ts [FILE]`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { readCpuProfile } from '../engine/profile/read-cpu-profile.ts';
import { nodeWorld } from '../node-world/node-world.ts';

interface Figures {
  readonly ms: number;
  readonly peakMb: number;
}

const rounds = 5;
const ways = {
  'JSON.parse': async (file: string): Promise<unknown> => JSON.parse(readFileSync(file, 'utf8')),
  decode: async (file: string) => readCpuProfile((await nodeWorld.readChunks?.(file)) ?? []),
  'empty process': async () => undefined,
};

const [, , given, way] = process.argv;
if (given !== undefined && way !== undefined) await measure(given, way);
else await compare();

/** In this process: prints its figures. */
async function measure(file: string, way: string): Promise<void> {
  const start = performance.now();
  await Object.entries(ways).find(([name]) => name === way)?.[1](file);
  console.log(`${performance.now() - start} ${process.resourceUsage().maxRSS / 1024}`);
}

async function compare(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-bench-'));
  const file = given ?? profileIn(folder);
  console.log(`${(statSync(file).size / 2 ** 20).toFixed(0)} MB`);
  const figures = new Map<string, Figures[]>(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, list] of figures) list.push(figuresOf(file, name));
  }
  rmSync(folder, { recursive: true });
  const base = median((figures.get('JSON.parse') ?? []).map(({ ms }) => ms));
  for (const [name, list] of figures) {
    const ms = median(list.map((each) => each.ms));
    const mb = median(list.map(({ peakMb }) => peakMb));
    console.log(
      `${name.padEnd(14)} ${ms.toFixed(0).padStart(6)} ms  ${(ms / base).toFixed(2)} × JSON.parse  ${mb.toFixed(0).padStart(5)} MB at most`,
    );
  }
}

function figuresOf(file: string, way: string): Figures {
  const output = execFileSync(process.execPath, [import.meta.filename, file, way], { encoding: 'utf8' });
  const [ms = Number.NaN, peakMb = Number.NaN] = output.split(' ').map(Number);
  return { ms, peakMb };
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
