import { lstatSync } from 'node:fs';
import { makeFolders, isFolder, notOursAlone, ownCacheFolder, upwards } from '../../../recordings/private-files.ts';

/** A folder for the lasting copy of the recorder. */
export interface RecorderHome {
  readonly folder: string;
  /** Everybody may read the files in it, and only root has written them. */
  readonly isShared: boolean;
}

/**
 * The folders where the copy of the recorder may go, the best first. A process that root starts may go on as another
 * user (`su`, `gosu`, `setuid`) without access to root's own folder: Node of that user could not load the recorder from
 * there.
 */
export function recorderHomes(env: NodeJS.ProcessEnv, isRoot = process.getuid?.() === 0): readonly RecorderHome[] {
  const shared = isRoot ? sharedCacheFolder(process.platform) : null;
  const own = ownCacheFolder(env);
  return [
    ...(shared === null ? [] : [{ folder: shared, isShared: true }]),
    ...(own === null ? [] : [{ folder: own, isShared: false }]),
  ];
}

/** Makes the folder where it is missing. Throws where it cannot be made, and where somebody else might write to it. */
export function makeHome({ folder, isShared }: RecorderHome): void {
  makeFolders(folder, isShared ? 0o755 : 0o700);
  const suspect = isShared ? notRootsAlone(folder) : notOursAlone(folder);
  if (suspect !== null) throw new Error(`Others may write to ${suspect}.`);
}

function notRootsAlone(folder: string): string | null {
  return upwards(folder).find((one) => !isRootsAlone(one, one === folder)) ?? null;
}

/**
 * Whether only root can change a folder. A link is refused. Above the last folder a sticky bit is enough, because it
 * lets nobody replace what belongs to root.
 */
function isRootsAlone(folder: string, isLast: boolean): boolean {
  const stats = lstatSync(folder);
  const { uid, mode } = stats;
  const isClosed = (mode & 0o022) === 0 || (!isLast && (mode & 0o1000) !== 0);
  return uid === 0 && isFolder(stats) && isClosed;
}

/** The system's cache folder, which all users may read; null where there is none. */
export function sharedCacheFolder(platform: NodeJS.Platform): string | null {
  if (platform === 'win32') return null;
  return platform === 'darwin' ? '/Library/Caches/hotspan' : '/var/cache/hotspan';
}
