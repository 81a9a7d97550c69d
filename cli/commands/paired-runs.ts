import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import {
  type CompareOptions,
  type CompareResult,
  compareRecordings,
  type GivenSide,
} from '../../engine/compare/compare-recordings.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { keepTexts, ownTexts } from '../../recordings/kept-files.ts';
import { type Base, openBase, runInBase } from '../../recorder/launch/pairs/base.ts';
import { isInside } from '../../recorder/launch/target.ts';
import { filesOfRun, watchCode } from '../../recorder/launch/pairs/code-watch.ts';
import { provideDependencies } from '../../recorder/launch/pairs/dependencies.ts';
import { type Failure, git, gitOnFiles, type KeptCommit, type Repository } from '../../recorder/launch/pairs/git.ts';
import {
  type PairedRun,
  type PairProgress,
  type PairSide,
  type PairsRun,
  runPairs,
} from '../../recorder/launch/pairs/run-pairs.ts';
import { stopSignals } from '../../recorder/launch/run/end-command.ts';
import { changedFileText, headFileText, installingText } from '../views/base-texts.ts';
import { shownCommand } from '../views/shown-command.ts';
import { showRun } from '../views/run-progress.ts';
import { type Output, plainText, showProgress } from '../views/terminal.ts';
import { commandsFor, folderForRuns, mostFiles, runOptions } from './head-runs.ts';
import type { Surroundings } from './record.ts';

/** What is run on both sides. */
export interface BothSides {
  readonly base: PairSide;
  readonly head: PairSide;
}

/** The base that a person names, and how it is prepared. */
export interface WantedBase extends KeptCommit {
  /** A git ref as typed, or what else it is called. */
  readonly name: string;
  /** A command for the shell, run in the base before its first run; null for none. */
  readonly setup: string | null;
  /** A command for the shell that installs its dependencies, where they are not yours; null for that of its lockfile. */
  readonly install: string | null;
}

/** Runs commands on a commit, in a repository of its own, and on the person's files, in turn. */
export class PairedRuns {
  readonly #wanted: WantedBase;
  readonly #repository: Repository;
  readonly #base: Base;
  readonly #surroundings: Surroundings;
  readonly #err: Output;
  /** Folder of the recordings, and of what the commands printed. */
  readonly out: string;
  /** Files of the person that must stay as they are; null until the base is prepared. */
  #findChange: (() => Promise<string | null>) | null = null;
  readonly #stopping: AbortController;

  private constructor(
    wanted: WantedBase,
    repository: Repository,
    base: Base,
    surroundings: Surroundings,
    err: Output,
    out: string,
    stopping: AbortController,
  ) {
    this.#wanted = wanted;
    this.#repository = repository;
    this.#base = base;
    this.#surroundings = surroundings;
    this.#err = err;
    this.out = out;
    this.#stopping = stopping;
  }

  /** True from Ctrl+C on, which the run that goes on gets, too. */
  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Checks the base out. It is closed by `close`, whatever happens. */
  static async open(
    wanted: WantedBase,
    repository: Repository,
    surroundings: Surroundings,
    err: Output,
  ): Promise<PairedRuns | (Failure & { readonly isStopped: boolean })> {
    const out = await folderForRuns(surroundings.cwd);
    const stopping = new AbortController();
    // Until this process ends: a second signal must not end it before the base is closed, or what is known is printed.
    for (const signal of stopSignals) process.on(signal, () => stopping.abort());
    const base = await openBase(repository, wanted, stopping.signal);
    if (stopping.signal.aborted && base.type === 'failed') return { ...stoppedEarly, isStopped: true };
    if (base.type === 'failed') return { ...base, isStopped: false };
    if (existsSync(base.folder)) return new PairedRuns(wanted, repository, base, surroundings, err, out, stopping);
    await base.close();
    const message = `${wanted.name} has no folder ${repository.below}: go to one that both sides have.`;
    return { type: 'failed', message, isStopped: false };
  }

  async close(): Promise<void> {
    await this.#base.close();
  }

