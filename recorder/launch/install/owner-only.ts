import { constants, lstatSync, realpathSync, type Stats } from 'node:fs';
import path from 'node:path';

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
