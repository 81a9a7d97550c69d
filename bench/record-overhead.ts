// What recording costs: the same programs bare, under Node's own `--cpu-prof`, under the recorder, and under parts of it, in
// turn; medians of ratios within each round, with their range. The express server is installed from npm, in a folder for
// the time being. `node bench/record-overhead.ts [ROUNDS] [NODE'S FILE]`, after a build.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { serve } from './overhead/load.ts';
import { awaiting, computing, serving, starting, ticking } from './overhead/programs.ts';
import { makeSuite, runSuite, suites } from './overhead/suites.ts';
import { type Variant, bare, profiled, profiledEverywhere, variantsIn } from './overhead/variants.ts';

const [rounds = '5', given = process.execPath] = process.argv.slice(2);
const node = path.resolve(given);
const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-bench-'));
const parts = path.join(folder, 'parts.cjs');
await esbuild.build({
  entryPoints: [path.join(import.meta.dirname, 'overhead/parts.ts')],
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'es2015',
  minify: true,
  outfile: parts,
});
const variants = variantsIn(folder, path.join(import.meta.dirname, '../dist/recorder.cjs'), parts);

/** What each process of a suite can be run under. */
const everywhere = variants.flatMap((variant) => {
  if (variant.name === profiled) return [profiledEverywhere(folder, node)];
  return variant.name === bare || variant.name === 'recorder' ? [variant] : [];
});

/** What one run of a program came to, by the name of the figure. */
type Run = Readonly<Record<string, number>>;

await measure('computing for two seconds (wall ms, all; CPU ms)', ['all', 'cpu'], ran(computing));
await measure('10⁶ awaits in one turn (CPU ms)', ['cpu'], ran(awaiting));
await measure('10⁶ ticks in one turn (CPU ms)', ['cpu'], ran(ticking));
await measure('starting (wall ms, all; MB)', ['all', 'memory'], ran(starting));
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, 'express@5.1.0'], { stdio: 'ignore' });
await measure('an express server (CPU ms a request; requests/s)', ['cpu', 'perSecond'], served(serving));
for (const suite of suites) {
  const place = path.join(folder, suite.packages[0] ?? '');
  makeSuite(place, suite);
  const run = async (variant: Variant): Promise<Run> => ({ ...runSuite(node, place, suite, variant) });
  await measure(`${suite.title} (CPU ms of all processes; wall ms)`, ['cpu', 'wall'], run, everywhere);
}
rmSync(folder, { recursive: true });

async function measure(
  title: string,
  figures: readonly string[],
  run: (variant: Variant) => Promise<Run>,
  measured = variants,
): Promise<void> {
  const runs: ReadonlyMap<string, Run>[] = [];
  for (let round = 0; round < Number(rounds); round += 1) {
    const found = new Map<string, Run>();
    for (const variant of measured) found.set(variant.name, await run(variant));
    runs.push(found);
  }
  console.log(`\n${title}`);
  for (const { name } of measured) {
    const columns = figures.map((figure) => {
      const values = runs.map((found) => found.get(name)?.[figure] ?? Number.NaN);
      const ratios = runs.map((found, round) => (values[round] ?? 0) / (found.get(profiled)?.[figure] ?? Number.NaN));
      const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
      return `${median(values).toPrecision(4).padStart(8)}  ${median(ratios).toFixed(3)} [${least.toFixed(2)}..${most.toFixed(2)}]`;
    });
    console.log(`${name.padEnd(18)}${columns.join('   ')}`);
  }
}

/** `all`: from its start to its end, as its parent sees it. */
function ran(text: string): (variant: Variant) => Promise<Run> {
  const file = path.join(folder, 'program.js');
  return async ({ options, env }) => {
    writeFileSync(file, text);
    const start = performance.now();
    const output = execFileSync(node, [...options, file], { env, encoding: 'utf8' });
    const report: unknown = JSON.parse(output);
    return { ...numbersIn(report), all: performance.now() - start };
  };
}

function served(text: string): (variant: Variant) => Promise<Run> {
  const file = path.join(folder, 'server.js');
  writeFileSync(file, text);
  return async (variant) => ({ ...(await serve(node, file, variant)) });
}

function numbersIn(report: unknown): Run {
  if (typeof report !== 'object' || report === null) return {};
  return Object.fromEntries(Object.entries(report).map(([name, value]) => [name, Number(value)]));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
