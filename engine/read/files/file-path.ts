import { isOfThisMachine, withoutDots } from '../../../protocol/machine-path.ts';

/**
 * Reads paths and URLs of files as text alone, because the engine runs where the recording is read, not where it was
 * made.
 */

/**
 * Absolute path of the file that a call frame's `url`, or a source of a map, names; null where it names no file of this
 * machine. `file:` URLs lose their query and fragment and are percent-decoded (a malformed one is taken as it is). URLs
 * with a host belong to another machine, and so do paths that begin with two slashes after decoding. Plain absolute
 * paths, also of Windows, stay as they are, without `..`.
 */
export function filePathOf(url: string): string | null {
  const path = url.startsWith('file:') ? pathOfFileUrl(url) : isAbsolutePath(url) ? plainUrl(url) : null;
  const meant = path === null ? null : withoutDots(withoutVirtual(path));
  return meant === null || !isOfThisMachine(meant) ? null : meant;
}

/**
 * Replaces Yarn's names for instances of a package: `a/b/__virtual__/0f3c/1/c.js` is `a/c.js`, one folder above
 * `__virtual__`'s.
 */
function withoutVirtual(path: string): string {
  const [, folder = '', up = '0', rest = ''] =
    /^(.*?)\/(?:__virtual__|\$\$virtual)\/[^/]+\/(\d{1,2})\/(.*)$/.exec(path) ?? [];
  if (rest === '') return path;
  const folders = folder.split('/');
  return [...folders.slice(0, Math.max(1, folders.length - Number(up))), rest].join('/');
}

/**
 * The file that a relative or absolute reference in the file `base` means, as an absolute path. A reference that names
 * no file (`webpack://app/./src/cart.ts`) stays as it is. References are URLs, and are percent-decoded.
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

/** The text, percent-decoded; a malformed one stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A lone `%`: the name as it is written.
  }
}

/**
 * Whether the file is the recorder's in the profiled process, by the names of its copies. The project may be the home
 * folder that contains the cache.
 */
export function isRecorder(place: string): boolean {
  return /[/\\](hotspan[/\\]recorder-[0-9a-f]{12}|dist[/\\]recorder)\.cjs$/i.test(place);
}

/** Whether a path is in one of the folders. Both are absolute and without `..`. */
export function isInside(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const folder = root.replace(/[/\\]$/, '');
    return path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
  });
}

/**
 * The text without these characters at its end. A regular expression would be slow where thousands of them are in the
 * middle, because it tries each of them as a begin.
 */
export function trimEnd(text: string, signs = '/\\'): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/**
 * Marks urls of older texts. A file that was edited while it was recorded ran as several texts. The one that ran last
 * has the file's url; an older one has that url with the text's name behind it, inside the analysis only. No surface
 * shows that name.
 */
const mark = '#hotspan-text=';

export function olderUrl(url: string, text: string): string {
  return `${plainUrl(url)}${mark}${text}`;
}

/** The file's url, whichever of its texts is meant. */
export function plainUrl(url: string): string {
  const at = url.lastIndexOf(mark);
  return at < 0 ? url : url.slice(0, at);
}

/** Name of the older text that is meant; null for the text that ran last. */
export function olderTextOf(url: string): string | null {
  const at = url.lastIndexOf(mark);
  return at < 0 ? null : url.slice(at + mark.length);
}
