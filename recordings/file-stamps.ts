import { stat } from 'node:fs/promises';
import path from 'node:path';
import { recordingFile } from '../protocol/recording.ts';

/** A text that changes when one of the files is written, appears, or is deleted. */
export async function stampsOf(files: readonly string[]): Promise<string> {
  const all = await Promise.all(files.map(async (file) => stat(file).catch(() => null)));
  return all.map((stats) => (stats === null ? '' : `${stats.size} ${stats.mtimeMs} ${stats.ino}`)).join('\n');
}

/** A text that changes when a recording is made again under its name; `''` where it is gone. */
export async function recordingStamp(recording: string): Promise<string> {
  const manifest = await stampsOf([path.join(recording, recordingFile)]);
  return manifest === '' ? stampsOf([recording]) : manifest; // Files kept beside a manifest change the folder.
}
