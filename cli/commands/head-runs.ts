import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import { defaultIntervalUs } from '../../protocol/recording.ts';
import { comparisonFolder } from '../../recordings/default-folder.ts';
import { fileReaders } from '../../recorder/launch/packages/readers.ts';
import type { Failure } from '../../recorder/launch/pairs/git.ts';
import { endedBy, recordSilently, type SideCommand } from '../../recorder/launch/pairs/run-pairs.ts';
import type { RecordOptions } from '../../recorder/launch/run/record.ts';
import { stopSignals } from '../../recorder/launch/run/run-in-group.ts';
import { targetForFile } from '../../recorder/launch/targets/file-targets.ts';
import { type Output, plainText, showProgress, type Surroundings } from '../views/terminal.ts';

export type HeadRun =
  | {
      readonly type: 'ran';
      readonly recordings: readonly string[];
      /** The first exit code that is not 0. */
      readonly exitCode: number;
      /** What the command with that code has printed. */
      readonly log: string;
    }
  /** The person wanted it. */
  | { readonly type: 'stopped' }
  | (Failure & { readonly failed?: FailedCommand });

/** A command that did not end well. */
export interface FailedCommand {
  /** As a shell has it: 127 where there is no such command, 128 and the number of the signal that ended it. */
  readonly exitCode: number;
  /** Path of what it has printed; null where it was not started. */
  readonly log: string | null;
}

/** Runs commands on the person's files alone, one run after the other. */
export class HeadRuns {
  readonly #surroundings: Surroundings;
  readonly #err: Output;
  /** Folder of the recordings, and of what the commands printed. */
  readonly out: string;
  /** True from Ctrl+C on. A runner may end with a code of its own, as if the tests had failed. */
  #isStopped = false;
  /** What was run last, and how long each time took, in ms. */
  #last: { readonly commands: readonly SideCommand[]; readonly times: readonly number[] } = { commands: [], times: [] };

