import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, readlink, realpath, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isRecord, parseJson } from '../../../protocol/json-value.ts';
import { isBelow } from './base-environment.ts';

/**
 * Copies the packages of the folder `from` to the folder `to`, both as they contain `node_modules`. A file system that
 * can share the blocks of two files until one of them is written to does so. Links stay within the copy: one to a
 * package of the repository leads to that of the base (`theirs`), and a package that is linked from elsewhere is copied,
 * one from the store of a package manager with the packages that it depends on. Caches of tools are left out. `stopping`
 * ends it where it is.
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
  const store = { folder: path.join(target, '.linked'), copies: new Map<string, string>() };
  await copyFolder(source, target, { places, within: [source], store, stopping });
}

interface Copying {
  /** Folders with those that stand for them, the innermost first. */
  readonly places: readonly { readonly from: string; readonly to: string }[];
  /** The folders from elsewhere that are being copied, so that a circle of links ends. */
  readonly within: readonly string[];
  /** Where packages of a store are copied to, and the copies by the packages' folders. */
  readonly store: { readonly folder: string; readonly copies: Map<string, string> };
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
  const there = placeFor(leadsTo, copying);
  if (there !== null) return link(there, target);
  const real = await realpath(leadsTo).catch(() => null);
  // A link that leads nowhere is left out: what writes to it would make a file there, outside of the base.
  if (real === null) return undefined;
  if (copying.within.some((folder) => isBelow(folder, real))) return undefined;
  if (!(await stat(real)).isDirectory()) return copyFile(real, target, constants.COPYFILE_FICLONE);
  const stored = packageOf(real);
  if (stored !== null) {
    const copy = await copyStored(stored, copying);
    return link(path.join(copy, path.relative(stored.folder, real)), target);
  }
  const places = [{ from: real, to: target }, ...copying.places];
  return copyFolder(real, target, { ...copying, places, within: [...copying.within, real] });
}

/** Where the base has what lies at a path; null where it has nothing for it. */
function placeFor(real: string, { places }: Copying): string | null {
  const place = places.find((one) => isBelow(real, one.from));
  return place === undefined ? null : path.join(place.to, path.relative(place.from, real));
}

async function link(to: string, target: string): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  await symlink(path.relative(path.dirname(target), to), target, 'junction');
}

interface StoredPackage {
  /** Absolute path of the package, without links. */
  readonly folder: string;
  readonly name: string;
}

/** The package in a folder `node_modules` that has a path; null where none has. */
function packageOf(real: string): StoredPackage | null {
  const words = real.split(path.sep);
  const start = words.lastIndexOf('node_modules') + 1;
  if (start === 0 || start === words.length) return null;
  const name = words.slice(start, start + (words[start]?.startsWith('@') === true ? 2 : 1));
  return { folder: [...words.slice(0, start), ...name].join(path.sep), name: name.join('/') };
}

/** The copy of a package, beside which links lead to those of the packages that it depends on, as in its store. */
async function copyStored({ folder, name }: StoredPackage, copying: Copying): Promise<string> {
  const { store, places, within } = copying;
  const known = store.copies.get(folder);
  if (known !== undefined) return known;
  const modules = path.join(store.folder, String(store.copies.size), 'node_modules');
  const copy = path.join(modules, name);
  store.copies.set(folder, copy);
  const inside = { ...copying, places: [{ from: folder, to: copy }, ...places], within: [...within, folder] };
  await copyFolder(folder, copy, inside);
  for (const needed of await dependenciesOf(folder)) {
    const found = await foundAbove(folder, needed);
    if (found === null) continue;
    const stored = packageOf(found);
    const there = placeFor(found, copying) ?? (stored === null ? null : await copyStored(stored, copying));
    if (there !== null) await link(there, path.join(modules, needed));
  }
  return copy;
}

async function dependenciesOf(folder: string): Promise<readonly string[]> {
  const manifest = parseJson(await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => ''));
  if (!isRecord(manifest)) return [];
  const kinds = [manifest['dependencies'], manifest['optionalDependencies'], manifest['peerDependencies']];
  return [...new Set(kinds.flatMap((names) => (isRecord(names) ? Object.keys(names) : [])))];
}

/** Where a package finds another one that is not inside of it, without links; null where it does not. */
async function foundAbove(folder: string, name: string): Promise<string | null> {
  const [inside, ...above] = createRequire(path.join(folder, 'package.json')).resolve.paths(name) ?? [];
  if (inside === undefined || existsSync(path.join(inside, name))) return null;
  const modules = above.find((one) => existsSync(path.join(one, name)));
  return modules === undefined ? null : realpath(path.join(modules, name));
}
