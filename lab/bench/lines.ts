// Measures whether the lines are right: for each compiler, one line after the other is made slow. Installs the
// compilers into a temporary folder.
// `npm run bench -- lines`, or `node lab/bench/lines.ts [WORDS OF A NAME]` for some of them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { forcedProgram } from '../nightly/lines-truth/forced-program.ts';
import { type Judged, type Verdict, judge } from '../nightly/lines-truth/judge.ts';
import { figure } from '../figure.mjs';
import { projectFile } from '../../test/helpers/project.ts';
import type { Toolchain } from './lines/toolchain.ts';
import { packages, toolchains } from './lines/toolchains.ts';
import { groupBy } from '../../engine/basics/lists.ts';

/** A folder for the compilers that outlives this run, where one is given. */
const { HOTSPAN_BENCH_TOOLS: given } = process.env;
const [, , wanted = ''] = process.argv;
const tools = given ?? mkdtempSync(path.join(os.tmpdir(), 'hotspan-lines-'));
if (!existsSync(path.join(tools, 'node_modules'))) installCompilers();
/** Most bad lines that are shown for each compiler. */
const mostShown = 15;
const verdicts: readonly Verdict[] = ['right', 'marked', 'elsewhere', 'wrong', 'lost'];
console.log(
  '| compiler | lines | right | ≈ or one of, and among them | ≈, another line | wrong | nothing said | right or ≈ |',
);
console.log(`|---|${'---|'.repeat(verdicts.length + 2)}`);
const all: Judged[] = [];
const failed: string[] = [];
for (const toolchain of toolchains(tools)) if (toolchain.name.includes(wanted)) await measure(toolchain);
printWays();
figure('lines that are wrong or say nothing', all.filter(isBad).length);
figure('compilers that could not be run', failed.length);
if (given === undefined) rmSync(tools, { recursive: true });

function installCompilers(): void {
  mkdirSync(tools, { recursive: true });
  writeFileSync(path.join(tools, 'package.json'), '{ "private": true }');
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages];
  execFileSync('npm', args, { cwd: tools, shell: process.platform === 'win32', stdio: ['ignore', 2, 2] });
}

async function measure(toolchain: Toolchain): Promise<void> {
  const judged: Judged[] = [];
  for (const shift of [0, 1]) {
    try {
      judged.push(...(await judgeOnce(toolchain, shift)));
    } catch (error) {
      failed.push(toolchain.name);
      console.log(
        `| ${toolchain.name} | could not be run: ${String(error).split('\n').slice(0, 9).join(' ').slice(0, 700)} |`,
      );
      return;
    }
  }
  all.push(...judged);
  const bad = judged.filter(isBad);
  const share = (100 * (judged.length - bad.length)) / judged.length;
  console.log(`| ${toolchain.name} | ${judged.length} | ${countsOf(judged).join(' | ')} | ${share.toFixed(1)} % |`);
  for (const { force, verdict, said } of bad.slice(0, mostShown))
    console.error(`    ${verdict}: ${force.project}:${force.line} ${force.way} → ${said}`);
}

function isBad({ verdict }: Judged): boolean {
  return verdict === 'wrong' || verdict === 'lost';
}

/** How many lines were slow in each way, for all compilers together. */
function printWays(): void {
  console.log(`\n| slow by | lines | right | ≈ or one of, and among them | ≈, another line | wrong | nothing said |`);
  console.log(`|---|${'---|'.repeat(verdicts.length + 1)}`);
  for (const [way, judged] of groupBy(all, ({ force }) => force.way))
    console.log(`| ${way} | ${judged.length} | ${countsOf(judged).join(' | ')} |`);
}

function countsOf(judged: readonly Judged[]): readonly number[] {
  return verdicts.map((verdict) => judged.filter((each) => each.verdict === verdict).length);
}

async function judgeOnce(toolchain: Toolchain, shift: number): Promise<readonly Judged[]> {
  const folder = mkdtempSync(path.join(tools, 'program-'));
  const { files, forces } = forcedProgram({ ...toolchain, shift });
  for (const [name, text] of [...files, ...Object.entries(toolchain.files)]) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  for (const command of toolchain.build) node(command, folder);
  const recording = path.join(folder, 'recording');
  const record = ['record', '--quiet', '--out', recording, '--', process.execPath];
  node([projectFile('dist/cli.cjs'), ...record, ...toolchain.run], folder);
  const judged = await judge(folder, recording, forces);
  rmSync(folder, { recursive: true });
  return judged;
}

function node(args: readonly string[], cwd: string): void {
  execFileSync(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], timeout: 180_000 });
}
