import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { analyze } from '../../engine/analyze.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { describeFailure } from '../../words/failures.ts';
import { isList, isRecord, numberOf, parseJson } from '../../protocol/json-value.ts';
import { reportOf } from '../../show/report/report.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import type { Report } from '../../protocol/report.ts';
import { type Microseconds, microseconds, milliseconds, toMilliseconds } from '../../protocol/units.ts';
import { projectFile } from '../../test/helpers/project.ts';
import type { ReportFunction } from '../../protocol/report-code.ts';

/** What Hotspan says of `test/fixtures/ground-truth`, and what the program's own clock said. */
export interface Measured {
  readonly report: Report;
  readonly analysis: Analysis;
  readonly fn: (name: string) => ReportFunction;
  /** One entry for each time that the function held the loop. */
  readonly truthOf: (name: string) => readonly Held[];
  /** The longest of them, in ms. */
  readonly longest: (name: string) => number;
  /** Within 5 %, or the longest gap between samples at the begin and at the end: what was missed nobody can place. */
  readonly assertClose: (time: Microseconds | undefined, trueMs: number) => void;
}

/** `at` in µs on the profile's own clock. */
export interface Held {
  readonly at: number;
  readonly ms: number;
}

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Where the sampler got no time for more than 2 ms, the program is recorded again: the calmest of four runs counts. */
export async function measureProgram(node: string): Promise<Measured> {
  const runs: Run[] = [];
  while (runs.length < 4 && !runs.some(({ gap }) => gap <= 2)) runs.push(await runProgram(node));
  const { analysis, gap, truth } = runs.toSorted((a, b) => a.gap - b.gap)[0] ?? assert.fail();
  const report = reportOf(analysis, 'all');
  const truthOf = (name: string): readonly Held[] => truth.get(name) ?? assert.fail(`${name} never ran`);
  return {
    report,
    analysis,
    fn: (name) => report.functions.find((fn) => fn.name === name) ?? assert.fail(`no function ${name}`),
    truthOf,
    longest: (name) => Math.max(...truthOf(name).map(({ ms }) => ms)),
    assertClose: (time, trueMs) => {
      const ms = toMilliseconds(time ?? microseconds(0));
      const allowed = Math.max(trueMs * 0.05, 2 * gap);
      assert.ok(Math.abs(ms - trueMs) <= allowed, `${ms} ms; by its own clock ${trueMs} ms, ± ${allowed} ms`);
    },
  };
}

interface Run {
  readonly analysis: Analysis;
  readonly truth: ReadonlyMap<string, readonly Held[]>;
  /** The longest time, in ms, for which one sample stands of a function that only counts, or of what calls it. */
  readonly gap: number;
}

async function runProgram(node: string): Promise<Run> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-truth-'));
  folders.push(folder);
  const fixtures = projectFile('test/fixtures/ground-truth');
  cpSync(fixtures, folder, { recursive: true });
  cpSync(path.join(fixtures, 'slow-hash.cjs'), path.join(folder, 'node_modules/slow-hash/index.js'));
  const recording = path.join(folder, 'recording');
  const record = ['record', '--quiet', '--out', recording, '--', node, 'program.cjs'];
  await promisify(execFile)(node, [projectFile('dist/cli.cjs'), ...record], { cwd: folder });
  const analysis = await analysisOf(recording, folder);
  const truth = truthIn(readFileSync(path.join(folder, 'truth.json'), 'utf8'));
  return { analysis, truth, gap: longestGap(analysis) };
}

async function analysisOf(recording: string, folder: string): Promise<Analysis> {
  const options = { thresholdUs: milliseconds(10), roots: [folder], sourceMaps: true };
  const result = await analyze([recording], diskWorld, options);
  return result.type === 'analyzed' ? result.analysis : assert.fail(describeFailure(result.failure));
}

/**
 * Functions that only count, and what calls them, where V8 loses their frame: inside built-ins long gaps are nothing
 * unusual.
 */
const counting = new Set(['bigLoop', 'smallHelper', 'work', 'mixRounds', 'processImmediate', 'blockInWorker']);

function longestGap({ streams, bridged, functions }: Analysis): number {
  const gaps = streams.flatMap(({ times, end, tree }, index) =>
    Array.from(times, (time, sample) => {
      const fn = functions.functions[tree.functionId[bridged[index]?.nodes[sample] ?? 0] ?? -1];
      return counting.has(fn?.name ?? '') ? ((times.at(sample + 1) ?? end) - time) / 1000 : 0;
    }),
  );
  return Math.max(0, ...gaps);
}

function truthIn(text: string): ReadonlyMap<string, readonly Held[]> {
  const truth = parseJson(text);
  return new Map(
    Object.entries(isRecord(truth) ? truth : {}).map(([name, times]) => [
      name,
      (isList(times) ? times : [])
        .filter(isRecord)
        .map(({ at, ms }) => ({ at: numberOf(at, Number.NaN), ms: numberOf(ms, Number.NaN) })),
    ]),
  );
}
