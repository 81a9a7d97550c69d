import { maxOf } from '../protocol/figures.ts';
import { lstat, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import {
  isNameOfComparedRun,
  isNameOfComparison,
  isNameOfRun,
  isNameOfTarget,
  nameOfRun,
} from '../protocol/formats/folder-names.ts';
import {
  eventsFile,
  markedBeforeFile,
  rechecksFile,
  recordingFile,
  loadFile,
  mapKeysFile,
  seenAgainFile,
  stopFile,
} from '../protocol/recording.ts';
import { microseconds } from '../protocol/units.ts';
import { reasonOf } from './private-files.ts';
import { bytesBelow, type ListedRecording, listRecordings } from './recording-folders.ts';
import { liveProcesses, openEventLog } from './run-processes.ts';

type Deletion =
  | { readonly type: 'deleted' }
  /** One sentence that says what is still there, and why. */
  | { readonly type: 'left'; readonly message: string };

/**
 * Deletes a recording below `root`, and nothing else. It keeps the root itself, folders with other names, links and
 * their targets, and files with other names inside the recording.
 */
export async function deleteRecording(root: string, folder: string): Promise<Deletion> {
  const reason = await whyNotOurs(root, folder);
  if (reason !== null) return { type: 'left', message: `${reason} Delete ${folder} yourself.` };
  return deleteFiles(folder);
}

/**
 * Gives a finished recording its final name, so that the same task can run again, and deletes all but the last `keep`
 * recordings of its target. `kept` is the folder of the recording now: its old one where renaming fails. `left` has a
 * sentence for each recording that could not be deleted.
 */
export async function keepRecording(
  recording: string,
  now: Date,
  keep: number,
): Promise<{ readonly kept: string; readonly left: readonly string[] }> {
  const folder = path.dirname(recording);
  const renamed = path.join(folder, `${nameOfRun(now)}.ended`);
  const kept = await rename(recording, renamed).then(
    () => renamed,
    () => recording,
  );
  const ended = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.ended')).toSorted();
  const old = ended.slice(0, Math.max(0, ended.length - keep)).map((name) => path.join(folder, name));
  const deletions = await Promise.all(
    old.filter((name) => name !== kept).map(async (name) => deleteRecording(path.dirname(folder), name)),
  );
  return { kept, left: deletions.flatMap((one) => (one.type === 'left' ? [one.message] : [])) };
}

/** Deletes the files of a recording, and its folder where that has nothing else. The caller has checked its name. */
async function deleteFiles(folder: string): Promise<Deletion> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const ours = entries.filter((entry) => entry.isFile() && isOfRecording(entry.name)).map(({ name }) => name);
    // The manifest goes last, so a recording that is deleted in part can still be recognised.
    for (const name of ours.toSorted((a, b) => Number(a === recordingFile) - Number(b === recordingFile)))
      await unlink(path.join(folder, name));
    await rmdir(folder);
    return { type: 'deleted' };
  } catch (error) {
    const [first, ...more] = await readdir(folder).catch(() => []);
    const what = first === undefined ? '' : `, which has ${first}${more.length > 0 ? ` and ${more.length} more` : ''}`;
    return { type: 'left', message: `Not all of ${folder}${what}, could be deleted (${reasonOf(error)}).` };
  }
}

/** Whether a folder has a name of Hotspan's recordings, directly below `root` or in the folder of its target. */
function hasOurName(root: string, folder: string): boolean {
  const [first = '', second, ...deeper] = path.relative(root, folder).split(path.sep);
  if (deeper.length > 0) return false;
  return second === undefined ? isNameOfRun(first) : isNameOfTarget(first) && isNameOfRun(second);
}

/** One sentence that says why Hotspan did not make this folder; null where it did. */
async function whyNotOurs(root: string, folder: string): Promise<string | null> {
  if (!hasOurName(root, folder)) return `${folder} has no name that Hotspan gives, so it stays.`;
  const [first = '', second = ''] = path.relative(root, folder).split(path.sep);
  for (const one of [root, path.join(root, first), path.join(root, first, second)])
    if (!(await isPlainFolder(one))) return `${one} is a link or no folder, so what it leads to stays.`;
  const manifest = await lstat(path.join(folder, recordingFile)).catch(() => null);
  return manifest?.isFile() === true ? null : `${folder} has no ${recordingFile}, so it stays.`;
}

/** False for a link to a folder. */
async function isPlainFolder(folder: string): Promise<boolean> {
  return (await lstat(folder).catch(() => null))?.isDirectory() === true;
}

/** Whether a file is one of protocol/recording.ts, under its final name or under its name while it is written. */
function isOfRecording(name: string): boolean {
  const whole = name.replace(/(?:\.\d+)?\.tmp$/, '');
  return single.has(whole) || kinds.some((kind) => kind.test(whole));
}

const single = new Set([
  ...[recordingFile, eventsFile, stopFile, mapKeysFile],
  ...[markedBeforeFile, rechecksFile, seenAgainFile, loadFile],
]);

