// Measures how often comparisons are wrong: false verdicts on unchanged code, and changes that are found. Run
// `npm run bench -- verify`, or after a build `node lab/bench/verify.ts [OPTIONS]`.
// The recordings are kept in `.cache/verify/`, in the order in which they were made, and scored again each time.
// - `--record N` first records until there are N of each program and load; without it, 12 are. `--fresh` records all anew.
// - `--programs known,shop` and `--spinners 0,1,2` (their number for each processor) choose among them.
// - `--suite NAME --folder DIR -- COMMAND` takes the tests of another project instead, which is installed there.
// - `--draws N` is the number of comparisons of unchanged code, 100 by default, and twice as many budgets. `--seed N`
//   draws others.
// The recordings themselves need a quiet machine; scoring does not.
import { rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { figure } from '../figure.mjs';
import { printTable } from './busy/table.ts';
import { random } from './verify/draw.ts';
import { type Program, programs, recordUpTo, store } from './verify/store.ts';
import { readRuns } from './verify/read-runs.ts';
import { changes, falseFailures, falseVerdicts, power } from './verify/score.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    record: { type: 'string', default: '12' },
    fresh: { type: 'boolean', default: false },
    programs: { type: 'string', default: Object.keys(programs).join(',') },
    suite: { type: 'string' },
    folder: { type: 'string', default: '.' },
    spinners: { type: 'string', default: '0,1,2' },
    draws: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const { suite, folder } = values;
if (values.fresh) rmSync(store, { recursive: true, force: true });
const wanted: readonly Program[] =
  suite === undefined
    ? values.programs.split(',').map(programNamed)
    : [{ name: suite, command: positionals, folder: () => path.resolve(folder) }];
const loads = values.spinners.split(',').map(Number);
const draws = Number(values.draws);
const unchanged: (readonly string[])[] = [
  ['program', 'spinners a core', 'recordings', 'compare', 'all reached', 're-check', 'budget × 2', 'in one run'],
];
const found: (readonly string[])[] = [['program', 'spinners a core', 'command', ...changes.map(({ name }) => name)]];
const wrong: string[] = [];
/** Wrong ones, and out of how many. */
const counts = { compare: [0, 0], recheck: [0, 0], budgets: [0, 0] };
for (const program of wanted) {
  for (const load of loads) {
    const recordings = await recordUpTo(Number(values.record), program, load, load * os.availableParallelism());
    const runs = await readRuns(recordings, program.folder());
    const { compare, reached, recheck, sentences } = falseVerdicts(runs, draws, random(Number(values.seed)));
    const budgets = falseFailures(runs, 2 * draws, random(Number(values.seed)));
    unchanged.push([
      program.name,
      String(load),
      String(runs.length),
      compare,
      reached,
      recheck,
      budgets.all,
      budgets.single,
    ]);
    count('compare', compare);
    count('compare', reached);
    count('recheck', recheck);
    count('budgets', budgets.all);
    wrong.push(
      ...[...sentences, ...budgets.sentences].map(
        (sentence) => `${program.name}, ${load} spinners a core: ${sentence}`,
      ),
    );
    for (const [command, shares] of Object.entries(power(runs, random(Number(values.seed)))))
      found.push([program.name, String(load), command, ...shares]);
  }
}
figure('comparisons with a false verdict', counts.compare[0] ?? Number.NaN);
figure('functions with a false verdict in a re-check', (100 * (counts.recheck[0] ?? 0)) / (counts.recheck[1] ?? 0));
figure('budgets that unchanged code exceeds', counts.budgets[0] ?? Number.NaN);
console.log('\nFalse verdicts on unchanged code: comparisons with one, functions re-checked, budgets exceeded\n');
printTable(unchanged);
for (const sentence of wrong.slice(0, 40)) console.log(`  ${sentence}`);
console.log('\nChanges of one function that are found\n');
printTable(found);

/** `said`: `2 of 100`. */
function count(what: keyof typeof counts, said: string): void {
  counts[what] = said.split(' of ').map((number, at) => (counts[what][at] ?? 0) + Number(number));
}

function programNamed(name: string): Program {
  const known = Object.values(programs).find((one) => one.name === name);
  if (known === undefined) throw new Error(`No program ${name}: choose among ${Object.keys(programs).join(', ')}.`);
  return known;
}
