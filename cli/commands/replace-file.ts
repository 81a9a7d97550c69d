import { constants, type Stats } from 'node:fs';
import { access, chmod, copyFile, lstat, rename, rm, writeFile } from 'node:fs/promises';
import { hasCode } from '../../protocol/failure.ts';

/**
 * Writes a file of the user as a whole or not at all: on a full disk the old one stays, with its permissions. What cannot
 * be replaced as it is (a link, a pipe, a file of another user, one beside which none may be made) is written in place.
 * Throws the system's error.
 */
export async function replaceFile(file: string, content: Uint8Array | Iterable<string>): Promise<void> {
  const known = await lstat(file).catch(() => null); // If this fails, writing says why.
  if (known !== null && !isOwnFile(known)) return writeFile(file, content);
  if (known !== null) await access(file, constants.W_OK);
  const unfinished = `${file}.${process.pid}.unfinished`;
  try {
    await writeFile(unfinished, content, { flag: 'wx' });
    if (known !== null) await chmod(unfinished, known.mode);
    await rename(unfinished, file).catch(async (error: unknown) => {
      // It is mounted by itself, as in a container.
      if (!hasCode(error, 'EBUSY')) throw error;
      await copyFile(unfinished, file);
    });
  } catch (error) {
    if (known === null || !hasCode(error, 'EACCES')) throw error;
    await writeFile(file, content);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Replaced by another user, such as root in a container, it would belong to that one. */
function isOwnFile(stats: Stats): boolean {
  return stats.isFile() && (process.getuid === undefined || stats.uid === process.getuid());
}
