import { lstat, realpath, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { baseEnvironment } from './base-environment.ts';
import { checkOut } from './check-out.ts';
import type { Failure, KeptCommit, Repository } from './git.ts';
import { openWorkFolder } from './work-folder.ts';

/** Another version of the repository, in a repository of its own. */
export interface Base {
  /** Absolute path of its root, without links. */
  readonly root: string;
  /** The folder that stands for the one in which the person is. */
  readonly folder: string;
  /** Sentences about what it lacks. */
  readonly notes: readonly string[];
  /** The environment for what runs in it, from the person's. */
  readonly environment: (env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv;
  /** Deletes it. */
  readonly close: () => Promise<void>;
}

/**
 * Checks out a commit into a repository of its own. It has the objects and the refs of the person's repository, but no
 * way to it: no remote, no settings, no hooks. So whatever runs there (`prepare` scripts that install hooks, too) leaves
 * the person's repository as it is. `stopping` ends it.
 */
export async function openBase(
  repository: Repository,
  wanted: KeptCommit,
  stopping: AbortSignal,
): Promise<({ readonly type: 'opened' } & Base) | Failure> {
  const { folder: outside, close } = await openWorkFolder();
  const root = path.join(outside, path.basename(repository.root));
  try {
    const out = await checkOut({ ...wanted, gitFolder: repository.gitFolder, workTree: repository.root }, root, {
      beside: outside,
      stopping,
    });
    if (out.type === 'failed') {
      await close();
      return out;
    }
    const config = path.join(outside, 'gitconfig');
    await writeFile(config, await includingOwnConfig());
    const roots = { from: await realpath(repository.root), to: root };
    return {
      ...{ type: 'opened', root, folder: path.join(root, repository.below), notes: out.notes, close },
      environment: (env) => baseEnvironment(env, roots, config),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A configuration of git that begins as the person's own. */
async function includingOwnConfig(): Promise<string> {
  const { HOME = os.homedir(), XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL } = process.env;
  const files =
    GIT_CONFIG_GLOBAL === undefined
      ? [path.join(XDG_CONFIG_HOME ?? path.join(HOME, '.config'), 'git', 'config'), path.join(HOME, '.gitconfig')]
      : [GIT_CONFIG_GLOBAL];
  const there = await Promise.all(files.map(async (file) => lstat(file).catch(() => null)));
  const included = files.filter((_, index) => there[index] !== null);
  return included.map((file) => `[include]\n\tpath = ${JSON.stringify(file)}\n`).join('');
}
