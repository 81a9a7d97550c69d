import path from 'node:path';
import { globMatcher } from './glob.ts';
import { type Package, readPackage } from './package-manifest.ts';
import type { Readers } from './readers.ts';

/**
 * The package of a folder and those of its workspaces (npm, yarn, pnpm), the folder's own first, each once, then by
 * path. A folder without a package.json: those of the folders in it, two levels deep.
 */
export async function findPackages(folder: string, readers: Readers): Promise<readonly Package[]> {
  const root = await readPackage(folder, readers);
  const patterns = root === null ? ['*', '*/*'] : root.workspaces;
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const unwanted = patterns
    .filter((pattern) => pattern.startsWith('!'))
    .map((pattern) => globMatcher(segmentsOf(pattern.slice(1)).join('/')));
  const found = (await Promise.all(wanted.map((pattern) => foldersOf(pattern, folder, readers)))).flat();
  const chosen = [...new Set(found)]
    .filter(
      (name) => !unwanted.some((matches) => matches?.(path.relative(folder, name).replaceAll('\\', '/')) === true),
    )
    .toSorted();
  const packages = await Promise.all(chosen.map((name) => readPackage(name, readers, root?.manager)));
  return [root, ...packages].filter((one) => one !== null);
}

/** The package that a file belongs to: the nearest folder with a package.json, not above `folder`. */
export async function packageOf(file: string, folder: string, readers: Readers): Promise<Package | null> {
  return (await packagesAround(file, folder, readers))[0] ?? null;
}

/** All that a file lies in, the nearest first, not above `folder`. */
export async function packagesAround(file: string, folder: string, readers: Readers): Promise<readonly Package[]> {
  const root = await readPackage(folder, readers);
  const found: Package[] = [];
  for (let at = path.dirname(file); at !== folder && isInside(at, folder); at = path.dirname(at)) {
    const one = await readPackage(at, readers, root?.manager);
    if (one !== null) found.push(one);
  }
  return root === null || !isInside(file, folder) ? found : [...found, root];
}

/** True for the folder itself too. */
export function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative === '' || (relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative));
}

/** The folders that a pattern means, from `base` on. */
export function foldersOf(pattern: string, base: string, readers: Readers): Promise<readonly string[]> {
  return foldersLike(base, segmentsOf(pattern), readers);
}

function segmentsOf(pattern: string): readonly string[] {
  return pattern.split('/').filter((segment) => segment !== '' && segment !== '.');
}

/** `**` goes four levels deep: nobody's packages lie deeper. */
async function foldersLike(
  base: string,
  segments: readonly string[],
  readers: Readers,
  depth = 0,
): Promise<readonly string[]> {
  const [segment, ...rest] = segments;
  if (segment === undefined) return [base];
  if (segment === '..') return foldersLike(path.dirname(base), rest, readers, depth);
  const names = (await readers.list(base)).flatMap((name) => (name.endsWith('/') ? [name.slice(0, -1)] : []));
  const inner = names.filter((name) => name !== 'node_modules' && !name.startsWith('.'));
  if (segment === '**') {
    const here = foldersLike(base, rest, readers, depth);
    const deeper =
      depth > 3 ? [] : inner.map((name) => foldersLike(path.join(base, name), segments, readers, depth + 1));
    return (await Promise.all([here, ...deeper])).flat();
  }
  const matches = globMatcher(segment) ?? ((name) => name === segment);
  const next = inner.filter(matches).map((name) => foldersLike(path.join(base, name), rest, readers, depth));
  return (await Promise.all(next)).flat();
}
