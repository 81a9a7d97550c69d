import path from 'node:path';
import type { Package } from './package-manifest.ts';
import { readPackage } from './package-manifest.ts';
import type { Readers } from './readers.ts';

/**
 * The package of a folder and those of its workspaces (npm, yarn, pnpm), the folder's own first, each once, then by
 * path. A folder without a package.json: those of the folders in it, two levels deep.
 */
export async function findPackages(folder: string, readers: Readers): Promise<readonly Package[]> {
  const root = await readPackage(folder, readers);
  const patterns = root === null ? ['*', '*/*'] : root.workspaces;
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const unwanted = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => matcher(pattern.slice(1)));
  const found = (await Promise.all(wanted.map((pattern) => foldersLike(folder, segmentsOf(pattern), readers)))).flat();
  const chosen = [...new Set(found)]
    .filter((name) => !unwanted.some((matches) => matches(path.relative(folder, name))))
    .toSorted();
  const packages = await Promise.all(chosen.map((name) => readPackage(name, readers, root?.manager)));
  return [root, ...packages].filter((one) => one !== null);
}

/** The package that a file belongs to: the nearest folder with a package.json, not above `folder`. */
export async function packageOf(file: string, folder: string, readers: Readers): Promise<Package | null> {
  const root = await readPackage(folder, readers);
  for (let at = path.dirname(file); isInside(at, folder); at = path.dirname(at)) {
    const found = at === folder ? root : await readPackage(at, readers, root?.manager);
    if (found !== null) return found;
    if (at === path.dirname(at)) break;
  }
  return null;
}

/** True for the folder itself too. */
export function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative === '' || (relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative));
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
  const matches = matcher(segment);
  const next = inner.filter(matches).map((name) => foldersLike(path.join(base, name), rest, readers, depth));
  return (await Promise.all(next)).flat();
}

/** `*` within a segment, `**` over several or none, `{a,b}`; anything else means itself. */
function matcher(pattern: string): (text: string) => boolean {
  const source = segmentsOf(pattern)
    .join('/')
    .replaceAll(/[.+^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\{([^}]*)\}/g, (_, list: string) => `(${list.replaceAll(',', '|')})`)
    .replaceAll('**/', '\x01')
    .replaceAll('**', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
    .replaceAll('\x01', '(.*/)?')
    .replaceAll('\0', '.*');
  const expression = new RegExp(`^${source}$`);
  return (text) => expression.test(text.replaceAll('\\', '/'));
}
