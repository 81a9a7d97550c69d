// `npm run nightly [-- WORD …] [--once] [--save]`: what needs a quiet machine, hours or every Node version, as numbers
// beside their targets and the latest ones (lab/nightly/README.md). A word chooses the rows with it in their name;
// `--once` takes one value in place of the median of three; `--save` makes the values the latest ones.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measurements, testFiles } from './rows.mjs';
import { ensureBrowser, ensureVscode } from '../../scripts/vscode-server.mjs';
import { runProgram } from './run-program.mjs';
import {
  chooseRows,
  durationText,
  flagsOf,
  fullName,
  lineOf,
  medianOf,
  numberText,
  summaryOf,
  targetText,
  withValues,
} from './table.mjs';
import { ensureNodeVersions } from '../../scripts/node-versions.mjs';
import { build, ensureExamples, ensureInstalled, root, packageExtension } from '../../scripts/setup.mjs';

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { once: { type: 'boolean', default: false }, save: { type: 'boolean', default: false } },
});
const latestFile = path.join(root, 'lab/nightly/latest.json');
const latest = existsSync(latestFile) ? JSON.parse(readFileSync(latestFile, 'utf8')) : undefined;
const machine = machineFacts();
const isSameMachine = JSON.stringify(machine) === JSON.stringify(latest?.machine);
const chosen = chooseRows([...testFiles(root), ...measurements], words);
const width = Math.max(...chosen.flatMap((source) => source.rows.map((row) => fullName(source, row).length)));
const wanted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => wanted.abort());
const values = {};
const flags = [];

if (chosen.length === 0) {
  console.error(`No row has "${words.join('" or "')}" in its name: lab/nightly/rows.mjs lists them.`);
  process.exit(2);
}
ensureInstalled();
const rows = chosen.flatMap((one) => one.rows).length;
const estimate = chosen.reduce((sum, source) => sum + source.minutes * timesOf(source), 0);
console.error(`${rows} rows of ${chosen.length} measurements, about ${durationText(estimate)} on a quiet machine`);
const problems = await prepare(chosen.flatMap(({ needs = [] }) => needs));
console.log(lineOf(['row', 'value', 'target', 'latest', ''], width));
console.log(lineOf(['---', '---', '---', '---', '---'], width));
for (const [number, source] of chosen.entries()) {
  if (wanted.signal.aborted) break;
  await measure(source, `(${number + 1}/${chosen.length}) ${source.name}`);
}
if (options.save) save();
if (wanted.signal.aborted) console.error('Stopped: the rows that are missing were not measured.');
const isGood = flags.length === rows && flags.every(({ length }) => length === 0);
console.log(`\n${summaryOf(flags)}`);
process.exitCode = isGood ? 0 : 1;

/** Runs the program as often as its rows want, and prints them. */
async function measure(source, title) {
  const results = [];
  const unready = (source.needs ?? []).map((need) => problems.get(need)).find((problem) => problem !== undefined);
  const times = unready === undefined ? timesOf(source) : 0;
  for (let run = 1; run <= times && !wanted.signal.aborted; run += 1) {
    const which = timesOf(source) > 1 ? `, run ${run} of ${timesOf(source)}` : '';
    console.error(`${title}${which}, about ${durationText(source.minutes)} …`);
    const onMinute = (minutes) => console.error(`  … ${durationText(minutes)}`);
    results.push(await runProgram(source, { signal: wanted.signal, onMinute }));
  }
  if (wanted.signal.aborted) return;
  for (const row of source.rows) {
    const found = results.flatMap(({ figures }) => figures.get(row.name) ?? []);
    // A median of fewer values than wanted would hide the run that failed.
    const isWhole = found.length === results.length && found.length > 0;
    print(source, row, isWhole ? medianOf(found) : undefined, unready ?? results.at(-1)?.problem);
  }
}

function print(source, row, value, problem) {
  const name = fullName(source, row);
  const before = latest?.rows[name]?.value;
  const own = flagsOf(row, value, before, isSameMachine);
  flags.push(own);
  if (value !== undefined) values[name] = value;
  const cells = [numberText(value, row.unit), targetText(row), numberText(before, row.unit)];
  const reason = value === undefined ? `: ${problem}` : '';
  console.log(lineOf([name, ...cells, `${own.join(', ')}${reason}`], width));
}

function timesOf({ times = 3 }) {
  return options.once ? 1 : times;
}

/** What could not be prepared, in a sentence, by the name of what needs it. */
async function prepare(needs) {
  const steps = {
    build: [build, ensureNodeVersions, ensureExamples],
    vscode: [ensureBrowser, ensureVscode, packageExtension],
  };
  const failed = new Map();
  for (const need of new Set(needs)) {
    try {
      for (const step of steps[need]) await step();
    } catch (error) {
      failed.set(need, error.message);
    }
  }
  return failed;
}

/** What times depend on; nothing that names the machine. */
function machineFacts() {
  const cpus = os.cpus();
  return {
    processor: cpus[0]?.model.trim() ?? 'unknown',
    processors: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
  };
}

function save() {
  const node = JSON.parse(readFileSync(path.join(root, 'test/helpers/node-versions.json'), 'utf8'));
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(latestFile, `${JSON.stringify(withValues(latest, { machine, node, values, date }), null, 2)}\n`);
}
