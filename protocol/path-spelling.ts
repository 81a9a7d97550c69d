/**
 * The one spelling of paths. Windows writes a file in many ways: profiles `C:/a/b.js`, shells `C:\a\b.js`, editors
 * `c:\a\b.js`. A path gets its canonical spelling where it enters. All of this is about texts, so the paths may be of
 * another system than this one.
 */

/** Whether a path is of Windows: it has a drive, or is on a share. */
export function isOfWindows(path: string): boolean {
  return /^[a-z]:(?:[\\/]|$)|^[\\/]{2}[^\\/]/i.test(path);
}

/** A path of Windows with `/` and its drive in upper case; other paths stay, because a `\` may be in their names. */
export function canonicalPath(path: string): string {
  if (!isOfWindows(path)) return path;
  const plain = path.replaceAll('\\', '/');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}

/** The path as its system shows it: with `\` on Windows. A relative path is `below` a whole one, which tells the system. */
export function systemPath(path: string, below = path): string {
  return isOfWindows(below) ? path.replaceAll('/', '\\') : path;
}

/** Equal for all spellings of a path: without slashes at its end; in lower case on Windows, which ignores case. */
export function pathKey(path: string): string {
  const plain = trimEnd(canonicalPath(path));
  return isOfWindows(path) ? plain.toLowerCase() : plain;
}

export function isSamePath(one: string, other: string): boolean {
  return one === other || pathKey(one) === pathKey(other);
}

/** The path as it is spelled among these; undefined if it is not one of them. */
export function spellingIn(paths: Iterable<string>, path: string): string | undefined {
  const key = pathKey(path);
  for (const known of paths) if (known === path || pathKey(known) === key) return known;
  return undefined;
}

/**
 * The part of a path below a folder, with `/` on Windows; null for a path that is not in the folder, and for the folder
 * itself, unless a slash follows. Both are absolute and without `..`.
 */
export function pathBelow(path: string, folder: string): string | null {
  const [whole, root] = [canonicalPath(path), trimEnd(canonicalPath(folder))];
  if (whole.charAt(root.length) !== '/' || !isSamePath(whole.slice(0, root.length), root)) return null;
  return whole.slice(root.length + 1);
}

/** Whether a path is in one of the folders. */
export function isInside(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => pathBelow(path, folder) !== null);
}

/** Whether a path is this folder, or in it. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return isSamePath(path, folder) || pathBelow(path, folder) !== null;
}

/** Cuts these characters off the end. A regular expression would be slow for thousands of them in the middle. */
export function trimEnd(text: string, signs = '/\\'): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** A folder of the machine of the recording, and the folder here with the same files. Both are absolute. */
export interface PathRule {
  readonly from: string;
  readonly to: string;
}

export interface PathSuggestion {
  /** Number of own files in the recording that are not at their paths here. */
  readonly files: number;
  readonly found: number;
  /** The rules that find the most files, best first; at least one. */
  readonly rules: readonly PathRule[];
  /** Other folders here that may match the first rule; empty where texts decide it. */
  readonly others: readonly string[];
}

/** Whether a text is an absolute path of any system with a folder, or a `file:` url of one: the begin of a rule. */
export function isFolderThere(text = ''): boolean {
  return /^(?:file:\/\/)?(?:\/(?:[a-z]:[\\/])?|[a-z]:[\\/])[^\\/]/i.test(text);
}
