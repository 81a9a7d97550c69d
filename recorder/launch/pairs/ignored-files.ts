import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isAtOrBelow, pathBelow } from '../../../protocol/path-spelling.ts';
import { git, type Repository } from './git.ts';
import { innerRepositories } from './inner-repositories.ts';

/** A file that git ignores, so no commit of the work tree has it. */
export interface IgnoredFile {
  /** As it was given. */
  readonly path: string;
  /** Its path below the root, with `/`. */
  readonly file: string;
  /** That of the uppermost folder around it that git ignores; its own where git ignores it alone. */
  readonly entry: string;
}

/** Those of these files, absolute paths, that git ignores, without installed packages; null where git cannot say. */
export async function ignoredAmong(
  { root }: Pick<Repository, 'root'>,
  files: readonly string[],
): Promise<readonly IgnoredFile[] | null> {
  const entries = await ignoredBelow(root);
  if (entries === null) return null;
  const realRoot = await realpath(root);
  return [...new Set(files)].flatMap((whole) => {
    const file = pathBelow(whole, root) ?? pathBelow(whole, realRoot) ?? '';
    const entry = entries.find((one) => isAtOrBelow(file, one));
    return entry === undefined || file.includes('node_modules/') ? [] : [{ path: whole, file, entry }];
  });
}

/**
 * What git ignores below a folder and in the repositories there, folders before what is in them. It lists all, because
 * `git check-ignore` refuses all paths where one is in a submodule.
 */
async function ignoredBelow(root: string, below = ''): Promise<readonly string[] | null> {
  const folder = path.join(root, below);
  const ignored = await git(folder, ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z']);
  const repositories = await innerRepositories(folder);
  if (ignored.type === 'failed' || repositories === null) return null;
  const found = ignored.text.split('\0').flatMap((name) => (name === '' ? [] : [`${below}${name}`]));
  for (const name of repositories) {
    const inside = await ignoredBelow(root, `${below}${name}/`);
    if (inside === null) return null;
    found.push(...inside);
  }
  return found;
}
