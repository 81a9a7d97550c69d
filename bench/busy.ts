// Measures how right the figures are on a busy machine, and what the recorder costs. Run `npm run bench -- busy`, or
// after a build `node bench/busy.ts [SECTION [NODE …]] [OPTIONS]`. A NODE is the beginning of a tested version, or a
// file.
// - worst: a program that measures itself, on each Node, beside spinning processes.
// - shop, healthy, spread: the tests of two examples, on the first NODE (without one, on the Node that runs this).
// `--runs N` is the number of runs. `--spinners 0,1,4` is their number for each
// processor.
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureHealthy, measureShop, measureSpread } from './busy/examples.ts';
import { measureWorst } from './busy/worst.ts';
import { ensureNodeVersions } from '../scripts/node-versions.mjs';
import { type NodeVersion, nodeVersions } from '../test/helpers/node-versions.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string' },
    spinners: { type: 'string', default: '0,1,4' },
  },
});
const [section, ...wanted] = positionals;
const processors = os.availableParallelism();
const spinners = values.spinners.split(',').map((count) => Number(count) * processors);
const most = Math.max(...spinners);
const runsOr = (usual: number): number => Number(values.runs ?? usual);
const node = wanted.length === 0 ? process.execPath : (nodesOf(wanted)[0]?.node ?? process.execPath);

const sections: Readonly<Record<string, () => Promise<void>>> = {
  worst: async () => measureWorst(nodesOf(wanted), { runs: runsOr(5), spinners }),
  shop: async () => measureShop(node, [0, most], runsOr(3)),
  healthy: async () => measureHealthy(node, most, runsOr(10)),
  spread: async () =>
    measureSpread(
      node,
      [0, 1, 2, 4].map((count) => count * processors),
      runsOr(10),
    ),
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
const chosen = section === undefined ? Object.keys(sections) : [section];
for (const name of chosen) {
  const measure = sections[name];
  if (measure === undefined) throw new Error(`No section ${name}: choose among ${Object.keys(sections).join(', ')}.`);
  console.log(`\n${name}`);
  await measure();
}

/** The Nodes that are asked for, by the beginning of a version (`24`) or by file; without any, all that are tested. */
function nodesOf(wanted: readonly string[]): readonly NodeVersion[] {
  ensureNodeVersions();
  const tested = nodeVersions();
  if (wanted.length === 0) return tested;
  return wanted.flatMap((name) => {
    if (name.includes('/')) return [{ version: path.basename(name), node: path.resolve(name) }];
    return tested.filter(({ version }) => `${version}.`.startsWith(`${name}.`));
  });
}
