import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Analysis } from '../../engine/analysis.ts';
import { analyze } from '../../engine/analyze.ts';
import { nodeWorld } from '../../node-world/node-world.ts';
import { milliseconds } from '../../protocol/units.ts';
import type { NodeVersion } from '../helpers/node-versions.ts';
import { projectFile } from '../helpers/project.ts';
import { comparableOutput } from './comparable-output.ts';
import type { ExpectedFunction, Setup } from './setup.ts';

/** One row of the table. */
export interface Trial {
  readonly setup: Setup;
  readonly version: string;
  /** Expected, not among the lost, and not found: with what was found instead, if anything. */
  readonly missing: readonly string[];
  readonly found: number;
  /** The two exits, where they differ. */
  readonly exits: readonly [bare: string, recorded: string] | null;
  /** The lines of both outputs that are only in one of them. */
  readonly differences: readonly string[];
  readonly warnings: readonly string[];
  readonly seconds: number;
}

interface Run {
  readonly exit: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the set-up in its folder as it is, then under `hotspan record`, and compares. */
export async function trySetup(setup: Setup, folder: string, { node, version }: NodeVersion): Promise<Trial> {
  const started = performance.now();
  const out = mkdtempSync(path.join(os.tmpdir(), 'hotspan-matrix-'));
  try {
    const command = setup.command(node);
    const bare = run(command, folder, node);
    const recording = path.join(out, 'recording');
    const record = [process.execPath, projectFile('dist/cli.cjs'), 'record', '--quiet', '--out', recording, '--'];
    const recorded = run([...record, ...command], folder, node);
    const { missing, warnings } = await judge(recording, folder, setup);
    return {
      setup,
      version,
      missing,
      found: setup.expected.length - (setup.lost?.length ?? 0) - missing.length,
      exits: bare.exit === recorded.exit ? null : [bare.exit, recorded.exit],
      differences: [...differences(bare.stdout, recorded.stdout), ...differences(bare.stderr, recorded.stderr)],
      warnings,
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function run(command: readonly string[], cwd: string, node: string): Run {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, FORCE_COLOR: _color, ...rest } = process.env;
  const PATH = `${path.dirname(node)}${path.delimiter}${process.env['PATH'] ?? ''}`;
  const env = { ...rest, PATH, CI: '1', NO_COLOR: '1', COREPACK_ENABLE_STRICT: '0' };
  const [file = '', ...args] = command;
  const { status, signal, stdout, stderr } = spawnSync(file, args, { cwd, env, encoding: 'utf8', timeout: 120_000 });
  return { exit: String(signal ?? status), stdout: comparableOutput(stdout), stderr: comparableOutput(stderr) };
}

async function judge(recording: string, folder: string, setup: Setup): Promise<Pick<Trial, 'missing' | 'warnings'>> {
  const options = { thresholdUs: milliseconds(10), roots: [folder], sourceMaps: true };
  const result = await analyze([recording], nodeWorld, options);
  if (result.type === 'failed') return { missing: [`everything: ${JSON.stringify(result.failure)}`], warnings: [] };
  const wanted = setup.expected.filter(({ name }) => setup.lost?.includes(name) !== true);
  const missing = wanted.flatMap((one) => whyMissing(one, result.analysis));
  return { missing, warnings: result.analysis.warnings };
}

/** It must be there with samples, at its line in its source, and never in the background where a runner started it. */
function whyMissing({ name, file, line }: ExpectedFunction, { functions, streams }: Analysis): readonly string[] {
  const here = functions.functions.filter((fn) => fn.name === name);
  const sampled = here.filter(({ id }) => streams.some(({ tree }) => tree.functionId.includes(id)));
  if (sampled.length === 0) return [name];
  const isAtPlace = sampled.some((fn) => file === '' || (fn.url.endsWith(file) && fn.line + 1 === line));
  if (!isAtPlace) return [`${name} at its place: ${sampled.map((fn) => `${fn.url}:${fn.line + 1}`).join(', ')}`];
  const isGrey = streams.every(
    ({ tree, isolate }) =>
      isolate.threadKind === 'background' || !sampled.some(({ id }) => tree.functionId.includes(id)),
  );
  return isGrey && file !== '' ? [`${name} in a thread that counts`] : [];
}

function differences(bare: string, recorded: string): readonly string[] {
  const [left, right] = [bare.split('\n'), recorded.split('\n')];
  return [
    ...left.filter((line) => !right.includes(line)).map((line) => `- ${line}`),
    ...right.filter((line) => !left.includes(line)).map((line) => `+ ${line}`),
  ];
}
