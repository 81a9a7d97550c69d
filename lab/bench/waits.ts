// Measures what a person waits for: what `hotspan record -q -- node empty.js` takes beyond `node empty.js`, until when
// the command has started, and how long after the end of the shop's tests the table is there. In turn, medians of 9.
// `npm run bench -- waits`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { median } from '../../protocol/figures.ts';
import { figure } from '../figure.mjs';
import { projectFile } from '../../test/helpers/project.ts';

const rounds = 9;
const cli = projectFile('dist/cli.cjs');
const shop = projectFile('examples/shop');
const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-waits-'));

/** Writes the processor time of this process alone, at its end. What it starts gets no such hook. */
const usedText = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('fs').writeSync(3, String((user + system) / 1000));
});`;

try {
  await measure();
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(): Promise<void> {
  const hook = path.join(folder, 'used.cjs');
  writeFileSync(hook, usedText);
  const moment = path.join(folder, 'begin.cjs');
  writeFileSync(moment, `process.stdout.write(String(performance.timeOrigin))`);
  writeFileSync(path.join(folder, 'empty.js'), '');
  const record = [cli, 'record', '-q', '--', process.execPath];
  const found = { bare: list(), recorded: list(), command: list(), started: list(), table: list() };
  for (let round = 0; round <= rounds; round++) {
    const bare = run(['--require', hook, 'empty.js']);
    const recorded = run(['--require', hook, ...record, 'empty.js']);
    const begin = performance.timeOrigin + performance.now();
    const started = Number(run([...record, moment]).stdout) - begin;
    const table = await timeToTable();
    if (round === 0) continue; // The compiled code is kept in it.
    found.bare.push(bare.wallMs);
    found.recorded.push(recorded.wallMs - bare.wallMs);
    found.command.push(recorded.cpuMs - bare.cpuMs);
    found.started.push(started);
    found.table.push(table);
  }
  console.log(
    `On ${os.cpus().length} cores at a load of ${os.loadavg()[0]?.toFixed(0)}, Node.js ${process.versions.node}:`,
  );
  console.log('| what | median, least | goal |\n|---|---|---|');
  console.log(row('`node empty.js`, bare', found.bare, ''));
  console.log(row('`hotspan record -q -- node empty.js` above that', found.recorded, '≤ 120 ms'));
  console.log(row('the command itself, processor time above an empty process', found.command, '≤ 60 ms'));
  console.log(row('until the recorded command has started', found.started, ''));
  console.log(row('the shop: from the end of its tests to the table in the terminal', found.table, '≤ 400 ms'));
}

interface Ran {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly stdout: string;
}

function run(words: readonly string[]): Ran {
  const start = performance.now();
  const { status, output, stdout } = spawnSync(process.execPath, words, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${status}.`);
  return { wallMs: performance.now() - start, cpuMs: Number(output[3] ?? Number.NaN), stdout };
}

/** Time in ms from the last output of the tests, which is at their end, to the last output of the command. */
async function timeToTable(): Promise<number> {
  const words = [cli, 'record', '-o', path.join(folder, `shop-${performance.now()}`), '--', process.execPath];
  const mocha = path.join(shop, 'node_modules/mocha/bin/mocha.js');
  const child = spawn(process.execPath, [...words, mocha], { cwd: shop, stdio: ['ignore', 'pipe', 'pipe'] });
  let [tests, table] = [0, 0];
  child.stdout.on('data', () => (tests = performance.now()));
  child.stderr.on('data', () => (table = performance.now()));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`The tests of the shop ended with ${child.exitCode}.`);
  return table - tests;
}

function list(): number[] {
  return [];
}

function row(what: string, values: readonly number[], goal: string): string {
  figure(what.replaceAll('`', ''), median(values));
  return `| ${what} | ${median(values).toFixed(0)} ms, ${Math.min(...values).toFixed(0)} ms | ${goal} |`;
}
