import type { Failure } from '../../protocol/failure.ts';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import { defaultIntervalUs } from '../../protocol/recording.ts';
import { comparisonFolder } from '../../recordings/default-folder.ts';
import { projectAround } from '../../engine/read/functions/find-workspace.ts';
import { systemPath } from '../../protocol/path-spelling.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { fileReaders } from '../../recorder/launch/packages/readers.ts';
import { MAX_TEST_FILES } from '../../engine/compare/tests-to-run.ts';
import type { HowToRecord, PairedRun, SideCommand } from '../../recorder/launch/pairs/run-pairs.ts';
import { endedBy, recordSilently } from '../../recorder/launch/pairs/run-pairs.ts';
import { stopSignals } from '../../recorder/launch/run/end-command.ts';
import { targetForFile } from '../../recorder/launch/targets/file-targets.ts';
import { type Output, plainText, showProgress, type Surroundings } from '../views/terminal.ts';

export type HeadRun =
  | ({ readonly type: 'ran' } & PairedRun)
  /** By the user. */
  | { readonly type: 'stopped' }
  | (Failure & { readonly failed?: FailedCommand });

export interface FailedCommand {
  /** As in a shell: 127 for an unknown command, 128 + the number of the signal that ended it. */
  readonly exitCode: number;
  /** Path of its output; null if it was not started. */
  readonly log: string | null;
}

/** Runs commands on the work tree alone, one run after the other. */
export class HeadRuns {
  readonly #surroundings: Surroundings;
  readonly #err: Output;
  readonly #how: HowToRecord;
  readonly #out: string;
  /** True from Ctrl+C on. A runner may then end with a code of its own, as if the tests had failed. */
  #isStopped = false;
  /** What was run last, and the duration of each time, in ms. */
  #last: { readonly commands: readonly SideCommand[]; readonly times: readonly number[] } = { commands: [], times: [] };

