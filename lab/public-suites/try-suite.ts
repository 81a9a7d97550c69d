import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compareOutputs } from '../../test/helpers/comparable-output.ts';
import type { NodeVersion } from '../../test/helpers/node-versions.ts';
import { projectFile } from '../../test/helpers/project.ts';
import { type LimitedRun, runLimited } from '../run-limited.ts';
import { type SuiteFindings, readSuite } from './read-suite.ts';
import type { PublicSuite } from './public-suite.ts';

/** One row of the table. */
export interface SuiteTrial {
  readonly suite: PublicSuite;
  readonly pairs: readonly Pair[];
  /** In how many rounds after the first the run as it is was like the first. */
  readonly steady: { readonly exits: number; readonly outputs: number };
  /** By what the runner said of the last recorded run; null where it said nothing. */
  readonly tests: number | null;
  /** Findings of the last recorded run. */
  readonly findings: SuiteFindings;
}

/** A run as it is and a recorded one, one right after the other. */
export interface Pair {
  readonly bare: LimitedRun;
  readonly recorded: LimitedRun;
  /** Lines that only one of the outputs has. */
  readonly differences: readonly string[];
}

const limitSeconds = 400;

/** The runs are in turn, and the one that comes first in turn: what else the machine does meets both. */
export async function trySuite(
  suite: PublicSuite,
  folder: string,
  { node }: NodeVersion,
  times: number,
): Promise<SuiteTrial> {
  const cwd = path.join(folder, suite.name);
  const options = { cwd, env: environmentFor(node), limitSeconds };
  const out = mkdtempSync(path.join(os.tmpdir(), 'hotspan-suites-'));
  const command = [node, ...suite.command];
  const record = [process.execPath, projectFile('dist/cli.cjs'), 'record', '--quiet', '--out'];
  const recordingOf = (round: number): string => path.join(out, String(round));
  try {
    await runLimited(command, options); // Fills the caches of compilers and transformers.
    const pairs: Pair[] = [];
    for (let round = 0; round < times; round += 1) {
      const runRecorded = () => runLimited([...record, recordingOf(round), '--', ...command], options);
      const early = round % 2 === 1 ? await runRecorded() : null;
      const bare = await runLimited(command, options);
      const recorded = early ?? (await runRecorded());
      pairs.push({ bare, recorded, differences: differencesOf(bare, recorded) });
      if (round < times - 1) rmSync(recordingOf(round), { recursive: true, force: true });
    }
    return {
      suite,
      pairs,
      steady: steadinessOf(pairs.map(({ bare }) => bare)),
      tests: testsIn(pairs.at(-1)?.recorded, suite),
      findings: await readSuite(recordingOf(times - 1), cwd),
    };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** Without what the tools' own run has set. */
function environmentFor(node: string): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, FORCE_COLOR: _color, ...rest } = process.env;
  const PATH = `${path.dirname(node)}${path.delimiter}${process.env['PATH'] ?? ''}`;
  return { ...rest, PATH, CI: '1', NO_COLOR: '1' };
}

function differencesOf(one: LimitedRun, other: LimitedRun): readonly string[] {
  return [...compareOutputs(one.stdout, other.stdout).lines, ...compareOutputs(one.stderr, other.stderr).lines];
}

function steadinessOf([first, ...later]: readonly LimitedRun[]): SuiteTrial['steady'] {
  if (first === undefined) return { exits: 0, outputs: 0 };
  return {
    exits: later.filter(({ exit }) => exit === first.exit).length,
    outputs: later.filter((run) => differencesOf(first, run).length === 0).length,
  };
}

/** jest reports on stderr. */
function testsIn(run: LimitedRun | undefined, { tests }: PublicSuite): number | null {
  const [, count] = tests.exec(`${run?.stdout}\n${run?.stderr}`) ?? [];
  return count === undefined ? null : Number(count);
}
