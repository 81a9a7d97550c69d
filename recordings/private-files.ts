import { chmodSync, constants, mkdirSync, statSync, lstatSync, realpathSync, type Stats } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder, and those above it that are missing, for this user alone or with `mode`, whatever the umask. Level by
 * level: in `/proc` and its like Node's own `recursive`, and its cache of compiled code, go on for ever (Node 20 to 26).
 * Throws the system's error.
 */
export function makeFolders(folder: string, mode = 0o700): void {
  if (isThere(folder)) return;
  const above = path.dirname(folder);
  if (above !== folder) makeFolders(above, mode); // A Windows drive may be missing.
  try {
    mkdirSync(folder, { mode });
    chmodSync(folder, mode);
  } catch (error) {
    if (!isThere(folder)) throw error; // Else another process was quicker.
  }
}

function isThere(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Flags for appending to a file of a recording: for its owner alone, and not through a link. Windows has no such flag.
 */
export const appending = {
  mode: 0o600,
  flag:
    constants.O_WRONLY |
    constants.O_CREAT |
    constants.O_APPEND |
    (process.platform === 'win32' ? 0 : constants.O_NOFOLLOW),
} as const;

/**
 * Writes a file of a recording, which may come packed from somebody else. The file is made new, for this user alone, so
 * that nothing is written through a link that lies there. Throws the system's error. /
 */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const unfinished = `${file}.tmp`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, content, { mode: 0o600, flag: 'wx' });
  await rename(unfinished, file);
}

/**
 * Null where a folder is this user's, no link, and can be written to or replaced by nobody else but root; else the path
 * that speaks against it. On Windows the rights of the folder above count, and nothing is looked at.
 */
export function notOursAlone(folder: string): string | null {
  const user = process.geteuid?.();
  if (user === undefined) return null;
  const own = lstatSync(folder);
  if (!isFolder(own) || own.uid !== user || (own.mode & 0o022) !== 0) return folder;
  const above = [...upwards(path.dirname(folder)), ...upwards(path.dirname(realpathSync(folder)))];
  return above.find((one) => !isSafe(lstatSync(one), user)) ?? null;
}

/** A folder and those above it. */
export function upwards(folder: string): readonly string[] {
  const above = path.dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

export function isFolder({ mode }: Stats): boolean {
  return (mode & constants.S_IFMT) === constants.S_IFDIR;
}

/**
 * What lies in it stays where it is. A sticky bit lets nobody move what is ours; many systems give each user a group of
 * the same number, in which nobody else is. A link has no rights of its own: where it leads to is looked at, too.
 */
function isSafe(stats: Stats, user: number): boolean {
  if (stats.uid !== 0 && stats.uid !== user) return false;
  return !isFolder(stats) || !othersMayWrite(stats) || (stats.mode & 0o1000) !== 0;
}

export function othersMayWrite({ uid, gid, mode }: Stats): boolean {
  return (mode & (gid === uid ? 0o002 : 0o022)) !== 0;
}

/** Why the system refused something: its code, such as `ENOSPC`. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
