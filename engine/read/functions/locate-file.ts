import { onceEach } from '../../basics/once.ts';
import { canonicalPath, isSamePath, pathBelow, trimEnd } from '../../../protocol/path-spelling.ts';
import { filePathOf } from '../files/file-path.ts';
import { type World, MAX_NAMED_BYTES } from '../files/world.ts';
import { type Workspace, pathInWorkspace } from './find-workspace.ts';
import { areSameBytes } from '../../basics/bytes.ts';

/** A file of the workspace that a url means without naming it. */
export interface LocatedFile {
  readonly path: string;
  /** True where this very file ran; else the text that ran was made from it, and its lines may differ. */
  readonly isSame: boolean;
}

/** Null where the url itself names the file. */
export type Locate = (url: string) => Promise<LocatedFile | null>;

/**
 * Finds the files behind the urls of
 * - a workspace that was opened by a link, because Node names files by the target of the link;
 * - a package of a monorepo that `--preserve-symlinks` ran by its link in `node_modules`;
 * - a file that Bazel ran from its `runfiles` or its `bin`, where the workspace has the same text;
 * - a module that webpack evaluates (`webpack-internal:///./src/a.ts`, `webpack://shop/./src/a.ts?`), or that a
 *   development server on this machine served (`http://localhost:5173/src/a.ts`, Vite's `/@fs/…`). It is looked for in
 *   the workspace's folders and in those of `ranIn`, which are absolute: the bundler may have run there, for example in
 *   a package of a monorepo. A server sends built files from its build folder (`dist/assets/app.js`);
 * - a relative path, in the same folders.
 */
export async function createLocate(workspace: Workspace, world: World, ranIn: readonly string[] = []): Promise<Locate> {
  const linkedRoots: (readonly [root: string, real: string])[] = [];
  for (const root of workspace.roots) {
    const real = await world.realPath?.(root);
    if (real !== undefined && !isSamePath(real, root)) linkedRoots.push([root, real]);
  }
  const targetOf = onceEach(async (folder: string) => linkedPackage(folder, workspace, world));
  const bases = [...new Set([...workspace.roots, ...ranIn.map((folder) => trimEnd(folder))])];
  return async (url) => {
    const path = filePathOf(url, workspace.roots);
    if (path === null) return locateServed(url, bases, workspace, world);
    for (const [root, real] of linkedRoots) {
      const below = pathBelow(path, real);
      if (below !== null) return { path: `${trimEnd(root)}/${below}`, isSame: true };
    }
    const [, folder, rest] = packagePath.exec(path) ?? [];
    if (folder !== undefined && rest !== undefined) {
      const target = await targetOf(folder);
      return target === null ? null : { path: `${target}${rest}`, isSame: true };
    }
    const inBazel = /(?:\.runfiles\/[^/]+|\/bazel-out\/[^/]+\/bin)\/(.+)$/s.exec(path)?.[1];
    return inBazel === undefined ? null : locateCopy(path, inBazel, workspace, world);
  };
}

/** Matches a package's folder, and the path inside it. */
const packagePath = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)(\/.*)$/s;

/** The folder of the workspace to which a package is linked; null for other packages. */
async function linkedPackage(folder: string, workspace: Workspace, world: World): Promise<string | null> {
  const real = pathInWorkspace(folder, workspace) === null ? undefined : await world.realPath?.(folder);
  const inside = real === undefined || isSamePath(real, folder) ? null : pathInWorkspace(real, workspace);
  return real === undefined || inside === null || `/${inside}/`.includes('/node_modules/') ? null : canonicalPath(real);
}

async function locateCopy(
  path: string,
  relative: string,
  workspace: Workspace,
  world: World,
): Promise<LocatedFile | null> {
  const copy = await world.readFile(path, MAX_NAMED_BYTES.text);
  for (const root of workspace.roots) {
    const original = await world.readFile(`${root}/${relative}`, MAX_NAMED_BYTES.text);
    const isSame = original !== undefined && copy !== undefined && areSameBytes(copy, original);
    if (isSame) return { path: `${root}/${relative}`, isSame };
  }
  return null;
}

async function locateServed(
  url: string,
  bases: readonly string[],
  workspace: Workspace,
  world: World,
): Promise<LocatedFile | null> {
  const relative = relativePath.test(url) && !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(url);
  const served = relative ? `/${url.replace(/^\.\//, '')}` : servedPath(url);
  if (served === null) return null;
  const inFileSystem = /^\/@fs(\/.+)$/.exec(served)?.[1];
  const candidates =
    inFileSystem === undefined ? bases.map((base) => `${base}${served}`) : [filePathOf(`file://${inFileSystem}`)];
  const isThere = async (path: string): Promise<boolean> =>
    pathInWorkspace(path, workspace) !== null && (await world.readFile(path, MAX_NAMED_BYTES.text)) !== undefined;
  for (const path of candidates) if (path !== null && (await isThere(path))) return { path, isSame: relative };
  for (const folder of relative || !isScript.test(served) ? [] : builtFolders)
    for (const base of bases)
      if (await isThere(`${base}/${folder}${served}`)) return { path: `${base}/${folder}${served}`, isSame: true };
  return null;
}

const isScript = /\.[cm]?js$/;
/** In which servers have what was built: that very file is sent. */
const builtFolders = ['dist', 'build', 'out', 'public', 'dist/client', 'build/client'];

/** Matches `src/cart.ts`, as some profilers name files from the folder in which the program ran. */
const relativePath = /^(?:\.\/)?[\w@][^:?*#]*\.[cm]?[jt]sx?$/;

/**
 * The decoded path, from a slash on, by which a bundler or a server of this machine names a file; null for other urls.
 */
function servedPath(url: string): string | null {
  const evaluated = /^webpack(?:-internal)?:\/\/[^/]*\/(?:\([^)]*\)\/)?\.(\/[^?!]+)/.exec(url)?.[1];
  if (evaluated !== undefined) return /[\\/]\.\.(?:[\\/]|$)/.test(evaluated) ? null : evaluated;
  const isLocal = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\//.test(url) && URL.canParse(url);
  return isLocal ? filePathOf(`file://${new URL(url).pathname}`) : null;
}
