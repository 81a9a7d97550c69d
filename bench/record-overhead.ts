// Wall time of a CPU-bound program under `record`, as a ratio to the same under Node's own `--cpu-prof`: medians of
// paired runs, in turn. `node bench/record-overhead.ts [ROUNDS] [NODE'S FILE]`, after a build.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { defaultIntervalUs } from '../protocol/recording.ts';
import { record } from '../recorder/launch/record.ts';

const [rounds = '7', given = process.execPath] = process.argv.slice(2);
const node = path.resolve(given);
const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-bench-'));
const program = path.join(folder, 'program.js');

/** Two seconds of what services do between two answers: clone, sort, match, build strings; a little asynchronous. */
writeFileSync(
  program,
  `
  const items = Array.from({ length: 2000 }, (_, i) => ({ id: i, name: 'item ' + (i * 7919) % 2000, tags: ['a', 'b', String(i)] }));
  async function handle(i) {
    const copy = JSON.parse(JSON.stringify(items));
    copy.sort((a, b) => a.name.localeCompare(b.name));
    await null;
    return copy.filter((item) => /item (\\d+)$/.test(item.name)).map((item) => item.name + i).join(',').length;
  }
  (async () => { for (let i = 0; i < 600; i++) { await handle(i); if (i % 10 === 0) await new Promise(setImmediate); } })();
  `,
);

const runs = {
  bare: () => plain([]),
  'node --cpu-prof': () => plain(['--cpu-prof', `--cpu-prof-dir=${folder}`]),
  record: recorded,
};
const times = new Map<string, number[]>(Object.keys(runs).map((name) => [name, []]));
for (let round = 0; round < Number(rounds); round += 1) {
  for (const [name, run] of Object.entries(runs)) times.get(name)?.push(await timeOf(run));
}
rmSync(folder, { recursive: true });

const base = times.get('node --cpu-prof') ?? [];
for (const [name, list] of times) {
  const ratios = list.map((ms, i) => ms / (base[i] ?? ms));
  console.log(
    `${name.padEnd(16)} ${median(list).toFixed(0).padStart(6)} ms   ${median(ratios).toFixed(3)} × --cpu-prof`,
  );
}

async function timeOf(run: () => void | Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function plain(options: readonly string[]): void {
  execFileSync(node, [...options, program], { stdio: 'inherit' });
}

async function recorded(): Promise<void> {
  const out = mkdtempSync(path.join(folder, 'recording-'));
  const outcome = await record({
    command: [node, program],
    cwd: folder,
    env: process.env,
    intervalUs: defaultIntervalUs,
    out,
    recorderFile: path.join(import.meta.dirname, '../dist/recorder.cjs'),
    recorderHome: folder,
    hotspanVersion: '0.0.0',
    notes: [],
  });
  if (outcome.type !== 'ended' || outcome.exitCode !== 0) throw new Error(JSON.stringify(outcome));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