  /** `out`: folder of the recordings, and of what the commands print; the first run makes it. */
  constructor(surroundings: Surroundings, err: Output, out: string) {
    this.#surroundings = surroundings;
    this.#err = err;
    this.#how = runOptions(surroundings, err);
    this.#out = out;
    for (const signal of stopSignals) process.on(signal, () => (this.#isStopped = true));
  }

  /** Runs the commands, each with a recording of its own. `number` counts from 1; `of`: as in `RunProgress`. */
  async run(commands: readonly SideCommand[], number: number, of: number | string): Promise<HeadRun> {
    this.#announce(commands, number, of);
    const begin = performance.now();
    const run = await this.#record(commands, number);
    showProgress(this.#err, '');
    if (run.type === 'ran') this.#last = { commands, times: [...this.#last.times, performance.now() - begin] };
    return run;
  }

  async #record(commands: readonly SideCommand[], number: number): Promise<HeadRun> {
    const recordings: string[] = [];
    const failed: { readonly exitCode: number; readonly log: string }[] = [];
    await mkdir(this.#out, { recursive: true, mode: 0o700 });
    const name = this.#freeName(number);
    for (const [index, command] of commands.entries()) {
      if (this.#isStopped) return { type: 'stopped' };
      const out = path.join(this.#out, commands.length === 1 ? name : `${name}-${index + 1}`);
      const outcome = await recordSilently(this.#how, command, out);
      const log = `${out}.log`;
      if (this.#isStopped) return { type: 'stopped' };
      if (outcome.type === 'notStarted')
        return { type: 'failed', message: outcome.message, failed: { exitCode: 127, log: null } };
      if (outcome.type === 'notLoaded')
        return { type: 'failed', message: `${outcome.message} Its output is in ${log}.` };
      if (outcome.type !== 'ended') return { type: 'failed', message: outcome.message };
      if (outcome.signal !== null)
        return { ...endedBy(outcome.signal, log), failed: { exitCode: 128 + constants.signals[outcome.signal], log } };
      recordings.push(outcome.directory);
      if (outcome.exitCode !== 0) failed.push({ exitCode: outcome.exitCode ?? 1, log });
    }
    return { type: 'ran', recordings, ...(failed[0] ?? { exitCode: 0, log: '' }) };
  }

  /** A run that was made before, for another plan, keeps its folder. */
  #freeName(number: number): string {
    const name = `run-${number}`;
    const isTaken = [name, `${name}-1`].some((one) => existsSync(path.join(this.#out, one)));
    return isTaken ? this.#freeName(number + 1) : name;
  }

  #announce(commands: readonly SideCommand[], number: number, of: number | string): void {
    // Other commands have other durations.
    if (this.#last.commands !== commands) this.#last = { commands, times: [] };
    const { times } = this.#last;
    const mean = times.length === 0 ? null : times.reduce((sum, one) => sum + one, 0) / times.length;
    const leftMs = mean === null || typeof of === 'string' ? null : mean * (of - number + 1);
    showRun(this.#err, { noun: 'Run', number, of, what: null, isFirst: true, leftMs });
  }

  /** The commands that run only these test files of the `whole`; null if unknown, or there are too many files. */
  async commandsOfTests(files: readonly string[], whole: SideCommand): Promise<readonly SideCommand[] | null> {
    const all = [...new Set(files)];
    return all.length === 0 || all.length > MAX_TEST_FILES ? null : commandsFor(all, whole, this.#surroundings.env);
  }
}

/** Test files may need what only the whole command has: a variable, an option, another program. */
export function failAloneText(log: string | null): string {
  const see = log === null ? '' : ` Their output is in ${log}.`;
  return `The test files fail by themselves, so the whole command is run.${see}`;
}

/** How to record a command whose output goes into a file. What several runs have to say is said once. */
export function runOptions({ env, recorderFile, version }: Surroundings, { say }: Output): HowToRecord {
  const said = new Set<string>();
  const sayOnce = (sentence: string): void => {
    if (!said.has(sentence)) say(sentence);
    said.add(sentence);
  };
  return { env, recorderFile, hotspanVersion: version, intervalUs: defaultIntervalUs, say: sayOnce };
}

/** The output of the command that failed, or of the last one; null where there is none. */
export function logOf(run: HeadRun): string | null {
  if (run.type === 'ran') return run.log;
  return run.type === 'failed' ? (run.failed?.log ?? null) : null;
}

/** A new folder for the recordings of a comparison or a check. */
export async function folderForRuns(cwd: string): Promise<string> {
  const out = await comparisonFolder(cwd, new Date());
  await mkdir(out, { recursive: true, mode: 0o700 });
  return out;
}

/**
 * The commands that run these test files of the `whole` command, with its options. The files are below the root of its
 * project. Null if a file does not exist, or its runner is unknown.
 */
export async function commandsFor(
  files: readonly string[],
  { command: whole, cwd: folder }: Pick<SideCommand, 'command' | 'cwd'>,
  env: NodeJS.ProcessEnv,
): Promise<readonly SideCommand[] | null> {
  const readers = fileReaders(env);
  const root = systemPath(await projectAround(folder, diskWorld));
  const commands: SideCommand[] = [];
  for (const below of files) {
    const file = path.join(root, below);
    const found = existsSync(file) ? await targetForFile(file, root, readers, { command: whole, folder }) : null;
    if (found?.type !== 'found') return null;
    const { command, folder: cwd, env: added } = found.target;
    commands.push({ command: byItsNode(command, whole), cwd, env: added });
  }
  return commands;
}

/** The command, run by the Node that the whole one names by its path, which need not be that of the PATH. */
function byItsNode(command: readonly string[], [whole = '']: readonly string[]): readonly string[] {
  const [program, ...words] = command;
  const isNamed = path.isAbsolute(whole) && /^node(?:\.exe)?$/i.test(path.basename(whole));
  return isNamed && program === 'node' ? [whole, ...words] : command;
}

export interface RunProgress {
  /** `Run`, `Pair`. */
  readonly noun: string;
  /** Counted from 1. */
  readonly number: number;
  /** A count, or `at most 3`. */
  readonly of: number | string;
  /** What is run now, if the runs of one number differ; else null. */
  readonly what: string | null;
  /** Whether this is the first run of its number. */
  readonly isFirst: boolean;
  /** Estimated time of this run and the rest, in ms; null if unknown. */
  readonly leftMs: number | null;
}

/** `Pair 2 of 3: main … about 40 s left`. Replaces itself at a terminal; in a log there is one line for each number. */
export function showRun(err: Output, progress: RunProgress): void {
  if (err.isTerminal) showProgress(err, plainText(progressText(progress)));
  else if (progress.isFirst) err.say(progressText({ ...progress, what: null }));
}

function progressText({ noun, number, of, what, leftMs }: RunProgress): string {
  const name = what === null ? '' : `: ${what}`;
  return `${noun} ${number} of ${of}${name} …${leftMs === null ? '' : ` about ${timeText(leftMs)} left`}`;
}

function timeText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
