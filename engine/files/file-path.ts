import { isOfThisMachine, withoutDots } from '../../protocol/machine-path.ts';
import { plainUrl } from './text-version.ts';

/** Paths and URLs of files as text alone: the engine runs where the recording is read, not where it was made. */

/**
 * Absolute path of what a call frame's `url`, or a map's source, names; null where it is no file of this machine.
 * `file:` URLs lose query and fragment and are percent-decoded (a malformed one is taken as it is); those with a
 * host are another machine's, and so is what begins with two slashes once it is decoded. Plain absolute paths, also of
 * Windows, stay as they are, without `..`.
 */
export function filePathOf(url: string): string | null {
  const path = url.startsWith('file:') ? pathOfFileUrl(url) : isAbsolutePath(url) ? plainUrl(url) : null;
  const meant = path === null ? null : withoutDots(withoutVirtual(path));
  return meant === null || !isOfThisMachine(meant) ? null : meant;
}

/** Yarn's names for a package's instances: `a/b/__virtual__/0f3c/1/c.js` is `a/c.js`, one folder up from where it stands. */
function withoutVirtual(path: string): string {
  const [, folder = '', up = '0', rest = ''] =
    /^(.*?)\/(?:__virtual__|\$\$virtual)\/[^/]+\/(\d{1,2})\/(.*)$/.exec(path) ?? [];
  if (rest === '') return path;
  const folders = folder.split('/');
  return [...folders.slice(0, Math.max(1, folders.length - Number(up))), rest].join('/');
}

/**
 * What a relative or absolute reference inside the file `base` means: an absolute path, or, where it names no
 * file, the reference itself (`webpack://app/./src/cart.ts`). References are URLs: percent-decoded.
 */
export function resolveReference(reference: string, base: string): string {
  if (isAbsolutePath(reference)) return filePathOf(reference) ?? reference;
  if (/^[a-z][a-z0-9+.-]*:/i.test(reference)) return filePathOf(reference) ?? reference;
  const path = filePathOf(base);
  if (path === null) return reference;
  const url = parsed(reference.replaceAll('\\', '/'), fileUrlOf(path));
  return url === null ? reference : (filePathOf(url) ?? reference);
}

function isAbsolutePath(url: string): boolean {
  return url.startsWith('/') || isWindowsPath(url);
}

function isWindowsPath(url: string): boolean {
  return /^[a-z]:[\\/]/i.test(url);
}

function pathOfFileUrl(text: string): string | null {
  const url = parsed(text);
  if (url === null) return null;
  const { host, pathname } = new URL(url);
  if (host !== '') return null;
  const path = decoded(pathname);
  return isWindowsPath(path.slice(1)) ? path.slice(1) : path;
}

function fileUrlOf(path: string): string {
  const wellFormed = path.replaceAll('\\', '/').replaceAll(/\p{Surrogate}/gu, '\uFFFD');
  const encoded = encodeURI(wellFormed).replaceAll(/[?#]/g, encodeURIComponent);
  return encoded.startsWith('/') ? `file://${encoded}` : `file:///${encoded}`;
}

function parsed(url: string, base?: string): string | null {
  return URL.canParse(url, base) ? new URL(url, base).href : null;
}

/** Percent-decoded; as it is where it is malformed. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A lone `%`: the name as it is written.
  }
}

/** Our own file in the profiled process, as its copies are named: a project may be the home folder around the cache. */
export function isRecorder(place: string): boolean {
  return /[/\\](hotspan[/\\]recorder-[0-9a-f]{12}|dist[/\\]recorder)\.cjs$/i.test(place);
}

/** Whether the path lies in one of the folders; both absolute, without `..`. */
export function isInside(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const folder = root.replace(/[/\\]$/, '');
    return path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
  });
}
