import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compareOutputs } from '../helpers/comparable-output.ts';
import { projectFile } from '../helpers/project.ts';
import { parseReport } from '../helpers/report-schema.ts';
import { runCli } from '../helpers/run-cli.ts';
import { type LimitedRun, runLimited } from '../helpers/run-limited.ts';
import { type Judged, type Times, judge, otherLines } from './judge.ts';
import type { Setup } from './setup.ts';

/** A set-up that was run as it is and under `hotspan record`. */
export interface Trial {
  readonly setup: Setup;
  readonly exits: readonly [bare: string, recorded: string];
  /** Lines of output that only one of the two has. */
  readonly differences: readonly string[];
  /** Two runs without the recorder are not the same either. */
  readonly isUnsteady: boolean;
  readonly judged: readonly Judged[];
  /** Lines shown that are of no block. */
  readonly others: readonly string[];
  /** The first line that `hotspan analyze` prints. */
  readonly saysFirst: string;
  /** What it must print is not there. */
  readonly isSilent: boolean;
  readonly warnings: readonly string[];
  /** What the recorded run printed last, where it failed. */
  readonly lastWords: string;
}

export interface TrialPlaces {
  /** The project's. */
  readonly folder: string;
  /** Where the recording is kept. */
  readonly recording: string;
}

const limitSeconds = 120;

/** Throws where a command that prepares fails. */
export async function trySetup(setup: Setup, { folder, recording }: TrialPlaces): Promise<Trial> {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'hotspan-toolchains-'));
  const timesFile = path.join(scratch, 'times');
  const bareOptions = { cwd: folder, env: environment(path.join(scratch, 'bare')), limitSeconds };
  const record = [process.execPath, projectFile('dist/cli.cjs'), 'record', '--quiet', '--out', recording, '--'];
  rmSync(recording, { recursive: true, force: true });
  try {
    for (const words of setup.prepare ?? []) await prepare(withNode(words), bareOptions);
    const command = withNode(setup.command);
    const bare = await runLimited(command, bareOptions);
    const recorded = await runLimited([...record, ...command], { ...bareOptions, env: environment(timesFile) });
    const first = differencesOf(bare, recorded);
    // The first run of some fills a cache, and says so.
    const again = first.length === 0 ? null : await runLimited(command, bareOptions);
    const report = parseReport(await analyzed(['--json', recording], folder));
    const text = await analyzed([recording], folder);
    return {
      setup,
      exits: [bare.exit, recorded.exit],
      differences: again === null ? first : differencesOf(again, recorded),
      isUnsteady: again !== null && differencesOf(bare, again).length > 0,
      judged: judge(setup.blocks, folder, readTimes(timesFile), { report, text }),
      others: otherLines(setup.blocks, folder, report),
      saysFirst: text.split('\n')[0] ?? '',
      isSilent: setup.says !== undefined && !setup.says.test(text),
      warnings: report.warnings,
      lastWords: recorded.exit === '0' ? '' : `${recorded.stdout}${recorded.stderr}`.trim().slice(-1200),
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

type RunOptions = Parameters<typeof runLimited>[1];

async function prepare(command: readonly string[], options: RunOptions): Promise<void> {
  const { exit, stdout, stderr } = await runLimited(command, options);
  if (exit !== '0') throw new Error(`${command.join(' ')}: ${exit}\n${`${stdout}${stderr}`.trim().slice(-1200)}`);
}

function withNode([first = '', ...words]: readonly string[]): readonly string[] {
  return [first === 'node' ? process.execPath : first, ...words];
}

/** Without what the tools' own run has set. */
function environment(times: string): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, FORCE_COLOR: _color, ...rest } = process.env;
  const PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`;
  return { ...rest, PATH, CI: '1', NO_COLOR: '1', ...silenced, HOTSPAN_TIMES: times };
}

const silenced = {
  ASTRO_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  STORYBOOK_DISABLE_TELEMETRY: '1',
  NX_DAEMON: 'false',
  NG_CLI_ANALYTICS: 'false',
  CHECKPOINT_DISABLE: '1',
};

function differencesOf(one: LimitedRun, other: LimitedRun): readonly string[] {
  return [...compareOutputs(one.stdout, other.stdout).lines, ...compareOutputs(one.stderr, other.stderr).lines];
}

async function analyzed(words: readonly string[], folder: string): Promise<string> {
  const { stdout, stderr } = await runCli(['analyze', ...words], { cwd: folder });
  if (stdout === '') throw new Error(`hotspan analyze: ${stderr}`);
  return stdout;
}

function readTimes(file: string): Times {
  const times = new Map<string, number[]>();
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [name = '', ms = ''] = line.split(' ');
    times.set(name, [...(times.get(name) ?? []), Number(ms)]);
  }
  return times;
}
