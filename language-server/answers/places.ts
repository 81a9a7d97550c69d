import type { Analysis } from '../../engine/analysis.ts';
import type { FunctionInfo } from '../../engine/functions/function-table.ts';
import { toLine1 } from '../../protocol/units.ts';

/** A path as people know it: inside the workspace folder that holds it, else as it is. */
export function shortPath(path: string, roots: readonly string[]): string {
  const root = roots.find((folder) => isInside(path, [folder]));
  return root === undefined ? path : path.slice(root.length).replace(/^[/\\]/, '');
}

/** Whether the path lies in one of the folders; both absolute, without `..`. */
export function isInside(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const folder = root.replace(/[/\\]$/, '');
    return path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
  });
}

/** `src/rules.ts:13`; of a function without a file what its url says. */
export function placeOf({ path, url, line }: FunctionInfo, { roots }: Analysis): string {
  if (path === null) return url === '' ? 'native' : url;
  return `${shortPath(path, roots)}:${toLine1(line)}`;
}
