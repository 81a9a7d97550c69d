import { execFile } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

export type GitResult =
  | { readonly type: 'done'; readonly text: string }
  /** `missing`: there is no git to run. `reason`: what it said last. */
  | { readonly type: 'failed'; readonly missing: boolean; readonly reason: string };

/**
 * Runs git in a folder, without hooks. Variables of an outer git (a hook runs us) would name another repository: they
 * are left out.
 */
export async function git(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<GitResult> {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !outer.test(name)));
  return new Promise((resolve) => {
    const options = { cwd, env: { ...own, GIT_TERMINAL_PROMPT: '0', ...env }, maxBuffer: 1 << 28 };
    execFile('git', ['-c', `core.hooksPath=${os.devNull}`, ...args], options, (error, stdout, stderr) => {
      if (error === null) resolve({ type: 'done', text: stdout.trimEnd() });
      else {
        const reason = reasonIn(stderr);
        const told = (reason === '' ? error.message : reason).replace(/^fatal: /, '').replace(/\.$/, '');
        resolve({ type: 'failed', missing: error.code === 'ENOENT', reason: told });
      }
    });
  });
}

/** The last line, with those before it where they belong together: git's advice on `safe.directory` names the reason first. */
function reasonIn(stderr: string): string {
  const lines = stderr.trim().split(/\s*\n\s*/);
  const fatal = lines.findLastIndex((line) => line.startsWith('fatal: '));
  if (fatal < 0 || !stderr.includes('safe.directory')) return lines.at(-1) ?? '';
  return `${lines[fatal]}. ${lines.slice(fatal + 1).join(' ')}`;
}

const outer = /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|COMMON_DIR|PREFIX)$/;

/** A git repository, seen from a folder in it. */
export interface Repository {
  /** Absolute path of its work tree. */
  readonly root: string;
  /** The folder below it; `''` for the root itself. */
  readonly below: string;
}

export interface Failure {
  readonly type: 'failed';
  readonly message: string;
}

/** The repository of a folder, or a sentence about why there is none. */
export async function repositoryOf(cwd: string): Promise<({ readonly type: 'found' } & Repository) | Failure> {
  const found = await git(cwd, ['rev-parse', '--show-toplevel', '--show-prefix']);
  if (found.type === 'failed')
    return {
      type: 'failed',
      message: found.missing
        ? 'There is no git on the PATH: install it, or compare recordings (hotspan compare BEFORE… --head AFTER…).'
        : found.reason.includes('not a git repository')
          ? `${cwd} is in no git repository, which keeps the sources of both sides: recordings can be compared without (hotspan compare BEFORE… --head AFTER…).`
          : `Git cannot read the repository of ${cwd}: ${found.reason}.`,
    };
  const [root = '', below = ''] = found.text.split('\n');
  return { type: 'found', root: path.resolve(root), below: below.replace(/\/$/, '') };
}

/** The commit or tree that a name means, or a sentence about why there is none. */
export async function commitOf(
  ref: string,
  { root }: Repository,
): Promise<{ readonly type: 'found'; readonly commit: string } | Failure> {
  const found = await git(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
  if (found.type === 'done') return { type: 'found', commit: found.text };
  const shallow = await git(root, ['rev-parse', '--is-shallow-repository']);
  const isShallow = shallow.type === 'done' && shallow.text === 'true';
  const advice = isShallow
    ? 'this is a shallow clone, so fetch it first (git fetch --unshallow, or fetch-depth: 0 in the CI)'
    : 'see "git branch -a" and "git log" for what there is';
  return { type: 'failed', message: `There is no commit "${ref}" in ${root}: ${advice}.` };
}
