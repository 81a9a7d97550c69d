import { appendFile, mkdir, readdir, lstat } from 'node:fs/promises';
import path from 'node:path';
import { profileSuffix, recordingFile, stopFile, testsSuffix } from '../protocol/recording.ts';
import { comparisonSuffix, nameOfRun } from '../protocol/formats/folder-names.ts';
import { appending } from './private-files.ts';
import { createHash } from 'node:crypto';

/** Whether a recording was made for a comparison or a check, maybe of other sources or of a part of the tests. */
export function isOfComparison(recording: string): boolean {
  return path.basename(path.dirname(recording)).endsWith(comparisonSuffix);
}

/** The recording that a chosen file belongs to: for a `recording.json` that is its folder. */
export function recordingPath(chosen: string): string {
  return path.basename(chosen) === recordingFile ? path.dirname(chosen) : chosen;
}

/** Whether a run has come so far that there is something to show. */
export async function hasRecording(recording: string): Promise<boolean> {
  return (await namesIn(recording)).includes(recordingFile);
}

/** Whether the person ended the run by *Stop and Show*. */
export async function wasStopped(recording: string): Promise<boolean> {
  return (await namesIn(recording)).includes(stopFile);
}

/** Asks `hotspan record` to end its command, and to keep what was recorded until then. */
export async function requestStop(recording: string): Promise<void> {
  await mkdir(recording, { recursive: true, mode: 0o700 });
  await appendFile(path.join(recording, stopFile), '', appending);
}

/** Names in a folder; empty where the folder is not there or cannot be read. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((): readonly string[] => []);
}

/** Whether any process of the run has reported a test. */
export async function hasTests(recording: string): Promise<boolean> {
  return (await namesIn(recording)).some((name) => name.endsWith(testsSuffix));
}

/** Whether any process of the run has left a profile: without one there is nothing to show. */
export async function hasProfiles(recording: string): Promise<boolean> {
  return (await namesIn(recording)).some((name) => name.endsWith(profileSuffix));
}

/** The size of all files below a folder, in bytes. Links are not followed. */
export async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async (entry) =>
      lstat(path.join(entry.parentPath, entry.name)).then(
        (one) => (one.isFile() ? one.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Path of a new recording of the editor. Each target has a folder, and each run has a folder in it, named by its start
 * so that names sort by age. `root` is the extension's storage: nothing is written in the person's project. `record`
 * makes the folder.
 */
export function newRecordingFolder(root: string, targetId: string, now: Date): string {
  return path.join(root, nameOfTarget(targetId), nameOfRun(now));
}

/** Names the target of a recording, the same for each run of it; null for a recording that is not the editor's own. */
export function targetOfRecording(root: string, recording: string): string | null {
  const target = path.dirname(recording);
  return path.dirname(target) === root ? path.basename(target) : null;
}

/** Folder name of a target, short and always the same. A label may contain characters that a file name cannot. */
export function nameOfTarget(targetId: string): string {
  return shortHash(targetId);
}

/** A text as a part of a file's name: short, and always the same. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
