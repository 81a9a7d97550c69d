import { failed, type Failure } from '../../protocol/failure.ts';
import path from 'node:path';
import { analyze, type AnalyzeResult } from '../../engine/analyze.ts';
import { MIN_PROCESSOR_SHARE, processorShare } from '../../engine/compare/side.ts';
import { defaultThresholdUs } from '../../protocol/figures.ts';
import {
  type Baseline,
  closeBaseline,
  deleteBaseline,
  listBaselines,
  openBaseline,
  sourcesIn,
} from '../../recordings/baselines.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { isAtOrBelow } from '../../protocol/path-spelling.ts';
import { reasonOf } from '../../recordings/private-files.ts';
import { hasTests, readManifest, sizeText } from '../../recordings/recording-folders.ts';
import { filesOfRun } from '../../recorder/launch/pairs/code-watch.ts';
import { repositoryOf } from '../../recorder/launch/pairs/git.ts';
import { ignoredAmong } from '../../recorder/launch/pairs/ignored-files.ts';
import { keepWorkTree, type KeptWorkTree } from '../../recorder/launch/pairs/snapshot.ts';
import { noteOwnRecording } from '../../recorder/launch/run/own-commands.ts';
import { redactArguments } from '../../recorder/command-lines/redact.ts';
import { startsTests } from '../../recorder/launch/npm-scripts/script-text.ts';
import { fileReaders } from '../../recorder/launch/packages/readers.ts';
import { ago, busyText, plural } from '../../words/formats/figures.ts';
import { describeFailure } from '../../words/failures.ts';
import { showsProgram } from '../../words/summary.ts';
import type { BaselineArguments } from '../arguments/recheck-arguments.ts';
import { CodeOfRuns } from './code-of-runs.ts';
import { commandFrom, type KnownCommand, shownCommand, wholeOf } from './find-recording.ts';
import { nearestRecording } from '../../recordings/newest-of-project.ts';
import { plainText, refuse, type Surroundings, type Terminal, type Session } from '../views/terminal.ts';
import { type FailedCommand, HeadRuns } from './head-runs.ts';

/** Sets, lists or deletes baselines. Gives the exit code. */
export async function baselineCommand(session: Session<BaselineArguments>): Promise<number> {
  const { task } = session.options;
  if (task === 'list') return list(session);
  return task === 'delete' ? forget(session) : set(session);
}

async function list({ terminal: { out }, surroundings }: Session<BaselineArguments>): Promise<number> {
  const baselines = await listBaselines(surroundings.cwd);
  if (baselines.length === 0) out.write('No baseline is set here: set one with "hotspan baseline -- npm test".\n');
  for (const { name, createdAt, bytes, command, recordings, commit } of baselines) {
    const sources = commit === null ? 'without sources' : 'with its sources';
    const facts = [ago(Date.parse(createdAt), Date.now()), sizeText(bytes), plural(recordings.length, 'run'), sources];
    out.write(`${plainText(`${name}  ${facts.join(' · ')}  ${shownCommand(command)}`)}\n`);
  }
  return 0;
}

async function forget({ options, terminal, surroundings }: Session<BaselineArguments>): Promise<number> {
  const { name } = options;
  const { err } = terminal;
  const { cwd } = surroundings;
  const found = await baselineNamed(name, cwd);
  if (found === undefined)
    return refuse(err, `The baseline "${name}" does not exist here: list them with "hotspan baseline --list".`);
  await deleteBaseline(found);
  err.say(`The baseline "${name}" was deleted (${sizeText(found.bytes)}).`);
  return 0;
}

async function set({ options, terminal, surroundings }: Session<BaselineArguments>): Promise<number> {
  const { name, command: given, recording } = options;
  const { err } = terminal;
  const { cwd } = surroundings;
  const last = recording === null && given.length === 0 ? await nearestRecording(cwd) : null;
  const from = recording === null ? last : path.resolve(cwd, recording);
  const next = 'say what to run, "hotspan baseline -- npm test".';
  const known = await commandFrom(given, from, surroundings, next);
  if (known.type === 'failed') return refuse(err, known.message);
  const createdAt = new Date().toISOString();
  const repository = await repositoryOf(cwd);
  const folder = await openBaseline(cwd, name).catch((error: unknown) =>
    failed(`A baseline lies in its project, and ${cwd} cannot be written to (${reasonOf(error)}).`),
  );
  if (typeof folder !== 'string') return refuse(err, folder.message);
  const tree = repository.type === 'found' ? await keepWorkTree(repository, sourcesIn(folder)) : repository;
  const runs = await runsOf(known, folder, err, surroundings);
  if (runs.type !== 'ran') {
    err.say(runs.message);
    return runs.type === 'stopped' ? 3 : 2;
  }
  const kept = tree.type === 'kept' ? await ifRan(tree, runs.paths) : tree;
  const old = await baselineNamed(name, cwd);
  if (kept.type === 'failed' && repository.type === 'found' && (old?.commit ?? null) !== null)
    return refuse(err, `${kept.message} The baseline "${name}" has its sources, and is not replaced.`);
  const commit = kept.type === 'kept' ? kept.commit : null;
  const command = redactArguments(known.command);
  const recordings = await closeBaseline({ folder, name, createdAt, command, commit, recordings: runs.paths });
  // Their folder has a new name.
  for (const one of recordings)
    await noteOwnRecording(one, (await readManifest(one))?.startedAt ?? '', surroundings.env);
  if (runs.failed !== null) err.say(failedText(runs.failed, folder, name));
  for (const note of await notesOf(kept, recordings)) err.say(note);
  const replaced = old === undefined ? '' : ` It replaces the one set ${ago(Date.parse(old.createdAt), Date.now())}.`;
  err.say(`The baseline "${name}" is set: ${plural(runs.paths.length, 'run')} of ${shownCommand(command)}.${replaced}`);
  return 0;
}

