import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readlink, realpath, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { isBelow } from './base-environment.ts';

/**
 * Copies the packages of the folder `from` to the folder `to`, both as they contain `node_modules`. A file system that
 * can share the blocks of two files until one of them is written to does so. Links stay within the copy: one to a
 * package of the repository leads to that of the base (`theirs`), and a package that is linked from elsewhere is copied.
 * Caches of tools are left out. `stopping` ends it where it is.
 */
export async function copyModules(
  from: string,
  to: string,
  { ours, theirs }: { readonly ours: string; readonly theirs: string },
  stopping: AbortSignal,
): Promise<void> {
  const source = await realpath(path.join(from, 'node_modules'));
  const target = path.join(to, 'node_modules');
  const places = [
    { from: source, to: target },
    { from: await realpath(ours), to: theirs },
  ];
  await copyFolder(source, target, { places, within: [source], stopping });
}

interface Copying {
  /** Folders with those that stand for them, the innermost first. */
  readonly places: readonly { readonly from: string; readonly to: string }[];
  /** The folders from elsewhere that are being copied, so that a circle of links ends. */
  readonly within: readonly string[];
  readonly stopping: AbortSignal;
}

const leftOut: ReadonlySet<string> = new Set(['.cache', '.vite', '.vitest']);

async function copyFolder(from: string, to: string, copying: Copying): Promise<void> {
  if (copying.stopping.aborted) return;
  await mkdir(to, { recursive: true });
  const entries = await readdir(from, { withFileTypes: true });
  const isModules = path.basename(from) === 'node_modules';
  const wanted = entries.filter(({ name }) => !(isModules && leftOut.has(name)));
  const files = wanted.filter((entry) => entry.isFile());
  await Promise.all(
    files.map(async ({ name }) => copyFile(path.join(from, name), path.join(to, name), constants.COPYFILE_FICLONE)),
  );
  // One folder after the other: the files of one keep all threads busy.
  for (const entry of wanted) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target, copying);
    if (entry.isSymbolicLink()) await copyLink(source, target, copying);
  }
}

async function copyLink(source: string, target: string, copying: Copying): Promise<void> {
  const leadsTo = path.resolve(path.dirname(source), await readlink(source));
  const place = copying.places.find((one) => isBelow(leadsTo, one.from));
  if (place !== undefined) {
    const there = path.join(place.to, path.relative(place.from, leadsTo));
    return symlink(path.relative(path.dirname(target), there), target, 'junction');
  }
  const real = await realpath(leadsTo).catch(() => null);
  // A link that leads nowhere is left out: what writes to it would make a file there, outside of the base.
  if (real === null) return undefined;
  if (copying.within.some((folder) => isBelow(folder, real))) return undefined;
  if (!(await stat(real)).isDirectory()) return copyFile(real, target, constants.COPYFILE_FICLONE);
  // The store of a package manager has the dependencies of a package beside it, where only the package itself finds them.
  if (real.includes(`${path.sep}node_modules${path.sep}`)) return symlink(real, target, 'junction');
  const places = [{ from: real, to: target }, ...copying.places];
  return copyFolder(real, target, { ...copying, places, within: [...copying.within, real] });
}
