// Measures what recording costs. The same programs run bare, under Node's own `--cpu-prof`, under the recorder, and
// under parts of it, in turn. The result is the median of the ratios within each round, with their range (for servers,
// whose rounds are many and short, with quartiles). Express, TypeScript and the suites are installed from npm in a
// temporary folder.
// `npm run bench -- record-overhead [OPTIONS]`: `--rounds N` (5), `--node FILE`, `--only WORDS` of a title, `--commit REF`:
// the recorder of that commit, too. Use `nice -n -15` on a busy machine, but no real-time priority: threads of a program
// would wait for each other, and Jest's workers for ever.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleForPreload } from './overhead/bundle.ts';
import { quantile, total } from './busy/statistics.ts';
import { serveInTurn } from './overhead/load.ts';
import { answering, awaiting, compiling, computing, mapping, serving, starting, ticking } from './overhead/programs.ts';
import { makeSuite, runSuite, suites } from './overhead/suites.ts';
import {
  type Variant,
  bare,
  histogramIn,
  profiled,
  profiledEverywhere,
  recorderOf,
  tiersIn,
  variantsIn,
} from './overhead/variants.ts';
import { installRecorder } from '../recorder/launch/install/recorder-copy.ts';
import { figure } from '../scripts/figure.mjs';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    node: { type: 'string', default: process.execPath },
    only: { type: 'string', default: '' },
    commit: { type: 'string' },
  },
});
const rounds = Number(options.rounds);
const node = path.resolve(options.node);
const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-bench-'));
const parts = path.join(folder, 'parts.cjs');
await bundleForPreload(path.join(import.meta.dirname, 'overhead/parts.ts'), parts);
// V8's code of the recorder is kept only beside the lasting copy of the recorder.
const bundled = path.join(import.meta.dirname, '../dist/recorder.cjs');
const recorder = await installRecorder(bundled, [{ folder, isShared: false }]);
const other = options.commit === undefined ? [] : [await recorderOf(options.commit, folder)];
const variants = [...variantsIn(folder, recorder, parts), ...other];
const whole = variants.filter(({ name }) => name === bare || name === profiled || name.startsWith('recorder'));

/** What each process of a suite can be run under. */
const everywhere = whole.flatMap((variant) =>
  variant.name === profiled ? profiledEverywhere(folder, node) : [variant],
);
const tiers = [...whole.slice(0, 2), tiersIn(folder, recorder)];

/** The figures of one run of a program, by name. */
type Run = Readonly<Record<string, number>>;

type Rounds = readonly ReadonlyMap<string, Run>[];

await measure('computing for four seconds (wall ms, all; CPU ms)', ['all', 'cpu'], ran(computing(1800)));
await measure('10⁶ awaits in one turn (CPU ms)', ['cpu'], ran(awaiting));
await measure('10⁶ ticks in one turn (CPU ms)', ['cpu'], ran(ticking));
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
// First the variants that the goal is about, then the parts. Servers that wait for their turn are sampled, too, and slow
// the others down.
await measureServer('an express server (CPU ms a request; requests/s; MB)', serving, whole);
await measureServer('an express server, parts', serving, [
  ...variants.filter(({ name }) => name === profiled || name.startsWith(' ')),
]);
const counted = [...whole.slice(0, 1), histogramIn(folder, recorder)];
await measureServer('histogram, an express server (CPU ms a request; requests/s; MB)', serving, counted);
await measureServer('histogram, plain http (CPU ms a request; requests/s; MB)', answering, counted);
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

async function measureServer(title: string, text: string, measured: readonly Variant[]): Promise<void> {
  if (!title.includes(options.only)) return;
  install('express@5.1.0');
  const file = path.join(folder, 'server.js');
  writeFileSync(file, text);
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
