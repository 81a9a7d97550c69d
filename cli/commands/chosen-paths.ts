import path from 'node:path';
import { isProfileName } from '../../engine/read/recording-files/profile-names.ts';
import { newestRecording } from '../../recordings/recording-folders.ts';
import { defaultRecordingsFolders } from '../../recordings/default-folder.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { recordingFile } from '../../protocol/recording.ts';
import { ago } from '../../words/formats/ago.ts';
import { shownPath } from '../views/shown-code.ts';

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
