import { mkdir, readdir, readFile, realpath, symlink } from 'node:fs/promises';
import path from 'node:path';
import { isRecord, parseJson } from '../../../protocol/json-value.ts';
import { git, type Repository } from './git.ts';
import type { Worktree } from './worktree.ts';

/** How a work tree gets its dependencies: linked to those of the person's, or installed by a command. */
export type Dependencies =
  | { readonly type: 'linked'; readonly folders: number }
  | { readonly type: 'install'; readonly command: readonly string[]; readonly why: 'lockfile' | 'workspace' }
  /** The person's tree has none either. */
  | { readonly type: 'none' };

/**
 * Finds out how a work tree of another commit gets its dependencies. Those of the person's tree serve it only where both
 * have the same lockfiles and manifests, and where none of them is a link to a package of the repository: through such a
 * link the base would run the code of the head.
 */
export async function dependenciesFor(repository: Repository, worktree: Worktree): Promise<Dependencies> {
  // Where the commit has its own `node_modules`, nothing is put into it.
  const folders = await foldersWithoutModules(worktree);
  const installed = await Promise.all(folders.map(async (folder) => hasModules(path.join(repository.root, folder))));
  const withModules = folders.filter((_, index) => installed[index]);
  if (withModules.length === 0) return { type: 'none' };
  const command = await installCommand(repository, worktree);
  if (!(await hasSameDependencies(folders, repository.root, worktree.root)))
    return { type: 'install', command: command ?? plainInstall, why: 'lockfile' };
  for (const folder of withModules) {
    if (await hasLinkedPackage(path.join(repository.root, folder), repository.root))
      return { type: 'install', command: command ?? plainInstall, why: 'workspace' };
  }
  for (const folder of withModules)
    await linkModules(path.join(repository.root, folder), path.join(worktree.root, folder));
  return { type: 'linked', folders: withModules.length };
}

/** Folders of the packages of a commit, relative to its root. */
async function packageFolders({ root }: Worktree): Promise<readonly string[]> {
  const files = await git(root, ['ls-files', '-z', 'package.json', '**/package.json']);
  if (files.type === 'failed') return [''];
  const folders = files.text.split('\0').filter((file) => file !== '' && !file.includes('node_modules/'));
  return [...new Set(['', ...folders.map((file) => file.slice(0, -'/package.json'.length))])];
}

async function foldersWithoutModules(worktree: Worktree): Promise<readonly string[]> {
  const folders = await packageFolders(worktree);
  const own = await Promise.all(folders.map(async (folder) => hasModules(path.join(worktree.root, folder))));
  return folders.filter((_, index) => own[index] !== true);
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

const plainInstall = ['npm', 'install', '--no-audit', '--no-fund'];

/** The command for the lockfile that the base has; without one, `npm install` where the head has one. */
async function installCommand({ root }: Repository, worktree: Worktree): Promise<readonly string[] | null> {
  for (const [file, command] of lockfiles) if ((await textOf(path.join(worktree.root, file))) !== null) return command;
  for (const [file] of lockfiles) if ((await textOf(path.join(root, file))) !== null) return plainInstall;
  return null;
}

async function hasSameDependencies(folders: readonly string[], ours: string, theirs: string): Promise<boolean> {
  for (const folder of folders) {
    const names = lockfiles.map(([file]) => file);
    for (const name of names) {
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

/** Whether a package in `node_modules` is a link to a folder of the repository that is no dependency. */
async function hasLinkedPackage(folder: string, root: string): Promise<boolean> {
  const real = await realpath(root);
  for (const entry of await entriesOf(path.join(folder, 'node_modules'))) {
    const target = await realpath(entry).catch(() => null);
    const isOwn =
      target?.startsWith(`${real}${path.sep}`) === true && !target.includes(`${path.sep}node_modules${path.sep}`);
    if (isOwn) return true;
  }
  return false;
}

/** Links each package of one `node_modules` into the other. Caches in it are not shared. */
async function linkModules(from: string, to: string): Promise<void> {
  for (const entry of await entriesOf(path.join(from, 'node_modules'))) {
    const link = path.join(to, 'node_modules', path.relative(path.join(from, 'node_modules'), entry));
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(entry, link, 'junction');
  }
}

/** Packages, those of scopes each by itself, and folders such as `.bin` and `.pnpm`. */
async function entriesOf(modules: string): Promise<readonly string[]> {
  const entries = await readdir(modules).catch(() => []);
  const inside = await Promise.all(
    entries.map(async (name) => {
      const entry = path.join(modules, name);
      if (!name.startsWith('@')) return caches.has(name) ? [] : [entry];
      return (await readdir(entry).catch(() => [])).map((scoped) => path.join(entry, scoped));
    }),
  );
  return inside.flat();
}

const caches: ReadonlySet<string> = new Set(['.cache', '.vite', '.vitest']);

async function textOf(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(() => null);
}
