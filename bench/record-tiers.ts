// Measures what a recording of V8 tiers costs, on runs of ten seconds. The same programs run bare, under Node's own
// `--cpu-prof`, and under `--tiers`, in turn. The result is the median of the ratios to `--cpu-prof` within each round,
// with their range, beside the size of what each run leaves on the disk.
// `node bench/record-tiers.ts [ROUNDS] [NODE'S FILE] [PROGRAM'S WORDS]`, after a build.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { requireOption } from '../recorder/command-lines/node-options.ts';
import { tierFlags } from '../recorder/command-lines/tier-flags.ts';
import { compiling, handling } from './overhead/long-programs.ts';

const [rounds = '5', given = process.execPath, wanted = ''] = process.argv.slice(2);
const node = path.resolve(given);
const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-bench-'));
const recorder = path.join(import.meta.dirname, '../dist/recorder.cjs');
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, 'typescript@5.9.3'], {
  stdio: 'ignore',
});

interface Variant {
  readonly name: string;
  readonly kind: 'bare' | 'profile' | 'tiers';
  readonly flags: (out: string) => readonly string[];
  readonly isRecorded: boolean;
}

const tierFlagsOf = (out: string): readonly string[] => tierFlags({ directory: out, shim: folder }, 1000);
const variants: readonly Variant[] = [
  { name: 'bare', kind: 'bare', flags: () => [], isRecorded: false },
  { name: '--cpu-prof', kind: 'profile', flags: (out) => ['--cpu-prof', `--cpu-prof-dir=${out}`], isRecorded: false },
  { name: 'recorder --tiers', kind: 'tiers', flags: tierFlagsOf, isRecorded: true },
];

/** Times in ms, disk in MB. */
interface Run {
  readonly wall: number;
  readonly cpu: number;
  readonly disk: number;
}

console.log(`Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`);
measure('a compiler', compiling);
measure('what services do between two answers', handling);
rmSync(folder, { recursive: true });

function measure(title: string, text: string): void {
  if (!title.includes(wanted)) return;
  const file = path.join(folder, 'program.js');
  writeFileSync(file, text);
  const runs: ReadonlyMap<string, Run>[] = [];
  for (let round = 0; round < Number(rounds); round += 1) {
    runs.push(new Map(variants.map((variant) => [variant.name, run(variant, file)])));
  }
  console.log(`\n${title}\n                   wall, s           CPU, s            MB`);
  for (const { name } of variants) {
    const own = runs.flatMap((all) => all.get(name) ?? []);
    const base = runs.flatMap((all) => all.get('--cpu-prof') ?? []);
    const column = (figure: 'wall' | 'cpu'): string => {
      const ratios = own.map((one, i) => one[figure] / (base[i]?.[figure] ?? Number.NaN));
      const seconds = median(own.map((one) => one[figure])) / 1000;
      return `${seconds.toFixed(2).padStart(6)}  ${median(ratios).toFixed(3)} [${Math.min(...ratios).toFixed(2)}..${Math.max(...ratios).toFixed(2)}]`;
    };
    console.log(
      `${name.padEnd(18)}${column('wall')}  ${column('cpu')}  ${median(own.map(({ disk }) => disk)).toFixed(1)}`,
    );
  }
}

function run({ kind, flags, isRecorded }: Variant, file: string): Run {
  const out = path.join(folder, 'recording');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  writeFileSync(
    path.join(out, 'recording.json'),
    JSON.stringify({ version: 1, kind, endedAt: null, evaluated: false }),
  );
  const recorded = {
    NODE_OPTIONS: requireOption(recorder),
    HOTSPAN_DIR: out,
    HOTSPAN_SHIM: folder,
    HOTSPAN_INTERVAL: '1000',
  };
  const env = { ...process.env, ...(isRecorded ? recorded : {}) };
  const start = performance.now();
  const said = execFileSync(node, [...flags(out), file], { env, encoding: 'utf8', cwd: folder });
  const wall = performance.now() - start;
  const sizes = readdirSync(out).map((name) => statSync(path.join(out, name)).size);
  return { wall, cpu: Number(said), disk: sizes.reduce((sum, size) => sum + size, 0) / 1e6 };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
