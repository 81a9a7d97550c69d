import { constants } from 'node:fs';
import { access, lstat, rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a file of the user as a whole or not at all: on a full disk the old one stays. Its permissions stay, too. A link
 * or a pipe is written in place. Throws the system's error.
 */
export async function replaceFile(file: string, content: Uint8Array | Iterable<string>): Promise<void> {
  const known = await lstat(file).catch(() => null); // If this fails, writing says why.
  if (known !== null && !known.isFile()) return writeFile(file, content);
  if (known !== null) await access(file, constants.W_OK);
  const unfinished = `${file}.${process.pid}.unfinished`;
  try {
    await writeFile(unfinished, content, { mode: known?.mode ?? 0o666, flag: 'wx' });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
