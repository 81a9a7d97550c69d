import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type CompareResult, compareRecordings, type GivenSide } from '../../engine/compare/compare-recordings.ts';
import { describeFailure } from '../../words/failures.ts';
import { defaultIntervalUs } from '../../protocol/recording.ts';
import type { Comparison } from '../../protocol/comparison.ts';
import { defaultRecordingFolder } from '../../recordings/recording-folders.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { fileReaders } from '../../recorder/launch/packages/readers.ts';
import { commitOf, git, type Repository, repositoryOf } from '../../recorder/launch/pairs/git.ts';
import { dependenciesFor } from '../../recorder/launch/pairs/prepare-worktree.ts';
import {
  type PairProgress,
  type PairSide,
  type PairsRun,
  runPairs,
  type SideCommand,
} from '../../recorder/launch/pairs/run-pairs.ts';
import { openWorktree, type Worktree } from '../../recorder/launch/pairs/worktree.ts';
import { targetForFile } from '../../recorder/launch/targets/file-targets.ts';
import { changeVerdicts } from '../../words/formats/change-texts.ts';
import { plural } from '../../words/formats/figures.ts';
import { refusalText } from '../../words/refusals.ts';
import type { ComparePairsArguments } from '../arguments/compare-arguments.ts';
import { showProgress, type Terminal, plainText } from '../views/terminal.ts';
import { exitCodeOf, printedComparison } from './compare.ts';
import type { Surroundings } from './record.ts';
import path from 'node:path';

/**
 * Runs a command on a commit and on the work tree as it is, in turn, and compares them. Gives the exit code: as
 * `compareCommand`, and 3 where it was stopped before anything could be said.
 */
export async function comparePairsCommand(
  options: ComparePairsArguments,
  terminal: Terminal,
  surroundings: Surroundings,
): Promise<number> {
  const say = (sentence: string): void => terminal.err.write(`hotspan: ${plainText(sentence)}\n`);
  const fail = ({ message }: { readonly message: string }): 2 => {
    say(message);
    return 2;
  };
  const repository = await repositoryOf(surroundings.cwd);
  if (repository.type === 'failed') return fail(repository);
  const base = await commitOf(options.base, repository);
  if (base.type === 'failed') return fail(base);
  const worktree = await openWorktree(repository, base.commit);
  if (worktree.type === 'failed') return fail(worktree);
  const stopping = watchForStop();
  try {
    const session = { options, terminal, surroundings, repository, worktree, say, stopping };
    const out = `${await defaultRecordingFolder(surroundings.cwd, new Date())}-compare`;
    await mkdir(out, { recursive: true, mode: 0o700 });
    const unready = await prepare(session, out);
    if (unready !== null) return fail(unready);
    if (await isUnchanged(repository, base.commit))
      say(`Nothing differs from ${options.base}: what is measured is how much figures vary.`);
    return await measure({ ...session, out });
  } finally {
    await worktree.close();
    stopping.dispose();
  }
}

interface Session {
  readonly options: ComparePairsArguments;
  readonly terminal: Terminal;
  readonly surroundings: Surroundings;
  readonly repository: Repository;
  readonly worktree: Worktree;
  readonly say: (sentence: string) => void;
  readonly stopping: { readonly isStopped: () => boolean };
  /** Folder of the recordings. */
  readonly out: string;
}

/** Ctrl+C ends the comparison after the run that goes on, which gets it too. */
function watchForStop(): Session['stopping'] & { readonly dispose: () => void } {
  const state = { isStopped: false };
  const stop = (): void => {
    state.isStopped = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  return {
    isStopped: () => state.isStopped,
    dispose: () => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, stop);
    },
  };
}

async function isUnchanged({ root }: Repository, commit: string): Promise<boolean> {
  const differences = await git(root, ['diff', '--quiet', commit, '--']);
  const untracked = await git(root, ['ls-files', '--others', '--exclude-standard']);
  return differences.type === 'done' && untracked.type === 'done' && untracked.text === '';
}

