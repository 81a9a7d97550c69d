// `npm run test:recorder`: each set-up on each Node version. `-- --node 24 --only tap`: some of them (both can be
// repeated); `--resume`: without those that were right with this build; `--limit 60`: seconds for each of a row's two
// runs; `--page`: writes docs/recorder-matrix.md from the newest result of each row; `--tiers`: all of it with V8's logs
// instead of profiles, of which no result is kept.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { figure } from '../../scripts/figure.mjs';
import { type NodeVersion, nodeVersions } from '../helpers/node-versions.ts';
import { projectFile } from '../helpers/project.ts';
import { matrixPage } from './matrix-page.ts';
import { install } from './project.ts';
import { runnerSetups } from './runners.ts';
import type { Setup } from './setup.ts';
import { spawnSetups } from './spawn-kinds.ts';
import { toolSetups } from './tools.ts';
import { rowOf, tableHead, troublesOf } from './trial-text.ts';
import { TrialStore } from './trial-store.ts';
import { type Trial, trySetup } from './try-setup.ts';

const { values } = parseArgs({
  options: {
    node: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', multiple: true, default: [] },
    limit: { type: 'string', default: '90' },
    resume: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    tiers: { type: 'boolean', default: false },
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1)); // Ends what runs, too.
const setups = [...spawnSetups, ...runnerSetups, ...toolSetups];
const store = new TrialStore();
const rows = setups.flatMap((setup) =>
  nodeVersions()
    .filter(({ version }) => isChosen(setup, version))
    .map((one) => ({ setup, one })),
);
const trials: Trial[] = [];
console.log(tableHead);
for (const { setup, one } of rows) {
  const known = values.resume && !values.tiers ? store.rightOne({ name: setup.name, version: one.version }) : null;
  const trial = known ?? (await tryRow(setup, one));
  if (known === null && !values.tiers) store.add(trial);
  trials.push(trial);
  console.log(rowOf(trial));
}
const wrong = trials.filter((trial) => trial.wrong.length > 0);
for (const trial of wrong) console.log(`\n${trial.name}, Node ${trial.version}:\n${troublesOf(trial)}`);
if (values.page) writeFileSync(projectFile('docs/recorder-matrix.md'), matrixPage(setups, nodeVersions(), store));
console.log(`\n${trials.length - wrong.length} rows right, ${wrong.length} wrong`);
figure('rows that differ', wrong.length);
process.exitCode = wrong.length === 0 && trials.length > 0 ? 0 : 1;

function isChosen({ name, nodes }: Setup, version: string): boolean {
  const isNamed = values.only.length === 0 || values.only.some((word) => name.includes(word));
  const isWanted = values.node.length === 0 || values.node.some((word) => `${version}.`.startsWith(`${word}.`));
  return nodes.includes(Number.parseInt(version)) && isNamed && isWanted;
}

/** A wrong row is tried once more, which is said: on a busy machine tests run out of time, and samplers starve. */
async function tryRow(setup: Setup, one: NodeVersion): Promise<Trial> {
  const first = await tryOnce(setup, one);
  if (first.wrong.length === 0 || first.exits === null) return first;
  const second = await tryOnce(setup, one);
  const [reason = ''] = first.wrong;
  return { ...second, notes: [...second.notes, `Tried twice; the first time: ${reason.split('\n')[0]}`] };
}

/** A row that cannot be tried says why, and holds no other up. */
async function tryOnce(setup: Setup, one: NodeVersion): Promise<Trial> {
  try {
    return await trySetup(setup, install(setup.project), one, {
      limitSeconds: Number(values.limit),
      flags: values.tiers ? ['--tiers'] : [],
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const none = { found: 0, exits: null, differences: [], isReordered: false, warnings: [], notes: [], seconds: 0 };
    return {
      ...none,
      recording: null,
      name: setup.name,
      version: one.version,
      expected: setup.expected.length,
      wrong: [why],
    };
  }
}
