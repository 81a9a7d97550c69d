import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Failure, git, type Repository } from './git.ts';

/**
 * Keeps the files of the work tree as they are now, also those that git does not know yet, as a commit that no branch
 * has. The person's index, branches and files stay as they are. Git deletes the commit after some weeks, unless
 * `nameWorkTree` names it.
 */
export async function keepWorkTree(
  repository: Repository,
): Promise<{ readonly type: 'kept'; readonly commit: string } | Failure> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'hotspan-index-'));
  try {
    return await keepWith(path.join(folder, 'index'), repository);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function keepWith(
  index: string,
  { root }: Repository,
): Promise<{ readonly type: 'kept'; readonly commit: string } | Failure> {
  const fail = (what: string, { reason }: { readonly reason: string }): Failure => ({
    type: 'failed',
    message: `The files could not be kept with git (${what}: ${reason}).`,
  });
  // With the person's index git knows which files have not changed, and does not read them.
  const own = await git(root, ['rev-parse', '--git-path', 'index']);
  if (own.type === 'done') await copyFile(path.resolve(root, own.text), index).catch(() => {});
  const env = { GIT_INDEX_FILE: index, ...author };
  const added = await git(root, ['add', '--all', '--', '.'], env);
  if (added.type === 'failed') return fail('git add', added);
  const tree = await git(root, ['write-tree'], env);
  if (tree.type === 'failed') return fail('git write-tree', tree);
  const head = await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD']);
  const parent = head.type === 'done' ? ['-p', head.text] : [];
  const commit = await git(root, ['commit-tree', tree.text, ...parent, '-m', 'Hotspan baseline'], env);
  if (commit.type === 'failed') return fail('git commit-tree', commit);
  return { type: 'kept', commit: commit.text };
}

/** Keeps git from deleting such a commit, by a ref that is no branch: `refs/hotspan/baselines/NAME`. */
export async function nameWorkTree({ root }: Repository, name: string, commit: string): Promise<void> {
  await git(root, ['update-ref', refOf(name), commit]);
}

/** Lets git delete what was kept. */
export async function forgetWorkTree({ root }: Repository, name: string): Promise<void> {
  await git(root, ['update-ref', '-d', refOf(name)]);
}

function refOf(name: string): string {
  return `refs/hotspan/baselines/${name}`;
}

/** Git refuses to make a commit where it knows no name; nobody sees this one. */
const author = {
  GIT_AUTHOR_NAME: 'Hotspan',
  GIT_AUTHOR_EMAIL: 'hotspan@localhost',
  GIT_COMMITTER_NAME: 'Hotspan',
  GIT_COMMITTER_EMAIL: 'hotspan@localhost',
};
