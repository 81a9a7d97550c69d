// Measures what recording costs. The same programs run bare, under Node's own `--cpu-prof`, under the recorder, and
// under parts of it, in turn. The result is the median of the ratios within each round, with their range (for the
// server, whose rounds are many and short, with quartiles). Express and the suites are installed from npm in a
// temporary folder.
// `node bench/record-overhead.ts [ROUNDS] [NODE'S FILE] [TITLE'S WORDS]`, after a build. Use `nice -n -15` on a busy
// machine, but no real-time priority: threads of a program would wait for each other, and Jest's workers for ever.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bundleForPreload } from './overhead/bundle.ts';
import { serveInTurn } from './overhead/load.ts';
import { awaiting, computing, mapping, serving, starting, ticking } from './overhead/programs.ts';
import { makeSuite, runSuite, suites } from './overhead/suites.ts';
import { type Variant, bare, profiled, profiledEverywhere, variantsIn } from './overhead/variants.ts';
import { installRecorder } from '../recorder/launch/install/recorder-copy.ts';

const [rounds = '5', given = process.execPath, wanted = ''] = process.argv.slice(2);
const node = path.resolve(given);
const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-bench-'));
const parts = path.join(folder, 'parts.cjs');
await bundleForPreload(path.join(import.meta.dirname, 'overhead/parts.ts'), parts);
// V8's code of the recorder is kept only beside the lasting copy of the recorder.
const bundled = path.join(import.meta.dirname, '../dist/recorder.cjs');
const recorder = await installRecorder(bundled, [{ folder, isShared: false }]);
const variants = variantsIn(folder, recorder, parts);

/** What each process of a suite can be run under. */
const everywhere = variants.flatMap((variant) => {
  if (variant.name === profiled) return profiledEverywhere(folder, node);
  return variant.name === bare || variant.name === 'recorder' ? [variant] : [];
});

/** The figures of one run of a program, by name. */
type Run = Readonly<Record<string, number>>;

await measure('computing for four seconds (wall ms, all; CPU ms)', ['all', 'cpu'], ran(computing));
await measure('10⁶ awaits in one turn (CPU ms)', ['cpu'], ran(awaiting));
await measure('10⁶ ticks in one turn (CPU ms)', ['cpu'], ran(ticking));
await measure('starting (wall ms, all; MB)', ['all', 'memory'], ran(starting));
await measure('maps of 2000 modules (CPU ms; MB)', ['cpu', 'memory'], ran(mapping));
await measureServer('an express server (CPU ms a request; requests/s)', serving);
for (const suite of suites) {
  const place = path.join(folder, suite.packages[0] ?? '');
  const run = async (variant: Variant): Promise<Run> => ({ ...runSuite(node, place, suite, variant) });
  const make = (): void => makeSuite(place, suite);
  await measure(`${suite.title} (CPU ms of all processes; wall ms)`, ['cpu', 'wall'], run, everywhere, make);
}
rmSync(folder, { recursive: true });

async function measure(
  title: string,
  figures: readonly string[],
  run: (variant: Variant) => Promise<Run>,
  measured = variants,
  prepare = (): void => undefined,
): Promise<void> {
  if (!title.includes(wanted)) return;
  prepare();
  const runs: ReadonlyMap<string, Run>[] = [];
  for (let round = 0; round < Number(rounds); round += 1) {
    const found = new Map<string, Run>();
    for (const variant of measured) found.set(variant.name, await run(variant));
    runs.push(found);
  }
  print(title, figures, runs, measured, 0);
}

/**
 * First the three variants that the goal is about, then the parts. Servers that wait for their turn are sampled, too,
 * and slow the others down.
 */
async function measureServer(title: string, text: string): Promise<void> {
  if (!title.includes(wanted)) return;
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, 'express@5.1.0'], { stdio: 'ignore' });
  const file = path.join(folder, 'server.js');
  writeFileSync(file, text);
  const whole = variants.filter(({ name }) => name === bare || name === profiled || name === 'recorder');
  const inParts = variants.filter(({ name }) => name === profiled || name.startsWith(' '));
  for (const measured of [whole, inParts]) {
    const served = await serveInTurn(node, file, measured, Number(rounds) * 12);
    const runs = served.map((round) => new Map([...round].map(([name, one]) => [name, { ...one }])));
    print(title, ['cpu', 'perSecond'], runs, measured, 1 / 4);
  }
}

/** `margin` is the share of rounds that is left out at each end of the range. */
function print(
  title: string,
  figures: readonly string[],
  runs: readonly ReadonlyMap<string, Run>[],
  measured: readonly Variant[],
  margin: number,
): void {
  console.log(`\n${title}`);
  for (const { name } of measured) {
    const columns = figures.map((figure) => {
      const values = runs.map((found) => found.get(name)?.[figure] ?? Number.NaN);
      const ratios = runs.map((found, round) => (values[round] ?? 0) / (found.get(profiled)?.[figure] ?? Number.NaN));
      const range = [margin, 1 - margin].map((share) => quantile(ratios, share).toFixed(2)).join('..');
      return `${quantile(values, 1 / 2)
        .toPrecision(4)
        .padStart(8)}  ${quantile(ratios, 1 / 2).toFixed(3)} [${range}]`;
    });
    console.log(`${name.padEnd(18)}${columns.join('   ')}`);
  }
}

/** `all` is the time from start to end, as the parent process sees it. */
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

function numbersIn(report: unknown): Run {
  if (typeof report !== 'object' || report === null) return {};
  return Object.fromEntries(Object.entries(report).map(([name, value]) => [name, Number(value)]));
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
