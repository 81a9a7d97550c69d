import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { microseconds } from '../protocol/units.ts';
import { liveProcesses, openEventLog } from './event-log.ts';

/** In ms. */
const aDay = 24 * 3600 * 1000;

/**
 * Whether a recording that was never told its end was cut off with its editor or its machine: nothing was written to it
 * for a day, and none of its processes is there.
 */
export async function isAbandoned(folder: string): Promise<boolean> {
  const quiet = Date.now() - (await lastWrite(folder));
  if (!(quiet > aDay)) return false;
  // Its processes began before its last write. When exactly they say by a clock that a restart of the machine sets back.
  const at = microseconds(Number(process.hrtime.bigint() / 1000n) - Math.round(quiet * 1000));
  const events = openEventLog(folder).read();
  return liveProcesses(events.map((event) => (event.type === 'start' ? { ...event, at } : event))).length === 0;
}

/** In ms since the epoch; NaN where it cannot be told. */
async function lastWrite(folder: string): Promise<number> {
  try {
    const files = (await readdir(folder)).map((name) => path.join(folder, name));
    const times = await Promise.all([folder, ...files].map(async (file) => (await stat(file)).mtimeMs));
    return Math.max(...times);
  } catch {
    return Number.NaN; // Something of it was deleted or renamed meanwhile.
  }
}
