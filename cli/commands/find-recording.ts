import type { AnalyzeFailure } from '../../engine/read/isolates/load-isolates.ts';
import type { Failure } from '../../protocol/failure.ts';
import { describeFailure } from '../../words/failures.ts';
import path from 'node:path';
import { isProfileName } from '../../engine/read/recording-files/profile-names.ts';
import {
  hasProfiles,
  hasTests,
  newestRecording,
  findRecordings,
  wasStopped,
  readManifest,
} from '../../recordings/recording-folders.ts';
import {
  foldersOfProject,
  newestIn,
  newestOfComparisons,
  nothingRecorded,
  onlyComparisons,
} from '../../recordings/newest-of-project.ts';
import { openEventLog } from '../../recordings/run-processes.ts';
import type { LoadPlan } from '../../recorder/launch/load/record-under-load.ts';
import type { SideCommand } from '../../recorder/launch/pairs/run-pairs.ts';
import { ago } from '../../words/formats/figures.ts';
import { shownPath } from '../views/shown-code.ts';
import { defaultRecordingsFolders } from '../../recordings/default-folder.ts';
import { recordingFile } from '../../protocol/recording.ts';
import { isOwnCommand, isOwnRecording } from '../../recorder/launch/run/own-commands.ts';
import type { Surroundings } from '../views/terminal.ts';
import { redactArguments } from '../../recorder/command-lines/redact.ts';
import { commandText } from '../../words/formats/command-text.ts';
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { readdir } from '../../recordings/files-at-once.ts';

interface ChosenPath {
  /** Absolute. */
  readonly path: string;
  /** Which recording it is, and what of the folder is left out; null if there was nothing to choose. */
  readonly sentence: string | null;
}

/**
 * The path to analyze: for a folder of recordings, or a project, the newest recording there, also if the folder has other
 * profiles; for the current folder, if it has neither, that of the nearest folder above it in its repository; else the typed
 * path, made absolute.
 */
export async function chosenPath(typed: string, currentFolder: string): Promise<ChosenPath> {
  const given = path.resolve(currentFolder, typed);
  const names = await namesIn(given);
  if (names.includes(recordingFile)) return { path: given, sentence: null };
  const areProfiles = names.some(isProfileName);
  for (const folder of given === currentFolder && !areProfiles ? foldersOfProject(given) : [given]) {
    const newest = (await newestOfProject(folder)) ?? (await lastWritten(folder));
    if (newest === null) continue;
    const { count } = newest;
    const isChosen = count > 1 || folder !== given || path.dirname(newest.path) !== given;
    const only = folder === given ? 'The recording here' : 'The nearest recording';
    const which = count === 1 ? only : `The newest of ${count} recordings`;
    const left = areProfiles ? `${newest.left} The other profiles in ${given} are not read: name one.` : newest.left;
    const sentence = `${which} is ${shownPath(newest.path, currentFolder)}, ${ago(newest.ms, Date.now())}.${left}`;
    return { path: newest.path, sentence: isChosen ? sentence : null };
  }
  return { path: given, sentence: null };
}

interface NewestThere {
  readonly path: string;
  /** When it began, or was written; since the epoch. */
  readonly ms: number;
  /** How many recordings it was chosen from. */
  readonly count: number;
  /** A sentence about newer ones; empty without any. */
  readonly left: string;
}

async function newestOfProject(project: string): Promise<NewestThere | null> {
  const newest = await newestIn([project]);
  if (newest === null || !(await hasProfiles(newest.folder))) return null;
  const { folder, startedAt, count, leftOut } = newest;
  const left = leftOut === 0 ? '' : ` Left out: ${leftOut} newer (not ended, without a profile, or of V8's tiers).`;
  return { path: folder, ms: Date.parse(startedAt), count, left };
}

/** Where no finished profile counts: what was written last, in a folder of recordings, or of runs that go on. */
async function lastWritten(folder: string): Promise<NewestThere | null> {
  const found = await Promise.all([folder, ...defaultRecordingsFolders(folder)].map(newestRecording));
  const byTime = found.filter((one) => one !== null).toSorted((a, b) => b.writtenMs - a.writtenMs);
  const newest = byTime.find(({ isEmpty }) => !isEmpty) ?? byTime[0];
  if (newest === undefined) return null;
  const { path: folderOfNewest, writtenMs } = newest;
  const count = byTime.reduce((sum, one) => sum + one.count, 0);
  const empty = byTime.flatMap(({ emptyMs }) => emptyMs).filter((ms) => ms > writtenMs).length;
  const left = empty === 0 ? '' : ` Left out: ${empty} newer without a profile.`;
  return { path: folderOfNewest, ms: writtenMs, count, left };
}

