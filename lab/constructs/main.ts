// `npm run constructs`: whether the slow line of each construct is marked, on each Node version. `-- --node 24 --only
// loop`: some of them (both can be repeated); `--guesses`: names those on a guess, too. Fails when a line is wrong, or
// when less than 95 % of the time is on lines that are right or honest.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { figure } from '../figure.mjs';
import { type NodeVersion, nodeVersions } from '../../test/helpers/node-versions.ts';
import { groups, readConstructs, writeProject } from './constructs.ts';
import { type Judged, judgeGroup } from './judge.ts';
import { runGroup } from './run-group.ts';
import { type Column, constructTable, shareTold, summaryTable, troubles } from './table.ts';

const { values } = parseArgs({
  options: {
    node: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', multiple: true, default: [] },
    guesses: { type: 'boolean', default: false },
  },
});
const leastShare = 0.95;
const constructs = readConstructs();
const chosen = constructs.all.filter(({ name, group }) => isChosen(`${group}:${name}`));
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hotspan-constructs-')));
writeProject(folder);
const columns: Column[] = [];
for (const one of nodeVersions().filter(({ version }) => isWanted(version)))
  columns.push({ version: one.version, judged: await judgeOn(one) });
rmSync(folder, { recursive: true });
console.log(`${constructTable(chosen, columns)}\n\n${summaryTable(columns)}\n`);
const shown = ['wrong', 'lost', 'missed', ...(values.guesses ? (['whole', 'honest'] as const) : [])] as const;
for (const column of columns) for (const line of troubles(column, shown)) console.log(line);
const verdictCount = (wanted: string): number =>
  columns.flatMap(({ judged }) => judged.filter(({ verdict }) => verdict === wanted)).length;
figure('lines that are wrong', verdictCount('wrong'));
figure('lines of which nothing is said', verdictCount('lost'));
figure(
  'least time on lines that are right or honest',
  Math.min(...columns.map(({ judged }) => 100 * shareTold(judged))),
);
const isGood = columns.every(
  ({ judged }) => judged.every(({ verdict }) => verdict !== 'wrong') && shareTold(judged) >= leastShare,
);
process.exitCode = isGood && columns.length > 0 && chosen.length > 0 ? 0 : 1;

function isChosen(words: string): boolean {
  return values.only.length === 0 || values.only.some((word) => words.includes(word));
}

function isWanted(version: string): boolean {
  return values.node.length === 0 || values.node.some((word) => `${version}.`.startsWith(`${word}.`));
}

async function judgeOn(one: NodeVersion): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const group of groups) {
    const own = chosen.filter((construct) => construct.group === group);
    if (own.length === 0 || (group.endsWith('.ts') && !stripsTypes(one.version))) continue;
    judged.push(...judgeGroup(own, constructs, await runGroup(folder, group, one), folder));
  }
  return judged;
}

/** Node does so without a flag from 22.18 on. */
function stripsTypes(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}
