import type { Failure } from '../../../protocol/failure.ts';
import path from 'node:path';
import { isAtOrBelow } from '../../../protocol/path-spelling.ts';
import type { Base } from './base.ts';
import { gitText, type Repository } from './git.ts';
import { isRecord, parseJson } from '../../../protocol/json-value.ts';
import { constants, existsSync } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readFile, readlink, realpath, stat, symlink, unlink } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** An installation that a base needs. */
export interface Installation {
  /** The folder in the base to run it in: that of a lockfile, else that of a `package.json`. */
  readonly folder: string;
  readonly command: readonly string[];
}

export type Dependencies = { readonly type: 'ready'; readonly installations: readonly Installation[] } | Failure;

/**
 * Gives a base the dependencies of the user's tree. Where both have the same lockfiles and manifests they are copied;
 * else they are to be installed. The base shares no file with the user's tree, so nothing in the base changes the user's
 * packages, and packages that find the project by their own place find the base. `stopping` ends the copying.
 */
export async function provideDependencies(
  repository: Repository,
  base: Base,
  stopping: AbortSignal,
): Promise<Dependencies> {
  const roots = { ours: repository.root, theirs: base.root };
  const folders = await packageFolders(base);
  const copy = async (folder: string): Promise<void> =>
    copyModules(path.join(roots.ours, folder), path.join(roots.theirs, folder), roots, stopping);
  for (const folder of folders) await unlinkModules(path.join(base.root, folder));
  // No manifest says what these are: on both sides the same.
  for (const folder of await withOursAlone(foldersAbove([repository.below, ...folders], folders), roots))
    await copy(folder);
  const installations: Installation[] = [];
  for (const [home, members] of await projectsIn(folders, base.root)) {
    const wanted = await withOursAlone(members, roots);
    if (wanted.length === 0) continue;
    if (await hasSameDependencies(members, roots)) {
      for (const folder of wanted) await copy(folder);
    } else {
      const folder = path.join(base.root, home);
      const command = (await lockfileIn(folder)) ?? ['npm', 'install', '--no-audit', '--no-fund'];
      installations.push({ folder, command });
    }
  }
  const outside = installations.length === 0 ? null : await packageOutside(base);
  return outside === null ? { type: 'ready', installations } : { type: 'failed', message: outside };
}

/** Folders with a `package.json` in a commit, relative to its root. */
async function packageFolders({ root }: Base): Promise<readonly string[]> {
  const files = await gitText(root, ['ls-files', '-z', 'package.json', '**/package.json']);
  const folders = files.split('\0').filter((file) => file !== '' && !file.includes('node_modules/'));
  return [...new Set(folders.map((file) => path.dirname(file)).map((folder) => (folder === '.' ? '' : folder)))];
}

/** These folders and those above them up to the root, `''`, in which Node looks for packages, too; without `known` ones. */
function foldersAbove(folders: readonly string[], known: readonly string[]): readonly string[] {
  const all = new Set(['']);
  for (const folder of folders) for (let at = folder; at !== '' && at !== '.'; at = path.dirname(at)) all.add(at);
  return [...all].filter((folder) => !known.includes(folder));
}

/** Deletes a link in the place of `node_modules`: an installation would write, and delete, in its target. */
async function unlinkModules(folder: string): Promise<void> {
  const modules = path.join(folder, 'node_modules');
  if ((await lstat(modules).catch(() => null))?.isSymbolicLink() === true) await unlink(modules);
}

/** Packages by where they are installed from: the next folder above with a lockfile, else the uppermost package. */
async function projectsIn(folders: readonly string[], root: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const locked = await Promise.all(
    folders.map(async (folder) => ((await lockfileIn(path.join(root, folder))) === null ? [] : [folder])),
  );
  const homes = locked.flat();
  const projects = new Map<string, string[]>();
  for (const folder of folders) {
    const above = (candidates: readonly string[]): readonly string[] =>
      candidates.filter((one) => one === '' || isAtOrBelow(folder, one)).toSorted((a, b) => b.length - a.length);
    const home = above(homes)[0] ?? above(folders).at(-1) ?? folder;
    projects.set(home, [...(projects.get(home) ?? []), folder]);
  }
  return projects;
}

interface TwoRoots {
  /** The user's. */
  readonly ours: string;
  /** The base's. */
  readonly theirs: string;
}

/** The folders in which the user has packages, and the commit has none. */
async function withOursAlone(folders: readonly string[], { ours, theirs }: TwoRoots): Promise<readonly string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const isOurs = await hasModules(path.join(ours, folder));
      return isOurs && !(await hasModules(path.join(theirs, folder))) ? [folder] : [];
    }),
  );
  return found.flat();
}

async function hasModules(folder: string): Promise<boolean> {
  return (await readdir(path.join(folder, 'node_modules')).catch(() => [])).length > 0;
}

/** Lockfiles, with the command that installs their versions. */
const lockfiles: readonly (readonly [string, readonly string[]])[] = [
  ['pnpm-lock.yaml', ['pnpm', 'install', '--frozen-lockfile']],
  ['yarn.lock', ['yarn', 'install', '--frozen-lockfile']],
  ['package-lock.json', ['npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund']],
  ['npm-shrinkwrap.json', ['npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund']],
  ['bun.lock', ['bun', 'install', '--frozen-lockfile']],
  ['bun.lockb', ['bun', 'install', '--frozen-lockfile']],
];

/** The command for the lockfile of a folder; null where it has none. */
async function lockfileIn(folder: string): Promise<readonly string[] | null> {
  for (const [file, command] of lockfiles) if ((await textOf(path.join(folder, file))) !== null) return command;
  return null;
}

