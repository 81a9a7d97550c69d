import { fileNameOf, isOfThisMachine, isWithin, withoutDots } from '../../../protocol/machine-path.ts';
import type { PathRule } from '../../../protocol/path-spelling.ts';
import { canonicalPath, isInside, isOfWindows, pathBelow, pathKey, trimEnd } from '../../../protocol/path-spelling.ts';
import { onceEach } from '../../basics/once.ts';
import { copyOfText } from '../../basics/bytes.ts';

/**
 * Reads paths and file URLs as text alone, because the engine runs where the recording is read, not where it was made.
 */

/**
 * Absolute path of the file that a call frame's `url`, or a source of a map, names, in its canonical spelling; null where
 * it names no file of this machine (another host, two slashes in front). `file:` URLs lose query and fragment and are
 * percent-decoded; a malformed one stays as written. Plain absolute paths, also of Windows, lose their `..`.
 * `opened`: folders that the person opened: a file on a share counts only in one of them.
 */
export function filePathOf(url: string, opened: readonly string[] = []): string | null {
  const path = namedPath(url);
  if (path === null) return null;
  const meant = canonicalPath(withoutDots(withoutVirtual(path)));
  return isOfThisMachine(meant) || isOnOpenedShare(path, opened) ? meant : null;
}

/** Name of the file that a url or path names: percent-decoded, and without a query, where the url is that of a file. */
export function fileNameIn(url: string): string {
  return fileNameOf(filePathOf(url) ?? url);
}

/** Without any `..`, which may lead to another share. */
function isOnOpenedShare(path: string, opened: readonly string[]): boolean {
  return withoutDots(path) === path && isInside(path, opened) && isWithin(path, opened);
}

/** The path of a document as an editor names it, in its canonical spelling, also on a share; null if it is not a file. */
export function pathOfUri(uri: string): string | null {
  const path = uri.startsWith('file:') ? pathOfFileUrl(uri) : null;
  return path === null ? null : canonicalPath(path);
}

/** Equal for all urls and paths of a file, also of one on a share. It is compared only: no file is looked for there. */
export function fileKey(url: string): string {
  const path = namedPath(url);
  return path === null ? url : pathKey(withoutDots(withoutVirtual(path)));
}

function namedPath(url: string): string | null {
  if (url.startsWith('file:')) return pathOfFileUrl(url);
  return isAbsolutePath(url) ? plainUrl(url) : null;
}

/** Resolves Yarn's virtual paths: `a/b/__virtual__/0f3c/1/c.js` is `a/c.js`, one folder above that of `__virtual__`. */
function withoutVirtual(path: string): string {
  const [, folder = '', up = '0', rest = ''] =
    /^(.*?)\/(?:__virtual__|\$\$virtual)\/[^/]+\/(\d{1,2})\/(.*)$/.exec(path) ?? [];
  if (rest === '') return path;
  const folders = folder.split('/');
  return [...folders.slice(0, Math.max(1, folders.length - Number(up))), rest].join('/');
}

/**
 * Resolves a reference in the file `base` as a URL, with `#` as a part of names: TypeScript writes paths as they are. One
 * that names no file (`webpack://app/./src/cart.ts`) stays.
 */
export function resolveReference(reference: string, base: string, opened: readonly string[] = []): string {
  if (isAbsolutePath(reference)) return filePathOf(reference, opened) ?? reference;
  if (/^[a-z][a-z0-9+.-]*:/i.test(reference)) return filePathOf(reference, opened) ?? reference;
  const path = filePathOf(base, opened);
  if (path === null) return (/^https?:/i.test(base) ? parsed(reference, base) : null) ?? reference;
  const url = parsed(reference.replaceAll('\\', '/').replaceAll('#', '%23'), fileUrlOf(path));
  return url === null ? reference : (filePathOf(url, opened) ?? reference);
}

function isAbsolutePath(url: string): boolean {
  return url.startsWith('/') || isOfWindows(url);
}

function pathOfFileUrl(text: string): string | null {
  if (plainFileUrl.test(text)) return text.slice('file://'.length);
  if (!URL.canParse(text)) return null;
  const { host, pathname } = new URL(text);
  const path = decoded(pathname);
  if (host !== '') return `//${host}${path}`;
  return /^\/[a-z]:/i.test(path) ? path.slice(1) : path;
}

/** A URL in which nothing is encoded or resolved: `URL` takes 2.5 times as long. */
const plainFileUrl = /^file:\/\/\/(?:(?!\.\.?\/)[\w@+~.-]+\/)*(?!\.\.?$)[\w@+~.-]+$/;