/** Why nothing could be read. A folder without a profile may have runs of checks and comparisons, which are named. */
export async function whyUnread(failure: AnalyzeFailure): Promise<string> {
  const { path: folder = '' } = failure.type === 'noProfiles' ? failure : {};
  const newest = folder === '' ? null : await newestOfComparisons([folder, ...defaultRecordingsFolders(folder)]);
  if (newest === null) return describeFailure(failure);
  return `${onlyComparisons(newest, `in ${folder}`)}: give that path, or record with "hotspan record -- npm test".`;
}

/** Whether the folder is a recording, or contains recordings or profiles, or has recordings in its default folders. */
export async function hasRecordings(folder: string): Promise<boolean> {
  const { path: chosen } = await chosenPath(folder, folder);
  return chosen !== folder || (await namesIn(folder)).some((name) => name === recordingFile || isProfileName(name));
}

/** Names in a folder; empty where it is missing, or a file. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** The newest running recording of the project at `cwd`, else of the nearest folder above it in its repository. */
export async function runningRecording(cwd: string): Promise<string | null> {
  for (const folder of foldersOfProject(cwd)) {
    const lists = await Promise.all(defaultRecordingsFolders(folder).map(findRecordings));
    const running = lists.flat().filter(({ isEnded }) => !isEnded);
    const [newest] = running.toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
    if (newest !== undefined) return newest.folder;
  }
  return null;
}

export interface KnownCommand {
  readonly type: 'known';
  readonly command: readonly string[];
  /** The given one, else that of the recording; null without one. */
  readonly load: LoadPlan | null;
}

/**
 * The given command; if that is empty, the command of the recording. Without a recording it fails, with this next step.
 * `load`: the given one, which replaces that of the recording.
 */
export async function commandFrom(
  given: readonly string[],
  recording: string | null,
  surroundings: Pick<Surroundings, 'cwd' | 'env'>,
  next: string,
  load: LoadPlan | null = null,
): Promise<KnownCommand | Failure> {
  if (given.length > 0) return { type: 'known', command: given, load };
  if (recording !== null) return commandOf(recording, surroundings, load);
  return { type: 'failed', message: `${await nothingRecorded([surroundings.cwd])}: ${next}` };
}

/**
 * The command of a recording. Fails if this user has not recorded it, because a foreign recording may name any command,
 * and if it ran in another folder, where `npm test` may be something else.
 */
async function commandOf(
  recording: string,
  { env, cwd: here }: Pick<Surroundings, 'cwd' | 'env'>,
  given: LoadPlan | null,
): Promise<KnownCommand | Failure> {
  const failed = (message: string): Failure => ({ type: 'failed', message: `${recording} ${message}` });
  if (!existsSync(recording)) return failed('is not there: give the path of a recording.');
  const manifest = await readManifest(recording);
  const { command = null, cwd = null, isAttached = false, load = null, startedAt = null } = manifest ?? {};
  if (isAttached)
    return failed(
      'was made by attaching to a running process: start it with "hotspan record" or *Profile App*, or give the command after "--".',
    );
  if (command === null || cwd === null) return failed('does not say what was run: give the command after "--".');
  if (!(await isOwnCommand(command, cwd, env)))
    return failed(
      `says that "${shownCommand(command)}" was run, but not by you on this machine, or with secrets that were not kept: if you want to run it, give it after "--".`,
    );
  if ((await realPath(cwd)) !== (await realPath(here)))
    return failed(`was recorded in ${cwd}: run this there, or give the command after "--".`);
  if (given !== null) return { type: 'known', command, load: given };
  if (load === null && (await wasServing(recording)))
    return failed(
      'is of a server that ran until it was stopped: send it requests that can be sent again ("hotspan record --load / -- npm start", "hotspan load --load /", or *Send Load*), or give a command that ends after "--".',
    );
  if (load !== null && !(await isOwnRecording(recording, startedAt ?? '', env)))
    return failed(
      'has a load, which is sent again only where you have recorded it on this machine: give the command after "--".',
    );
  if (load === null) return { type: 'known', command, load };
  const again = await (await import('./load-plan.ts')).loadAgain(load, { cwd: here, env });
  return 'message' in again ? failed(`${again.message.replace(/\.$/, '')}.`) : { type: 'known', command, load: again };
}

/** Whether the command is a server: it runs until it is stopped. */
async function wasServing(recording: string): Promise<boolean> {
  if (await hasTests(recording)) return false;
  const events = openEventLog(recording).read();
  const isStopped = (await wasStopped(recording)) || events.some(({ type }) => type === 'signal');
  return isStopped && events.some(({ type }) => type === 'listens');
}

async function realPath(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}

/** The whole command, as one side of a comparison runs it. */
export function wholeOf({ command, load }: Pick<KnownCommand, 'command' | 'load'>, cwd: string): SideCommand {
  return { command, cwd, env: {}, ...(load === null ? {} : { load }) };
}

/** A command to print, without what looks like a secret. */
export function shownCommand(command: readonly string[]): string {
  return commandText(redactArguments(command));
}
