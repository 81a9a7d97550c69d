import { existsSync } from 'node:fs';
import path from 'node:path';
import { git, gitOnFiles } from './git.ts';

/**
 * Submodules and other repositories in a work tree, by path below it: a commit of the work tree has only what is
 * committed in them. Null where git cannot say.
 */
export async function innerRepositories(root: string): Promise<readonly string[] | null> {
  const staged = await git(root, ['ls-files', '--stage', '-z']);
  const untracked = await git(root, ['ls-files', '--others', '--exclude-standard', '-z']);
  if (staged.type === 'failed' || untracked.type === 'failed') return null;
  const modules = staged.text.split('\0').flatMap((line) => /^160000 \S+ \d\t(.*)$/s.exec(line)?.[1] ?? []);
  // Of other folders git lists the files.
  const others = untracked.text.split('\0').flatMap((name) => /^(.*)\/$/s.exec(name)?.[1] ?? []);
  return [...modules, ...others].filter((name) => existsSync(path.join(root, name, '.git')));
}

/** Those with uncommitted changes; null where git cannot say. */
export async function dirtyRepositories(root: string): Promise<readonly string[] | null> {
  const status = ['status', '--porcelain', '--ignore-submodules=none'];
  const all = await innerRepositories(root);
  if (all === null) return null;
  const dirty: string[] = [];
  for (const name of all) {
    const found = await gitOnFiles(path.join(root, name), status);
    if (found.type === 'failed') return null;
    if (found.text !== '') dirty.push(name);
  }
  return dirty;
}
