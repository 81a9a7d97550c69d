import path from 'node:path';
import { type Baseline, listBaselines } from '../../recordings/baselines.ts';
import { commitOf, repositoryOf } from '../../recorder/launch/pairs/git.ts';
import type { RecheckArguments } from '../arguments/recheck-arguments.ts';
import { commandOf, lastRecording } from './last-recording.ts';
import type { WantedBase } from './paired-runs.ts';
import type { Surroundings } from './record.ts';

/** What the command, the tests and the base are taken from. */
export interface Known {
  readonly type: 'known';
  /** They know the tests. */
  readonly recordings: readonly string[];
  /** Runs of the base, for where no commit has its sources. */
  readonly baseRuns: readonly string[];
  readonly command: readonly string[];
  /** Null where no commit has the sources of the base. */
  readonly base: WantedBase | null;
}

export interface Failed {
  readonly type: 'failed';
  readonly message: string;
}

/** What a person says of the base and of the command. */
type Asked = Pick<RecheckArguments, 'base' | 'baseline' | 'recording' | 'command' | 'setup' | 'install'>;

/**
 * The baseline if there is one, else the last recording. Where the person names a commit, that is the base, and the
 * newest of both is what knows the command and the tests.
 */
export async function whatIsKnown(
  { base, baseline: name, recording, command, setup, install }: Asked,
  surroundings: Surroundings,
): Promise<Known | Failed> {
  const { cwd } = surroundings;
  const baselines = base === null ? await listBaselines(cwd) : [];
  const baseline = name === null ? baselines[0] : baselines.find((one) => one.name === name);
  if (name !== null && baseline === undefined)
    return { type: 'failed', message: `There is no baseline "${name}" here: see hotspan baseline --list.` };
  const given = recording === null ? null : path.resolve(cwd, recording);
  const last = given ?? (baseline === undefined ? await lastRecording(cwd) : null);
  if (last === null && baseline === undefined && (base === null || command.length === 0))
    return {
      type: 'failed',
      message:
        'Nothing was recorded here: record the tests first (hotspan record -- npm test), or set a baseline (hotspan baseline -- npm test).',
    };
  const recordings = last === null ? (baseline?.recordings ?? []) : [last];
  const run = await runOf(command, baseline, last, surroundings);
  if (run.type === 'failed') return run;
  const wanted = await baseOf(base, baseline, { setup, install }, cwd);
  if (wanted?.type === 'failed') return wanted;
  const baseRuns = baseline?.recordings ?? recordings;
  return { type: 'known', recordings, baseRuns, command: run.command, base: wanted };
}

async function runOf(
  given: readonly string[],
  baseline: Baseline | undefined,
  last: string | null,
  surroundings: Surroundings,
): Promise<{ readonly type: 'known'; readonly command: readonly string[] } | Failed> {
  if (given.length > 0) return { type: 'known', command: given };
  const from = last ?? baseline?.recordings[0];
  return from === undefined
    ? { type: 'failed', message: 'Give the command after "--".' }
    : commandOf(from, surroundings);
}

async function baseOf(
  ref: string | null,
  baseline: Baseline | undefined,
  preparation: Pick<WantedBase, 'setup' | 'install'>,
  cwd: string,
): Promise<({ readonly type: 'wanted' } & WantedBase) | Failed | null> {
  const wanted = ref ?? baseline?.commit ?? null;
  if (wanted === null) return null;
  const name = ref ?? `the baseline "${baseline?.name ?? ''}"`;
  const objects = ref === null ? (baseline?.objects ?? null) : null;
  if (objects !== null) return { type: 'wanted', name, commit: wanted, objects, ...preparation };
  const repository = await repositoryOf(cwd);
  if (repository.type === 'failed') return repository;
  const found = await commitOf(wanted, repository);
  if (found.type === 'failed')
    return ref !== null
      ? found
      : {
          type: 'failed',
          message: `The sources of the baseline "${baseline?.name ?? ''}" are gone from the repository: set it again (hotspan baseline).`,
        };
  return { type: 'wanted', name, commit: found.commit, objects, ...preparation };
}