/** The `file:` URL of an absolute path, also of Windows, as Node writes it. */
export function fileUrlOf(path: string): string {
  const encoded = encodeURI(wellFormed(path)).replaceAll(/[?#]/g, encodeURIComponent);
  if (encoded.startsWith('//')) return `file:${encoded}`;
  return encoded.startsWith('/') ? `file://${encoded}` : `file:///${encoded}`;
}

/** The address of an absolute path as VS Code writes it, which compares addresses as texts. */
export function uriOf(path: string): string {
  const [, host = '', rest = ''] = /^(?:\/\/([^/]*)\/|\/?)(.*)$/s.exec(wellFormed(path)) ?? [];
  const plain = rest.replace(/^[A-Z]:/, (drive) => drive.toLowerCase());
  const hex = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  const encoded = encodeURIComponent(plain)
    .replaceAll('%2F', '/')
    .replaceAll(/[!'()*]/g, hex);
  return `file://${host.toLowerCase()}/${encoded}`;
}

function wellFormed(path: string): string {
  return canonicalPath(path).replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}

function parsed(url: string, base?: string): string | null {
  return URL.canParse(url, base) ? new URL(url, base).href : null;
}

/** The text, percent-decoded; a malformed one stays as written. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A lone `%`: the name as it is written.
  }
}

/**
 * Whether the file is the recorder: its copy, what is loaded into an attached process, or the bundled file in a package or
 * an extension. Other programs have a `dist/recorder.cjs`, too. The project may be the home folder, which contains the cache.
 */
export function isRecorder(place: string | null): boolean {
  return place !== null && recorderFile.test(place);
}

const recorderFile =
  /[/\\](hotspan[/\\]recorder-([0-9a-f]{12}|attached)|([\w-]+\.)?hotspan(-\d[\w.-]*)?[/\\]dist[/\\]recorder)\.cjs$/i;

/**
 * Marks urls of older texts: a file that was edited while it was recorded ran as several texts. The last one has the
 * file's url, an older one also has its own name behind it. The mark never leaves the analysis.
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

/**
 * A name or url; of one that is too long, only its two ends. V8 hashes texts of over 16,383 units by their length, and
 * would compare a thousand different texts of one length unit by unit.
 */
export function boundedText(text: string): string {
  if (text.length <= MAX_NAME_LENGTH) return text;
  const half = MAX_NAME_LENGTH / 2;
  return `${copyOfText(text.slice(0, half))}…${copyOfText(text.slice(-half))}`;
}

/** In UTF-16 units. Most systems allow paths of 4096; names that bundlers make have up to 10,000. */
const MAX_NAME_LENGTH = 16_000;

/** Where files that were recorded elsewhere are here, as the user confirmed. */
export interface PathMap {
  /** The path here of the file that a url or a path names; the same text without a rule for it. */
  readonly toHere: (url: string) => string;
  readonly isEmpty: boolean;
}

const breaks = /[\t\n\r]/g;

/** Rules for what has line breaks or tabs in its path: V8 has the urls of these files without them. */
export function rulesOfBreaks(paths: readonly (string | null)[]): readonly PathRule[] {
  const broken = paths.flatMap((path) => /^(.*[\t\n\r][^/\\]*)/s.exec(path ?? '')?.[1] ?? []);
  return [...new Set(broken)].map((to) => ({ from: to.replaceAll(breaks, ''), to }));
}

/** Whether a path has line breaks or tabs. */
export function hasBreaks(path: string): boolean {
  return path.replaceAll(breaks, '') !== path;
}

/** For what was recorded here. */
export const noPathMap: PathMap = { toHere: (url) => url, isEmpty: true };

/**
 * Maps paths by these rules; the longest folder counts. A path in one of `roots` stays, and so does one that would
 * leave the folder of its rule: paths are compared without `..`.
 */
export function pathMapOf(rules: readonly PathRule[], roots: readonly string[]): PathMap {
  const known = rules
    .map(({ from, to }) => ({ from: filePathOf(from) ?? canonicalPath(from), to: trimEnd(canonicalPath(to)) }))
    .filter(({ from, to }) => trimEnd(from) !== '' && to !== '')
    .toSorted((a, b) => b.from.length - a.from.length);
  if (known.length === 0) return noPathMap;
  const toHere = onceEach((url: string): string => {
    if (url === '' || url.startsWith('node:')) return url;
    const path = filePathOf(plainUrl(url));
    if (path === null || isInside(path, roots)) return url;
    for (const { from, to } of known) {
      const below = path === from && hasBreaks(to) ? '' : pathBelow(path, from);
      if (below !== null) return `${to}${below === '' ? '' : '/'}${below}${url.slice(plainUrl(url).length)}`;
    }
    return url;
  });
  return { toHere, isEmpty: false };
}
