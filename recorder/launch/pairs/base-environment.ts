import path from 'node:path';
import { namesRepository } from './git.ts';

/** The two roots between which an environment is carried over. */
export interface Roots {
  /** Absolute path of the root of the person's work tree. */
  readonly from: string;
  /** Absolute path of the root of the base. */
  readonly to: string;
}

/**
 * The environment of everything that runs in a base: installations, preparations and the command. It has no variable
 * that leads to the person's repository or project: git's own, those of the npm or the npm script that runs Hotspan, and
 * folders of programs below the root, which become those of the base. `gitConfig`: a file that git takes for the
 * person's settings, so that `git config --global` leaves those alone.
 */
export function baseEnvironment(env: NodeJS.ProcessEnv, roots: Roots, gitConfig: string): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !leadsHome(name));
  const moved = kept.map(([name, value = '']): [string, string] => [
    name,
    isList.test(name) ? listThere(value, roots) : value,
  ]);
  return { ...Object.fromEntries(moved), GIT_CONFIG_GLOBAL: gitConfig };
}

function leadsHome(name: string): boolean {
  return namesRepository(name) || gitSettings.test(name) || ofNpm.test(name);
}

/** Settings by the environment: `git -c core.worktree=… commit` hands them to its hooks. */
const gitSettings = /^GIT_CONFIG(_PARAMETERS|_COUNT|_KEY_\d+|_VALUE_\d+|_GLOBAL)?$/;

/** Where npm was called, for which project, and options that would lead an installation there. Windows has any case. */
const ofNpm =
  /^(INIT_CWD|PROJECT_CWD|npm_(package|lifecycle)_\w+|npm_(command|config_(local_prefix|global_prefix|prefix|global|location|workspaces?|include_workspace_root|dry_run|package_lock_only|dir)))$/i;

const isList = /^(PATH|NODE_PATH)$/i;

function listThere(list: string, { from, to }: Roots): string {
  return list
    .split(path.delimiter)
    .map((entry) => (isBelow(entry, from) ? path.join(to, path.relative(from, entry)) : entry))
    .join(path.delimiter);
}

/** Whether a path is a folder or lies below it. Both are absolute. */
export function isBelow(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : `${folder}${path.sep}`);
}
