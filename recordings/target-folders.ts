import { createHash } from 'node:crypto';
import path from 'node:path';
import { nameOfRun } from './formats/folder-names.ts';

/**
 * Path of a new recording of the editor. Each target has a folder, and each run has a folder in it, named by its start
 * so that names sort by age. `root` is the extension's storage: nothing is written in the person's project. `record`
 * makes the folder.
 */
export function newRecordingFolder(root: string, targetId: string, now: Date): string {
  return path.join(root, nameOfTarget(targetId), nameOfRun(now));
}

/** Folder name of a target, short and always the same. A label may contain characters that a file name cannot. */
export function nameOfTarget(targetId: string): string {
  return createHash('sha256').update(targetId).digest('hex').slice(0, 16);
}
