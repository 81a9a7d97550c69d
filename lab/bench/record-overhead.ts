// Measures what recording costs. The same programs run bare, under Node's own `--cpu-prof` and under the recorder, in turn. The result is the median of the ratios within each round, with their range (for servers,
// whose rounds are many and short, with quartiles). Express, TypeScript and the suites are installed from npm in a
// temporary folder.
// `npm run bench -- record-overhead [OPTIONS]`: `--rounds N` (5), `--node FILE`, `--only WORDS` of a title. Use `nice -n -15` on a busy machine, but no real-time priority: threads of a program
// would wait for each other, and Jest's workers for ever.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { quantile, total } from './busy/table.ts';
import { serveInTurn } from './overhead/load.ts';
import { compiling, computing, mapping, serving, starting } from './overhead/programs.ts';
import { makeSuite, runSuite, suites } from './overhead/suites.ts';
import {
  type Variant,
  bare,
  histogramIn,
  profiled,
  profiledEverywhere,
  tiersIn,
  variantsIn,
} from './overhead/variants.ts';
import { installRecorder } from '../../recorder/launch/install/recorder-copy.ts';
import { figure } from '../figure.mjs';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    node: { type: 'string', default: process.execPath },
    only: { type: 'string', default: '' },
  },
});
const rounds = Number(options.rounds);
const node = path.resolve(options.node);
const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-bench-'));
// V8's code of the recorder is kept only beside the lasting copy of the recorder.
const bundled = path.join(import.meta.dirname, '../../dist/recorder.cjs');
const recorder = await installRecorder(bundled, [{ folder, isShared: false }]);
const variants = variantsIn(folder, recorder);

/** What each process of a suite can be run under. */
const everywhere = variants.flatMap((variant) =>
  variant.name === profiled ? profiledEverywhere(folder, node) : [variant],
);
const tiers = [...variants.slice(0, 2), tiersIn(folder, recorder)];

/** The figures of one run of a program, by name. */
type Run = Readonly<Record<string, number>>;

type Rounds = readonly ReadonlyMap<string, Run>[];

await measure('computing for four seconds (wall ms, all; CPU ms)', ['all', 'cpu'], ran(computing(1800)));
await measure('starting (wall ms, all; MB)', ['all', 'memory'], ran(starting));
await measure('maps of 2000 modules (CPU ms; MB)', ['cpu', 'memory'], ran(mapping));
for (const suite of suites) {
  const place = path.join(folder, suite.packages[0] ?? '');
  const run = async (variant: Variant): Promise<Run> => ({ ...runSuite(node, place, suite, variant) });
  const make = (): void => makeSuite(place, suite);
  await measure(`${suite.title} (CPU ms of all processes; wall ms)`, ['cpu', 'wall'], run, everywhere, make);
}
const installTypescript = (): void => install('typescript@5.9.3');
const tierFigures = ['all', 'cpu', 'disk'];
await measure('tiers, a compiler (wall ms; CPU ms; MB)', tierFigures, ran(compiling), tiers, installTypescript);
await measure('tiers, a service (wall ms; CPU ms; MB)', tierFigures, ran(computing(4000)), tiers);
await measureServer('an express server (CPU ms a request; requests/s; MB)', variants);
const counted = [...variants.slice(0, 1), histogramIn(folder, recorder)];
await measureServer('histogram, an express server (CPU ms a request; requests/s; MB)', counted);
rmSync(folder, { recursive: true });

async function measure(
  title: string,
  figures: readonly string[],
  run: (variant: Variant) => Promise<Run>,
  measured: readonly Variant[] = variants,
  prepare = (): void => undefined,
): Promise<void> {
  if (!title.includes(options.only)) return;
  prepare();
  const runs: ReadonlyMap<string, Run>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const found = new Map<string, Run>();
    for (const variant of measured) found.set(variant.name, await run(variant));
    runs.push(found);
  }
  print(title, figures, runs, measured, 0);
}

async function measureServer(title: string, measured: readonly Variant[]): Promise<void> {
  if (!title.includes(options.only)) return;
  install('express@5.1.0');
  const file = path.join(folder, 'server.js');
  writeFileSync(file, serving);
  const served = await serveInTurn(node, file, measured, rounds * 12);
  const runs = served.map((round) => new Map([...round].map(([name, one]) => [name, { ...one }])));
  print(title, ['cpu', 'perSecond', 'memory'], runs, measured, 1 / 4);
}

function install(name: string): void {
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, name], { stdio: 'ignore' });
}

/**
 * Ratios are to `--cpu-prof`, where it was measured, or to bare. `margin` is the share of rounds that is left out at each
 * end of the range.
 */
function print(
  title: string,
  figures: readonly string[],
  runs: Rounds,
  measured: readonly Variant[],
  margin: number,
): void {
  const base = measured.find(({ name }) => name === profiled)?.name ?? bare;
  console.log(`\n${title}, to ${base}`);
  for (const { name } of measured) {
    const columns = figures.map((what) => {
      const values = runs.map((found) => found.get(name)?.[what] ?? Number.NaN);
      const bases = runs.map((found) => found.get(base)?.[what] ?? Number.NaN);
      const ratios = values.map((value, round) => value / (bases[round] ?? Number.NaN));
      const range = [margin, 1 - margin].map((share) => quantile(ratios, share).toFixed(2)).join('..');
      const [middle, ratio] = [quantile(values, 1 / 2), quantile(ratios, 1 / 2)];
      if (name === 'recorder' || name === 'recorder --tiers') {
        figure(`${title.split(' (')[0]}, ${what} to ${base}`, ratio);
        figure(`${title.split(' (')[0]}, ${what} more than ${base}`, middle - quantile(bases, 1 / 2));
      }
      return `${middle.toPrecision(4).padStart(8)}  ${ratio.toFixed(3)} [${range}]`;
    });
    console.log(`${name.padEnd(18)}${columns.join('   ')}`);
  }
}

/** Adds to what the program says of itself: `all`, the time from start to end, and `disk`, the MB that it has left. */
function ran(text: string): (variant: Variant) => Promise<Run> {
  const file = path.join(folder, 'program.js');
  return async ({ options, env, out }) => {
    writeFileSync(file, text);
    const before = megabytesIn(out);
    const start = performance.now();
    const output = execFileSync(node, [...options, file], { env, encoding: 'utf8', cwd: folder });
    const all = performance.now() - start;
    const report: unknown = JSON.parse(output);
    return { ...numbersIn(report), all, disk: megabytesIn(out) - before };
  };
}

function megabytesIn(folder: string | undefined): number {
  if (folder === undefined) return 0;
  return total(readdirSync(folder).map((name) => statSync(path.join(folder, name)).size)) / 1e6;
}

function numbersIn(report: unknown): Run {
  if (typeof report !== 'object' || report === null) return {};
  return Object.fromEntries(Object.entries(report).map(([name, value]) => [name, Number(value)]));
}
