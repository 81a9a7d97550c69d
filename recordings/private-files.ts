import { chmodSync, constants, mkdirSync, statSync, lstatSync, realpathSync, type Stats } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Makes a folder, and the missing ones above it, for this user alone or with `mode`, whatever the umask. It goes level
 * by level, because in `/proc` and similar file systems Node's own `recursive`, and its cache of compiled code, never
 * return (Node 20 to 26). Throws the system's error.
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
 * Options for appending to a file of a recording: readable by its owner alone, and never written through a link.
 * Windows has no flag for links.
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
 * Writes a file of a recording as a whole. The recording may be an archive from somebody else, so the file is always
 * made anew, for this user alone: nothing is written through a link that lies there. Throws the system's error.
 */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const { rename, rm, writeFile } = await import('node:fs/promises'); // Most callers of this file never come here.
  const unfinished = `${file}.tmp`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, content, { mode: 0o600, flag: 'wx' });
  await rename(unfinished, file);
}

/**
 * Null where a folder belongs to this user, is no link, and can be written to or replaced by nobody else but root; else
 * the first path that breaks this. On Windows nothing is checked: there the rights of the folder above count.
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
 * Whether nobody else can replace what lies in this folder. With the sticky bit, others cannot move our files. A link
 * has no rights of its own: the folder that it leads to is checked, too.
 */
function isSafe(stats: Stats, user: number): boolean {
  if (stats.uid !== 0 && stats.uid !== user) return false;
  return !isFolder(stats) || !othersMayWrite(stats) || (stats.mode & 0o1000) !== 0;
}

/** Many systems give each user a group with the user's own number, in which nobody else is: that group may write. */
export function othersMayWrite({ uid, gid, mode }: Stats): boolean {
  return (mode & (gid === uid ? 0o002 : 0o022)) !== 0;
}

/** Why the system refused something: its code, such as `ENOSPC`. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** The user's own cache folder; null where this user has no home folder (an empty HOME counts as none). */
export function ownCacheFolder(env: NodeJS.ProcessEnv): string | null {
  try {
    const folder = cacheFolder(process.platform, env, os.homedir());
    return path.isAbsolute(folder) ? folder : null;
  } catch {
    return null; // A container may run as a user that the system does not know.
  }
}

/**
 * The user's cache folder for Hotspan, by the platform's custom. It is not an absolute path where the home folder is
 * none.
 */
export function cacheFolder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, homeFolder: string): string {
  if (platform === 'win32')
    return path.join(env['LOCALAPPDATA'] ?? path.join(homeFolder, 'AppData', 'Local'), 'hotspan');
  if (platform === 'darwin') return path.join(homeFolder, 'Library', 'Caches', 'hotspan');
  const cache = env['XDG_CACHE_HOME'];
  return path.join(cache === undefined || !path.isAbsolute(cache) ? path.join(homeFolder, '.cache') : cache, 'hotspan');
}
