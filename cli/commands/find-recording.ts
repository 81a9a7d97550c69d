import path from 'node:path';
import { isProfileName } from '../../engine/read/recording-files/profile-names.ts';
import { newestRecording, listRecordings } from '../../recordings/list-recordings.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { ago } from '../../words/formats/ago.ts';
import { shownPath } from '../views/shown-code.ts';
import { listBaselines } from '../../recordings/baselines.ts';
import { defaultRecordingsFolders } from '../../recordings/default-folder.ts';
import { isOfComparison } from '../../recordings/recording-folders.ts';
import { parseManifest } from '../../protocol/formats/parse-manifest.ts';
import { recordingFile } from '../../protocol/recording.ts';
import { isOwnCommand } from '../../recorder/launch/run/own-commands.ts';
import type { Surroundings } from '../views/terminal.ts';
import { readFile, realpath } from 'node:fs/promises';
import { redactArguments } from '../../recorder/command-lines/redact.ts';
import { commandText } from '../../words/formats/command-text.ts';

/** A path to analyze, with what the person should know of the choice. */
export interface ChosenPath {
  /** Absolute. */
  readonly path: string;
  /** Which recording it is of several; null where there was nothing to choose. */
  readonly sentence: string | null;
}

/**
 * What a path as typed means: of a folder of recordings, or of a project, the newest one there. A recording, a folder
 * with profiles, and any other path stay as they are.
 */
export async function chosenPath(typed: string, currentFolder: string): Promise<ChosenPath> {
  const given = path.resolve(currentFolder, typed);
  const asItIs = { path: given, sentence: null };
  if (await isRecorded(given)) return asItIs;
  const folders = [given, ...defaultRecordingsFolders(given)];
  const found = (await Promise.all(folders.map(newestRecording))).filter((one) => one !== null);
  const [newest] = found.toSorted((a, b) => b.writtenMs - a.writtenMs);
  if (newest === undefined) return asItIs;
  const count = found.reduce((sum, one) => sum + one.count, 0);
  const isTold = count > 1 || path.dirname(newest.path) !== given;
  const which = count === 1 ? 'The recording here' : `The newest of ${count} recordings`;
  const sentence = `${which} is ${shownPath(newest.path, currentFolder)}, ${ago(newest.writtenMs, Date.now())}.`;
  return { path: newest.path, sentence: isTold ? sentence : null };
}

/** Whether the folder is a recording, or has recordings or profiles in it, or recordings in its default folders. */
export async function hasRecordings(folder: string): Promise<boolean> {
  const { path: chosen } = await chosenPath(folder, folder);
  return chosen !== folder || (await isRecorded(folder));
}

async function isRecorded(folder: string): Promise<boolean> {
  const files = (await diskWorld.listFiles(folder)) ?? [];
  return files.some(({ name }) => name === recordingFile || isProfileName(name));
}

/**
 * The newest recording of a profile that has ended, of the project in `cwd`; null where there is none. The runs of
 * baselines are such recordings, too.
 */
export async function lastRecording(cwd: string): Promise<string | null> {
  const lists = await Promise.all(defaultRecordingsFolders(cwd).map(listRecordings));
  const ended = lists.flat().filter(({ isEnded, folder }) => isEnded && !isOfComparison(folder));
  const ofBaselines = (await listBaselines(cwd)).flatMap(({ recordings: [folder], createdAt }) =>
    folder === undefined ? [] : [{ folder, startedAt: createdAt }],
  );
  const newest = [...ended, ...ofBaselines].toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  for (const { folder } of newest) {
    const manifest = await manifestOf(folder);
    if (manifest !== null && !manifest.isOfTiers) return folder;
  }
  return null;
}

/**
 * The command of a recording. It is refused where this person has not recorded it, as it may be anybody's, and where it
 * ran in another folder: a copied recording would run what `npm test` is there.
 */
export async function commandOf(
  recording: string,
  { env, cwd: here }: Surroundings,
): Promise<
  | { readonly type: 'known'; readonly command: readonly string[] }
  | { readonly type: 'failed'; readonly message: string }
> {
  const { command = null, cwd = null } = (await manifestOf(recording)) ?? {};
  if (command === null || cwd === null)
    return { type: 'failed', message: `${recording} does not say what was run: give the command after "--".` };
  if (!(await isOwnCommand(command, cwd, env)))
    return {
      type: 'failed',
      message: `${recording} says that "${shownCommand(command)}" was run, but not by you on this machine, or with secrets that were not kept: if you want to run it, give it after "--".`,
    };
  if ((await realPath(cwd)) !== (await realPath(here)))
    return {
      type: 'failed',
      message: `${recording} was recorded in ${cwd}: run this there, or give the command after "--".`,
    };
  return { type: 'known', command };
}

async function realPath(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}

async function manifestOf(recording: string): ReturnType<typeof parse> {
  return parse(path.join(recording, recordingFile));
}

async function parse(file: string) {
  return parseManifest(await readFile(file, 'utf8').catch(() => ''));
}

/** A command as it is printed, in a terminal or in a log that others read: without what looks like a secret. */
export function shownCommand(command: readonly string[]): string {
  return commandText(redactArguments(command));
}
