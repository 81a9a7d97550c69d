import type { Failure } from '../../../protocol/failure.ts';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export type GitResult =
  | { readonly type: 'done'; readonly text: string }
  /** `missing`: git is not on the PATH. `reason`: from its error output. */
  | { readonly type: 'failed'; readonly missing: boolean; readonly reason: string };

/**
 * Runs git in a folder. It only reads the user's repository: it runs no hook, fetches nothing, starts no daemon, and does
 * not write the index. Variables of an outer git are left out: Hotspan may run in its hook, and they name its repository.
 */
export async function git(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  { input = '', stopping }: { readonly input?: string; readonly stopping?: AbortSignal } = {},
): Promise<GitResult> {
  const own = withoutRepository(process.env);
  return new Promise((resolve) => {
    const options = { cwd, env: { ...own, ...readOnlyVariables, ...env }, maxBuffer: 1 << 28, signal: stopping };
    const child = execFile('git', [...readOnlySettings, ...args], options, (error, stdout, stderr) => {
      if (error === null) resolve({ type: 'done', text: stdout.trimEnd() });
      else {
        const reason = reasonIn(stderr);
        const words = (reason === '' ? error.message : reason).replace(/^(?:fatal|error): /, '').replace(/\.$/, '');
        resolve({ type: 'failed', missing: error.code === 'ENOENT', reason: words });
      }
    });
    child.stdin?.on('error', () => {}); // It has ended without reading all.
    child.stdin?.end(input);
  });
}

/** What git prints; empty where it fails. */
export async function gitText(...call: Parameters<typeof git>): Promise<string> {
  const result = await git(...call);
  return result.type === 'done' ? result.text : '';
}

/** Prefix of the folders for temporary files of git; the id of the process that uses it follows. */
export const scratchPrefix = 'hotspan-index-';

/** Runs git commands that may read the work tree: what Git LFS keeps of it goes to a folder that is deleted. */
export async function gitOnFiles(
  cwd: string,
  args: readonly string[],
  ...how: readonly [env?: NodeJS.ProcessEnv, options?: Parameters<typeof git>[3]]
): Promise<GitResult> {
  // Only Git LFS makes the folder.
  const storage = path.join(os.tmpdir(), `${scratchPrefix}${process.pid}-${randomUUID()}`);
  try {
    return await git(cwd, ['-c', `lfs.storage=${storage}`, ...args], ...how);
  } finally {
    await rm(storage, { recursive: true, force: true });
  }
}

/** The last line that has it; git's advice on `safe.directory` begins with the reason, and is taken as a whole. */
function reasonIn(stderr: string): string {
  const lines = stderr
    .trim()
    .replace(/\s*\nfatal: adding files failed$/, '')
    .split(/\s*\n\s*/);
  const fatal = lines.findLastIndex((line) => line.startsWith('fatal: '));
  if (fatal < 0 || !stderr.includes('safe.directory')) return lines.at(-1) ?? '';
  return `${lines[fatal]}. ${lines.slice(fatal + 1).join(' ')}`;
}

const readOnlyVariables = {
  GIT_TERMINAL_PROMPT: '0',
  // Without it, commands that only read may write the index.
  GIT_OPTIONAL_LOCKS: '0',
  // No such protocol: a partial clone would fetch what it lacks.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  // Files of Git LFS are taken from this machine, and not downloaded.
  GIT_LFS_SKIP_SMUDGE: '1',
};

const readOnlySettings = [
  ...[`core.hooksPath=${os.devNull}`, 'core.fsmonitor=false', 'core.untrackedCache=false', 'core.splitIndex=false'],
  ...['gc.auto=0', 'maintenance.auto=false'],
  // `git diff` writes the index for a file that was written with the same content, despite GIT_OPTIONAL_LOCKS.
  'diff.autoRefreshIndex=false',
  // It would refuse files whose line ends the copy changes.
  'core.safecrlf=false',
].flatMap((setting) => ['-c', setting]);

/** An environment without the variables that name a repository or a part of it, as git has them for its hooks. */
export function withoutRepository(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !outer.test(name)));
}

const outer =
  /^GIT_(DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|PREFIX|NAMESPACE|SHALLOW_FILE|GRAFT_FILE|REPLACE_REF_BASE|NO_REPLACE_OBJECTS|QUARANTINE_PATH|INTERNAL_\w+)$/;

