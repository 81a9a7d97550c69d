import { accessSync, constants, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fnv1a } from '../protocol/json-value.ts';
import { comparisonSuffix, nameOfRun } from '../protocol/formats/folder-names.ts';
import { lstat, writeFile } from './files-at-once.ts';
import { attempted, makeFolders, notOursAlone, ownCacheFolder } from './private-files.ts';

/** The user's folder for the recordings of all projects, an absolute path. Without it they go to the cache folder. */
const recordingsVariable = 'HOTSPAN_RECORDINGS';

/**
 * Path of a new folder for the recording of a command that runs in `cwd`. It is outside of the project, because commands
 * clean the project (`npm ci`, `git clean -fdx`), watchers wake there, and it may be read-only. A user without a cache
 * folder gets it in the project, or else in the system's folder for temporary files.
 */
export async function defaultRecordingFolder(
  cwd: string,
  startedAt: Date,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const name = `${nameOfRun(startedAt).replace('Z', '')}-${process.pid}`;
  const own = path.join(cwd, '.hotspan');
  const outside = homesOf(cwd, env).find(isUsable);
  if (outside !== undefined && !isTemporary(outside)) return path.join(outside, name);
  await hideFromGit(own);
  return path.join(isWritable(own) ? own : (outside ?? own), name);
}

/** Path of a new folder for the recordings of a comparison or a check. */
export async function comparisonFolder(
  cwd: string,
  startedAt: Date,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  return `${await defaultRecordingFolder(cwd, startedAt, env)}${comparisonSuffix}`;
}

/** The folders that may have recordings of the project in `cwd`. The best comes first. */
export function defaultRecordingsFolders(cwd: string, env: NodeJS.ProcessEnv = process.env): readonly string[] {
  const homes = homesOf(cwd, env).filter((home) => !isTemporary(home) || isOurs(home));
  return [...homes, path.join(cwd, '.hotspan')];
}

/** Whether a recording is in the system's folder for temporary files, where nothing stays for long. */
export function isTemporary(recording: string): boolean {
  return recording.startsWith(path.join(os.tmpdir(), temporaryName) + path.sep);
}

const temporaryName = `hotspan-${process.geteuid?.() ?? 'recordings'}`;

/** The folders outside of this project for its recordings, the best first. */
function homesOf(cwd: string, env: NodeJS.ProcessEnv): readonly string[] {
  const given = env[recordingsVariable] ?? '';
  const cache = ownCacheFolder(env);
  const project = nameOfProject(cwd);
  return [
    ...(path.isAbsolute(given) ? [path.join(given, project)] : []),
    ...(cache === null ? [] : [path.join(cache, 'recordings', project)]),
    path.join(os.tmpdir(), temporaryName, project),
  ];
}

/** The name has no blanks, which V8's flags cannot contain. */
function nameOfProject(cwd: string): string {
  const folder = attempted(() => realpathSync(cwd)) ?? cwd;
  const name = path.basename(folder).replaceAll(/[^\w.-]+/g, '-');
  return `${name}-${fnv1a(folder).toString(36)}`;
}

/** Makes a folder if need be. False where that fails, or another user may write to it. */
function isUsable(folder: string): boolean {
  attempted(() => makeFolders(folder)); // The disk is read-only, or the home folder belongs to another user.
  return isOurs(folder) && isWritable(folder);
}

function isOurs(folder: string): boolean {
  return attempted(() => notOursAlone(folder)) === null;
}

function isWritable(folder: string): boolean {
  return (
    attempted(() => {
      accessSync(folder, constants.W_OK);
      return true;
    }) === true
  );
}

/** Makes a folder that git ignores. Does nothing where that fails. */
export async function hideFromGit(folder: string): Promise<void> {
  try {
    makeFolders(folder);
    if (!(await lstat(folder)).isDirectory()) return; // A link: its target is not ours to hide.
    await writeFile(path.join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // The file exists, or the folder is read-only: then making the recording's folder reports that.
  }
}
