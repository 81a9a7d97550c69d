import { lstat, readdir, readFile, readlink, realpath, unlink } from 'node:fs/promises';
import path from 'node:path';
import { isRecord, parseJson } from '../../../protocol/json-value.ts';
import type { Base } from './base.ts';
import { isBelow } from './base-environment.ts';
import { copyModules } from './copy-modules.ts';
import { type Failure, git, type Repository } from './git.ts';

/** An installation that a base needs. */
export interface Installation {
  /** The folder in the base to run it in: that of a lockfile, else that of a `package.json`. */
  readonly folder: string;
  readonly command: readonly string[];
}

export type Dependencies = { readonly type: 'ready'; readonly installations: readonly Installation[] } | Failure;

/**
 * Gives a base the dependencies that the person's tree has. Where both have the same lockfiles and manifests they are
 * copied; else they are to be installed. The base shares no file with the person's tree, so whatever writes to its
 * packages leaves those of the person as they are, and packages that find the project by their own place find the base.
 * `stopping` ends the copying.
 */
export async function provideDependencies(
  repository: Repository,
  base: Base,
  stopping: AbortSignal,
): Promise<Dependencies> {
  const roots = { ours: repository.root, theirs: base.root };
  const folders = await packageFolders(base);
  for (const folder of folders) await unlinkModules(path.join(base.root, folder));
  const installations: Installation[] = [];
  for (const [home, members] of await projectsIn(folders, base.root)) {
    const wanted = await withOursAlone(members, roots);
    if (wanted.length === 0) continue;
    if (await hasSameDependencies(members, roots)) {
      for (const folder of wanted)
        await copyModules(path.join(roots.ours, folder), path.join(roots.theirs, folder), roots, stopping);
    } else {
      const folder = path.join(base.root, home);
      installations.push({ folder, command: await installCommand(home, roots) });
    }
  }
  const outside = installations.length === 0 ? null : await packageOutside(base);
  return outside === null ? { type: 'ready', installations } : { type: 'failed', message: outside };
}

/** Folders of the packages of a commit, relative to its root; only such that have a `package.json`. */
async function packageFolders({ root }: Base): Promise<readonly string[]> {
  const files = await git(root, ['ls-files', '-z', 'package.json', '**/package.json']);
  if (files.type === 'failed') return [];
  const folders = files.text.split('\0').filter((file) => file !== '' && !file.includes('node_modules/'));
  return [...new Set(folders.map((file) => path.dirname(file)).map((folder) => (folder === '.' ? '' : folder)))];
}

/**
 * Where the commit has a link in the place of `node_modules`, an installation would write, and delete, where it leads:
 * it goes. Packages are put in its place.
 */
async function unlinkModules(folder: string): Promise<void> {
  const modules = path.join(folder, 'node_modules');
  if ((await lstat(modules).catch(() => null))?.isSymbolicLink() === true) await unlink(modules);
}

/**
 * Packages by the folder that they are installed from: the next one above with a lockfile, else the uppermost one. Any
 * other folder would be wrong: where it has no `package.json`, npm goes up, out of the base.
 */
async function projectsIn(folders: readonly string[], root: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const locked = await Promise.all(
    folders.map(async (folder) => ((await lockfileIn(path.join(root, folder))) === null ? [] : [folder])),
  );
  const homes = locked.flat();
  const projects = new Map<string, string[]>();
  for (const folder of folders) {
    const above = (candidates: readonly string[]): readonly string[] =>
      candidates.filter((one) => one === '' || isBelow(folder, one)).toSorted((a, b) => b.length - a.length);
    const home = above(homes)[0] ?? above(folders).at(-1) ?? folder;
    projects.set(home, [...(projects.get(home) ?? []), folder]);
  }
  return projects;
}

interface TwoRoots {
  /** The person's. */
  readonly ours: string;
  /** The base's. */
  readonly theirs: string;
}

/** The folders in which the person has packages, and the commit has none of its own. */
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

/** Files that say which versions are installed, with the command that installs them. */
const lockfiles: readonly (readonly [string, readonly string[]])[] = [
  ['pnpm-lock.yaml', ['pnpm', 'install', '--frozen-lockfile']],
  ['yarn.lock', ['yarn', 'install', '--frozen-lockfile']],
  ['package-lock.json', ['npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund']],
  ['npm-shrinkwrap.json', ['npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund']],
];

/** The command for the lockfile of a folder; null where it has none. */
async function lockfileIn(folder: string): Promise<readonly string[] | null> {
  for (const [file, command] of lockfiles) if ((await textOf(path.join(folder, file))) !== null) return command;
  return null;
}

/** The command for the lockfile that the base has in a folder; `npm install` where it has none. */
async function installCommand(folder: string, { theirs }: TwoRoots): Promise<readonly string[]> {
  return (await lockfileIn(path.join(theirs, folder))) ?? ['npm', 'install', '--no-audit', '--no-fund'];
}

async function hasSameDependencies(folders: readonly string[], { ours, theirs }: TwoRoots): Promise<boolean> {
  for (const folder of folders) {
    for (const [name] of lockfiles) {
      const both = await Promise.all([ours, theirs].map(async (root) => textOf(path.join(root, folder, name))));
      if (both[0] !== both[1]) return false;
    }
    const manifests = await Promise.all([ours, theirs].map(async (root) => dependenciesIn(path.join(root, folder))));
    if (manifests[0] !== manifests[1]) return false;
  }
  return true;
}

/** The dependencies that a manifest names, as a text to compare. */
async function dependenciesIn(folder: string): Promise<string> {
  const manifest = parseJson((await textOf(path.join(folder, 'package.json'))) ?? '');
  if (!isRecord(manifest)) return '';
  return JSON.stringify(['dependencies', 'devDependencies', 'optionalDependencies'].map((kind) => manifest[kind]));
}

/**
 * A sentence where the commit has a link to a package that is not in the repository: a package manager that takes it for
 * one of the workspace writes into it. Else null.
 */
async function packageOutside({ root }: Base): Promise<string | null> {
  const files = await git(root, ['ls-files', '--stage', '-z']);
  for (const line of (files.type === 'done' ? files.text : '').split('\0')) {
    const [, file] = /^120000 \S+ \d\t(.*)$/s.exec(line) ?? [];
    const target = file === undefined ? null : await realpath(path.join(root, file)).catch(() => null);
    if (file === undefined || target === null || isBelow(target, root)) continue;
    if ((await textOf(path.join(target, 'package.json'))) !== null)
      return `The base cannot be installed: ${file} is a link to the package ${await readlink(path.join(root, file))} outside of the repository, and an installation could write there. Give recordings of both sides instead (hotspan compare BEFORE… --head AFTER…).`;
  }
  return null;
}

async function textOf(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(() => null);
}