/** The sources, if they are what ran. */
async function ifRan(kept: KeptWorkTree, [first = '']: readonly string[]): Promise<KeptWorkTree | Failure> {
  const { repository, dirty } = kept;
  const files = await filesOfRun(first);
  const ran = dirty.find((folder) => files.some((file) => isAtOrBelow(file, path.join(repository.root, folder))));
  return ran === undefined ? kept : failed(`The repository ${ran} has uncommitted changes, and ran: commit them.`);
}

/** Sentences about what is not among the sources. */
async function notesOf(kept: KeptWorkTree | Failure, [first = '']: readonly string[]): Promise<readonly string[]> {
  if (kept.type === 'failed')
    return [
      `The sources were not kept: ${kept.message} Without sources, a re-check recognizes only changes by a factor of two.`,
    ];
  const [one, ...others] = (await ignoredAmong(kept.repository, await filesOfRun(first))) ?? [];
  const more = others.length === 0 ? '' : ` and ${plural(others.length, 'other file')}`;
  return [
    ...kept.dirty.map((folder) => `The repository ${folder} has uncommitted changes: they are not in the baseline.`),
    ...(one === undefined
      ? []
      : [`The sources were kept without ${one.file}${more}, which ran and which git ignores.`]),
  ];
}

/** The folder in which it ran has the baseline's name now. */
function failedText({ exitCode, log }: FailedCommand, folder: string, name: string): string {
  const output = path.join(path.dirname(folder), name, path.relative(folder, log ?? ''));
  return `The command failed (exit code ${exitCode}): the baseline has what ran. Its output is in ${output}.`;
}

async function baselineNamed(wanted: string, cwd: string): Promise<Baseline | undefined> {
  return (await listBaselines(cwd)).find(({ name }) => name === wanted);
}

/** Three runs; five if other processes had the CPU for more than 30 % of the time. The output goes into files. */
async function runsOf(
  known: KnownCommand,
  folder: string,
  err: Terminal['err'],
  surroundings: Surroundings,
): Promise<
  | { readonly type: 'ran'; readonly paths: readonly string[]; readonly failed: FailedCommand | null }
  | { readonly type: 'stopped'; readonly message: string }
  | Failure
> {
  const runs = new HeadRuns(surroundings, err, folder);
  const commands = [wholeOf(known, surroundings.cwd)];
  const paths: string[] = [];
  const code = await CodeOfRuns.open(surroundings.cwd);
  let wanted = 3;
  let failedRun: FailedCommand | null = null;
  while (paths.length < wanted) {
    const run = await runs.run(commands, paths.length + 1, wanted);
    if (run.type === 'failed') return run;
    if (run.type === 'stopped') return { type: 'stopped', message: stoppedText(paths.length, wanted, folder) };
    if (run.exitCode !== 0) {
      const end = `The command failed (exit code ${run.exitCode})`;
      const lacking = await lackOf(run.recordings, known, surroundings);
      if (lacking !== null) return { type: 'failed', message: `${end} and ${lacking} ${run.log}.` };
      failedRun ??= { exitCode: run.exitCode, log: run.log };
    }
    paths.push(...run.recordings);
    const read = await analyzed(run.recordings);
    if (read.type === 'failed') return failed(`${describeFailure(read.failure)}${noBaseline}`);
    await code.add({ ...read, path: paths.at(-1) ?? '' });
    const other = await code.whyOther();
    if (other !== null) return failed(`${other}${noBaseline}`);
    const share = processorShare(read.analysis.streams) ?? 1;
    if (paths.length > 1 || share >= MIN_PROCESSOR_SHARE) continue;
    wanted = 5;
    err.say(`${busyText(share)} So it runs ${wanted} times.`);
  }
  return { type: 'ran', paths, failed: failedRun };
}

function stoppedText(done: number, of: number, folder: string): string {
  const kept = done === 0 ? '' : ` What was recorded is in ${folder} until the next one is set.`;
  return `It was stopped after ${done} of ${of} runs, and sets no baseline.${kept}`;
}

/** What a failed run lacks to be a baseline, before the path of its output; null: nothing. Some runners report no tests. */
async function lackOf(
  recordings: readonly string[],
  { command }: KnownCommand,
  { cwd, env }: Surroundings,
): Promise<string | null> {
  if ((await Promise.all(recordings.map(hasTests))).includes(true)) return null;
  if (await startsTests(command, cwd, fileReaders(env))) return `reported no test${notSet}`;
  const result = await analyzed(recordings);
  return result.type === 'analyzed' && showsProgram(result.analysis) ? null : `none of your code was seen${notSet}`;
}

const notSet = ', so no baseline is set. Its output is in';

const noBaseline = ' No baseline was set.';

async function analyzed(recordings: readonly string[]): Promise<AnalyzeResult> {
  return analyze(recordings, diskWorld, { thresholdUs: defaultThresholdUs, roots: [], sourceMaps: false });
}
