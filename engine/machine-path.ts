import type { World } from './world.ts';

/**
 * Whether a path is one of this machine: to be asked for, with nobody else hearing of it. Two leading slashes or
 * backslashes, in any mix, name a share of another host, and `\??\` and `\\.\` a device; Windows sends that host the
 * hash of the person's password as soon as anything looks whether the file is there. On no system does a path that
 * the recorder writes begin so, but for a project that itself lies on a share.
 */
export function isOfThisMachine(path: string): boolean {
  return !namesHost.test(path) && !path.includes('\0') && path.length <= longestPath && !isTooDeep(path);
}

const namesHost = /^[\\/]{2}|^[\\/]\?\?(?:[\\/]|$)/;

/** In UTF-16 units: what Windows takes; others take less. */
const longestPath = 32_767;

/** In folders: somebody looks into each folder around the one in which a program ran. */
const deepest = 512;

function isTooDeep(path: string): boolean {
  let depth = 0;
  for (const sign of path) if (sign === '/' || sign === '\\') depth += 1;
  return depth > deepest;
}

/** Whether a path of a file may be asked for: one of this machine, or of a share on which a folder lies that the person opened. */
export function isWithin(path: string, opened: readonly string[]): boolean {
  if (isOfThisMachine(path)) return true;
  const share = shareOf(path);
  return share !== null && opened.some((folder) => shareOf(folder) === share) && isOfThisMachine(path.slice(1));
}

/** `server/share` of a path there, in small letters; null for others, and for devices. */
function shareOf(path: string): string | null {
  const [, host = '', share = ''] = /^[\\/]{2}([^\\/]+)[\\/]([^\\/]+)/.exec(path) ?? [];
  return /^(?:|\.|\.\.|\?)$/.test(host) || /^(?:|\.|\.\.)$/.test(share) ? null : `${host}/${share}`.toLowerCase();
}

/** The same files, without those of other hosts: whatever a recording names, nobody but this machine is asked. `opened`: by the person. */
export function worldOfThisMachine(world: World, opened: readonly string[]): World {
  const ask =
    <Answer>(question: (path: string) => Promise<Answer>, otherwise: Answer) =>
    async (path: string): Promise<Answer> =>
      isWithin(path, opened) ? question(path) : otherwise;
  const { readChunks, listFolders, sizeOf, changedAt, realPath } = world;
  return {
    readFile: ask(world.readFile, undefined),
    listFiles: ask(world.listFiles, undefined),
    ...(readChunks === undefined ? {} : { readChunks: ask(readChunks, undefined) }),
    ...(listFolders === undefined ? {} : { listFolders: ask(listFolders, []) }),
    ...(sizeOf === undefined ? {} : { sizeOf: ask(sizeOf, undefined) }),
    ...(changedAt === undefined ? {} : { changedAt: ask(changedAt, undefined) }),
    ...(realPath === undefined ? {} : { realPath: ask(realPath, undefined) }),
  };
}

/** Without `.` and `..`, so that what a path begins with says where it lies; nothing climbs above the root. */
export function withoutDots(path: string): string {
  if (!hasDots.test(path)) return path;
  const [root = ''] = /^(?:[a-z]:)?[\\/]/i.exec(path) ?? [];
  const parts: string[] = [];
  for (const part of path.slice(root.length).split(/[\\/]/)) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return `${root}${parts.join('/')}`;
}

const hasDots = /[\\/]\.\.?(?:[\\/]|$)/;
