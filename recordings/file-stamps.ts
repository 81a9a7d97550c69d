import { stat } from 'node:fs/promises';

/** A text that changes when one of the files is written, appears, or is deleted. */
export async function stampsOf(files: readonly string[]): Promise<string> {
  const all = await Promise.all(files.map(async (file) => stat(file).catch(() => null)));
  return all.map((stats) => (stats === null ? '' : `${stats.size} ${stats.mtimeMs} ${stats.ino}`)).join('\n');
}
