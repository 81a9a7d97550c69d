import { failed, type Failure } from '../../protocol/failure.ts';
import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { CompareOptions, CompareResult, GivenSide } from '../../engine/compare/compare-recordings.ts';
import { GrowingComparison } from '../../engine/compare/compare-recordings.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { keepTexts, ownTexts } from '../../recordings/kept-files.ts';
import { type Base, headEnvironment, openBase, runInBase } from '../../recorder/launch/pairs/base.ts';
import { changedBeside, codeIn, type CodeThen, filesOfRun } from '../../recorder/launch/pairs/code-watch.ts';
import { provideDependencies } from '../../recorder/launch/pairs/dependencies.ts';
import { type Repository, repositoryOf } from '../../recorder/launch/pairs/git.ts';
import { ignoredAmong } from '../../recorder/launch/pairs/ignored-files.ts';
import type {
  FirstRuns,
  PairedRun,
  PairProgress,
  PairSide,
  PairsRun,
  SideCommand,
} from '../../recorder/launch/pairs/run-pairs.ts';
import { runPairs } from '../../recorder/launch/pairs/run-pairs.ts';
import { stopSignals } from '../../recorder/launch/run/end-command.ts';
import { shownCommand, wholeOf, type KnownCommand } from './find-recording.ts';
import { showRun, commandsFor, failAloneText, folderForRuns, runOptions } from './head-runs.ts';
import { workTree } from './is-unchanged.ts';
import { changedFileText, OutdatedRuns, warnIfRebuilt } from './outdated-runs.ts';
import { isAtOrBelow, pathBelow } from '../../protocol/path-spelling.ts';
import { MAX_TEST_FILES } from '../../engine/compare/tests-to-run.ts';
import { type Output, refuse, showProgress, type Surroundings } from '../views/terminal.ts';
import type { WantedBase } from './known-base.ts';
import { plural } from '../../words/formats/figures.ts';

export interface BothSides {
  readonly base: PairSide;
  readonly head: PairSide;
}

/** Which pairs run next. */
interface PairsWanted {
  /** Number of the first, from 1 over all pairs of the sides. */
  readonly from: number;
  readonly count: number;
  /** For progress (`Pair 4 of 5`), with the number of the first (default 1) and of all (default the last of these). */
  readonly noun: string;
  readonly first?: number;
  readonly of?: number;
  /** The head's run of pair 1, if it was made before the base existed. */
  readonly firstHead?: PairedRun | null;
  /** The pairs of the whole command, where these run only some test files: a pair that fails and those did not is the last. */
  readonly whole?: WholeRuns | null;
}

interface Given {
  readonly wanted: WantedBase;
  readonly repository: Repository;
  readonly base: Base;
  readonly surroundings: Surroundings;
  readonly err: Output;
  /** Folder of the recordings, and of what the commands print. */
  readonly out: string;
  readonly stopping: AbortController;
  /** Aborted by a second signal: nothing more is read. */
  readonly hurrying: AbortSignal;
  /** The work tree when its first run began; null if none was made before. */
  readonly code: CodeThen | null;
}

/** What there is of the runs before the base. */
export interface Begun {
  /** For the recordings. */
  readonly folder: string;
  readonly stopping: AbortController;
  readonly code: CodeThen;
}

/** Runs commands on a commit, in a repository of its own, and on the work tree, in turn. */
export class PairedRuns {
  readonly #given: Given;
  /** The work tree when the first run began, which must not change; null until the base is prepared. */
  #code: CodeThen | null = null;
  readonly #outdated = new OutdatedRuns();
  readonly #comparison = new GrowingComparison(diskWorld);

  private constructor(given: Given) {
    this.#given = given;
  }

  get out(): string {
    return this.#given.out;
  }

  /** True from Ctrl+C on, which the current run gets, too. */
  get isStopped(): boolean {
    return this.#given.stopping.signal.aborted;
  }