/** Gives the base its dependencies, and what else it needs; a sentence where that fails. */
async function prepare(
  { options, repository, worktree, say }: Omit<Session, 'out'>,
  out: string,
): Promise<{ readonly message: string } | null> {
  const dependencies = await dependenciesFor(repository, worktree);
  const log = path.join(out, 'prepare.log');
  const failed = (command: string, reason: string): { readonly message: string } => ({
    message: `The base could not be prepared: "${command}" ${reason} there. Its output is in ${log}. --setup COMMAND can do what it needs besides.`,
  });
  if (dependencies.type === 'install') {
    const why =
      dependencies.why === 'lockfile' ? 'its dependencies are others' : 'packages of the repository are linked';
    say(`Installing the dependencies of ${options.base} (${why}) …`);
    const reason = await runToLog(dependencies.command, worktree.root, log);
    if (reason !== null) return failed(dependencies.command.join(' '), reason);
  }
  if (options.setup === null) return null;
  const reason = await runToLog([options.setup], worktree.folder, log, true);
  return reason === null ? null : failed(options.setup, reason);
}

/** Runs a command; null where it went well, else how it ended. */
async function runToLog(
  [file = '', ...args]: readonly string[],
  cwd: string,
  log: string,
  shell = process.platform === 'win32',
): Promise<string | null> {
  const output = openSync(log, 'a', 0o600);
  try {
    return await new Promise((resolve) => {
      const child = spawn(file, args, { cwd, shell, stdio: ['ignore', output, output] });
      child.once('error', ({ message }) => resolve(`cannot be started (${message})`));
      child.once('exit', (code, signal) => resolve(code === 0 ? null : `ended with ${signal ?? `exit code ${code}`}`));
    });
  } finally {
    closeSync(output);
  }
}

async function measure(session: Session): Promise<number> {
  const { options, say, surroundings, worktree } = session;
  const command = (cwd: string): PairSide => [{ command: options.command, cwd, env: {} }];
  const sides = { base: command(worktree.folder), head: command(surroundings.cwd) };
  const first = await run(session, sides, 1, options.pairs, 'pair');
  if (first.ended?.type === 'failed') say(first.ended.message);
  if (first.pairs.length === 0) return first.ended?.type === 'failed' ? 2 : 3;
  sayExits(first, options.base, say);
  const seen = await compared(session, [first], false);
  if (seen.type !== 'compared') return sayWhyNot(seen, say);
  const changed = seen.comparison.functions.filter(({ verdict }) => changeVerdicts.some((one) => one === verdict));
  const isCut = first.ended !== null || first.pairs.length < leastPairs;
  if (changed.length === 0 || isCut) return print(seen.comparison, session, isCut ? first.pairs.length : null);
  const narrow = await narrowSides(
    changed.flatMap(({ testFiles }) => testFiles),
    session,
  );
  say(
    `${plural(changed.length, 'change')} to confirm${narrow === null ? '' : `, by ${plural(narrow.base.length, 'test file')}`} …`,
  );
  const second = await run(session, narrow ?? sides, options.pairs + 1, options.pairs, 'confirming pair');
  if (second.pairs.length < leastPairs) return print(seen.comparison, session, first.pairs.length);
  const all = await compared(session, [first, second], narrow !== null);
  if (all.type !== 'compared') return sayWhyNot(all, say);
  return print(all.comparison, session, null);
}

/** Fewer pairs tell nothing. */
const leastPairs = 3;

async function run(
  { options, surroundings, out, stopping, terminal: { err } }: Session,
  sides: { readonly base: PairSide; readonly head: PairSide },
  from: number,
  count: number,
  noun: string,
): Promise<PairsRun> {
  const { env, recorderFile, version } = surroundings;
  const onRun = (progress: PairProgress): void => {
    const text = progressText(progress, { from, count, noun, base: options.base });
    if (err.isTerminal) showProgress(err, text);
    else err.write(`hotspan: ${plainText(text)}\n`);
  };
  const common = { env, recorderFile, hotspanVersion: version, intervalUs: defaultIntervalUs };
  const result = await runPairs({ ...common, ...sides, from, count, out, onRun, isStopped: stopping.isStopped });
  showProgress(err, '');
  return result;
}

