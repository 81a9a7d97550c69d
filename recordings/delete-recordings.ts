import { lstat, readdir, rename, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { reasonOf } from './private-files.ts';
import { microseconds } from '../protocol/units.ts';
import { type ListedRecording, listRecordings } from './list-recordings.ts';
import { liveProcesses, openEventLog } from './run-processes.ts';
import { eventsFile, markedBeforeFile, recordingFile, seenAgainFile, stopFile } from '../protocol/recording.ts';
import {
  isNameOfRun,
  isNameOfTarget,
  nameOfRun,
  isNameOfComparedRun,
  isNameOfComparison,
} from '../protocol/formats/folder-names.ts';
import { bytesBelow } from './recording-folders.ts';

type Deletion =
  | { readonly type: 'deleted' }
  /** One sentence that says what is still there, and why. */
  | { readonly type: 'left'; readonly message: string };

/**
 * Deletes a recording below `root`, and nothing else. These stay: the root itself, folders with other names, links and
 * what they lead to, and files with other names inside the recording.
 */
export async function deleteRecording(root: string, folder: string): Promise<Deletion> {
  const stranger = await strangerOf(root, folder);
  if (stranger !== null) return { type: 'left', message: `${stranger} Delete ${folder} yourself.` };
  return deleteRecordingIn(folder);
}

/**
 * Gives a finished recording its lasting name, so that the same task can be run again, and deletes all but the last
 * `keep` recordings of the target. `kept` is where the recording is now: a folder that cannot be renamed stays as it
 * is. `left` are sentences about recordings that could not be deleted.
 */
export async function keepRecording(
  recording: string,
  now: Date,
  keep: number,
): Promise<{ readonly kept: string; readonly left: readonly string[] }> {
  const folder = path.dirname(recording);
  const kept = path.join(folder, `${nameOfRun(now)}.ended`);
  const latest = await rename(recording, kept).then(
    () => kept,
    () => recording,
  );
  const ended = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.ended')).toSorted();
  const old = ended.slice(0, Math.max(0, ended.length - keep)).map((name) => path.join(folder, name));
  const deletions = await Promise.all(
    old.filter((name) => name !== latest).map(async (name) => deleteRecording(path.dirname(folder), name)),
  );
  return { kept: latest, left: deletions.flatMap((one) => (one.type === 'left' ? [one.message] : [])) };
}

/** Deletes the files of a recording, and its folder where that has nothing else. Its name is for the caller to judge. */
export async function deleteRecordingIn(folder: string): Promise<Deletion> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const ours = entries.filter((entry) => entry.isFile() && isOfRecording(entry.name)).map(({ name }) => name);
    // The manifest goes last: a recording that is deleted in part can still be recognised.
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
 * Whether a folder has a name that Hotspan gives: the time when the run began or ended, directly below `root` or in the
 * folder of its target.
 */
function isNamedAsOurs(root: string, folder: string): boolean {
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

/** Whether a path is a folder, and no link to one. */
export async function isPlainFolder(folder: string): Promise<boolean> {
  return lstat(folder).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

/**
 * Whether a file is one of those in protocol/recording.ts, under its final name or under the name that it has while it
 * is written.
 */
function isOfRecording(name: string): boolean {
  const whole = name.replace(/(?:\.\d+)?\.tmp$/, '');
  return single.has(whole) || kinds.some((kind) => kind.test(whole));
}

const single = new Set([recordingFile, eventsFile, stopFile, markedBeforeFile, seenAgainFile]);

const kinds = [
  /^\d+-\d+-[0-9a-z]+\.(?:\d+\.cpuprofile|(?:turns|waits|tests|requests|maps|texts)\.jsonl)$/,
  /^read\.texts\.jsonl$/,
  /^[0-9a-z]+-[0-9a-z]+\.text\.gz$/,
  /^CPU\.\d+\.\d+\.\d+\.\d+\.\d+\.cpuprofile$/,
  /^isolate-\w+-\d+-\d+-\d+\.v8\.log$/,
];

export interface Pruned {
  readonly deleted: readonly ListedRecording[];
  /** Sentences about what should have been deleted, and why it is still there. */
  readonly left: readonly string[];
}

/**
 * Deletes the oldest recordings until all together have at most `mostBytes` bytes. It never deletes `kept`, the
 * recording that was just made, nor one that still runs; a recording that was cut off is deleted after a day. Only
 * recordings with names that Hotspan gives count.
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

/** Whether nothing is written to a recording any more: its end was written down, or it was cut off a day ago. */
export async function isOver({ folder, isEnded }: ListedRecording): Promise<boolean> {
  return isEnded || isAbandoned(folder);
}

/** One day in ms. */
const aDay = 24 * 3600 * 1000;

/**
 * Whether a recording without a noted end was cut off together with its editor or its machine: nothing was written to
 * it for a day, and none of its processes runs.
 */
async function isAbandoned(folder: string): Promise<boolean> {
  const quiet = Date.now() - (await lastWrite(folder));
  if (!(quiet > aDay)) return false;
  // The processes began before the last write. The exact times in their events are of a clock that a restart of the
  // machine sets back.
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
    return Number.NaN; // A file was deleted or renamed meanwhile.
  }
}

/** The folder of a comparison, with the recordings of both sides and what their commands printed. */
interface FoundComparison {
  readonly folder: string;
  readonly bytes: number;
}

/**
 * Deletes the comparisons below `root` that were made first, each as a whole, until all together have at most
 * `mostBytes` bytes; `kept` is never among them, nor one in which something was written
 * within the last hour: it may still run, in another window. Links, and all that has another name than Hotspan gives, stay. Gives
 * sentences about what should have been deleted and is still there.
 */
export async function pruneComparisons(root: string, mostBytes: number, kept: string): Promise<readonly string[]> {
  const all = await comparisonsIn(root);
  let surplus = all.reduce((sum, { bytes }) => sum + bytes, 0) - mostBytes;
  const left: string[] = [];
  for (const { folder, bytes } of all) {
    if (surplus <= 0) break;
    if (folder === kept || (await mayRun(folder))) continue;
    left.push(...(await deleteComparison(folder)));
    surplus -= bytes;
  }
  return left;
}

/** Each run of a comparison makes a folder, and no run that a person waits for takes so long. */
async function mayRun(folder: string): Promise<boolean> {
  const inside = await readdir(folder).catch((): readonly string[] => []);
  const paths = [folder, ...inside.map((name) => path.join(folder, name))];
  const times = await Promise.all(
    paths.map(async (one) =>
      lstat(one).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return Date.now() - Math.max(...times) < anHour;
}

/** In ms. */
const anHour = 3600 * 1000;

/** The comparisons in a folder, the oldest first: their names begin with the time. */
async function comparisonsIn(root: string): Promise<readonly FoundComparison[]> {
  const names = (await readdir(root).catch((): readonly string[] => [])).filter(isNameOfComparison).toSorted();
  const found: FoundComparison[] = [];
  for (const name of names) {
    const folder = path.join(root, name);
    if (await isPlainFolder(folder)) found.push({ folder, bytes: await bytesBelow(folder) });
  }
  return found;
}

async function deleteComparison(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const left: string[] = [];
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && isNameOfComparedRun(entry.name)) {
      const deletion = await deleteRecordingIn(file);
      if (deletion.type === 'left') left.push(deletion.message);
    } else if (entry.isFile() && isLog(entry.name)) await unlink(file).catch(() => undefined); // It goes the next time.
  }
  await rmdir(folder).catch(() => undefined); // Something that is not ours lies in it.
  return left;
}

/** What the commands of a comparison printed. */
function isLog(name: string): boolean {
  return name === 'prepare.log' || (name.endsWith('.log') && isNameOfComparedRun(name.slice(0, -'.log'.length)));
}
