import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { eventsFile, markedBeforeFile, oldTextsFile, recordingFile, stopFile } from '../protocol/recording.ts';
import { isNameOfRun, isNameOfTarget } from './formats/folder-names.ts';

export type Deletion =
  | { readonly type: 'deleted' }
  /** One sentence that says what is still there, and why. */
  | { readonly type: 'left'; readonly message: string };

/**
 * Deletes a recording below `root`, and nothing else. The root itself, folders of other names, links and what they lead
 * to stay; so do files of other names in the recording. /
 */
export async function deleteRecording(root: string, folder: string): Promise<Deletion> {
  const stranger = await strangerOf(root, folder);
  if (stranger !== null) return { type: 'left', message: `${stranger} Delete ${folder} yourself.` };
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const ours = entries.filter((entry) => entry.isFile() && isOfRecording(entry.name)).map(({ name }) => name);
    // What is deleted in part is still seen to be a recording.
    for (const name of ours.toSorted((a, b) => Number(a === recordingFile) - Number(b === recordingFile)))
      await unlink(path.join(folder, name));
    await rmdir(folder);
    return { type: 'deleted' };
  } catch (error) {
    const left = await readdir(folder).catch(() => []);
    const [first] = left;
    const what =
      first === undefined ? '' : `, which has ${first}${left.length > 1 ? ` and ${left.length - 1} more` : ''}`;
    return { type: 'left', message: `Not all of ${folder}${what}, could be deleted (${reasonOf(error)}).` };
  }
}

/**
 * Whether a folder has a name that Hotspan gives: the time when the run began or ended, directly below `root` or in a
 * folder for its target. /
 */
export function isNamedAsOurs(root: string, folder: string): boolean {
  const [first = '', second, ...deeper] = path.relative(root, folder).split(path.sep);
  if (deeper.length > 0) return false;
  return second === undefined ? isNameOfRun(first) : isNameOfTarget(first) && isNameOfRun(second);
}

/** One sentence about what in the folder is not ours; null where all of it is. */
async function strangerOf(root: string, folder: string): Promise<string | null> {
  if (!isNamedAsOurs(root, folder)) return `${folder} has no name that Hotspan gives, so it stays.`;
  const [first = '', second = ''] = path.relative(root, folder).split(path.sep);
  for (const one of [root, path.join(root, first), path.join(root, first, second)])
    if (!(await isPlainFolder(one))) return `${one} is a link or no folder, so what it leads to stays.`;
  const manifest = await lstat(path.join(folder, recordingFile)).catch(() => null);
  return manifest?.isFile() === true ? null : `${folder} has no ${recordingFile}, so it stays.`;
}

async function isPlainFolder(folder: string): Promise<boolean> {
  return lstat(folder).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

/**
 * Whether a file is one of those in protocol/recording.ts, under its name or the one that it has while it is written. /
 */
function isOfRecording(name: string): boolean {
  const whole = name.replace(/(?:\.\d+)?\.tmp$/, '');
  return single.has(whole) || kinds.some((kind) => kind.test(whole));
}

const single = new Set([recordingFile, eventsFile, stopFile, oldTextsFile, markedBeforeFile]);

const kinds = [
  /^\d+-\d+-[0-9a-z]+\.(?:\d+\.cpuprofile|(?:turns|waits|tests|requests|maps|texts)\.jsonl)$/,
  /^read\.texts\.jsonl$/,
  /^[0-9a-z]+-[0-9a-z]+\.text\.gz$/,
  /^CPU\.\d+\.\d+\.\d+\.\d+\.\d+\.cpuprofile$/,
  /^isolate-\w+-\d+-\d+-\d+\.v8\.log$/,
];

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
