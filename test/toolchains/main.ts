// `npm run toolchains [-- WORDS OF A NAME …]`: small projects for real tools, each with functions that hold the event loop
// for a known time, as they are and under `hotspan record`; prints a table, and what a person should look at on stderr.
// HOTSPAN_TOOLCHAINS: a folder for the projects, their packages and the recordings, which outlives the run.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { figure } from '../../scripts/figure.mjs';
import { install } from './install.ts';
import type { Setup } from './setup.ts';
import { bundlerSetups } from './setups/bundler-configs.ts';
import { browserSetups } from './setups/browsers.ts';
import { bundleSetups } from './setups/bundles.ts';
import { configFileSetups } from './setups/config-files.ts';
import { frameworkSetups } from './setups/frameworks.ts';
import { generatorSetups } from './setups/generators.ts';
import { linterSetups } from './setups/linter-configs.ts';
import { monorepoSetups } from './setups/monorepos.ts';
import { testSetups } from './setups/test-configs.ts';
import { typescriptSetups } from './setups/typescript-runners.ts';
import { viteServerSetups } from './setups/vite-servers.ts';
import { failedRow, rowsOf, tableHead, troublesOf } from './table.ts';
import { trySetup } from './try-setup.ts';

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1)); // Ends what runs, too.
const { HOTSPAN_TOOLCHAINS: given } = process.env;
if (given !== undefined) mkdirSync(given, { recursive: true });
const tools = realpathSync(given ?? mkdtempSync(path.join(os.tmpdir(), 'hotspan-toolchains-')));
const words = process.argv.slice(2);
const setups = [
  ...bundlerSetups,
  ...configFileSetups,
  ...linterSetups,
  ...testSetups,
  ...viteServerSetups,
  ...frameworkSetups,
  ...bundleSetups,
  ...typescriptSetups,
  ...monorepoSetups,
  ...generatorSetups,
  ...browserSetups,
];
const chosen = setups.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
console.log(`Node ${process.version}, ${new Date().toISOString().slice(0, 10)}\n\n${tableHead}`);
const differing: string[] = [];
for (const setup of chosen) await tryOne(setup);
figure('projects with a difference', differing.length);
if (differing.length > 0) process.exitCode = 1;
if (given === undefined) rmSync(tools, { recursive: true });
process.exitCode = chosen.length === 0 ? 1 : process.exitCode;

/** One that cannot be tried says why, and holds no other up. */
async function tryOne(setup: Setup): Promise<void> {
  try {
    const recording = path.join(tools, 'recordings', setup.name.replaceAll(/[^\w.]+/g, '-'));
    const trial = await trySetup(setup, { folder: install(setup.project, tools), recording });
    const troubles = troublesOf(trial);
    console.log(rowsOf(trial));
    for (const trouble of troubles) console.error(trouble);
    if (troubles.length > 0) differing.push(setup.name);
  } catch (error) {
    const why = reasonOf(error);
    console.log(failedRow(setup, why));
    console.error(`${setup.name}: ${why}`);
    differing.push(setup.name);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} ${reasonOf(error.cause)}`;
}
