import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { microseconds } from '../protocol/units.ts';
import { deleteRecording, isNamedAsOurs } from './delete-recording.ts';
import { openEventLog } from './event-log.ts';
import { type ListedRecording, listRecordings } from './list-recordings.ts';
import { liveProcesses } from './live-processes.ts';

export interface Pruned {
  readonly deleted: readonly ListedRecording[];
  /** Sentences about what should have been deleted, and why it is still there. */
  readonly left: readonly string[];
}

/**
 * Deletes the oldest recordings until all together have at most `mostBytes` bytes. It never deletes `kept`, the one
 * just made, nor one that still runs; one that was cut off is deleted after a day. Only recordings with names of
 * Hotspan count. /
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
 * Whether a recording whose end nobody wrote down was cut off with its editor or its machine: nothing was written to it
 * for a day, and none of its processes is there. /
 */
async function isAbandoned(folder: string): Promise<boolean> {
  const quiet = Date.now() - (await lastWrite(folder));
  if (!(quiet > aDay)) return false;
  // Its processes began before its last write. When exactly they say by a clock that a restart of the machine sets back.
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
    return Number.NaN; // Something of it was deleted or renamed meanwhile.
  }
}
