import { failed, type Failure } from '../../protocol/failure.ts';
import path from 'node:path';
import { commitOf, type KeptCommit, repositoryOf } from '../../recorder/launch/pairs/git.ts';
import { type Baseline, listBaselines } from '../../recordings/baselines.ts';
import { lastRecording, nearestRecording, nothingRecorded } from '../../recordings/newest-of-project.ts';
import type { RecheckArguments } from '../arguments/recheck-arguments.ts';
import type { Surroundings } from '../views/terminal.ts';
import { commandFrom, type KnownCommand } from './find-recording.ts';

/** The base that the user names, and how to prepare it. */
export interface WantedBase extends KeptCommit {
  /** A git ref as typed, or `the baseline "main"`. */
  readonly name: string;
  /** Runs of these sources, from before there was a comparison; none where a git ref names them. */
  readonly recordings: readonly string[];
  /** A shell command, run in the base before its first run. */
  readonly setup: string | null;
  /** A shell command that installs its dependencies if they differ; null: that of its lockfile. */
  readonly install: string | null;
}

/** Where the command, the tests and the base come from. */
export interface Known {
  readonly type: 'known';
  /** Those with the tests. */
  readonly recordings: readonly string[];
  /** Whether they are the newest recording, as the user named neither a recording nor a command and no baseline is set. */
  readonly isNewest: boolean;
  /** Runs of the base, if no commit has its sources. */
  readonly baseRuns: readonly string[];
  readonly command: readonly string[];
  readonly load: KnownCommand['load'];
  /** Null if no commit has the sources of the base. */
  readonly base: WantedBase | null;
}

type Asked = Pick<RecheckArguments, 'base' | 'baseline' | 'recording' | 'command' | 'setup' | 'install'>;

/**
 * The base is the named commit, else the baseline, else the last recording. The command and the tests are those of the
 * newest of both. `load`: the given one, which replaces that of the recording.
 */
export async function whatIsKnown(
  { base, baseline: name, recording, command, setup, install }: Asked,
  surroundings: Pick<Surroundings, 'cwd' | 'env'>,
  load: KnownCommand['load'] = null,
): Promise<Known | Failure> {
  const { cwd } = surroundings;
  const baselines = base === null ? await listBaselines(cwd) : [];
  const baseline = name === null ? baselines[0] : baselines.find((one) => one.name === name);
  if (name !== null && baseline === undefined)
    return failed(`The baseline "${name}" does not exist here: list them with "hotspan baseline --list".`);
  const given = recording === null ? null : path.resolve(cwd, recording);
  const newest = command.length === 0 ? nearestRecording : lastRecording;
  const last = given ?? (baseline === undefined ? await newest(cwd) : null);
  if (last === null && baseline === undefined && (base === null || command.length === 0))
    return failed(
      `${await nothingRecorded([cwd])}: record the tests first (hotspan record -- npm test), or set a baseline (hotspan baseline -- npm test).`,
    );
  const recordings = last === null ? (baseline?.recordings ?? []) : [last];
  const from = last ?? baseline?.recordings[0] ?? null;
  const run = await commandFrom(command, from, surroundings, 'give the command after "--".', load);
  if (run.type === 'failed') return run;
  const wanted = await baseOf(base, baseline, { setup, install }, cwd);
  if (wanted?.type === 'failed') return wanted;
  const baseRuns = baseline?.recordings ?? recordings;
  const isNewest = given === null && baseline === undefined && command.length === 0;
  return { type: 'known', recordings, isNewest, baseRuns, command: run.command, load: run.load, base: wanted };
}

async function baseOf(
  ref: string | null,
  baseline: Baseline | undefined,
  preparation: Pick<WantedBase, 'setup' | 'install'>,
  cwd: string,
): Promise<({ readonly type: 'wanted' } & WantedBase) | Failure | null> {
  const wanted = ref ?? baseline?.commit ?? null;
  if (wanted === null) return null;
  const name = ref ?? `the baseline "${baseline?.name ?? ''}"`;
  const objects = ref === null ? (baseline?.objects ?? null) : null;
  const named = { name, objects, recordings: baseline?.recordings ?? [], ...preparation };
  if (objects !== null) return { type: 'wanted', ...named, commit: wanted };
  const repository = await repositoryOf(cwd);
  if (repository.type === 'failed') return repository;
  const found = await commitOf(wanted, repository);
  if (found.type === 'failed' && ref === null)
    return failed(`The sources of ${name} are gone from the repository: set it again (hotspan baseline).`);
  if (found.type === 'failed') {
    const isBaseline = (await listBaselines(cwd)).some((one) => one.name === ref);
    return isBaseline ? failed(`${found.message} For the baseline of this name, give --baseline ${ref}.`) : found;
  }
  return { type: 'wanted', ...named, commit: found.commit };
}
