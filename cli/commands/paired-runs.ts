import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import {
  type CompareOptions,
  type CompareResult,
  compareRecordings,
  type GivenSide,
} from '../../engine/compare/compare-recordings.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { keepTexts, ownTexts } from '../../recordings/kept-files.ts';
import { send } from '../../recordings/run-processes.ts';
import { type Failure, git, type Repository } from '../../recorder/launch/pairs/git.ts';
import { dependenciesFor } from '../../recorder/launch/pairs/prepare-worktree.ts';
import { type PairProgress, type PairSide, type PairsRun, runPairs } from '../../recorder/launch/pairs/run-pairs.ts';
import { openWorktree, type Worktree } from '../../recorder/launch/pairs/worktree.ts';
import { showRun } from '../views/run-progress.ts';
import { type Output, plainText, showProgress } from '../views/terminal.ts';
import { commandsFor, folderForRuns, mostFiles, runOptions, stopSignals } from './head-runs.ts';
import type { Surroundings } from './record.ts';

/** What is run on both sides. */
export interface BothSides {
  readonly base: PairSide;
  readonly head: PairSide;
}

/** The base that a person names, and how it is prepared. */
export interface WantedBase {
  /** A git ref as typed, or what else it is called. */
  readonly name: string;
  readonly commit: string;
  /** A command for the shell, run in the base before its first run; null for none. */
  readonly setup: string | null;
  /** A command for the shell that installs its dependencies, where they are not yours; null for that of its lockfile. */
  readonly install: string | null;
}

