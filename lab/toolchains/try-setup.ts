import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isRecord } from '../../protocol/json-value.ts';
import { compareOutputs } from '../../test/helpers/comparable-output.ts';
import type { NodeVersion } from '../../test/helpers/node-versions.ts';
import { projectFile } from '../../test/helpers/project.ts';
import { parseReport } from '../../test/helpers/report-schema.ts';
import { runCli } from '../../test/helpers/run-cli.ts';
import { type LimitedRun, runLimited } from '../run-limited.ts';
import { type Judged, type Times, judge, missingFunctions, otherLines } from './judge.ts';
import type { Setup } from './read-projects.ts';

/** A set-up that was run as it is and under `hotspan record`. */
export interface Trial {
  readonly setup: Setup;
  /** Version of the Node that it ran on. */
  readonly version: string;
  /** Version of its tool, as it is installed; '' where that cannot be seen. */
  readonly toolVersion: string;
  readonly exits: readonly [bare: string, recorded: string];
  /** Lines of output that only one of the two has. */
  readonly differences: readonly string[];
  /** Two runs without the recorder are not the same either. */
  readonly isUnsteady: boolean;
  readonly judged: readonly Judged[];
  /** Functions that are not found as they should be: a sentence each, by name. */
  readonly missing: ReadonlyMap<string, string>;
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

export interface TrialOptions {
  /** The project's folder. */
  readonly folder: string;
  /** Where the recording is kept. */
  readonly recording: string;
  readonly node: NodeVersion;
  /** More for `hotspan record`. */
  readonly flags: readonly string[];
}

const limitSeconds = 120;

/** Throws where a command that prepares fails. */
export async function trySetup(setup: Setup, options: TrialOptions): Promise<Trial> {
  const { folder, recording, node, flags } = options;
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'hotspan-toolchains-'));
  const timesFile = path.join(scratch, 'times');
  const bareOptions = { cwd: folder, env: environment(node.node, path.join(scratch, 'bare')), limitSeconds };
  const words = ['record', '--quiet', ...flags, '--out', recording, '--'];
  const record = [process.execPath, projectFile('dist/cli.cjs'), ...words];
  rmSync(recording, { recursive: true, force: true });
  try {
    if (setup.prepare !== null) await prepare(withNode(setup.prepare, node), bareOptions);
    const command = withNode(setup.command, node);
    const bare = await runLimited(command, bareOptions);
    const recorded = await runLimited([...record, ...command], {
      ...bareOptions,
      env: environment(node.node, timesFile),
    });
    const first = differencesOf(bare, recorded);
    // The first run of some fills a cache, and says so.
    const again = first.length === 0 ? null : await runLimited(command, bareOptions);
    const report = parseReport(await analyzed(['--json', recording], folder));
    const text = await analyzed([recording], folder);
    return {
      setup,
      version: node.version,
      toolVersion: installedVersion(path.join(folder, 'node_modules', setup.tool, 'package.json')),
      exits: [bare.exit, recorded.exit],
      differences: again === null ? first : differencesOf(again, recorded),
      isUnsteady: again !== null && differencesOf(bare, again).length > 0,
      judged: judge(setup.blocks, folder, readTimes(timesFile), { report, text }),
      missing: missingFunctions(setup, report),
      others: setup.blocks.length === 0 ? [] : otherLines(setup.blocks, folder, report),
      saysFirst: text.split('\n')[0] ?? '',
      isSilent: ![text, ...report.warnings].some((said) => setup.says?.test(said) !== false),
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

function withNode([first = '', ...words]: readonly string[], { node }: NodeVersion): readonly string[] {
  return [first === 'node' ? node : first, ...words];
}

/** Without what the tools' own run has set. */
function environment(node: string, times: string): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, FORCE_COLOR: _color, ...rest } = process.env;
  const PATH = `${path.dirname(node)}${path.delimiter}${process.env['PATH'] ?? ''}`;
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
  COREPACK_ENABLE_STRICT: '0',
};

function installedVersion(manifest: string): string {
  const value: unknown = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : null;
  return isRecord(value) ? String(value['version']) : '';
}

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
