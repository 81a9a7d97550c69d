import { createHash } from 'node:crypto';
import path from 'node:path';
import { nameOfRun } from '../protocol/formats/folder-names.ts';

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
