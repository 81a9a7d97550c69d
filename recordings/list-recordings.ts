import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { commandText } from '../words/formats/command-text.ts';
import { recordingFile } from '../protocol/recording.ts';
import { deleteRecording, isNamedAsOurs } from './delete-recording.ts';
import { microseconds } from '../protocol/units.ts';
import { liveProcesses, openEventLog } from './event-log.ts';

/** A recording as a list shows it. */
export interface ListedRecording {
  /** Absolute path. */
  readonly folder: string;
  readonly command: string;
  /** Absolute folder in which the command was run; null where it is unknown. */
  readonly cwd: string | null;
  /** ISO 8601. */
  readonly startedAt: string;
  /** False while the command runs, and where nobody was there to say that it ended. */
  readonly isEnded: boolean;
  readonly bytes: number;
}

/** The recordings in the folders of `root`, and one level deeper, the newest first. */
export async function listRecordings(root: string): Promise<readonly ListedRecording[]> {
  const folders = await foldersIn(root);
  const deeper = await Promise.all(folders.map(foldersIn));
  const found = await Promise.all([root, ...folders, ...deeper.flat()].map(readRecording));
  return found.filter((one) => one !== null).toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
}

/** Whether nothing is written to a recording any more: its end was written down, or it was cut off a day ago. */
export async function isOver({ folder, isEnded }: ListedRecording): Promise<boolean> {
  return isEnded || isAbandoned(folder);
}

export interface Pruned {
  readonly deleted: readonly ListedRecording[];
  /** Sentences about what should have been deleted, and why it is still there. */
  readonly left: readonly string[];
}

/**
 * Deletes the oldest recordings until all together have at most `mostBytes` bytes. It never deletes `kept`, the one
 * just made, nor one that still runs; one that was cut off is deleted after a day. Only recordings with names of
 * Hotspan count.
 */
export async function pruneRecordings(root: string, mostBytes: number, kept: string): Promise<Pruned> {
  const all = (await listRecordings(root)).filter(({ folder }) => folder === kept || isNamedAsOurs(root, folder));
  const surplus = all.reduce((sum, { bytes }) => sum + bytes, 0) - mostBytes;
  const others = all.filter(({ folder }) => folder !== kept).toReversed();
  const [deleted, left]: [ListedRecording[], string[]] = [[], []];
  for (const one of others) {
    const gone = deleted.reduce((sum, { bytes }) => sum + bytes, 0);
    if (gone >= surplus) break;
    if (!(await isOver(one))) continue;
    const deletion = await deleteRecording(root, one.folder);
    if (deletion.type === 'deleted') deleted.push(one);
    else left.push(deletion.message);
  }
  return { deleted, left };
}

/** A size as a text: `640 kB`, `12 MB`, `1.4 GB`. */
export function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e6 ? `${Math.round(bytes / 1e6)} MB` : `${Math.ceil(bytes / 1000)} kB`;
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(folder, name));
}

/** A recording as a list shows it; null where the folder is no recording. */
async function readRecording(folder: string): Promise<ListedRecording | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path.join(folder, recordingFile), 'utf8'));
    if (typeof value !== 'object' || value === null) return null;
    const { command, cwd, startedAt, endedAt }: Fields = value;
    if (!Array.isArray(command) || typeof startedAt !== 'string') return null;
    return {
      ...{ folder, startedAt, bytes: await sizeOf(folder) },
      command: commandText(command.map(String)),
      cwd: typeof cwd === 'string' ? cwd : null,
      isEnded: typeof endedAt === 'string',
    };
  } catch {
    return null;
  }
}

interface Fields {
  readonly command?: unknown;
  readonly cwd?: unknown;
  readonly startedAt?: unknown;
  readonly endedAt?: unknown;
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder);
  const sizes = names.map((name) =>
    stat(path.join(folder, name)).then(
      ({ size }) => size,
      () => 0, // The file was renamed meanwhile.
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** One day in ms. */
const aDay = 24 * 3600 * 1000;

/**
 * Whether a recording whose end nobody wrote down was cut off with its editor or its machine: nothing was written to it
 * for a day, and none of its processes is there.
 */
async function isAbandoned(folder: string): Promise<boolean> {
  const quiet = Date.now() - (await lastWrite(folder));
  if (!(quiet > aDay)) return false;
  // Its processes began before its last write. They give their exact start by a clock that a restart of the machine
  // sets back.
  const at = microseconds(Number(process.hrtime.bigint() / 1000n) - Math.round(quiet * 1000));
  const events = openEventLog(folder).read();
  return liveProcesses(events.map((event) => (event.type === 'start' ? { ...event, at } : event))).length === 0;
}

/** Time of the last write in ms since the epoch; NaN where it cannot be told. */
async function lastWrite(folder: string): Promise<number> {
  try {
    const files = (await readdir(folder)).map((name) => path.join(folder, name));
    const times = await Promise.all([folder, ...files].map(async (file) => (await stat(file)).mtimeMs));
    return Math.max(...times);
  } catch {
    return Number.NaN; // A file of it was deleted or renamed meanwhile.
  }
}
