/**
 * Whether a path is on this machine, so that asking for it reaches nobody else. Two leading slashes or backslashes, in
 * any mix, name a share of another host, and `\??\` and `\\.\` a device. Windows sends that host the hash of the
 * person's password as soon as any program looks whether the file is there. No path that the recorder writes begins
 * like this on any system, unless the project itself lies on a share.
 */
export function isOfThisMachine(path: string): boolean {
  return !namesHost.test(path) && !path.includes('\0') && path.length <= longestPath && !isTooDeep(path);
}

const namesHost = /^[\\/]{2}|^[\\/]\?\?(?:[\\/]|$)/;

/** Longest path that is asked for, in UTF-16 units: what Windows takes. Other systems take less. */
const longestPath = 32_767;

/**
 * Most folders that a path may go through, because some code looks into each folder around the one in which a program
 * ran.
 */
const deepest = 512;

function isTooDeep(path: string): boolean {
  let depth = 0;
  for (const sign of path) if (sign === '/' || sign === '\\') depth += 1;
  return depth > deepest;
}

/**
 * Whether the file at a path may be asked for: it is on this machine, or on a share on which the person opened a
 * folder. A folder in which the system mounts what is named there (`/net/server`) is such a share, too; and `/proc`
 * leads everywhere.
 */
export function isWithin(path: string, opened: readonly string[]): boolean {
  const share = shareOf(path);
  if (share === null) return isOfThisMachine(path) && mountOf(path, opened);
  return opened.some((folder) => shareOf(folder) === share) && isOfThisMachine(path.slice(1));
}

/** The `server/share` of a path on a share, in lower case; null for other paths and for devices. */
function shareOf(path: string): string | null {
  const [, host = '', share = ''] = /^[\\/]{2}([^\\/]+)[\\/]([^\\/]+)/.exec(path) ?? [];
  return /^(?:|\.|\.\.|\?)$/.test(host) || /^(?:|\.|\.\.)$/.test(share) ? null : `${host}/${share}`.toLowerCase();
}

function mountOf(path: string, opened: readonly string[]): boolean {
  const mount = mountedBy(path);
  return mount === null || opened.some((folder) => mountedBy(folder) === mount);
}

/**
 * The folder that is mounted when somebody only looks at it, in lower case (file systems of macOS ignore case):
 * `/net/server` (autofs), `/Network/Servers`, `/afs/cell`, and `/proc`, whose links lead there, too. Null for all other
 * paths.
 */
function mountedBy(path: string): string | null {
  if (!mayBeMounted.test(path)) return null;
  const meant = `/${plainParts(path).join('/')}`.toLowerCase();
  return mounting.exec(meant)?.[1] ?? null;
}

/** A quick test: nearly all paths fail it, and need no further look. */
const mayBeMounted = /(?:^|[\\/])(?:net|network|afs|proc)(?:[\\/]|$)/i;

const mounting = /^(?:\/system\/volumes\/data)?(\/(?:net|network|afs)\/[^/]+|\/proc)(?:\/|$)/;

/** The parts of a path as the system follows them: empty ones are left out, and none climbs above the root. */
function plainParts(path: string): readonly string[] {
  const parts: string[] = [];
  for (const part of path.split(/[\\/]+/)) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return isRooted.test(path) ? parts : ['', ...parts];
}

/** A path that climbs out of the current folder may reach the root. */
const isRooted = /^[\\/]|(?:^|[\\/])\.\.[\\/]/;

/** The path without `.` and `..`, so that its beginning says where it lies. It does not climb above the root. */
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

/** The part of a path or url behind its last separator. */
export function fileNameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** The part of a path before its last separator; `''` where it has none. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.length - fileNameOf(path).length - 1));
}
