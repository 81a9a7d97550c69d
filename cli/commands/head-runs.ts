import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { defaultIntervalUs } from '../../protocol/recording.ts';
import { defaultRecordingFolder } from '../../recordings/recording-folders.ts';
import { fileReaders } from '../../recorder/launch/packages/readers.ts';
import type { Failure } from '../../recorder/launch/pairs/git.ts';
import { recordSilently, type SideCommand } from '../../recorder/launch/pairs/run-pairs.ts';
import { targetForFile } from '../../recorder/launch/targets/file-targets.ts';
import { type Output, showProgress } from '../views/terminal.ts';
import type { Surroundings } from './record.ts';

/** Runs commands on the person's files alone, one run after the other. */
export class HeadRuns {
  readonly #surroundings: Surroundings;
  readonly #err: Output;
  readonly #out: string;
  /** True from Ctrl+C on. A runner may end with a code of its own, as if the tests had failed. */
  #isStopped = false;

  private constructor(surroundings: Surroundings, err: Output, out: string) {
    this.#surroundings = surroundings;
    this.#err = err;
    this.#out = out;
    for (const signal of stopSignals) process.on(signal, () => (this.#isStopped = true));
  }

  static async open(surroundings: Surroundings, err: Output): Promise<HeadRuns> {
    return new HeadRuns(surroundings, err, await folderForRuns(surroundings.cwd));
  }

  /** Its recordings go into this folder. */
  static in(folder: string, surroundings: Surroundings, err: Output): HeadRuns {
    return new HeadRuns(surroundings, err, folder);
  }

  /** Runs the commands, each with a recording of its own. What they print goes into files. */
  async run(
    commands: readonly SideCommand[],
    number: number,
  ): Promise<
    | { readonly type: 'ran'; readonly recordings: readonly string[]; readonly exitCode: number; readonly log: string }
    | Failure
  > {
    const { env, recorderFile, version } = this.#surroundings;
    const common = { env, recorderFile, hotspanVersion: version, intervalUs: defaultIntervalUs };
    const recordings: string[] = [];
    const failed: { readonly exitCode: number; readonly log: string }[] = [];
    for (const [index, command] of commands.entries()) {
      if (this.#isStopped) return { type: 'failed', message: 'It was stopped before anything could be said.' };
      const progress = `Run ${number} …`;
      if (this.#err.isTerminal) showProgress(this.#err, progress);
      else this.#err.write(`hotspan: ${progress}\n`);
      const out = path.join(this.#out, commands.length === 1 ? `run-${number}` : `run-${number}-${index + 1}`);
      const outcome = await recordSilently(common, command, out);
      if (outcome.type !== 'ended') return { type: 'failed', message: outcome.message };
      if (outcome.signal !== null || this.#isStopped)
        return { type: 'failed', message: 'It was stopped before anything could be said.' };
      recordings.push(outcome.directory);
      if (outcome.exitCode !== 0) failed.push({ exitCode: outcome.exitCode ?? 1, log: `${out}.log` });
    }
    showProgress(this.#err, '');
    return { type: 'ran', recordings, ...(failed[0] ?? { exitCode: 0, log: '' }) };
  }

  /** The commands that run only these test files; null where that is not known, or there are too many. */
  async commandsOfTests(files: readonly string[]): Promise<readonly SideCommand[] | null> {
    const all = [...new Set(files)];
    const { cwd, env } = this.#surroundings;
    return all.length === 0 || all.length > mostFiles ? null : commandsFor(all, path.parse(cwd).root, cwd, env);
  }
}

/** A new folder for the recordings of a comparison or a check. */
export async function folderForRuns(cwd: string): Promise<string> {
  const out = `${await defaultRecordingFolder(cwd, new Date())}${comparisonSuffix}`;
  await mkdir(out, { recursive: true, mode: 0o700 });
  return out;
}

/** Signals that end a comparison, a check or a baseline. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The end of the name of such a folder. */
export const comparisonSuffix = '-compare';

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