  private constructor(surroundings: Surroundings, err: Output, out: string) {
    this.#surroundings = surroundings;
    this.#err = err;
    this.out = out;
    for (const signal of stopSignals) process.on(signal, () => (this.#isStopped = true));
  }

  static async open(surroundings: Surroundings, err: Output): Promise<HeadRuns> {
    return new HeadRuns(surroundings, err, await folderForRuns(surroundings.cwd));
  }

  /** Its recordings go into this folder. */
  static in(folder: string, surroundings: Surroundings, err: Output): HeadRuns {
    return new HeadRuns(surroundings, err, folder);
  }

  /** Runs the commands, each with a recording of its own. `number` counts from 1; `of`: as in `RunProgress`. */
  async run(commands: readonly SideCommand[], number: number, of: number | string): Promise<HeadRun> {
    this.#tell(commands, number, of);
    const begin = performance.now();
    const run = await this.#record(commands, number);
    showProgress(this.#err, '');
    if (run.type === 'ran') this.#last = { commands, times: [...this.#last.times, performance.now() - begin] };
    return run;
  }

  async #record(commands: readonly SideCommand[], number: number): Promise<HeadRun> {
    const recordings: string[] = [];
    const failed: { readonly exitCode: number; readonly log: string }[] = [];
    for (const [index, command] of commands.entries()) {
      if (this.#isStopped) return { type: 'stopped' };
      const out = path.join(this.out, commands.length === 1 ? `run-${number}` : `run-${number}-${index + 1}`);
      const outcome = await recordSilently(runOptions(this.#surroundings), command, out);
      if (this.#isStopped) return { type: 'stopped' };
      if (outcome.type === 'notStarted')
        return { type: 'failed', message: outcome.message, failed: { exitCode: 127, log: null } };
      if (outcome.type !== 'ended') return { type: 'failed', message: outcome.message };
      if (outcome.signal !== null)
        return { ...endedBy(outcome.signal, `${out}.log`), failed: failedBy(outcome.signal, `${out}.log`) };
      recordings.push(outcome.directory);
      if (outcome.exitCode !== 0) failed.push({ exitCode: outcome.exitCode ?? 1, log: `${out}.log` });
    }
    return { type: 'ran', recordings, ...(failed[0] ?? { exitCode: 0, log: '' }) };
  }

  #tell(commands: readonly SideCommand[], number: number, of: number | string): void {
    // Other commands take another time.
    if (this.#last.commands !== commands) this.#last = { commands, times: [] };
    const { times } = this.#last;
    const mean = times.length === 0 ? null : times.reduce((sum, one) => sum + one, 0) / times.length;
    const leftMs = mean === null || typeof of === 'string' ? null : mean * (of - number + 1);
    showRun(this.#err, { noun: 'Run', number, of, what: null, isFirst: true, leftMs });
  }

  /** The commands that run only these test files; null where that is not known, or there are too many. */
  async commandsOfTests(files: readonly string[]): Promise<readonly SideCommand[] | null> {
    const all = [...new Set(files)];
    const { cwd, env } = this.#surroundings;
    return all.length === 0 || all.length > mostFiles ? null : commandsFor(all, path.parse(cwd).root, cwd, env);
  }
}

function failedBy(signal: NodeJS.Signals, log: string): FailedCommand {
  return { exitCode: 128 + constants.signals[signal], log };
}

/** How a command is recorded whose output goes into a file. */
export function runOptions({
  env,
  recorderFile,
  version,
}: Surroundings): Pick<RecordOptions, 'env' | 'recorderFile' | 'hotspanVersion' | 'intervalUs'> {
  return { env, recorderFile, hotspanVersion: version, intervalUs: defaultIntervalUs };
}

/** A new folder for the recordings of a comparison or a check. */
export async function folderForRuns(cwd: string): Promise<string> {
  const out = await comparisonFolder(cwd, new Date());
  await mkdir(out, { recursive: true, mode: 0o700 });
  return out;
}

/** From so many files on the whole command is run. */
export const mostFiles = 4;

/**
 * The commands that run these test files, which are below `folder` or a folder above it up to `root`; null where a file
 * is not there, or its runner is not known.
 */
export async function commandsFor(
  files: readonly string[],
  root: string,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly SideCommand[] | null> {
  const readers = fileReaders(env);
  const commands: SideCommand[] = [];
  for (const file of files) {
    const home = upTo(root, folder).find((one) => existsSync(path.join(one, file)));
    const found = home === undefined ? null : await targetForFile(path.join(home, file), home, readers);
    if (found?.type !== 'found') return null;
    const { command, folder: cwd, env: added } = found.target;
    commands.push({ command, cwd, env: added });
  }
  return commands;
}

/** The folder and those above it, up to the root. */
function upTo(root: string, folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return folder === root || parent === folder ? [folder] : [folder, ...upTo(root, parent)];
}

/** How far the runs of a command are. */
export interface RunProgress {
  /** `Run`, `Pair`. */
  readonly noun: string;
  /** Counted from 1. */
  readonly number: number;
  /** How many there are, as a number or as `at most 3`. */
  readonly of: number | string;
  /** What is run now, where the runs of one number differ; else null. */
  readonly what: string | null;
  /** Whether this is the first run of its number. */
  readonly isFirst: boolean;
  /** How long the runs that are left take together, in ms, this one included; null where nobody knows yet. */
  readonly leftMs: number | null;
}

/**
 * `Pair 2 of 3: main … about 40 s left`. At a terminal it replaces itself; elsewhere, as in the log of a CI job, there is
 * one line for each number.
 */
export function showRun(err: Output, progress: RunProgress): void {
  if (err.isTerminal) showProgress(err, plainText(progressText(progress)));
  else if (progress.isFirst) err.write(`hotspan: ${plainText(progressText({ ...progress, what: null }))}\n`);
}

function progressText({ noun, number, of, what, leftMs }: RunProgress): string {
  const name = what === null ? '' : `: ${what}`;
  return `${noun} ${number} of ${of}${name} …${leftMs === null ? '' : ` about ${timeText(leftMs)} left`}`;
}

function timeText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
