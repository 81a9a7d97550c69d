import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isAlive } from '../../../recordings/run-processes.ts';
import { type Failure, git, type Repository } from './git.ts';

/** Another version of the repository, checked out beside it. */
export interface Worktree {
  /** Absolute path of its root. */
  readonly root: string;
  /** The folder that stands for the one in which the person is. */
  readonly folder: string;
  /** Deletes it. */
  readonly close: () => Promise<void>;
}

/**
 * Checks out a commit in a folder of its own, without hooks. It lies in the folder for temporary files, because tools
 * leave out what is below a folder whose name begins with a dot.
 */
export async function openWorktree(
  repository: Repository,
  commit: string,
): Promise<({ readonly type: 'opened' } & Worktree) | Failure> {
  await removeLeftBehind(repository);
  const outside = await realpath(await mkdtemp(path.join(os.tmpdir(), `hotspan-base-${process.pid}-`)));
  const root = path.join(outside, path.basename(repository.root));
  const added = await git(repository.root, ['worktree', 'add', '--detach', '--quiet', root, commit]);
  const close = async (): Promise<void> => {
    await git(repository.root, ['worktree', 'remove', '--force', root]);
    await rm(outside, { recursive: true, force: true });
    await git(repository.root, ['worktree', 'prune']);
  };
  if (added.type === 'failed') {
    await close();
    return { type: 'failed', message: `The commit could not be checked out beside your work tree: ${added.reason}.` };
  }
  return { type: 'opened', root, folder: path.join(root, repository.below), close };
}

/** Deletes the work trees of comparisons that were killed. Their folders have the number of their process in the name. */
async function removeLeftBehind({ root }: Repository): Promise<void> {
  const list = await git(root, ['worktree', 'list', '--porcelain']);
  for (const [, worktree = ''] of (list.type === 'done' ? list.text : '').matchAll(/^worktree (.+)$/gm)) {
    const [, pid] = /hotspan-base-(\d+)-[^/\\]+$/.exec(path.dirname(worktree)) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    await git(root, ['worktree', 'remove', '--force', worktree]);
    await rm(path.dirname(worktree), { recursive: true, force: true });
  }
}