/** Runs commands on a commit, in a work tree of its own, and on the person's files, in turn. */
export class PairedRuns {
  readonly #base: WantedBase;
  readonly #repository: Repository;
  readonly #worktree: Worktree;
  readonly #surroundings: Surroundings;
  readonly #err: Output;
  /** Folder of the recordings, and of what the commands printed. */
  readonly out: string;
  readonly #stop = (): void => {
    this.isStopped = true;
  };
  /** True from Ctrl+C on, which the run that goes on gets, too. */
  isStopped = false;

  private constructor(
    base: WantedBase,
    repository: Repository,
    worktree: Worktree,
    surroundings: Surroundings,
    err: Output,
    out: string,
  ) {
    this.#base = base;
    this.#repository = repository;
    this.#worktree = worktree;
    this.#surroundings = surroundings;
    this.#err = err;
    this.out = out;
    for (const signal of stopSignals) process.on(signal, this.#stop);
  }

  /** Checks the base out. It is closed by `close`, whatever happens. */
  static async open(
    base: WantedBase,
    repository: Repository,
    surroundings: Surroundings,
    err: Output,
  ): Promise<PairedRuns | Failure> {
    const out = await folderForRuns(surroundings.cwd);
    const early = { isStopped: false };
    const stop = (): void => {
      early.isStopped = true; // Who ends before the base is closed leaves it behind.
    };
    for (const signal of stopSignals) process.on(signal, stop);
    try {
      const worktree = await openWorktree(repository, base.commit);
      if (worktree.type === 'failed') return worktree;
      if (!existsSync(worktree.folder)) {
        await worktree.close();
        return {
          type: 'failed',
          message: `${base.name} has no folder ${repository.below}: go to one that both sides have.`,
        };
      }
      const pairs = new PairedRuns(base, repository, worktree, surroundings, err, out);
      pairs.isStopped = early.isStopped;
      return pairs;
    } finally {
      for (const signal of stopSignals) process.off(signal, stop);
    }
  }

  async close(): Promise<void> {
    await this.#worktree.close();
    for (const signal of stopSignals) process.off(signal, this.#stop);
  }

  /** Gives the base its dependencies, and what else it needs; a sentence where that fails. */
  async prepare(): Promise<Failure | null> {
    const { name, setup, install } = this.#base;
    const say = (text: string): void => {
      this.#err.write(`hotspan: ${plainText(text)} …\n`);
    };
    const dependencies = await dependenciesFor(this.#repository, this.#worktree);
    if (dependencies.type === 'install') {
      say(`Installing the dependencies of ${name} (${whyInstalled[dependencies.why]})`);
      const [command, inShell] =
        install === null ? [dependencies.command, process.platform === 'win32'] : [[install], true];
      const failed = await this.#runThere(command, this.#worktree.root, inShell);
      if (failed !== null) return this.isStopped ? failed : withAdvice(failed, 'Give another command by --install.');
    }
    if (setup === null) return null;
    say(`Preparing ${name}: ${setup}`);
    return this.#runThere([setup], this.#worktree.folder, true);
  }

  /** Runs a command in the base; a sentence where it fails. What it prints goes into a file. */
  async #runThere(command: readonly string[], cwd: string, shell: boolean): Promise<Failure | null> {
    const log = path.join(this.out, 'prepare.log');
    const output = openSync(log, 'a', 0o600);
    const [file = '', ...args] = command;
    const env = { ...process.env, PWD: cwd };
    // In a group of its own all that it starts can be ended together, and Ctrl+C reaches it once.
    const detached = process.platform !== 'win32';
    const child = spawn(file, args, { cwd, env, shell, detached, stdio: ['ignore', output, output] });
    const passOn = (signal: NodeJS.Signals): void => {
      if (detached && child.pid !== undefined) send(-child.pid, signal);
      else child.kill(signal);
    };
    for (const signal of stopSignals) process.on(signal, passOn);
    const ended = await new Promise<string | null>((resolve) => {
      child.once('error', ({ message }) => resolve(`cannot be started (${message})`));
      child.once('exit', (code, signal) => resolve(code === 0 ? null : `ended with ${signal ?? `exit code ${code}`}`));
    });
    for (const signal of stopSignals) process.off(signal, passOn);
    closeSync(output);
    if (ended !== null && this.isStopped)
      return { type: 'failed', message: 'It was stopped while the base was prepared: nothing was run.' };
    return ended === null
      ? null
      : {
          type: 'failed',
          message: `The base could not be prepared: "${command.join(' ')}" ${ended} there. Its output is in ${log}.`,
        };
  }

  /** Both sides of one command, run in the folder in which the person is. */
  bothOf(command: readonly string[]): BothSides {
    const side = (cwd: string): PairSide => [{ command, cwd, env: {} }];
    return { base: side(this.#worktree.folder), head: side(this.#surroundings.cwd) };
  }

  /**
   * The commands that run only these test files, on both sides; null where a file or its runner is not known, or there
   * are too many. `files` are below the root of the project.
   */
  async bothOfTests(files: readonly string[]): Promise<BothSides | null> {
    const all = [...new Set(files)];
    const { env, cwd } = this.#surroundings;
    if (all.length === 0 || all.length > mostFiles) return null;
    const base = await commandsFor(all, this.#worktree.root, this.#worktree.folder, env);
    const head = await commandsFor(all, this.#repository.root, cwd, env);
    return base === null || head === null ? null : { base, head };
  }

  /** Runs pairs, with progress. */
  async run(sides: BothSides, from: number, count: number, noun: string): Promise<PairsRun> {
    const onRun = ({ side, pair, isFirst, leftMs }: PairProgress): void => {
      const what = side === 'base' ? this.#base.name : workTree;
      showRun(this.#err, { noun, number: pair - from + 1, of: count, what, isFirst, leftMs });
    };
    const result = await runPairs({
      ...{ ...runOptions(this.#surroundings), ...sides, from, count, onRun, out: this.out },
      isStopped: () => this.isStopped,
    });
    showProgress(this.#err, '');
    return result;
  }

  /** Compares what was run. */
  async compare(
    runs: readonly PairsRun[],
    options: Pick<CompareOptions, 'thresholdUs' | 'confirm' | 'rule'>,
  ): Promise<CompareResult> {
    const pairs = runs.flatMap((one) => one.pairs);
    const side = (of: 'base' | 'head', name: string): GivenSide => {
      return { name, runs: pairs.map((pair) => pair[of].recordings) };
    };
    const result = await compareRecordings(side('base', this.#base.name), side('head', workTree), diskWorld, {
      ...{ ...options, roots: [], currentFolder: this.#surroundings.cwd, order: 'interleaved' },
      // The base's files go with its work tree, and a diff of these recordings needs them.
      onRead: async (path, read) => keepTexts(path, await ownTexts(read), read.kept),
      onRun: (done, total) => showProgress(this.#err, `Reading recording ${done + 1} of ${total} …`),
    });
    showProgress(this.#err, '');
    return result;
  }

  /** Whether the person's files are those of the base. */
  async isUnchanged(): Promise<boolean> {
    const { root } = this.#repository;
    const differences = await git(root, ['diff', '--quiet', this.#base.commit, '--']);
    const untracked = await git(root, ['ls-files', '--others', '--exclude-standard']);
    return differences.type === 'done' && untracked.type === 'done' && untracked.text === '';
  }
}

function withAdvice({ type, message }: Failure, advice: string): Failure {
  return { type, message: `${message} ${advice}` };
}

/** What the head is called. */
const workTree = 'your work tree';

const whyInstalled = {
  lockfile: 'they are others than yours',
  workspace: 'packages of the repository are linked into them',
} as const;

/** Sentences about runs in which the command itself failed: what it did not run has no figures. */
export function exitSentences({ pairs }: PairsRun, baseName: string): readonly string[] {
  return (['base', 'head'] as const).flatMap((side) => {
    const failed = pairs.map((pair) => pair[side]).filter(({ exitCode }) => exitCode !== 0);
    const [one] = failed;
    const where = side === 'base' ? baseName : workTree;
    return one === undefined
      ? []
      : [
          `The command failed on ${where} in ${failed.length} of ${pairs.length} runs (exit code ${one.exitCode}): what did not run there has no figures. Its output is in ${one.log}.`,
        ];
  });
}
