import { constants } from 'node:fs';
import { access, copyFile, lstat, rename, rm, writeFile } from 'node:fs/promises';
import { hasCode } from '../../protocol/failure.ts';

/**
 * Writes a file of the user as a whole or not at all: on a full disk the old one stays. Its permissions stay, too. A link
 * or a pipe is written in place, and so is a file beside which none may be made. Throws the system's error.
 */
export async function replaceFile(file: string, content: Uint8Array | Iterable<string>): Promise<void> {
  const known = await lstat(file).catch(() => null); // If this fails, writing says why.
  if (known !== null && !known.isFile()) return writeFile(file, content);
  if (known !== null) await access(file, constants.W_OK);
  const unfinished = `${file}.${process.pid}.unfinished`;
  try {
    await writeFile(unfinished, content, { mode: known?.mode ?? 0o666, flag: 'wx' });
    // One that is mounted by itself, as in a container, cannot be replaced.
    await rename(unfinished, file).catch(async () => copyFile(unfinished, file));
  } catch (error) {
    if (known === null || !hasCode(error, 'EACCES')) throw error;
    await writeFile(file, content);
  } finally {
    await rm(unfinished, { force: true });
  }
}
