// Measures which share of an analysis the findings take: V8's own profiler runs meanwhile, in the same process, and samples
// with a function of engine/judge/findings/ on the stack count. So other programs slow both sides alike.
// `npm run bench -- findings` takes recordings of the examples and of tests, and writes the table in lab/docs/performance.md.
// `node lab/bench/findings.ts FOLDER/RECORDING …` measures only these recordings, each of the project in FOLDER.
import type { Profiler } from 'node:inspector';
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import os from 'node:os';
import path from 'node:path';
import { analyze } from '../../engine/analyze.ts';
import { milliseconds } from '../../protocol/units.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { figure } from '../figure.mjs';
import { copyFixture } from '../../test/helpers/recording-fixtures.ts';
import { replaceBetween } from '../replace-between.ts';

interface Recorded {
  readonly name: string;
  /** Absolute paths. */
  readonly project: string;
  readonly recording: string;
}

/** How often each recording is analyzed. The first time V8 compiles most of it, as for a command; then as for an editor. */
const rounds = 9;
const goal = 0.03;

const given = process.argv.slice(2).map((word): Recorded => {
  const recording = path.resolve(word);
  return {
    name: path.relative(path.resolve(recording, '../..'), recording),
    project: path.dirname(recording),
    recording,
  };
});
const temporary = mkdtempSync(path.join(os.tmpdir(), 'hotspan-findings-'));
process.on('exit', () => rmSync(temporary, { recursive: true }));
const fixtures = (['shop/first', 'reports/first'] as const).map((name): Recorded => {
  const project = path.join(temporary, name);
  return { name, ...copyFixture(name, { project }) };
});

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: 200 });
const head = ['| recording | operations | first analysis | median of the others | goal |', '|---|---|---|---|---|'];
const rows: string[] = [];
const medians: number[] = [];
for (const recorded of given.length > 0 ? given : fixtures) {
  const shares: number[] = [];
  let operations = 0;
  for (let round = 0; round < rounds; round++) {
    await session.post('Profiler.start');
    operations = await operationsOf(recorded);
    const { profile } = await session.post('Profiler.stop');
    shares.push(shareOf(profile));
  }
  const [first = Number.NaN, ...others] = shares;
  const median = others.toSorted((a, b) => a - b)[Math.floor(others.length / 2)] ?? Number.NaN;
  medians.push(median);
  rows.push(`| ${recorded.name} | ${operations} | ${percent(first)} | ${percent(median)} | ${percent(goal)} |`);
}
console.log([...head, ...rows].join('\n'));
figure('most that findings take of an analysis', 100 * Math.max(...medians));
if (given.length === 0) replaceBetween('lab/docs/performance.md', ['findings', 'end of findings'], [...head, ...rows]);

async function operationsOf({ project, recording }: Recorded): Promise<number> {
  const options = { thresholdUs: milliseconds(10), roots: [project], sourceMaps: true };
  const result = await analyze([recording], diskWorld, options);
  if (result.type === 'failed') throw new Error(`${recording} cannot be analyzed: ${result.failure.type}`);
  return result.analysis.operations.length;
}

/** The share of time in functions of engine/judge/findings/, and in what they call, of all time in which the thread computed. */
function shareOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): number {
  const isInside = new Map<number, boolean>();
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id));
  for (const { id, callFrame, children = [] } of nodes) {
    // Callers come before their callees.
    const inside = isInside.get(id) === true || callFrame.url.includes('/engine/judge/findings/');
    isInside.set(id, inside);
    for (const child of children) isInside.set(child, inside);
  }
  let all = 0;
  let findings = 0;
  for (const [at, node] of samples.entries()) {
    const weight = idle.has(node) ? 0 : Math.max(0, timeDeltas[at + 1] ?? 0);
    all += weight;
    if (isInside.get(node) === true) findings += weight;
  }
  return findings / Math.max(1, all);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
