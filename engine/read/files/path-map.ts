import type { PathRule } from '../../../protocol/path-rules.ts';
import { filePathOf, isInside, plainUrl, trimEnd } from './file-path.ts';

/** Where files that were recorded elsewhere are here, as the person has confirmed it. */
export interface PathMap {
  /** The path here of the file that a url or a path names; the same text where no rule is about it. */
  readonly toHere: (url: string) => string;
  readonly isEmpty: boolean;
}

/** For what was recorded here: everything stays as it is. */
export const noPathMap: PathMap = { toHere: (url) => url, isEmpty: true };

/**
 * The map of these rules. The rule with the longest folder counts. What already lies in one of `roots` stays, and so does
 * what would not lie in the folder of its rule: a path has no `..` any more when it is compared.
 */
export function pathMapOf(rules: readonly PathRule[], roots: readonly string[]): PathMap {
  const known = rules
    .map(({ from, to }) => ({ from: comparable(filePathOf(from) ?? from), to: trimEnd(to) }))
    .filter(({ from, to }) => from !== '' && to !== '')
    .toSorted((a, b) => b.from.length - a.from.length);
  if (known.length === 0) return noPathMap;
  const mapped = new Map<string, string>();
  const find = (url: string): string => {
    const path = filePathOf(plainUrl(url));
    if (path === null || isInside(path, roots)) return url;
    const rule = known.find(({ from }) => isBelow(path, from));
    if (rule === undefined) return url;
    const rest = trimEnd(path.replaceAll('\\', '/')).slice(rule.from.length);
    const here = `${rule.to}${rule.to.includes('\\') ? rest.replaceAll('/', '\\') : rest}`;
    return isInside(here, [rule.to]) ? `${here}${url.slice(plainUrl(url).length)}` : url;
  };
  const toHere = (url: string): string => {
    const before = mapped.get(url);
    if (before !== undefined) return before;
    const here = url === '' || url.startsWith('node:') ? url : find(url);
    mapped.set(url, here);
    return here;
  };
  return { toHere, isEmpty: false };
}

function isBelow(path: string, from: string): boolean {
  const plain = comparable(path);
  return plain === from || plain.startsWith(`${from}/`);
}

/** A path with `/`, without one at its end; of Windows, where names differ by no letter's case, in lower case. */
export function comparable(path: string): string {
  const plain = trimEnd(path.replaceAll('\\', '/'));
  return isOfWindows(path) ? plain.toLowerCase() : plain;
}

export function isOfWindows(path: string): boolean {
  return /^[a-z]:(?:[\\/]|$)|^\\\\/i.test(path);
}