const kinds = [
  /^\d+-\d+-[0-9a-z]+\.(?:\d+\.cpuprofile|(?:turns|waits|tests|requests|maps|texts)\.jsonl)$/,
  /^read\.texts\.jsonl$/,
  /^[0-9a-z]+-[0-9a-z]+\.text\.gz$/,
  /^CPU\.\d+\.\d+\.\d+\.\d+\.\d+\.cpuprofile$/,
  /^isolate-\w+-\d+-\d+-\d+\.v8\.log$/,
];

/**
 * Deletes the oldest recordings until all together have at most `mostBytes` bytes. It never deletes `kept`, the
 * recording of this run, nor one that still runs; it deletes an interrupted recording after a day. Only recordings with
 * names of Hotspan count. `left` has a sentence for each recording that could not be deleted.
 */
export async function pruneRecordings(
  root: string,
  mostBytes: number,
  kept: string,
): Promise<{ readonly deleted: readonly ListedRecording[]; readonly left: readonly string[] }> {
  const all = (await listRecordings(root)).filter(({ folder }) => folder === kept || hasOurName(root, folder));
  let surplus = all.reduce((sum, { bytes }) => sum + bytes, 0) - mostBytes;
  const [deleted, left]: [ListedRecording[], string[]] = [[], []];
  for (const one of all.toReversed()) {
    if (surplus <= 0) break;
    if (one.folder === kept || !(await isOver(one))) continue;
    const deletion = await deleteRecording(root, one.folder);
    if (deletion.type === 'left') left.push(deletion.message);
    else {
      deleted.push(one);
      surplus -= one.bytes;
    }
  }
  return { deleted, left };
}

/** Whether nothing writes to a recording any more: it has noted its end, or was interrupted a day ago. */
export async function isOver({ folder, isEnded }: ListedRecording): Promise<boolean> {
  return isEnded || isAbandoned(folder);
}

/** In ms. */
const [anHour, aDay] = [3_600_000, 24 * 3_600_000];

/**
 * Whether a recording without a noted end was interrupted together with its editor or its machine: nothing was written
 * to it for a day, and none of its processes runs.
 */
async function isAbandoned(folder: string): Promise<boolean> {
  const quiet = await quietFor(folder);
  if (!(quiet > aDay)) return false;
  // The processes began before the last write. The exact times in their events are of a clock that a restart of the
  // machine sets back.
  const at = microseconds(Number(process.hrtime.bigint() / 1000n) - Math.round(quiet * 1000));
  const events = openEventLog(folder).read();
  return liveProcesses(events.map((event) => (event.type === 'start' ? { ...event, at } : event))).length === 0;
}

/** Ms since the last write to a folder or a file in it; NaN where one of them was deleted or renamed meanwhile. */
async function quietFor(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const all = [folder, ...names.map((name) => path.join(folder, name))];
  const times = await Promise.all(all.map(async (one) => (await lstat(one).catch(() => null))?.mtimeMs ?? Number.NaN));
  return Date.now() - maxOf(times);
}

/**
 * Deletes the oldest comparisons below `root`, each as a whole, until all together have at most `mostBytes` bytes. It
 * never deletes `kept`, nor one to which something was written within the last hour: it may still run, in another window.
 * It keeps links, and all with other names than Hotspan gives. Gives a sentence for each recording that is left.
 */
export async function pruneComparisons(root: string, mostBytes: number, kept: string): Promise<readonly string[]> {
  const names = (await readdir(root).catch(() => [])).filter(isNameOfComparison).toSorted(); // The oldest first.
  const all: { readonly folder: string; readonly bytes: number }[] = [];
  for (const folder of names.map((name) => path.join(root, name)))
    if (await isPlainFolder(folder)) all.push({ folder, bytes: await bytesBelow(folder) });
  let surplus = all.reduce((sum, { bytes }) => sum + bytes, 0) - mostBytes;
  const left: string[] = [];
  for (const { folder, bytes } of all) {
    if (surplus <= 0) break;
    // Each run of a comparison makes a folder, and a run rarely takes an hour.
    if (folder === kept || !((await quietFor(folder)) >= anHour)) continue;
    for (const one of await deleteComparison(folder)) left.push(one);
    surplus -= bytes;
  }
  return left;
}

/** Deletes the recordings of a comparison, and its folder where that has nothing else. Gives a sentence for each left. */
export async function deleteComparison(folder: string): Promise<readonly string[]> {
  const left: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && isNameOfComparedRun(entry.name)) {
      const deletion = await deleteFiles(file);
      if (deletion.type === 'left') left.push(deletion.message);
    } else if (entry.isFile() && isLog(entry.name)) await unlink(file).catch(() => undefined); // The next call retries.
  }
  await rmdir(folder).catch(() => undefined); // It has files that are not ours.
  return left;
}

/** Whether a file has what the commands of a comparison printed. */
function isLog(name: string): boolean {
  return name === 'prepare.log' || (name.endsWith('.log') && isNameOfComparedRun(name.slice(0, -'.log'.length)));
}
