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

/**
 * Whether a path of a file may be asked for: one of this machine, or of a share on which a folder lies that the person opened.
 * A folder in which the system mounts what is named (`/net/server`) is such a share, too, and `/proc` leads everywhere.
 */
export function isWithin(path: string, opened: readonly string[]): boolean {
  const share = shareOf(path);
  if (share === null) return isOfThisMachine(path) && mountOf(path, opened);
  return opened.some((folder) => shareOf(folder) === share) && isOfThisMachine(path.slice(1));
}

/** `server/share` of a path there, in small letters; null for others, and for devices. */
function shareOf(path: string): string | null {
  const [, host = '', share = ''] = /^[\\/]{2}([^\\/]+)[\\/]([^\\/]+)/.exec(path) ?? [];
  return /^(?:|\.|\.\.|\?)$/.test(host) || /^(?:|\.|\.\.)$/.test(share) ? null : `${host}/${share}`.toLowerCase();
}

function mountOf(path: string, opened: readonly string[]): boolean {
  const mount = mountedBy(path);
  return mount === null || opened.some((folder) => mountedBy(folder) === mount);
}

/**
 * The folder that a look alone mounts, in small letters (file systems of macOS know no others): `/net/server` (autofs),
 * `/Network/Servers`, `/afs/cell`, and `/proc`, whose links lead there, too. Null for all other paths.
 */
function mountedBy(path: string): string | null {
  if (!mayBeMounted.test(path)) return null;
  const meant = `/${plainParts(path).join('/')}`.toLowerCase();
  return mounting.exec(meant)?.[1] ?? null;
}

/** One look for nearly all paths. */
const mayBeMounted = /(?:^|[\\/])(?:net|network|afs|proc)(?:[\\/]|$)/i;

const mounting = /^(?:\/system\/volumes\/data)?(\/(?:net|network|afs)\/[^/]+|\/proc)(?:\/|$)/;

/** As the system goes along them: what has no name is left out, nothing climbs above the root. */
function plainParts(path: string): readonly string[] {
  const parts: string[] = [];
  for (const part of path.split(/[\\/]+/)) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return isRooted.test(path) ? parts : ['', ...parts];
}

/** A path that climbs out of the current folder may get to the root. */
const isRooted = /^[\\/]|(?:^|[\\/])\.\.[\\/]/;

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
