import { chmodSync, constants, mkdirSync, statSync, lstatSync, realpathSync, type Stats } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Makes a folder and the missing folders above it, with `mode` whatever the umask. It makes one level at a time, because
 * Node's own `recursive`, and its cache of compiled code, never return in `/proc` and similar file systems (Node 20 to
 * 26). Throws the system's error.
 */
export function makeFolders(folder: string, mode = 0o700): void {
  if (isThere(folder)) return;
  const above = path.dirname(folder);
  if (above !== folder) makeFolders(above, mode); // A Windows drive may be missing.
  try {
    mkdirSync(folder, { mode });
    chmodSync(folder, mode);
  } catch (error) {
    if (!isThere(folder)) throw error; // Otherwise another process made it first.
  }
}

function isThere(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Appends to a file that only its owner can read, and never through a link. Windows has no flag for links. */
export const appending = {
  mode: 0o600,
  flag:
    constants.O_WRONLY |
    constants.O_CREAT |
    constants.O_APPEND |
    (process.platform === 'win32' ? 0 : constants.O_NOFOLLOW),
} as const;

/**
 * Writes a whole file of a recording that only its owner can read. It always replaces the file: a recording may be an
 * archive from another person, and have a link in this place. Throws the system's error.
 */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const { rename, rm, writeFile } = await import('node:fs/promises'); // Most processes never write one, and it takes 6 ms to load.
  const unfinished = `${file}.tmp`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, content, { mode: 0o600, flag: 'wx' });
  await rename(unfinished, file);
}

/**
 * Null where a folder belongs to this user, is not a link, and only this user and root can write to it or replace it;
 * otherwise the first path that breaks this rule. Windows is not checked: a folder inherits its rights there.
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
 * Whether only this user and root can replace what this folder contains. With the sticky bit, others cannot move our
 * files. A link has no rights of its own: the caller also checks its target.
 */
function isSafe(stats: Stats, user: number): boolean {
  if (stats.uid !== 0 && stats.uid !== user) return false;
  return !isFolder(stats) || !othersMayWrite(stats) || (stats.mode & 0o1000) !== 0;
}

/** A group with the user's own number may write: on many systems the user is its only member. */
export function othersMayWrite({ uid, gid, mode }: Stats): boolean {
  return (mode & (gid === uid ? 0o002 : 0o022)) !== 0;
}

/** The system's code for a failure, such as `ENOSPC`. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** The result of reading something that may be missing or forbidden; undefined where it throws. */
export function attempted<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The user's own cache folder; null where there is no home folder: HOME is empty, or the system has no such user. */
export function ownCacheFolder(env: NodeJS.ProcessEnv): string | null {
  const folder = attempted(() => cacheFolder(process.platform, env, os.homedir())) ?? '';
  return path.isAbsolute(folder) ? folder : null;
}

/** Hotspan's folder in the platform's usual cache folder. Absolute only where `homeFolder` is. */
export function cacheFolder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, homeFolder: string): string {
  if (platform === 'win32')
    return path.join(env['LOCALAPPDATA'] ?? path.join(homeFolder, 'AppData', 'Local'), 'hotspan');
  if (platform === 'darwin') return path.join(homeFolder, 'Library', 'Caches', 'hotspan');
  const cache = env['XDG_CACHE_HOME'];
  return path.join(cache === undefined || !path.isAbsolute(cache) ? path.join(homeFolder, '.cache') : cache, 'hotspan');
}
