import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compareOutputs } from '../helpers/comparable-output.ts';
import type { NodeVersion } from '../helpers/node-versions.ts';
import { projectFile } from '../helpers/project.ts';
import { type LimitedRun, runLimited } from '../helpers/run-limited.ts';
import { findExpected } from './find-expected.ts';
import type { Note, Setup } from './setup.ts';

/** One row of the table: plain data, kept between runs. */
export interface Trial {
  readonly name: string;
  readonly version: string;
  readonly expected: number;
  readonly found: number;
  /** Null: neither was run. */
  readonly exits: readonly [bare: string, recorded: string] | null;
  /** The lines of both outputs that are only in one of them. */
  readonly differences: readonly string[];
  /** The outputs have the same lines in another order. */
  readonly isReordered: boolean;
  /** What is wrong and no note explains, in sentences. None: the row is right. */
  readonly wrong: readonly string[];
  /** What the recording says of itself. */
  readonly warnings: readonly string[];
  /** Why it is not like the others. */
  readonly notes: readonly string[];
  readonly seconds: number;
  /** Recording of a wrong row, to be looked at; null where it was removed. */
  readonly recording: string | null;
}

export interface TrialOptions {
  /** Time limit of each of the two runs. */
  readonly limitSeconds: number;
  /** More for `hotspan record`. */
  readonly flags: readonly string[];
}

/** Runs the set-up in its folder as it is, then under `hotspan record`, and compares. */
export async function trySetup(
  setup: Setup,
  folder: string,
  { node, version }: NodeVersion,
  { limitSeconds, flags }: TrialOptions,
): Promise<Trial> {
  const recording = mkdtempSync(path.join(os.tmpdir(), 'hotspan-matrix-'));
  const major = Number.parseInt(version);
  const command = setup.command(node, major);
  const record = [
    process.execPath,
    projectFile('dist/cli.cjs'),
    'record',
    '--quiet',
    ...flags,
    '--out',
    recording,
    '--',
  ];
  const options = { cwd: folder, env: environmentFor(node), limitSeconds };
  const bare = await runLimited(command, options);
  const recorded = await runLimited([...record, ...command], options);
  const notes = (setup.notes ?? []).filter(({ nodes }) => nodes?.includes(major) !== false);
  const { missing, warnings } = await findExpected(recording, folder, setup.expected);
  const outputs = compareBoth(bare, recorded);
  const wrong = [
    ...wrongExits(bare, recorded, notes),
    ...(outputs.differences.length > 0 ? [`${outputs.differences.length} lines of output differ`] : []),
    ...unexplained(missing, warnings, notes),
  ];
  if (wrong.length === 0) rmSync(recording, { recursive: true, force: true });
  return {
    name: setup.name,
    version,
    expected: setup.expected.length,
    found: setup.expected.length - missing.size,
    exits: [bare.exit, recorded.exit],
    ...outputs,
    wrong,
    warnings,
    notes: notes.map(({ why }) => why),
    seconds: bare.seconds + recorded.seconds,
    recording: wrong.length === 0 ? null : recording,
  };
}

function compareBoth(bare: LimitedRun, recorded: LimitedRun): Pick<Trial, 'differences' | 'isReordered'> {
  const both = [compareOutputs(bare.stdout, recorded.stdout), compareOutputs(bare.stderr, recorded.stderr)];
  return {
    differences: both.flatMap(({ lines }) => lines),
    isReordered: both.some(({ isReordered }) => isReordered),
  };
}

/** Without what the tools' own run has set. */
function environmentFor(node: string): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, FORCE_COLOR: _color, ...rest } = process.env;
  const PATH = `${path.dirname(node)}${path.delimiter}${process.env['PATH'] ?? ''}`;
  return { ...rest, PATH, CI: '1', NO_COLOR: '1', COREPACK_ENABLE_STRICT: '0' };
}

function wrongExits(bare: LimitedRun, recorded: LimitedRun, notes: readonly Note[]): readonly string[] {
  const known = notes.find(({ bareExit }) => bareExit !== undefined)?.bareExit ?? '0';
  return [
    ...(bare.exit === known ? [] : [`without the recorder: ${bare.exit}. ${lastLines(bare)}`]),
    ...(bare.exit === recorded.exit ? [] : [`exit ${bare.exit}, recorded ${recorded.exit}. ${lastLines(recorded)}`]),
  ];
}

function lastLines({ stdout, stderr }: LimitedRun): string {
  const lines = (stderr.trim() === '' ? stdout : stderr).trim().split('\n');
  return lines.slice(-8).join('\n');
}

/** What no note explains. Where something is lost, the recording must say so itself. */
function unexplained(
  missing: ReadonlyMap<string, string>,
  warnings: readonly string[],
  notes: readonly Note[],
): readonly string[] {
  const isBroken = notes.some(({ bareExit }) => bareExit !== undefined);
  const lost = new Set(notes.flatMap((note) => note.lost ?? []));
  const unsaid = notes.filter(({ said }) => said !== undefined && !warnings.some((warning) => said.test(warning)));
  return [
    ...[...missing].filter(([name]) => !isBroken && !lost.has(name)).map(([, what]) => `not found: ${what}`),
    ...unsaid.map(({ said }) => `the recording does not say ${String(said)}`),
  ];
}
