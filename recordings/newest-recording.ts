import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { profileSuffix, recordingFile } from '../protocol/recording.ts';

export interface NewestRecording {
  readonly path: string;
  /** Number of all recordings in the folder. */
  readonly count: number;
}

/**
 * The recording that was written last in a folder where recordings lie side by side, each in a folder of its own, as
 * `hotspan record` leaves them. Null where `folder` is a recording, a folder of profiles, or anything else.
 */
export async function newestRecording(folder: string): Promise<NewestRecording | null> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.some(({ name }) => name === recordingFile || name.includes(profileSuffix))) return null;
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(folder, name));
  const times = await Promise.all(folders.map(async (one) => ({ path: one, writtenMs: await writtenAt(one) })));
  const recordings = times.filter(({ writtenMs }) => writtenMs >= 0).toSorted((a, b) => b.writtenMs - a.writtenMs);
  const [newest] = recordings;
  return newest === undefined ? null : { path: newest.path, count: recordings.length };
}

/** Time of writing in ms since the epoch; −1 for what is no recording. */
async function writtenAt(folder: string): Promise<number> {
  const stats = await stat(path.join(folder, recordingFile)).catch(() => undefined);
  return stats?.mtimeMs ?? -1;
}
