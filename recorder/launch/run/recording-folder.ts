import type { Microseconds } from '../../../protocol/units.ts';
import { hasCode } from '../../../protocol/failure.ts';
import { constants, lstatSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { recordingFile, type RecordingManifest, eventsFile, v8LogSuffix } from '../../../protocol/recording.ts';
import type { RecordingEvent } from '../../../protocol/recording-lines.ts';
import {
  appendFile,
  lstat,
  readdir,
  rename,
  rmdir,
  unlink,
  chmod,
  remove,
  stat,
  writeFile,
} from '../../../recordings/files-at-once.ts';
import {
  appending,
  isFolder,
  notOursAlone,
  othersMayWrite,
  makeFolders,
  reasonOf,
} from '../../../recordings/private-files.ts';

/** How a recording is made, of a command or of a running process. */
export interface RecordingOptions {
  readonly cwd: string;
  readonly intervalUs: Microseconds;
  /** Limit for the bytes of all files of the recording together; null: none. */
  readonly mostBytes: number | null;
  /** Absolute path of its folder; without it, the default folder below `cwd`. */
  readonly out?: string;
  readonly hotspanVersion: string;
  /** Sentences for the user, which are kept in the recording. */
  readonly notes: readonly string[];
}

/** Comparisons, checks and baselines have no --out. */
const elsewhere = 'choose another folder, with --out of "hotspan record" or by HOTSPAN_RECORDINGS';

/** Makes the folder of a recording. Null, or a sentence about the obstacle: a recording in it is left alone. */
export async function makeFolder(directory: string): Promise<string | null> {
  try {
    makeFolders(directory);
  } catch (error) {
    return `Cannot make the folder ${directory} (${reasonOf(error)}): ${elsewhere}.`;
  }
  const files = await filesOf(directory);
  if (files.length > 0 && (await isForeign(directory)))
    return `${directory} belongs to another user and is not empty: choose another folder with --out.`;
  return files.includes(recordingFile) || files.includes(eventsFile)
    ? `${directory} holds a recording already: choose another folder with --out, or delete it first.`
    : null;
}

/** Whether a folder belongs to another user, who could put links there through which root writes. */
async function isForeign(directory: string): Promise<boolean> {
  const user = process.geteuid?.();
  return user !== undefined && (await stat(directory)).uid !== user;
}

/** Writes the first manifest. Null, or a sentence about the failure that names the user's folder, `named`. */
export async function begin(directory: string, manifest: RecordingManifest, named = directory): Promise<string | null> {
  const reason = await writeManifest(directory, manifest);
  return reason === null ? null : `Cannot write to ${named} (${reason}): ${elsewhere}.`;
}

/** Writes the last manifest; a recording without it looks as if it still ran. Null, or a sentence about the failure. */
export async function finishManifest(directory: string, manifest: RecordingManifest): Promise<string | null> {
  const reason = await writeManifest(directory, manifest);
  if (reason === null) return null;
  const advice = reason === 'ENOSPC' || reason === 'EDQUOT' ? 'make room on the disk' : 'see that it can be written to';
  return `The end of the recording could not be written to ${directory} (${reason}), so it may lack its last part and is shown as a running one: ${advice}, then record again.`;
}

/** Writes a manifest. Null, or the system's error code: then the manifest before it is still there as a whole. */
export async function writeManifest(directory: string, manifest: RecordingManifest): Promise<string | null> {
  const file = path.join(directory, recordingFile);
  const unfinished = `${file}.tmp`;
  try {
    await unlink(unfinished).catch((error: unknown) => {
      if (reasonOf(error) !== 'ENOENT') throw error;
    });
    // The file is new, so nothing is written through a link of another user.
    await writeFile(unfinished, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, file);
    return null;
  } catch (error) {
    await remove(unfinished).catch(() => {}); // The folder is read-only: the file was never made.
    return reasonOf(error);
  }
}

/**
 * The folder where only this user's processes may write while they are recorded, because V8's logs and Node's profiles of
 * worker threads are written through links. V8 makes its logs readable for all, so only this user may read the folder of
 * a recording of tiers.
 *
 * It is the recording's own folder, or, where that is open to others, a new folder in it. Where others could replace
 * that, it is a temporary folder. Null where none can be made. On Windows the rights of the folder above count.
 */
export function closedFolder(out: string, kind: 'profile' | 'tiers'): string | null {
  const user = process.geteuid?.();
  if (user === undefined) return out;
  const stats = statSync(out);
  const isOwn = stats.uid === user;
  const isOpen = kind === 'tiers' ? (stats.mode & 0o077) !== 0 : othersMayWrite(stats);
  if (isOwn && !isOpen) return out;
  const staysThere = isOwn && (!othersMayWrite(stats) || (stats.mode & 0o1000) !== 0);
  const inner = madeIn(staysThere ? out : os.tmpdir());
  if (inner === null) return staysThere ? out : null; // The first write will report the reason.
  if (isClosed(inner, user)) return inner;
  rmdirSync(inner);
  return isOwn ? out : null; // The file system has no access rights.
}

function madeIn(folder: string): string | null {
  try {
    const made = mkdtempSync(path.join(folder, '.hotspan-'));
    if (folder !== os.tmpdir() || notOursAlone(made) === null) return made;
    rmdirSync(made);
    return null;
  } catch {
    return null; // It is read-only, or there is no such folder.
  }
}

function isClosed(folder: string, user: number): boolean {
  const stats = lstatSync(folder);
  return isFolder(stats) && stats.uid === user && (stats.mode & 0o077) === 0;
}

/**
 * Moves the files in `from` to `to`, but replaces none; last `recording.json`, by which a recording is recognised. False
 * where a file stays. `goesOn`: a process may still write to `from`, so the folder stays: Node would make it open to all.
 */
export async function moveFiles(from: string, to: string, goesOn: boolean): Promise<boolean> {
  const names = (await readdir(from)).toSorted((a, b) => Number(a === recordingFile) - Number(b === recordingFile));
  for (const name of names) if (!(await moved(path.join(from, name), path.join(to, name)))) return false;
  if (!goesOn) await rmdir(from).catch(() => {}); // A new file came meanwhile.
  return true;
}

async function moved(file: string, target: string): Promise<boolean> {
  try {
    if ((await lstat(target).catch(() => null)) !== null) return false;
    await rename(file, target).catch(async (error: unknown) => {
      if (!hasCode(error, 'EXDEV')) throw error;
      const { copyFile } = await import('node:fs/promises'); // It may take long.
      await copyFile(file, target, constants.COPYFILE_EXCL);
      await unlink(file);
    });
    return true;
  } catch {
    return false; // The disk is full, or the folder has gone.
  }
}

/** Appends events to those of the recorded processes. Rejects with the system's error. */
export async function appendEvents(directory: string, events: readonly RecordingEvent[]): Promise<void> {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  await appendFile(path.join(directory, eventsFile), lines, appending);
}

/** Deletes a recording without content; its folder stays when there is anything else in it. */
export async function discardEmpty(directory: string): Promise<void> {
  await remove(path.join(directory, recordingFile));
  await rmdir(directory).catch(() => {});
}

/** Makes V8's logs private, which V8 makes readable for all: until now only the folder kept others out. */
export async function hideFromOthers(directory: string): Promise<void> {
  for (const name of await filesOf(directory)) {
    if (name.endsWith(v8LogSuffix)) await chmod(path.join(directory, name), 0o600).catch(() => {}); // The file was moved meanwhile.
  }
}

async function filesOf(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch(() => []);
}
