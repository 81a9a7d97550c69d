// npm run tiers [-- PROGRAM …]: V8 logs of public programs on each Node version, read by the engine and by V8's own tick
// processor; and runs in which V8 has one tier. With all programs, lab/docs/v8-log-ticks.md gets the table.
// TIERS_FOLDER: where the programs are installed, to have them there the next time.
import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureNodeVersions } from '../../scripts/node-versions.mjs';
import { nodeVersions } from '../../test/helpers/node-versions.ts';
import { replaceBetween } from '../replace-between.ts';
import { preparePrograms, programs } from '../reference/public-programs.ts';
import { type ComparedLog, compareWithV8, logOf } from './compare-with-v8.ts';

const folder = process.env['TIERS_FOLDER'] ?? mkdtempSync(path.join(tmpdir(), 'hotspan-tiers-'));
const wanted = process.argv.slice(2);

/** A compiler, a minifier, a mocha suite and a jest suite. */
const compared = new Set(['tsc', 'terser', 'mocha', 'jest']);
const oneTier = {
  ignition: ['--no-opt', '--no-sparkplug', '--no-maglev'],
  sparkplug: ['--always-sparkplug', '--no-opt', '--no-maglev'],
};

ensureNodeVersions();
preparePrograms(folder);
const rows: string[] = [];
const forced: string[] = [];
for (const program of programs.filter(({ name }) => compared.has(name) && isWanted(name))) {
  for (const { version, node } of nodeVersions()) {
    const { log, figures } = await compare(program, node, []);
    const equal = figures.equal / figures.ticks;
    if (equal < 0.999) process.exitCode = 1;
    const shares = ['ignition', 'sparkplug', 'maglev', 'turbofan'].map((tier) => percent(frameShare(figures, tier)));
    const cells = [program.name, version, megabytes(log), figures.ticks, percent(equal, 2), ...shares];
    const lines = percent(figures.lines.known / figures.lines.all);
    rows.push(`| ${[...cells, percent(figures.inlined / frameCount(figures)), lines].join(' | ')} |`);
    say(rows, figures);
  }
}
for (const [tier, flags] of Object.entries(oneTier)) {
  const program = programs.find(({ name }) => name === 'mocha');
  if (program === undefined || !isWanted('forced')) continue;
  for (const { version, node } of nodeVersions()) {
    const { figures } = await compare(program, node, flags);
    if (frameShare(figures, tier) < 1) process.exitCode = 1;
    const cells = [`\`${flags.join(' ')}\``, version, frameCount(figures), tier, percent(frameShare(figures, tier), 2)];
    forced.push(`| ${cells.join(' | ')} |`);
    say(forced, figures);
  }
}
if (wanted.length === 0)
  replaceBetween(
    'lab/docs/v8-log-ticks.md',
    ['measured', 'end'],
    [
      '| program | Node | log | ticks | equal to V8 | Ignition | Sparkplug | Maglev | TurboFan | inlined | own line known |',
      '|---|---|---|---|---|---|---|---|---|---|---|',
      ...rows,
      '',
      '| mocha with | Node | frames | tier | of all frames |',
      '|---|---|---|---|---|',
      ...forced,
    ],
  );

function isWanted(name: string): boolean {
  return wanted.length === 0 || wanted.includes(name);
}

async function compare(
  { name, command }: { name: string; command: readonly string[] },
  node: string,
  flags: readonly string[],
) {
  const log = logOf({ node, flags, command, cwd: folder }, path.join(folder, 'logs', name));
  return { log, figures: await compareWithV8(log, node) };
}

function frameCount({ frames }: ComparedLog): number {
  return Object.values(frames).reduce((sum, count) => sum + count, 0);
}

function frameShare(figures: ComparedLog, tier: string): number {
  return (figures.frames[tier] ?? 0) / frameCount(figures);
}

function percent(share: number, digits = 0): string {
  return `${(share * 100).toFixed(digits)} %`;
}

function megabytes(file: string): string {
  return `${(statSync(file).size / 1e6).toFixed(1)} MB`;
}

function say(table: readonly string[], { differences, warnings }: ComparedLog): void {
  console.log(table.at(-1));
  for (const line of [...differences.slice(0, 3), ...warnings]) console.error(line);
}
