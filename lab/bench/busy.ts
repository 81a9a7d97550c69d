// Measures how right the figures are on a busy machine: a program that measures itself, on each Node, beside spinning
// processes. Run `npm run bench -- busy`, or after a build `node lab/bench/busy.ts [NODE …] [OPTIONS]`. A NODE is the beginning
// of a tested version, or a file. `--runs N` is the number of runs. `--spinners 0,1,4` is their number for each processor.
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureNodeVersions } from '../../scripts/node-versions.mjs';
import { type NodeVersion, nodeVersions } from '../../test/helpers/node-versions.ts';
import { measureWorst } from './busy/worst.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '5' },
    spinners: { type: 'string', default: '0,1,4' },
  },
});
const spinners = values.spinners.split(',').map((count) => Number(count) * os.availableParallelism());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
await measureWorst(nodesOf(positionals), { runs: Number(values.runs), spinners });

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
