/*
 * This folder works with whole recordings on the disk: it lists and deletes them, chooses where new ones go, and keeps
 * files beside them. It shows nothing and does not know VS Code. The engine says what a recording means, and the recorder
 * makes it.
 */
import { createHash } from 'node:crypto';
import { appendFile, lstat, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { comparisonSuffix, isNameOfComparison, nameOfRun } from '../protocol/formats/folder-names.ts';
import { type Manifest, parseManifest } from '../protocol/formats/parse-manifest.ts';
import { profileSuffix, recordingFile, stopFile, testsSuffix, v8LogSuffix } from '../protocol/recording.ts';
import { commandText } from '../words/formats/command-text.ts';
import { appending } from './private-files.ts';

/** A recording as a list shows it. */
export interface ListedRecording extends FoundRecording {
  readonly bytes: number;
}

interface FoundRecording {
  /** Absolute path. */
  readonly folder: string;
  readonly command: string;
  /** Absolute folder in which the command ran; null where it is unknown. */
  readonly cwd: string | null;
  /** ISO 8601. */
  readonly startedAt: string;
  /** False while the command runs, and where the machine or the editor went down before its end. */
  readonly isEnded: boolean;
}

/** As `findRecordings`, with sizes: each file of each recording is looked at. */
export async function listRecordings(root: string): Promise<readonly ListedRecording[]> {
  const found = await findRecordings(root);
  return Promise.all(found.map(async (one) => ({ ...one, bytes: await bytesBelow(one.folder) })));
}

/** The recordings in the folders of `root`, one level deeper, and in comparisons that are there, the newest first. */
export async function findRecordings(root: string): Promise<readonly FoundRecording[]> {
  const folders = await foldersIn(root);
  const deeper = (await Promise.all(folders.map(foldersIn))).flat();
  const comparisons = deeper.filter((folder) => isNameOfComparison(path.basename(folder)));
  const runs = (await Promise.all(comparisons.map(foldersIn))).flat();
  const found = await Promise.all([root, ...folders, ...deeper, ...runs].map(readRecording));
  return found.filter((one) => one !== null).toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
}

/** Null where the folder is not a recording. */
async function readRecording(folder: string): Promise<FoundRecording | null> {
  const { command = null, cwd = null, startedAt = null, endedAt = null } = (await readManifest(folder)) ?? {};
  if (command === null || startedAt === null) return null;
  return { folder, startedAt, command: commandText(command), cwd, isEnded: endedAt !== null };
}

/** Null where the recording has none, or is not there. */
export async function readManifest(recording: string): Promise<Manifest | null> {
  return parseManifest(await readFile(path.join(recording, recordingFile), 'utf8').catch(() => ''));
}

export interface NewestRecording {
  readonly path: string;
  /** Number of all recordings in the folder. */
  readonly count: number;
  /** In ms since the epoch. */
  readonly writtenMs: number;
  /** When newer ones were written that hold neither profiles nor V8's tiers: they still run, or ended early. */
  readonly emptyMs: readonly number[];
  /** Whether this one holds none either. */
  readonly isEmpty: boolean;
}

/**
 * The recording with something to show that was written last, in a folder where `hotspan record` puts a folder for each;
 * else the last one. Null where `folder` is itself a recording, a folder of profiles, or anything else.
 */
export async function newestRecording(folder: string): Promise<NewestRecording | null> {
  if ((await namesIn(folder)).some((name) => name === recordingFile || name.includes(profileSuffix))) return null;
  const all = await Promise.all(
    (await foldersIn(folder)).map(async (one) => {
      const stats = await stat(path.join(one, recordingFile)).catch(() => null);
      return stats === null ? [] : [{ path: one, writtenMs: stats.mtimeMs }];
    }),
  );
  const recordings = all.flat().toSorted((a, b) => b.writtenMs - a.writtenMs);
  const empty: number[] = [];
  for (const one of recordings) {
    if (await holdsSamples(one.path)) return { ...one, count: recordings.length, emptyMs: empty, isEmpty: false };
    empty.push(one.writtenMs);
  }
  const [newest] = recordings;
  return newest === undefined ? null : { ...newest, count: recordings.length, emptyMs: empty, isEmpty: true };
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

/** Names in a folder; empty where it is missing or cannot be read. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** Size of all files below a folder, in bytes. Links are not followed. */
export async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const all = await Promise.all(
    entries.map(async (entry) => lstat(path.join(entry.parentPath, entry.name)).catch(() => null)),
  );
  return all.reduce((sum, stats) => sum + (stats?.isFile() === true ? stats.size : 0), 0);
}

/** Whether a recording was made for a comparison or a check: maybe of other sources, or of some of the tests. */
export function isOfComparison(recording: string): boolean {
  return path.basename(path.dirname(recording)).endsWith(comparisonSuffix);
}

/** The recording of a chosen file: for a `recording.json` that is its folder. */
export function recordingPath(chosen: string): string {
  return path.basename(chosen) === recordingFile ? path.dirname(chosen) : chosen;
}

/** Whether the recorder has begun the recording, so there is something to show. */
export async function hasRecording(recording: string): Promise<boolean> {
  return (await namesIn(recording)).includes(recordingFile);
}

/** Whether the user ended the run by *Stop and Show*. */
export async function wasStopped(recording: string): Promise<boolean> {
  return (await namesIn(recording)).includes(stopFile);
}

/** Asks `hotspan record` to end its command, and to keep what it has recorded. */
export async function requestStop(recording: string): Promise<void> {
  await mkdir(recording, { recursive: true, mode: 0o700 });
  await appendFile(path.join(recording, stopFile), '', appending);
}

/** Whether a process of the run has reported a test. */
export async function hasTests(recording: string): Promise<boolean> {
  return (await namesIn(recording)).some((name) => name.endsWith(testsSuffix));
}

/** Whether a process of the run has left a profile: without one there is nothing to show. */
export async function hasProfiles(recording: string): Promise<boolean> {
  return (await namesIn(recording)).some((name) => name.endsWith(profileSuffix));
}

/** Whether a process of the run has left a profile or V8's tiers. */
async function holdsSamples(recording: string): Promise<boolean> {
  return (await namesIn(recording)).some((name) => name.endsWith(profileSuffix) || name.endsWith(v8LogSuffix));
}

/**
 * Path of a new recording of the editor: a folder for each target, and in it one for each run, whose names sort by age.
 * `root` is the extension's storage. `record` makes the folder.
 */
export function newRecordingFolder(root: string, targetId: string, now: Date): string {
  return path.join(root, shortHash(targetId), nameOfRun(now));
}

/** The folder name of a recording's target, the same for each run; null where the recording is not the editor's own. */
export function targetOfRecording(root: string, recording: string): string | null {
  const target = path.dirname(recording);
  return path.dirname(target) === root ? path.basename(target) : null;
}

/** A text as a file name of 16 digits, such as the id of a target: a label may contain what a file name cannot. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
