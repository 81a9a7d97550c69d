/**
 * Whether a path is on this machine. Two leading slashes or backslashes, in any mix, name a share of another host,
 * `\??\` and `\\.\` a device. Windows sends that host the hash of the person's password as soon as a program looks for
 * the file. The recorder writes such paths only for a project on a share.
 */
export function isOfThisMachine(path: string): boolean {
  return !namesHost.test(path) && !path.includes('\0') && path.length <= MAX_PATH_LENGTH && !isTooDeep(path);
}

const namesHost = /^[\\/]{2}|^[\\/]\?\?(?:[\\/]|$)/;

/** Limit of a path in UTF-16 units, that of Windows. Other systems allow less. */
const MAX_PATH_LENGTH = 32_767;

/** Limit of folders in a path, because some code looks into each of them. */
const MAX_DEPTH = 512;

function isTooDeep(path: string): boolean {
  let depth = 0;
  for (const sign of path) if (sign === '/' || sign === '\\') depth += 1;
  return depth > MAX_DEPTH;
}

/**
 * Whether a file may be read: it is on this machine, or on a share on which the person opened a folder. Folders that
 * mount what is named there (`/net/server`) count as shares; `/proc` leads everywhere.
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
 * The folder that a mere look mounts, in lower case (macOS ignores case): `/net/server` (autofs), `/Network/Servers`,
 * `/afs/cell`, and `/proc`, whose links lead there. Null for other paths.
 */
function mountedBy(path: string): string | null {
  if (!mayBeMounted.test(path)) return null;
  const meant = `/${plainParts(path).join('/')}`.toLowerCase();
  return mounting.exec(meant)?.[1] ?? null;
}

/** Nearly all paths fail this quick test. */
const mayBeMounted = /(?:^|[\\/])(?:net|network|afs|proc)(?:[\\/]|$)/i;

const mounting = /^(?:\/system\/volumes\/data)?(\/(?:net|network|afs)\/[^/]+|\/proc)(?:\/|$)/;

/** The parts of a path as the system follows them: without empty ones, and none climbs above the root. */
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

/** The path without `.` and `..`, which does not climb above the root. */
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

/** How a program is named by the path of its script: by its package (`vitest`, `jest worker`), else by the file's name. */
export function scriptName(script: string): string {
  const path = script.replaceAll('\\', '/');
  const [, tool, name] = /.*\/node_modules\/(?:\.bin\/([^/]+)|((?:@[^/]+\/)?[^/]+))/.exec(path) ?? [];
  return name === 'jest-worker' ? 'jest worker' : (tool ?? name ?? path.slice(path.lastIndexOf('/') + 1));
}

/** The name of the innermost package that a program's file is in, or is linked from; null outside of `node_modules`. */
export function programPackage(file: string): string | null {
  const [, name] = /.*[\\/]node_modules[\\/](?:\.bin[\\/])?((?:@[^\\/]+[\\/])?[^\\/]+)/s.exec(file) ?? [];
  return name ?? null;
}