  /** Checks the base out. The caller must `close` it. */
  static async open(
    wanted: WantedBase,
    repository: Repository,
    surroundings: Surroundings,
    err: Output,
    begun: Partial<Begun>,
  ): Promise<PairedRuns | (Failure & { readonly isStopped: boolean })> {
    const out = begun.folder ?? (await folderForRuns(surroundings.cwd));
    const code = begun.code ?? null;
    const stopping = begun.stopping ?? new AbortController();
    const hurrying = new AbortController();
    // For the rest of this process: no signal must end it before the base is closed and the result is printed.
    for (const signal of stopSignals)
      process.on(signal, () => {
        if (stopping.signal.aborted) hurrying.abort();
        stopping.abort();
      });
    const base = await openBase(repository, wanted, stopping.signal);
    if (stopping.signal.aborted && base.type === 'failed') return { ...stoppedEarly, isStopped: true };
    if (base.type === 'failed') return { ...base, isStopped: false };
    if (existsSync(base.folder))
      return new PairedRuns({
        ...{ wanted, repository, base, surroundings, err, out },
        ...{ stopping, hurrying: hurrying.signal, code },
      });
    await base.close();
    return {
      ...failed(`${wanted.name} has no folder ${repository.below}: go to one that both sides have.`),
      isStopped: false,
    };
  }

  async close(): Promise<void> {
    await this.#given.base.close();
  }

  /** Installs the dependencies of the base, and runs its setup; the failure, if any. */
  async prepare(): Promise<Failure | null> {
    const { name, setup, install } = this.#given.wanted;
    const { say } = this.#given.err;
    for (const note of this.#given.base.notes) say(note);
    const { repository, base, stopping } = this.#given;
    const dependencies = await provideDependencies(repository, base, stopping.signal);
    if (dependencies.type === 'failed') return dependencies;
    const { installations } = dependencies;
    if (installations.length > 0) say(`${installingText(name, installations.length)} …`);
    for (const { command, folder } of installations) {
      const failure = await this.#runInBase(install ?? command, folder);
      if (failure !== null)
        return this.isStopped ? failure : failed(`${failure.message} Give another command by --install.`);
    }
    if (setup !== null) {
      say(`Preparing ${name} (your files run as they are): ${shownCommand([setup])} …`);
      const failure = await this.#runInBase(setup, this.#given.base.folder);
      if (failure !== null) return failure;
    }
    this.#code = this.#given.code ?? (await codeIn(repository));
    return null;
  }

  /** Runs a command in the base; its output goes into a file. */
  async #runInBase(command: readonly string[] | string, cwd: string): Promise<Failure | null> {
    const log = path.join(this.#given.out, 'prepare.log');
    const env = this.#given.base.environment(this.#given.surroundings.env);
    if (this.isStopped) return stoppedEarly;
    const unprepared = await runInBase({ command, cwd, env, log });
    if (unprepared?.isInterrupted === true) this.#given.stopping.abort();
    if (this.isStopped) return stoppedEarly;
    if (unprepared === null) return null;
    const output = await readFile(log, 'utf8').catch(() => '');
    // A CI job keeps no log.
    this.#given.err.write(`${output.trimEnd().split('\n').slice(-LAST_LINES).join('\n')}\n`);
    const shown = shownCommand(typeof command === 'string' ? [command] : command);
    return failed(`The base could not be prepared: "${shown}" ${unprepared.ended} there. Its output is in ${log}.`);
  }

  /** Both sides of one command, run in the current folder. */
  bothOf(whole: Pick<KnownCommand, 'command' | 'load'>): BothSides {
    const { base, head } = this.#wholeOnBoth(whole);
    return { base: [base], head: [head] };
  }

  #wholeOnBoth({ command, load }: Pick<KnownCommand, 'command' | 'load'>): Record<'base' | 'head', SideCommand> {
    const { base, repository, surroundings } = this.#given;
    const there = command.map((word) => wordInBase(word, repository.root, base.root));
    return {
      base: wholeOf({ command: there, load }, base.folder),
      head: wholeOf({ command, load }, surroundings.cwd),
    };
  }

  /**
   * The commands that run only these test files of a command, on both sides; null if a file or its runner is unknown, or
   * there are too many. `files` are below the root of the project.
   */
  async bothOfTests(
    files: readonly string[],
    whole: Pick<KnownCommand, 'command' | 'load'>,
  ): Promise<BothSides | null> {
    const all = [...new Set(files)];
    const { base, surroundings } = this.#given;
    const { env } = surroundings;
    if (all.length === 0 || all.length > MAX_TEST_FILES) return null;
    const of = this.#wholeOnBoth(whole);
    const onBase = await commandsFor(all, of.base, base.environment(env));
    const onHead = await commandsFor(all, of.head, env);
    return onBase === null || onHead === null ? null : { base: onBase, head: onHead };
  }

