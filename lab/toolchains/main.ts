// `npm run toolchains [-- WORDS OF A NAME …]`: small projects for real tools, as they are and under `hotspan record`; prints
// a table, and what a person should look at on stderr. `npm run recorder-matrix` (`--recorder`) takes those that run on each
// Node version: runners, package managers, ways to start a process. `--node 24`: on one of them; `--tiers`: with V8's logs.
// HOTSPAN_TOOLCHAINS: a folder for the projects, their packages and the recordings, which outlives the run.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { figure } from '../figure.mjs';
import { type NodeVersion, nodeVersion } from '../../test/helpers/node-versions.ts';
import { install } from './install.ts';
import { readSetups, type Setup } from './read-projects.ts';
import { failedRow, rowsOf, tableHead, troublesOf } from './table.ts';
import { trySetup } from './try-setup.ts';

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    recorder: { type: 'boolean', default: false },
    node: { type: 'string', multiple: true, default: [] },
    tiers: { type: 'boolean', default: false },
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1)); // Ends what runs, too.
const { HOTSPAN_TOOLCHAINS: given } = process.env;
if (given !== undefined) mkdirSync(given, { recursive: true });
const tools = realpathSync(given ?? mkdtempSync(path.join(os.tmpdir(), 'hotspan-toolchains-')));
const rows = readSetups()
  .filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  .flatMap((setup) => nodesOf(setup).map((node) => ({ setup, node })));
console.log(`Node ${process.version}, ${new Date().toISOString().slice(0, 10)}\n\n${tableHead}`);
const differing: string[] = [];
for (const { setup, node } of rows) if ((await troublesIn(setup, node)).length > 0) differing.push(setup.name);
console.log(`\n${rows.length - differing.length} rows right, ${differing.length} with a difference`);
figure('rows that differ', differing.length);
if (given === undefined) rmSync(tools, { recursive: true });
process.exitCode = differing.length > 0 || rows.length === 0 ? 1 : 0;

/** Those of the tools' Node alone are a run of their own. */
function nodesOf({ nodes }: Setup): readonly NodeVersion[] {
  if (!values.recorder) return nodes === null ? [{ version: process.versions.node, node: process.execPath }] : [];
  const majors = (nodes ?? []).map(String);
  return majors.filter((major) => values.node.length === 0 || values.node.includes(major)).map(nodeVersion);
}

/** Prints a row. A wrong one of a runner is tried once more, which is said: on a busy machine its sampler may starve. */
async function troublesIn(setup: Setup, node: NodeVersion): Promise<readonly string[]> {
  const first = await tryOne(setup, node);
  const isAgain = values.recorder && first.troubles.length > 0;
  const { row, troubles } = isAgain ? await tryOne(setup, node) : first;
  console.log(isAgain ? `${row} tried twice, the first time: ${first.troubles[0]?.split('\n')[0]} |` : row);
  for (const trouble of troubles) console.error(trouble);
  return troubles;
}

/** One that cannot be tried says why, and holds no other up. */
async function tryOne(setup: Setup, node: NodeVersion): Promise<{ row: string; troubles: readonly string[] }> {
  try {
    const recording = path.join(tools, 'recordings', `${setup.name} ${node.version}`.replaceAll(/[^\w.]+/g, '-'));
    const flags = values.tiers ? ['--tiers'] : [];
    const trial = await trySetup(setup, { folder: install(setup.project, tools), recording, node, flags });
    return { row: rowsOf(trial), troubles: troublesOf(trial) };
  } catch (error) {
    const why = reasonOf(error);
    return { row: failedRow(setup, node.version, why), troubles: [`${setup.name}, Node ${node.version}: ${why}`] };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} ${reasonOf(error.cause)}`;
}