/** A git repository, seen from a folder in it. */
export interface Repository {
  /** Absolute path of its work tree. */
  readonly root: string;
  /** The folder below it; `''` for the root itself. */
  readonly below: string;
  /** Absolute path of its git directory; in a linked work tree that of the work tree. */
  readonly gitFolder: string;
}

/** A commit. `objects`: the folder of git's objects that the user's repository has not; null where it has all. */
export interface KeptCommit {
  readonly commit: string;
  readonly objects: string | null;
}

/** The variable by which git reads objects of other folders, too; none where all are null. */
export function withObjects(...folders: readonly (string | null)[]): NodeJS.ProcessEnv {
  // In the list, quotes keep a path with the separator together.
  const list = folders.flatMap((folder) =>
    folder === null ? [] : folder.includes(path.delimiter) ? JSON.stringify(folder) : folder,
  );
  return list.length === 0 ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: list.join(path.delimiter) };
}

/** The repository of a folder, or a sentence about why there is none. */
export async function repositoryOf(cwd: string): Promise<({ readonly type: 'found' } & Repository) | Failure> {
  const found = await git(cwd, ['rev-parse', '--show-toplevel', '--absolute-git-dir', '--show-prefix']);
  if (found.type === 'failed')
    return {
      type: 'failed',
      message: found.missing
        ? 'There is no git on the PATH: install it, or compare recordings (hotspan compare BEFORE… --head AFTER…).'
        : found.reason.includes('not a git repository')
          ? `${cwd} is not in a git repository, which has the sources of both sides. Recordings can be compared all the same (hotspan compare BEFORE… --head AFTER…).`
          : `Git cannot read the repository of ${cwd}: ${found.reason}.`,
    };
  const [root = '', gitFolder = '', below = ''] = found.text.split('\n');
  return {
    type: 'found',
    root: path.resolve(root),
    below: below.replace(/\/$/, ''),
    gitFolder: path.resolve(gitFolder),
  };
}

/** The commit or tree that a name means, or a sentence about why there is none. */
export async function commitOf(
  ref: string,
  { root }: Repository,
): Promise<{ readonly type: 'found'; readonly commit: string } | Failure> {
  const found = await git(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
  if (found.type === 'done') return { type: 'found', commit: found.text };
  const isShallow = (await gitText(root, ['rev-parse', '--is-shallow-repository'])) === 'true';
  const advice = isShallow
    ? 'this is a shallow clone, so fetch it first (git fetch --unshallow, or fetch-depth: 0 in the CI)'
    : 'see "git branch -a" and "git log" for what there is';
  return { type: 'failed', message: `There is no commit "${ref}" in ${root}: ${advice}.` };
}

/** A version that the user may want to compare with. */
export interface RecentRef {
  /** As git understands it: `main`, `v1.2.0`, `1a2b3c4`. */
  readonly name: string;
  readonly kind: 'branch' | 'tag' | 'commit';
  /** In git's words: `3 days ago`. */
  readonly when: string;
  readonly subject: string;
}

/** Branches and tags, the newest first, then the last commits; none where there is no repository. */
export async function recentRefs(cwd: string): Promise<readonly RecentRef[]> {
  const format = ['%(refname)', '%(refname:short)', '%(creatordate:relative)', '%(contents:subject)'].join('%09');
  const refs = ['refs/heads', 'refs/remotes', 'refs/tags'];
  const [named, commits] = await Promise.all([
    gitText(cwd, ['for-each-ref', '--sort=-creatordate', '--count=30', `--format=${format}`, ...refs]),
    gitText(cwd, ['log', '--max-count=20', '--format=%h%x09%cr%x09%s']),
  ]);
  return [
    ...linesOf(named).flatMap(([whole = '', name = '', when = '', subject = '']): readonly RecentRef[] => {
      // The remote's default repeats another one.
      if (name === '' || whole.endsWith('/HEAD')) return [];
      return [{ name, kind: whole.startsWith('refs/tags/') ? 'tag' : 'branch', when, subject }];
    }),
    ...linesOf(commits).flatMap(([name = '', when = '', subject = '']): readonly RecentRef[] =>
      name === '' ? [] : [{ name, kind: 'commit', when, subject }],
    ),
  ];
}

function linesOf(text: string): readonly (readonly string[])[] {
  return text.split('\n').map((line) => line.split('\t'));
}