  /** Runs pairs, with progress. */
  async run(
    sides: BothSides,
    { from, count, noun, first = 1, of = first - 1 + count, firstHead = null, whole = null }: PairsWanted,
  ): Promise<PairsRun> {
    const onRun = ({ side, pair, isFirst, leftMs }: PairProgress): void => {
      const what = side === 'base' ? this.#given.wanted.name : workTree;
      showRun(this.#given.err, { noun, number: pair - from + first, of, what, isFirst, leftMs });
    };
    const { env } = this.#given.surroundings;
    const result = await runPairs({
      ...runOptions(this.#given.surroundings, this.#given.err),
      ...{ ...sides, from, count, following: of - (first - 1 + count), onRun, out: this.#given.out },
      ...{ firstHead: from === 1 ? firstHead : null, isHeadFirst: firstHead !== null },
      env: { base: this.#given.base.environment(env), head: headEnvironment(env) },
      isStopped: () => this.isStopped,
      isLast: (pair) => whole !== null && loneFailures({ pairs: [pair] }, whole).length > 0,
      whyUnsound: async (ofFirst) => this.#whyUnsound(ofFirst),
    });
    showProgress(this.#given.err, '');
    return result;
  }

  async #whyUnsound({ base, head }: FirstRuns): Promise<string | null> {
    if (base === undefined) return this.#whyChanged();
    return (await this.#whyHead(base)) ?? (head === undefined ? null : this.#whyLacking(head));
  }

  async #whyChanged(): Promise<string | null> {
    const { repository, base } = this.#given;
    const file = this.#code === null ? null : await changedBeside(this.#code, repository, base);
    return file === null ? null : changedFileText(file);
  }

  /** A sentence if a run of the base ran files of the work tree. */
  async #whyHead({ recordings }: PairedRun): Promise<string | null> {
    const roots = [this.#given.repository.root, await realpath(this.#given.repository.root)];
    const files = (await Promise.all(recordings.map(filesOfRun))).flat();
    for (const file of files.filter((one) => !isAtOrBelow(one, this.#given.base.root))) {
      const root = roots.find((one) => isAtOrBelow(file, one));
      if (root !== undefined) return headFileText(path.relative(root, file), this.#given.wanted.name);
    }
    return null;
  }

  /** A sentence if git ignores a file that ran with these sources, else on the work tree, and the base has none of it. */
  async #whyLacking(head: PairedRun): Promise<string | null> {
    const { wanted, repository, base } = this.#given;
    const recordings = wanted.recordings.length > 0 ? wanted.recordings : head.recordings;
    const files = (await Promise.all(recordings.map(filesOfRun))).flat();
    const ignored = (await ignoredAmong(repository, files)) ?? [];
    // What the preparation or the command makes is there.
    const lacking = ignored.find(({ entry }) => !existsSync(path.join(base.root, entry)));
    return lacking === undefined ? null : lackingText(lacking.file, wanted.name);
  }

  /** `runs`: all so far. `signal` ends it; without one, a second signal to this process does. */
  async compare(
    runs: readonly PairsRun[],
    options: Pick<CompareOptions, 'thresholdUs' | 'confirm' | 'rule' | 'signal' | 'isOnlyCode' | 'asked'>,
  ): Promise<CompareResult> {
    const pairs = runs.flatMap((one) => one.pairs);
    const side = (of: 'base' | 'head', name: string): GivenSide => {
      return { name, runs: pairs.map((pair) => pair[of].recordings) };
    };
    const heads = pairs.flatMap(({ head }) => head.recordings);
    const result = await this.#comparison.of(side('base', this.#given.wanted.name), side('head', workTree), {
      signal: this.#given.hurrying,
      ...{ ...options, roots: [], currentFolder: this.#given.surroundings.cwd, order: 'interleaved' },
      // A diff of these recordings needs the files of the base, which are deleted with its work tree.
      onRead: async (file, read) => {
        this.#outdated.add(file, read, heads);
        await keepTexts(file, await ownTexts(read), read);
      },
      onRun: (done, total) => showProgress(this.#given.err, `Reading the recordings, ${done + 1} of ${total} …`),
    });
    showProgress(this.#given.err, '');
    const bases = pairs.flatMap((pair) => pair.base.recordings);
    const head = { root: this.#given.repository.root, recordings: heads };
    return warnIfRebuilt(this.#outdated.in(result), head, { root: this.#given.base.root, recordings: bases });
  }
}

/** An absolute path of the work tree, as *Profile File* gives one, as that of the same file in the base, if it is there. */
function wordInBase(word: string, root: string, baseRoot: string): string {
  const [, option = '', given = ''] = /^(-[^=]*=)?(.*)$/s.exec(word) ?? [];
  const below = path.isAbsolute(given) ? pathBelow(path.normalize(given), root) : null;
  const there = below === null ? null : path.join(baseRoot, below);
  return there !== null && existsSync(there) ? `${option}${there}` : word;
}

/** Of a preparation that failed. */
const LAST_LINES = 20;

/**
 * Opens and prepares pairs, and closes them after `measure`. Gives the exit code of `measure`; 2 if they cannot be
 * prepared, 3 if they were stopped.
 */
export async function withPairs(
  base: WantedBase,
  surroundings: Surroundings,
  err: Output,
  measure: (pairs: PairedRuns) => Promise<number>,
  begun: Partial<Begun> = {},
): Promise<number> {
  const repository = await repositoryOf(surroundings.cwd);
  if (repository.type === 'failed') return refuse(err, repository.message);
  const pairs = await PairedRuns.open(base, repository, surroundings, err, begun);
  if (!(pairs instanceof PairedRuns)) {
    err.say(pairs.message);
    return pairs.isStopped ? 3 : 2;
  }
  try {
    const unready = await pairs.prepare();
    if (unready === null) return await measure(pairs);
    err.say(unready.message);
    return pairs.isStopped ? 3 : 2;
  } finally {
    await pairs.close();
  }
}

/** Says why a series ended early. Gives the exit code if nothing can be said of it and the `before` earlier pairs. */
export function codeOfEnd({ ended, pairs }: PairsRun, before: number, out: string, { say }: Output): 2 | 3 | null {
  if (ended !== null && ended.type !== 'stopped') say(ended.message);
  if (ended?.type === 'unsound') return 3;
  if (before + pairs.length > 0) return null;
  if (ended?.type === 'stopped') say(`It was stopped before there was a verdict. What was recorded is in ${out}.`);
  return ended?.type === 'failed' ? 2 : 3;
}

/** Whether runs of some test files failed on a side on which runs of the `whole` command did not; says so, and what to do. */
export function failsAlone(alone: PairsRun, whole: WholeRuns, { say }: Output): boolean {
  if (alone.ended?.type === 'failed') say(`${alone.ended.message} ${failAloneText(null)}`);
  const failures = loneFailures(alone, whole);
  const [first] = failures;
  const isOnlyBase = failures.every(({ side }) => side === 'base');
  const remedy = isOnlyBase ? ' If a build is missing in the base, --setup "npm run build" makes it there.' : '';
  if (first !== undefined) say(`${failAloneText(first.log)}${remedy}`);
  return first !== undefined || alone.ended?.type === 'failed';
}

type WholeRuns = Pick<PairsRun, 'pairs'>;

function loneFailures({ pairs: alone }: WholeRuns, { pairs: whole }: WholeRuns) {
  return (['base', 'head'] as const).flatMap((side) => {
    const isFailing = whole.some((pair) => pair[side].exitCode !== 0);
    return isFailing ? [] : alone.flatMap((pair) => (pair[side].exitCode === 0 ? [] : { side, log: pair[side].log }));
  });
}

const stoppedEarly = failed('It was stopped while the base was prepared: nothing was run.');

/** Sentences about runs in which the command itself failed. */
export function exitSentences({ pairs }: PairsRun, baseName: string): readonly string[] {
  return (['base', 'head'] as const).flatMap((side) => {
    const failures = pairs.map((pair) => pair[side]).filter(({ exitCode }) => exitCode !== 0);
    const [one] = failures;
    const where = side === 'base' ? baseName : workTree;
    return one === undefined
      ? []
      : [
          `The command failed on ${where} in ${failures.length} of ${plural(pairs.length, 'run')} (exit code ${one.exitCode}): what did not run there has no figures. Its output is in ${one.log}.`,
        ];
  });
}

function headFileText(file: string, baseName: string): string {
  return `The run of ${baseName} ran ${file} of your work tree, by an absolute path in its code, in a variable or in a link, so both sides would measure the same code. Name files relative to the folder in which the command runs.`;
}

function lackingText(file: string, baseName: string): string {
  return `No verdict: ${file} ran, and git ignores it, so ${baseName} does not have it. Create it there with --setup.`;
}

function installingText(baseName: string, count: number): string {
  const where = count === 1 ? '' : ` in ${plural(count, 'folder')}`;
  return `Installing the dependencies of ${baseName}${where} (they are others than yours)`;
}
