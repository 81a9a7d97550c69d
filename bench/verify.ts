// Measures how often comparisons are wrong: false verdicts on unchanged code, and changes that are found. Run
// `npm run bench -- verify`, or after a build `node bench/verify.ts [OPTIONS]`.
// The recordings are kept in `.cache/verify/`, in the order in which they were made, and scored again each time.
// - `--record N` first records until there are N of each program and load; without it, 12 are.
// - `--programs known,shop` and `--spinners 0,1,2` (their number for each processor) choose among them.
// - `--draws N` is the number of comparisons of unchanged code, 100 by default. `--seed N` draws others.
// The recordings themselves need a quiet machine; scoring does not.
import os from 'node:os';
import { parseArgs } from 'node:util';
import { printTable } from './busy/table.ts';
import { random } from './verify/draw.ts';
import { type ProgramName, programs, recordUpTo } from './verify/store.ts';
import { readRuns } from './verify/read-runs.ts';
import { changes, falseVerdicts, power } from './verify/score.ts';

const { values } = parseArgs({
  options: {
    record: { type: 'string', default: '12' },
    programs: { type: 'string', default: Object.keys(programs).join(',') },
    spinners: { type: 'string', default: '0,1,2' },
    draws: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const wanted = values.programs.split(',').map(programNamed);
const loads = values.spinners.split(',').map(Number);
const draws = Number(values.draws);
const unchanged: (readonly string[])[] = [['program', 'spinners a core', 'recordings', 'compare', 're-check']];
const found: (readonly string[])[] = [['program', 'spinners a core', 'command', ...changes.map(({ name }) => name)]];
const wrong: string[] = [];
for (const program of wanted) {
  for (const load of loads) {
    const recordings = await recordUpTo(Number(values.record), program, load, load * os.availableParallelism());
    const runs = await readRuns(recordings, programs[program].folder());
    const { compare, recheck, sentences } = falseVerdicts(runs, draws, random(Number(values.seed)));
    unchanged.push([program, String(load), String(runs.length), compare, recheck]);
    wrong.push(...sentences.map((sentence) => `${program}, ${load} spinners a core: ${sentence}`));
    for (const [command, shares] of Object.entries(power(runs, random(Number(values.seed)))))
      found.push([program, String(load), command, ...shares]);
  }
}
console.log('\nFalse verdicts on unchanged code: comparisons with one (compare), functions with one (re-check)\n');
printTable(unchanged);
for (const sentence of wrong.slice(0, 40)) console.log(`  ${sentence}`);
console.log('\nChanges of one function that are found\n');
printTable(found);

function programNamed(name: string): ProgramName {
  const known = Object.keys(programs).find((one): one is ProgramName => one === name);
  if (known === undefined) throw new Error(`No program ${name}: choose among ${Object.keys(programs).join(', ')}.`);
  return known;
}
