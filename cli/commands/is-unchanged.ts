import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isSameCode } from '../../engine/compare/match-functions.ts';
import { git, gitOnFiles, type KeptCommit, type Repository } from '../../recorder/launch/pairs/git.ts';

/** Whether the work tree differs from a commit at most in white space, comments and Markdown. */
export async function isUnchangedSince({ commit, objects }: KeptCommit, { root }: Repository): Promise<boolean> {
  const env = objects === null ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
  const differing = await gitOnFiles(root, ['diff', '--name-only', '--no-renames', '-z', commit, '--'], env);
  const untracked = await git(root, ['ls-files', '--others', '--exclude-standard', '-z']);
  if (differing.type === 'failed' || untracked.type === 'failed') return false;
  const names = `${differing.text}\0${untracked.text}`.split('\0');
  for (const file of new Set(names.filter((name) => name !== '' && !name.endsWith('.md')))) {
    const before = await git(root, ['cat-file', 'blob', `${commit}:${file}`], env);
    const now = await readFile(path.join(root, file), 'utf8').catch(() => null);
    if (before.type === 'failed' || now === null || !isSameCode(file, before.text, now.trimEnd())) return false;
  }
  return true;
}