  #say(text: string): void {
    this.#err.write(`hotspan: ${plainText(text)}\n`);
  }

  /** Gives the base its dependencies, and what else it needs; a sentence where that fails. */
  async prepare(): Promise<Failure | null> {
    const { name, setup, install } = this.#wanted;
    for (const note of this.#base.notes) this.#say(note);
    const dependencies = await provideDependencies(this.#repository, this.#base, this.#stopping.signal);
    if (dependencies.type === 'failed') return dependencies;
    const { installations } = dependencies;
    if (installations.length > 0) this.#say(`${installingText(name, installations.length)} …`);
    for (const { command, folder } of installations) {
      const failed = await this.#runThere(install ?? command, folder);
      if (failed !== null) return this.isStopped ? failed : withAdvice(failed, 'Give another command by --install.');
    }
    if (setup !== null) {
      this.#say(`Preparing ${name}: ${shownCommand([setup])} …`);
      const failed = await this.#runThere(setup, this.#base.folder);
      if (failed !== null) return failed;
    }
    this.#findChange = await watchCode(this.#repository, this.#base);
    return null;
  }

  /** Runs a command in the base; a sentence where it fails. What it prints goes into a file. */
  async #runThere(command: readonly string[] | string, cwd: string): Promise<Failure | null> {
    const log = path.join(this.out, 'prepare.log');
    const env = this.#base.environment(this.#surroundings.env);
    if (this.isStopped) return stoppedEarly;
    const unprepared = await runInBase({ command, cwd, env, log });
    if (unprepared?.isInterrupted === true) this.#stopping.abort();
    if (this.isStopped) return stoppedEarly;
    if (unprepared === null) return null;
    const shown = shownCommand(typeof command === 'string' ? [command] : command);
    return {
      type: 'failed',
      message: `The base could not be prepared: "${shown}" ${unprepared.ended} there. Its output is in ${log}.`,
    };
  }

  /** Both sides of one command, run in the folder in which the person is. */
  bothOf(command: readonly string[]): BothSides {
    const side = (cwd: string): PairSide => [{ command, cwd, env: {} }];
    return { base: side(this.#base.folder), head: side(this.#surroundings.cwd) };
  }

  /**
   * The commands that run only these test files, on both sides; null where a file or its runner is not known, or there
   * are too many. `files` are below the root of the project.
   */
  async bothOfTests(files: readonly string[]): Promise<BothSides | null> {
    const all = [...new Set(files)];
    const { env, cwd } = this.#surroundings;
    if (all.length === 0 || all.length > mostFiles) return null;
    const base = await commandsFor(all, this.#base.root, this.#base.folder, this.#base.environment(env));
    const head = await commandsFor(all, this.#repository.root, cwd, env);
    return base === null || head === null ? null : { base, head };
  }

  /** Runs pairs, with progress. */
  async run(sides: BothSides, from: number, count: number, noun: string): Promise<PairsRun> {
    const onRun = ({ side, pair, isFirst, leftMs }: PairProgress): void => {
      const what = side === 'base' ? this.#wanted.name : workTree;
      showRun(this.#err, { noun, number: pair - from + 1, of: count, what, isFirst, leftMs });
    };
    const { env } = this.#surroundings;
    const result = await runPairs({
      ...{ ...runOptions(this.#surroundings), ...sides, from, count, onRun, out: this.out },
      env: { base: this.#base.environment(env), head: env },
      isStopped: () => this.isStopped,
      whyUnsound: async (firstOfBase) => (firstOfBase === null ? this.#whyChanged() : this.#whyHead(firstOfBase)),
    });
    showProgress(this.#err, '');
    return result;
  }

  async #whyChanged(): Promise<string | null> {
    const file = (await this.#findChange?.()) ?? null;
    return file === null ? null : changedFileText(file);
  }

  /** A sentence where a run of the base ran files of the person's work tree. */
  async #whyHead({ recordings }: PairedRun): Promise<string | null> {
    const ours = [this.#repository.root, await realpath(this.#repository.root)];
    const files = (await Promise.all(recordings.map(filesOfRun))).flat();
    const file = files.find((one) => !isInside(one, this.#base.root) && ours.some((root) => isInside(one, root)));
    const root = ours.find((one) => file !== undefined && isInside(file, one));
    return file === undefined || root === undefined ? null : headFileText(path.relative(root, file), this.#wanted.name);
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
    const result = await compareRecordings(side('base', this.#wanted.name), side('head', workTree), diskWorld, {
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
    const { commit, objects } = this.#wanted;
    const env = objects === null ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
    const differences = await gitOnFiles(root, ['diff', '--quiet', commit, '--'], env);
    const untracked = await git(root, ['ls-files', '--others', '--exclude-standard']);
    return differences.type === 'done' && untracked.type === 'done' && untracked.text === '';
  }
}

const stoppedEarly: Failure = {
  type: 'failed',
  message: 'It was stopped while the base was prepared: nothing was run.',
};

function withAdvice({ type, message }: Failure, advice: string): Failure {
  return { type, message: `${message} ${advice}` };
}

/** What the head is called. */
const workTree = 'your work tree';

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
