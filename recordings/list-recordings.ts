/*
 * This folder works with whole recordings on the disk: it lists and deletes them, chooses where new ones lie, and keeps
 * files beside them. The engine says what a recording means, and the recorder makes it. Nothing here shows anything or
 * knows VS Code. formats/ has one parser for each text that several rooms read; these parsers do not touch the disk.
 */
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { profileSuffix, recordingFile } from '../protocol/recording.ts';
import { commandText } from '../words/formats/command-text.ts';
import { parseManifest } from '../protocol/formats/parse-manifest.ts';

/** A recording as a list shows it. */
export interface ListedRecording {
  /** Absolute path. */
  readonly folder: string;
  readonly command: string;
  /** Absolute folder in which the command was run; null where it is unknown. */
  readonly cwd: string | null;
  /** ISO 8601. */
  readonly startedAt: string;
  /** False while the command runs, and also where nothing could note the end (the machine or the editor went down). */
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

export interface NewestRecording {
  readonly path: string;
  /** Number of all recordings in the folder. */
  readonly count: number;
  /** In ms since the epoch. */
  readonly writtenMs: number;
}

/**
 * The recording that was written last in a folder where recordings lie side by side, each in a folder of its own, as
 * `hotspan record` leaves them. Null where `folder` is itself a recording, a folder of profiles, or anything else.
 */
export async function newestRecording(folder: string): Promise<NewestRecording | null> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.some(({ name }) => name === recordingFile || name.includes(profileSuffix))) return null;
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(folder, name));
  const times = await Promise.all(folders.map(async (one) => ({ path: one, writtenMs: await writtenAt(one) })));
  const recordings = times.filter(({ writtenMs }) => writtenMs >= 0).toSorted((a, b) => b.writtenMs - a.writtenMs);
  const [newest] = recordings;
  return newest === undefined ? null : { ...newest, count: recordings.length };
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
    const manifest = parseManifest(await readFile(path.join(folder, recordingFile), 'utf8'));
    if (manifest === null) return null;
    const { command, cwd, startedAt, endedAt } = manifest;
    if (command === null || startedAt === null) return null;
    const bytes = await sizeOf(folder);
    return { folder, startedAt, bytes, command: commandText(command), cwd, isEnded: endedAt !== null };
  } catch {
    return null;
  }
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder);
  const sizes = names.map((name) =>
    stat(path.join(folder, name)).then(
      ({ size }) => size,
      () => 0, // It was renamed meanwhile.
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** When the recording was last written, in ms since the epoch; −1 where the folder is no recording. */
async function writtenAt(folder: string): Promise<number> {
  const stats = await stat(path.join(folder, recordingFile)).catch(() => undefined);
  return stats?.mtimeMs ?? -1;
}
