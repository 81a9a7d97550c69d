import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a file of a recording, which may come packed from somebody else. The file is made new, for this user alone, so
 * that nothing is written through a link that lies there. Throws the system's error.
 */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const unfinished = `${file}.tmp`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, content, { mode: 0o600, flag: 'wx' });
  await rename(unfinished, file);
}