/** `Pair 2 of 3: main … about 40 s left`. */
function progressText(
  { pair, side, left, meanMs }: PairProgress,
  { from, count, noun, base }: { from: number; count: number; noun: string; base: string },
): string {
  const seconds = meanMs === null ? null : Math.ceil((meanMs * left) / 1000);
  const rest =
    seconds === null ? '' : ` about ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`} left`;
  return `${noun.replace(/^\w/, (first) => first.toUpperCase())} ${pair - from + 1} of ${count}: ${side === 'base' ? base : 'your work tree'} …${rest}`;
}

/** Says where the command itself failed: what it did not run has no figures. */
function sayExits({ pairs }: PairsRun, name: string, say: (sentence: string) => void): void {
  for (const side of ['base', 'head'] as const) {
    const failed = pairs.map((pair) => pair[side]).filter(({ exitCode }) => exitCode !== 0);
    const [one] = failed;
    if (one === undefined) continue;
    const where = side === 'base' ? name : 'your work tree';
    say(
      `The command failed on ${where} in ${failed.length} of ${plural(pairs.length, 'run')} (exit code ${one.exitCode}): what did not run there has no figures. Its output is in ${one.log}.`,
    );
  }
}

async function compared(
  { options, surroundings, terminal: { err } }: Session,
  runs: readonly PairsRun[],
  isNarrow: boolean,
): Promise<CompareResult> {
  const pairs = runs.flatMap((one) => one.pairs);
  const side = (of: 'base' | 'head', name: string): GivenSide => {
    return { name, runs: pairs.map((pair) => pair[of].recordings) };
  };
  const result = await compareRecordings(side('base', options.base), side('head', 'work tree'), diskWorld, {
    thresholdUs: options.thresholdUs,
    roots: [],
    currentFolder: surroundings.cwd,
    order: 'interleaved',
    confirm: runs.length === 1 ? null : { from: runs[0]?.pairs.length ?? 0, isNarrow },
    onRun: (done, total) => showProgress(err, `Reading recording ${done + 1} of ${total} …`),
  });
  showProgress(err, '');
  return result;
}

function sayWhyNot(result: Exclude<CompareResult, { type: 'compared' }>, say: Session['say']): 2 {
  say(result.type === 'failed' ? describeFailure(result.failure) : refusalText(result.refusal));
  return 2;
}

/**
 * The commands that run only these test files, on both sides; null where a file or its runner is not known, or there are
 * too many.
 */
async function narrowSides(
  testFiles: readonly string[],
  { surroundings, repository, worktree }: Session,
): Promise<{ readonly base: PairSide; readonly head: PairSide } | null> {
  const files = [...new Set(testFiles)];
  if (files.length === 0 || files.length > mostFiles) return null;
  const readers = fileReaders(surroundings.env);
  const commandsIn = async (root: string, folder: string): Promise<readonly SideCommand[] | null> => {
    const commands: SideCommand[] = [];
    for (const file of files) {
      const found = await targetForFile(path.join(folder, file), root, readers);
      if (found.type === 'none') return null;
      const { command, folder: cwd, env } = found.target;
      commands.push({ command, cwd, env });
    }
    return commands;
  };
  const base = await commandsIn(worktree.root, worktree.folder);
  const head = await commandsIn(repository.root, surroundings.cwd);
  return base === null || head === null ? null : { base, head };
}

/** From so many files on the whole command is run again. */
const mostFiles = 4;

/** Prints a comparison. `cut`: it was ended after so many pairs, before anything was confirmed; else null. */
function print(comparison: Comparison, { options, terminal: { out } }: Session, cut: number | null): number {
  const warnings =
    cut === null
      ? []
      : [`It was ended after ${plural(cut, 'pair')}, before changes were confirmed: run it again for a verdict.`];
  const shown = { ...comparison, warnings: [...comparison.warnings, ...warnings] };
  out.write(printedComparison(shown, options, out));
  return cut === null ? exitCodeOf(shown) : 3;
}
