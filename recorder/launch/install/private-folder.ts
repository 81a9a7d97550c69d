import { constants, lstatSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { copyFile, lstat, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { recordingFile } from '../../../protocol/recording.ts';
import { isFolder, notOursAlone, othersMayWrite } from '../../../recordings/private-files.ts';

/**
 * Where processes may write while they are recorded. V8 makes its logs for everybody to read (Node's profiles of worker
 * threads are their owner's alone), and both follow links: so nobody else may write there, nor, of V8's logs, look into it.
 * That is the recording's folder, or, where that was there before and is open, a new one in it; where others may put
 * something else in its place, one in the system's folder for temporary files. Null where none can be made. On Windows the
 * rights of the folder above count.
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
  if (inner === null) return staysThere ? out : null; // Nothing can be written there, which is told when it is tried.
  if (isClosed(inner, user)) return inner;
  rmdirSync(inner);
  return isOwn ? out : null; // A file system that knows no rights.
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
 * Moves what is in `from` to `to`, over nothing that is there; `recording.json` last, by which others see a recording.
 * False where something stays. `goesOn`: a process may still write there, and Node would make the folder anew, open to all.
 */
export async function moveFiles(from: string, to: string, goesOn: boolean): Promise<boolean> {
  const names = (await readdir(from)).toSorted((a, b) => Number(a === recordingFile) - Number(b === recordingFile));
  for (const name of names) if (!(await moved(path.join(from, name), path.join(to, name)))) return false;
  if (!goesOn) await rmdir(from).catch(() => {}); // Something came meanwhile.
  return true;
}

async function moved(file: string, target: string): Promise<boolean> {
  try {
    if ((await lstat(target).catch(() => null)) !== null) return false;
    await rename(file, target).catch(async (error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
      await copyFile(file, target, constants.COPYFILE_EXCL);
      await unlink(file);
    });
    return true;
  } catch {
    return false; // The disk is full, or the folder has gone.
  }
}
