import { constants, lstatSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cacheFolder, sharedCacheFolder } from './cache-folder.ts';
import { makeFolders } from './make-folders.ts';

/** A folder for the lasting copy of the recorder. */
export interface RecorderHome {
  readonly folder: string;
  /** Everybody may read what lies in it, and root alone has written it. */
  readonly isShared: boolean;
}

/**
 * Where the copy may go, the best place first. What root starts may go on as another user (`su`, `gosu`, `setuid`), who
 * has no way into root's own folder: Node of that user would not start.
 */
export function recorderHomes(env: NodeJS.ProcessEnv, isRoot = process.getuid?.() === 0): readonly RecorderHome[] {
  const shared = isRoot ? sharedCacheFolder(process.platform) : null;
  const own = ownFolder(env);
  return [
    ...(shared === null ? [] : [{ folder: shared, isShared: true }]),
    ...(own === null ? [] : [{ folder: own, isShared: false }]),
  ];
}

/** Makes the folder where it is missing. Throws where it cannot be, and where somebody else might write to a shared one. */
export function makeHome({ folder, isShared }: RecorderHome): void {
  makeFolders(folder, isShared ? 0o755 : 0o700);
  const suspect = isShared ? upwards(folder).find((one) => !isRootsAlone(one, one === folder)) : undefined;
  if (suspect !== undefined) throw new Error(`Others than root may write to ${suspect}.`);
}

function upwards(folder: string): readonly string[] {
  const above = path.dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

/** A link is somebody's word for another folder: it does not count. Above, a sticky bit lets nobody replace what is root's. */
function isRootsAlone(folder: string, isLast: boolean): boolean {
  const { uid, mode } = lstatSync(folder);
  const kind = mode & 0o170_000;
  const isClosed = (mode & 0o022) === 0 || (!isLast && (mode & 0o1000) !== 0);
  return uid === 0 && kind === constants.S_IFDIR && isClosed;
}

/** Null where this user has no home at all; an empty HOME is none. */
function ownFolder(env: NodeJS.ProcessEnv): string | null {
  try {
    const folder = cacheFolder(process.platform, env, os.homedir());
    return path.isAbsolute(folder) ? folder : null;
  } catch {
    return null; // A container may run as a user that it does not know.
  }
}