async function hasSameDependencies(folders: readonly string[], { ours, theirs }: TwoRoots): Promise<boolean> {
  for (const folder of folders) {
    for (const [name] of lockfiles) {
      const file = path.join(folder, name);
      const [our, their] = await Promise.all([ours, theirs].map(async (root) => textOf(path.join(root, file))));
      // One that no commit has says nothing about the other side.
      if (our !== their && (their !== null || (await isTracked(ours, file)))) return false;
    }
    const manifests = await Promise.all([ours, theirs].map(async (root) => dependenciesIn(path.join(root, folder))));
    if (manifests[0] !== manifests[1]) return false;
  }
  return true;
}

async function isTracked(root: string, file: string): Promise<boolean> {
  return (await gitText(root, ['ls-files', '--', `:(literal)${file}`])) !== '';
}

/** The dependencies that a manifest names, with the patches that an installation applies, as a text to compare. */
async function dependenciesIn(folder: string): Promise<string> {
  const text = (await textOf(path.join(folder, 'package.json'))) ?? '';
  const manifest = parseJson(text);
  if (!isRecord(manifest)) return '';
  const named = ['dependencies', 'devDependencies', 'optionalDependencies'].map((kind) => manifest[kind]);
  const patches = /patch-package|patchedDependencies/.test(text) ? await patchesIn(path.join(folder, 'patches')) : [];
  return JSON.stringify([...named, patches]);
}

/** The files of patch-package and of Bun: their lockfiles have no checksums of them. */
async function patchesIn(folder: string): Promise<readonly (readonly [name: string, text: string | null])[]> {
  const names = (await readdir(folder).catch(() => [])).toSorted((a, b) => (a < b ? -1 : 1));
  return Promise.all(names.map(async (name) => [name, await textOf(path.join(folder, name))] as const));
}

/** A sentence where a link leads to a package outside of the repository, into which an installation may write. */
async function packageOutside({ root }: Base): Promise<string | null> {
  for (const line of (await gitText(root, ['ls-files', '--stage', '-z'])).split('\0')) {
    const [, file] = /^120000 \S+ \d\t(.*)$/s.exec(line) ?? [];
    const target = file === undefined ? null : await realpath(path.join(root, file)).catch(() => null);
    if (file === undefined || target === null || isAtOrBelow(target, root)) continue;
    if ((await textOf(path.join(target, 'package.json'))) !== null)
      return `The base cannot be installed: ${file} is a link to the package ${await readlink(path.join(root, file))} outside of the repository, and an installation could write there. Give recordings of both sides instead (hotspan compare BEFORE… --head AFTER…).`;
  }
  return null;
}

/** Reads each byte as a character, because `bun.lockb` is binary. */
async function textOf(file: string): Promise<string | null> {
  return readFile(file, 'latin1').catch(() => null);
}

/**
 * Copies the `node_modules` of the folder `from` to the folder `to`. A file system that can share the blocks of two files
 * until one is written to does so. Links stay within the copy: one to a package of the repository leads to that of the
 * base (`theirs`), and a package that is linked from elsewhere is copied, one from the store of a package manager with
 * the packages that it depends on. Caches of tools are left out. `stopping` ends it.
 */
async function copyModules(from: string, to: string, { ours, theirs }: TwoRoots, stopping: AbortSignal): Promise<void> {
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
  /** Folders with their copies, the innermost first. */
  readonly places: readonly { readonly from: string; readonly to: string }[];
  /** The folders from elsewhere that are being copied, so that a circle of links ends. */
  readonly within: readonly string[];
  /** The folder for copies from a store, and the copies by the packages' folders. */
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
  // In turn: the files of one folder keep all threads busy.
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
  // A link without a target is left out: what writes to it would make a file outside of the base.
  if (real === null) return undefined;
  if (copying.within.some((folder) => isAtOrBelow(folder, real))) return undefined;
  const isFolder = (await stat(real)).isDirectory();
  const stored = packageOf(real);
  // A file beside the packages of a store is none.
  if (stored !== null && (isFolder || stored.folder !== real)) {
    const copy = await copyStored(stored, copying);
    return link(path.join(copy, path.relative(stored.folder, real)), target);
  }
  if (!isFolder) return copyFile(real, target, constants.COPYFILE_FICLONE);
  const places = [{ from: real, to: target }, ...copying.places];
  return copyFolder(real, target, { ...copying, places, within: [...copying.within, real] });
}

/** The place in the base for a path; null where there is none. */
function placeFor(real: string, { places }: Copying): string | null {
  const place = places.find((one) => isAtOrBelow(real, one.from));
  return place === undefined ? null : path.join(place.to, path.relative(place.from, real));
}

async function link(to: string, target: string): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  await symlink(path.relative(path.dirname(target), to), target, 'junction');
}

interface StoredPackage {
  readonly folder: string;
  readonly name: string;
}

/** The package in a folder `node_modules` around a real path; null where there is none. */
function packageOf(real: string): StoredPackage | null {
  const words = real.split(path.sep);
  const start = words.lastIndexOf('node_modules') + 1;
  if (start === 0 || start === words.length) return null;
  const name = words.slice(start, start + (words[start]?.startsWith('@') === true ? 2 : 1));
  return { folder: [...words.slice(0, start), ...name].join(path.sep), name: name.join('/') };
}

/** Copies a package, with links to copies of the packages that it depends on beside it, as in its store. */
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

/** The real path of a package that another one finds outside of itself; null where it finds none. */
async function foundAbove(folder: string, name: string): Promise<string | null> {
  const [inside, ...above] = createRequire(path.join(folder, 'package.json')).resolve.paths(name) ?? [];
  if (inside === undefined || existsSync(path.join(inside, name))) return null;
  const modules = above.find((one) => existsSync(path.join(one, name)));
  return modules === undefined ? null : realpath(path.join(modules, name));
}
