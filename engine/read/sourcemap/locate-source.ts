import { filePathOf, trimEnd } from '../files/file-path.ts';
import type { MapSource } from './map-text.ts';

/**
 * The file that a bundler's name for a source means: `webpack://shop/./src/cart.ts?a1b2` is `src/cart.ts` in the folder
 * where webpack ran. The map does not name that folder: it is one of those around the built file, or one of the
 * workspace. Only a file with the text in the map is taken; other names stay as they are. `inMemory` is the path of a
 * script that was never on the disk, in an invented folder: its sources are in one of the others by the same path.
 */
export async function locateSource(
  source: MapSource,
  folders: readonly string[],
  readText: (path: string) => Promise<string | null>,
  inMemory: string | null = null,
): Promise<MapSource> {
  const relative = relativePathOf(source.url ?? '') ?? besideScript(source, inMemory);
  if (relative === null) return source;
  for (const folder of folders) {
    const path = `${folder}/${relative}`;
    const text = await readText(path);
    if (text !== null && isSame(text, source.content)) return { ...source, url: path };
  }
  return source;
}

/**
 * The path of a source, relative to the folder of its script; null if the source is not in that folder, or has no text.
 */
export function besideScript({ url, content }: MapSource, script: string | null): string | null {
  const folder = script?.slice(0, script.lastIndexOf('/') + 1) ?? '';
  return folder !== '' && content !== null && url?.startsWith(folder) === true ? url.slice(folder.length) : null;
}

/**
 * The path in a url, such as `folder/src/cart.ts` in `webpack://shop/./folder/src/cart.ts`; null for urls that name no
 * such path.
 */
function relativePathOf(url: string): string | null {
  const path = /^webpack(?:-internal)?:\/\/[^/]*\/(.+?)(?:\?[^/]*)?$/.exec(url)?.[1];
  if (path === undefined) return null;
  const plain = path.replace(/^(?:\([^)]*\)\/)?(?:\.\/)+/, '');
  return /(^|[\\/])\.\.([\\/]|$)|^\(|^[a-z][a-z0-9+.-]*:|^[\\/]|!/i.test(plain) ? null : plain;
}

function isSame(text: string, content: string | null): boolean {
  return content === null || withoutReturns(text) === withoutReturns(content);
}

function withoutReturns(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '');
}

/** The folders around a file, nearest first, up to the innermost of `roots` around it; then the roots. */
export function foldersAround(url: string, roots: readonly string[]): readonly string[] {
  const path = filePathOf(url)?.replaceAll('\\', '/') ?? '';
  const root = roots.find((each) => path.startsWith(`${each}/`));
  const inside =
    root === undefined
      ? []
      : path
          .slice(root.length + 1)
          .split('/')
          .slice(0, -1);
  const around = inside.map((_, index) => [root, ...inside.slice(0, inside.length - index)].join('/'));
  return [...around, ...roots.map((each) => trimEnd(each))];
}
