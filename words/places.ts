import type { Analysis } from '../engine/analysis.ts';
import type { FunctionInfo } from '../engine/functions/function-table.ts';
import { filePathOf, isInside } from '../engine/files/file-path.ts';
import type { HotLine } from '../engine/lines/hot-line.ts';
import { withLine } from './formats/figures.ts';
import { type Line1, toLine1 } from '../protocol/units.ts';

/** A path as people know it: inside the innermost workspace folder, after its name where there are several; else as it is. */
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

/** Where a hot function holds the loop most: the heaviest line, which in a bundle's body is another file's; of others their first line. */
export function hottestPlace(fn: FunctionInfo, analysis: Analysis): Pick<HotLine, 'url' | 'line'> {
  return hottestLine(analysis, fn.id) ?? { url: fn.url, line: toLine1(fn.line) };
}

/** `src/rules.ts:13`: the heaviest line of a hot function, the first one of others; of a function without a file what its url says. */
export function placeOf(fn: FunctionInfo, analysis: Analysis): string {
  if (fn.path === null) return fn.url === '' ? 'native' : fn.url;
  return placeText(hottestPlace(fn, analysis), analysis);
}

/** `src/rules.ts:13`: a place in the text that was written. */
export function placeText({ url, line }: { readonly url: string; readonly line: number }, { roots }: Analysis): string {
  return url === '' ? 'native' : withLine(shortPath(filePathOf(url) ?? url, roots), line);
}

/**
 * Where own code imports a package that holds the loop: the call is behind one of these. `imported at src/a.ts:3, src/b.ts:1`,
 * the first three as `textOf` has them; null where nobody imports it.
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
