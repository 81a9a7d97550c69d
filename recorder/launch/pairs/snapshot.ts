import type { Failure } from '../../../protocol/failure.ts';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, realpath, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from './base.ts';
import {
  git,
  gitOnFiles,
  gitText,
  type GitResult,
  type KeptCommit,
  type Repository,
  scratchPrefix,
  withObjects,
} from './git.ts';
import { dirtyRepositories } from './inner-repositories.ts';

/** A commit that was made of the work tree. */
export interface KeptWorkTree extends KeptCommit {
  readonly type: 'kept';
  readonly repository: Repository;
  /** Repositories in the work tree whose uncommitted changes the commit lacks, by path below the root. */
  readonly dirty: readonly string[];
}

/**
 * Keeps the current files of the work tree, also untracked ones, as a commit in a separate repository, `folder`. The
 * user's repository gets no object, ref or index of it, so a push does not include it. Files with secrets have the
 * content of the last commit.
 */
export async function keepWorkTree(repository: Repository, folder: string): Promise<KeptWorkTree | Failure> {
  const temporary = await temporaryFolder(`${scratchPrefix}${process.pid}-`);
  try {
    const commit = await commitWorkTree(temporary, repository, { texts: new Map(), hasSecrets: false });
    const kept = await pack(repository.root, commit, folder);
    return { type: 'kept', ...kept, repository, dirty: (await dirtyRepositories(repository.root)) ?? [] };
  } catch (error) {
    return failureOf(error);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/**
 * The files whose bytes or mode differ between a commit and the work tree, a submodule being one file, and the untracked
 * files that the commit has not, by path below the root; null where git cannot say.
 */
export async function differingFiles(
  { commit, objects }: KeptCommit,
  repository: Repository,
): Promise<{ readonly differing: readonly string[]; readonly untracked: readonly string[] } | null> {
  const { root } = repository;
  const temporary = await temporaryFolder(`${scratchPrefix}${process.pid}-`);
  const index = path.join(temporary, 'index');
  const env = { GIT_INDEX_FILE: index, ...withObjects(objects) };
  const list = async (words: readonly string[], input = ''): Promise<readonly string[]> =>
    namesIn(done('git', await gitOnFiles(root, words, env, { input })));
  // With its own index git may leave out files that were written with the same content.
  const diff = ['-c', 'diff.autoRefreshIndex=true', 'diff', '--name-only', '--no-renames', '--ignore-submodules=none'];
  try {
    await copyIndex(repository, index);
    const untracked = await list(['ls-files', '--others', '--exclude-standard', '-z']);
    const others = untracked.map((name) => name.replace(/\/$/, '')); // A repository, which a commit has as a file.
    const there = new Set(others.length === 0 ? [] : await list(['ls-tree', '-r', '-z', '--name-only', commit]));
    // A baseline has untracked files: git compares what is in the index.
    const kept = others.flatMap((name) => (there.has(name) ? `${name}\0` : []));
    await list(['update-index', '--add', '--info-only', '-z', '--stdin'], kept.join(''));
    const differing = await list([...diff, '-z', commit, '--']);
    return { differing, untracked: others.filter((name) => !there.has(name)) };
  } catch (error) {
    if (error instanceof GitFailure) return null;
    throw error;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function namesIn(list: string): readonly string[] {
  return list.split('\0').filter((name) => name !== '');
}

/**
 * A commit of the work tree as it was when these texts ran: its files of today with the older texts, by absolute path,
 * in their place, and without those that were not there. What is only in this commit lies below `folder`, and so do its
 * objects.
 */
export async function commitAsRecorded(
  repository: Repository,
  { texts, without }: { readonly texts: ReadonlyMap<string, string>; readonly without: ReadonlySet<string> },
  folder: string,
): Promise<({ readonly type: 'kept' } & KeptCommit) | Failure> {
  try {
    const root = await realpath(repository.root);
    const nameIn = (file: string): string => path.relative(root, file).replaceAll(path.sep, '/');
    const older = new Map<string, string | null>([...without].map((file) => [nameIn(file), null]));
    for (const [file, text] of texts) older.set(nameIn(file), text);
    const outside = [...older.keys()].find((file) => file.startsWith('../') || path.isAbsolute(file));
    if (outside !== undefined) return { type: 'failed', message: `${outside} changed, and is outside of ${root}.` };
    return { type: 'kept', ...(await commitWorkTree(folder, repository, { texts: older, hasSecrets: true })) };
  } catch (error) {
    return failureOf(error);
  }
}

/** What git could not do. */
class GitFailure extends Error {}

function failureOf(error: unknown): Failure {
  if (!(error instanceof GitFailure)) throw error;
  return { type: 'failed', message: `The files could not be kept with git (${error.message}).` };
}

/** `texts` replace files, by path below the root; null: it is left out. Without secrets, files that may hold some are as the last commit has them. */
interface CommitOptions {
  readonly texts: ReadonlyMap<string, string | null>;
  readonly hasSecrets: boolean;
}

/** Commits the work tree with an index and objects below `temporary`. */
async function commitWorkTree(
  temporary: string,
  repository: Repository,
  { texts, hasSecrets }: CommitOptions,
): Promise<KeptCommit & { readonly objects: string }> {
  const { root } = repository;
  const index = path.join(temporary, 'index');
  const objects = path.join(temporary, 'objects');
  const env = {
    ...author,
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: objects,
    ...withObjects(await objectsOf(root)),
  };
  await mkdir(objects);
  await copyIndex(repository, index);
  const secret = (how: string): readonly string[] =>
    hasSecrets ? [] : secretFiles.map((name) => `:(top,${how}glob,icase)**/${name}`);
  done('git add', await gitOnFiles(root, ['add', '--all', '--sparse', '--', '.', ...secret('exclude,')], env));
  // What is staged of them goes, too.
  if (!hasSecrets) done('git reset', await git(root, ['reset', '--quiet', '--', ...secret('')], env));
  for (const [file, text] of texts) await replace(root, file, text, env);
  const tree = done('git write-tree', await git(root, ['write-tree'], env));
  const commit = done('git commit-tree', await git(root, ['commit-tree', tree, '-m', 'Hotspan baseline'], env));
  return { commit, objects };
}

/** The folder of the objects of the repository around a work tree. */
async function objectsOf(root: string): Promise<string> {
  return path.resolve(root, await gitText(root, ['rev-parse', '--git-path', 'objects']));
}

/**
 * Copies the person's index, with which git knows what has not changed, to `file`. There git also looks at the files that
 * the person hides from it (skip-worktree, assume-unchanged), as local settings are, but not at those that a sparse
 * checkout leaves out.
 */
async function copyIndex({ root, gitFolder }: Repository, file: string): Promise<void> {
  const own = path.join(gitFolder, 'index');
  const written = await stat(own).catch(() => null);
  if (written === null) return;
  await copyFile(own, file);
  // Git compares what was written in the second of the index or later: it may have changed with the same time and size.
  await utimes(file, written.atime, Math.floor(written.mtimeMs / 1000));
  const listed = done('git ls-files', await git(root, ['ls-files', '-v', '-z']));
  const hidden = namesIn(listed).flatMap((line) => {
    const [, flag, name = ''] = /^([Sa-z]) (.*)$/s.exec(line) ?? [];
    const isLeftOut = flag?.toUpperCase() === 'S' && !existsSync(path.join(root, name));
    return flag === undefined || isLeftOut ? [] : [name];
  });
  const input = hidden.map((name) => `${name}\0`).join('');
  for (const option of hidden.length === 0 ? [] : ['--no-skip-worktree', '--no-assume-unchanged'])
    done(
      'git update-index',
      await git(root, ['update-index', option, '-z', '--stdin'], { GIT_INDEX_FILE: file }, { input }),
    );
}

/** Puts another text in the place of a file of the index; null removes the file. */
async function replace(root: string, file: string, text: string | null, env: NodeJS.ProcessEnv): Promise<void> {
  if (text === null) {
    done('git update-index', await git(root, ['update-index', '--force-remove', '--', file], env));
    return;
  }
  const entry = done('git ls-files', await git(root, ['ls-files', '--stage', '--', `:(top,literal)${file}`], env));
  const mode = /^(100\d{3}) /.exec(entry)?.[1] ?? '100644';
  const blob = done('git hash-object', await git(root, ['hash-object', '-w', '--stdin'], env, { input: text }));
  done('git update-index', await git(root, ['update-index', '--add', '--cacheinfo', `${mode},${blob},${file}`], env));
}

function done(what: string, result: GitResult): string {
  if (result.type === 'failed') throw new GitFailure(`${what}: ${result.reason}`);
  return result.text;
}

/** Packs a commit with all its files, and nothing before it, into a new repository. */
async function pack(root: string, { commit, objects }: KeptCommit, folder: string): Promise<KeptCommit> {
  const packed = path.join(folder, 'objects');
  const packs = path.join(packed, 'pack');
  await mkdir(packs, { recursive: true, mode: 0o700 });
  // Git writes the pack below this folder and renames it, which it cannot do across file systems.
  const env = { GIT_OBJECT_DIRECTORY: packed, ...withObjects(objects, await objectsOf(root)) };
  const list = done('git rev-list', await git(root, ['rev-list', '--objects', '--no-object-names', commit], env));
  const packing = ['pack-objects', '--quiet', path.join(packs, 'pack')];
  done('git pack-objects', await git(root, packing, env, { input: `${list}\n` }));
  await writeFile(path.join(folder, 'HEAD'), `${commit}\n`, { mode: 0o600 });
  return { commit, objects: packed };
}

/** Files with secrets, by the names that tools give them. */
const secretFiles = [
  ...['.env*', '*.env', '.npmrc', '.yarnrc*', '.netrc', '.pgpass', '.htpasswd', '.git-credentials'],
  ...['*.pem', '*.key', '*.p12', '*.pfx', '*.p8', '*.jks', '*.keystore', '*.kdbx', '*.asc', '*.gpg', '*.ppk'],
  ...['id_rsa*', 'id_dsa*', 'id_ecdsa*', 'id_ed25519*', '*credentials*.json', '*secret*.json', 'service-account*.json'],
  ...['.aws/**', '.ssh/**', '.gnupg/**', '.docker/**', '.kube/**'],
];

/** Git refuses a commit without a name. */
const author = {
  GIT_AUTHOR_NAME: 'Hotspan',
  GIT_AUTHOR_EMAIL: 'hotspan@localhost',
  GIT_COMMITTER_NAME: 'Hotspan',
  GIT_COMMITTER_EMAIL: 'hotspan@localhost',
};
