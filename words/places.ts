import type { Analysis } from '../engine/analysis.ts';
import type { FunctionInfo } from '../engine/read/functions/function-table.ts';
import { filePathOf, isInside } from '../engine/read/files/file-path.ts';
import { withLine } from './formats/figures.ts';
import { type Line1, toLine1 } from '../protocol/units.ts';
import type { HotLine } from '../engine/judge/lines/hot-lines.ts';

/**
 * A path as people know it: inside the innermost workspace folder, with that folder's name in front where there are
 * several; else unchanged.
 */
export function shortPath(path: string, roots: readonly string[]): string {
  const holding = roots.map((root) => root.replace(/[/\\]$/, '')).filter((root) => isInside(path, [root]));
  const root = holding.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
  if (holding.length === 0) return path;
  const inside = path.slice(root.length + 1);
  return roots.length > 1 ? `${root.replace(/^.*[/\\]/, '')}/${inside}` : inside;
}

/** The heaviest line that is marked for a function; undefined where it has none. */
export function hottestLine({ lines }: Analysis, functionId: number): HotLine | undefined {
  return lines.find(({ decorated, functionIds }) => decorated && functionIds[0] === functionId);
}

/**
 * Where a hot function holds the loop most: its heaviest line, which in a bundle's body is in another file. Functions
 * that are not hot have their first line.
 */
export function hottestPlace(fn: FunctionInfo, analysis: Analysis): Pick<HotLine, 'url' | 'line'> {
  return hottestLine(analysis, fn.id) ?? { url: fn.url, line: toLine1(fn.line) };
}

/**
 * A place such as `src/rules.ts:13`: the heaviest line of a hot function, else the first line; for a function without a
 * file, its url.
 */
export function placeOf(fn: FunctionInfo, analysis: Analysis): string {
  if (fn.path === null) return fn.url === '' ? 'native' : fn.url;
  return placeText(hottestPlace(fn, analysis), analysis);
}

/** A place in the text that was written, such as `src/rules.ts:13`. */
export function placeText({ url, line }: { readonly url: string; readonly line: number }, { roots }: Analysis): string {
  return url === '' ? 'native' : withLine(shortPath(filePathOf(url) ?? url, roots), line);
}

/**
 * Where own code imports a package that holds the loop, as `imported at src/a.ts:3, src/b.ts:1`: the call is behind one
 * of these lines. It has the first three, each as `textOf` writes it; null where nobody imports the package.
 */
export function importedAt(
  { packages }: Analysis,
  name: string,
  textOf: (place: { readonly url: string; readonly line: Line1 }) => string,
): string | null {
  const imports = packages.find((one) => one.name === name)?.imports ?? [];
  if (imports.length === 0) return null;
  const places = imports.slice(0, 3).map(textOf).join(', ');
  return imports.every(({ seen }) => seen)
    ? `imported at ${places}`
    : `imported by no file that was seen in this run (${places} would)`;
}
