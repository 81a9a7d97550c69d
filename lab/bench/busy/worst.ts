import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { figure } from '../../figure.mjs';
import type { NodeVersion } from '../../../test/helpers/node-versions.ts';
import { type Compared, type FigureKind, compare, summaryOf, readTruth } from './compare.ts';
import { program } from './program.ts';
import { recorded } from './recorded.ts';
import { beside } from './spinners.ts';
import { total, percent, printTable, share } from './table.ts';

/** A Node, and how many processes spin beside it. */
export interface Setting extends NodeVersion {
  readonly spinners: number;
}

export interface WorstOptions {
  readonly runs: number;
  /** Numbers of spinners. Each of them is measured on each Node. */
  readonly spinners: readonly number[];
}

/** Measures how right the figures of `program` are. */
export async function measureWorst(nodes: readonly NodeVersion[], options: WorstOptions): Promise<void> {
  const settings = nodes.flatMap((node) => options.spinners.map((spinners) => ({ ...node, spinners })));
  const found: { readonly setting: Setting; readonly all: readonly Compared[] }[] = [];
  for (const setting of settings) {
    const all = await beside(setting.spinners, async () => runsOf(setting, options));
    found.push({ setting, all });
    console.error(`  Node ${setting.version}, ${setting.spinners} spinners: done`);
  }
  printTable([
    head,
    ...found.flatMap(({ setting, all }) => [rowOf(setting, 'worst', all), rowOf(setting, 'own', all)]),
  ]);
  for (const { setting, all } of found) printSureButOff(setting, all);
  const summaries = found.map(({ all }) => summaryOf(all));
  const wrong = total(summaries.map(({ wrongOperations }) => wrongOperations));
  figure('largest median error', 100 * Math.max(...summaries.map(({ medianError }) => medianError)));
  figure('long operations counted wrong', (100 * wrong) / total(summaries.map((one) => one.longOperations)));
  figure(
    'figures off without ≈, in a run',
    total(summaries.map(({ offButSure }) => offButSure.length)) / (summaries.length * options.runs),
  );
}

async function runsOf(setting: Setting, { runs }: WorstOptions): Promise<readonly Compared[]> {
  const all: Compared[] = [];
  for (let run = 0; run < runs; run += 1) all.push(...(await runOnce(setting)));
  return all;
}

async function runOnce({ node }: Pick<Setting, 'node'>): Promise<readonly Compared[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-busy-'));
  try {
    writeFileSync(path.join(folder, 'program.cjs'), program);
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    const analysis = await recorded([node, 'program.cjs'], folder);
    const truth = readTruth(readFileSync(path.join(folder, 'truth.json'), 'utf8'));
    return compare(analysis, truth);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const head = [
  ...['Node', 'spinners', 'figure', 'median error', 'p90', 'long counts wrong', 'by operations'],
  ...['off > 15 % and 3 ms', 'without ≈', '≈ of all'],
];

function rowOf({ version, spinners }: Setting, kind: FigureKind, all: readonly Compared[]): readonly string[] {
  const summary = summaryOf(all.filter((one) => one.kind === kind));
  return [
    version,
    String(spinners),
    kind,
    `${(100 * summary.medianError).toFixed(1)} %`,
    percent(summary.p90Error),
    share(summary.wrongCounts, summary.figures),
    share(summary.wrongOperations, summary.longOperations),
    String(summary.off.length),
    String(summary.offButSure.length),
    percent(summary.estimated),
  ];
}

function printSureButOff({ version, spinners }: Setting, all: readonly Compared[]): void {
  for (const { kind, name, figure, truth, samples } of summaryOf(all).offButSure) {
    const times = `${figure.toFixed(1)} ms of ${samples} samples, in truth ${truth.toFixed(1)} ms`;
    console.log(`  without ≈: Node ${version}, ${spinners} spinners: ${kind} of ${name} ${times}`);
  }
}
