// `npm run test:recorder`, `npm run test:recorder -- WORDS…`: the set-ups whose `name, Node version` holds each word.
import { nodeVersions } from '../helpers/node-versions.ts';
import { install } from './project.ts';
import { runnerSetups } from './runners.ts';
import { spawnSetups } from './spawn-kinds.ts';
import { toolSetups } from './tools.ts';
import { type Trial, trySetup } from './try-setup.ts';

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const all = [...spawnSetups, ...runnerSetups, ...toolSetups].flatMap((setup) =>
  nodeVersions()
    .filter(({ version }) => setup.nodes.includes(Number.parseInt(version)))
    .map((one) => ({ setup, one, title: `${setup.name}, node ${one.version}`.toLowerCase() })),
);
const chosen = all.filter(({ title }) => words.every((word) => title.includes(word)));
const trials: Trial[] = [];
console.log('| set-up | Node | functions | exit | output | s | note |\n|---|---|---|---|---|---|---|');
for (const { setup, one } of chosen) {
  const trial = await trySetup(setup, install(setup.project), one);
  trials.push(trial);
  console.log(rowOf(trial));
}
const failed = trials.filter((trial) => !isRight(trial));
for (const trial of failed) console.log(`\n${trial.setup.name}, Node ${trial.version}:\n${detailsOf(trial)}`);
console.log(`\n${trials.length - failed.length} rows right, ${failed.length} wrong`);
process.exitCode = failed.length === 0 && trials.length > 0 ? 0 : 1;

function isRight({ missing, exits, differences }: Trial): boolean {
  return missing.length === 0 && exits === null && differences.length === 0;
}

function rowOf({ setup, version, found, exits, differences, seconds }: Trial): string {
  const cells = [
    setup.name,
    version,
    `${found} of ${setup.expected.length}`,
    exits === null ? 'same' : exits.join(' → '),
    differences.length === 0 ? 'same' : `${differences.length} lines differ`,
    seconds.toFixed(1),
    setup.note ?? '',
  ];
  return `| ${cells.join(' | ')} |`;
}

function detailsOf({ missing, exits, differences, warnings }: Trial): string {
  return [
    ...missing.map((name) => `not found: ${name}`),
    ...(exits === null ? [] : [`exit ${exits.join(', recorded ')}`]),
    ...differences.slice(0, 12).map((line) => line.slice(0, 200)),
    ...warnings.map((warning) => `warning: ${warning}`),
  ].join('\n');
}
