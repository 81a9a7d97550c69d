import { accessSync, constants, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fnv1a } from '../protocol/json-value.ts';
import { ownCacheFolder } from './cache-folder.ts';
import { comparisonSuffix, nameOfRun } from '../protocol/formats/folder-names.ts';
import { lstat, writeFile } from './files-at-once.ts';
import { makeFolders, notOursAlone } from './private-files.ts';

/** The person's folder for the recordings of all projects, an absolute path. Without it they lie in the cache folder. */
const recordingsVariable = 'HOTSPAN_RECORDINGS';

/**
 * Path of a new folder for the recording of a command that runs in `cwd`. It lies outside of the project, because
 * commands clean that (`npm ci`, `git clean -fdx`), watchers wake there, and it may be read-only. Where the person has
 * no cache folder of their own, it lies in the project, else in the system's folder for temporary files.
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

/** The folders in which recordings of the project in `cwd` may lie, with those of older versions. The best comes first. */
export function defaultRecordingsFolders(cwd: string, env: NodeJS.ProcessEnv = process.env): readonly string[] {
  const temporary = homesOf(cwd, env).filter((home) => !isTemporary(home) || isOurs(home));
  return [...temporary, path.join(cwd, 'node_modules', '.cache', 'hotspan'), path.join(cwd, '.hotspan')];
}

/** Whether a recording lies in the system's folder for temporary files, where nothing stays for long. */
export function isTemporary(recording: string): boolean {
  return recording.startsWith(path.join(os.tmpdir(), temporaryName) + path.sep);
}

const temporaryName = `hotspan-${process.geteuid?.() ?? 'recordings'}`;

/** The folders for recordings of this project that are outside of it, the best first. */
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

/** Without blanks, which V8's flags cannot have. */
function nameOfProject(cwd: string): string {
  const folder = realPath(cwd);
  const name = path.basename(folder).replaceAll(/[^\w.-]+/g, '-');
  return `${name}-${fnv1a(folder).toString(36)}`;
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder; // It is not there any more.
  }
}

/** Makes a folder if need be. False where that fails, or somebody else may write to it. */
function isUsable(folder: string): boolean {
  try {
    makeFolders(folder);
    return isOurs(folder) && isWritable(folder);
  } catch {
    return false; // The disk is read-only, or the home folder is not this user's.
  }
}

function isOurs(folder: string): boolean {
  try {
    return notOursAlone(folder) === null;
  } catch {
    return false; // It is not there.
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Makes a folder that git leaves out. It does nothing where that cannot be done. */
export async function hideFromGit(folder: string): Promise<void> {
  try {
    makeFolders(folder);
    if (!(await lstat(folder)).isDirectory()) return; // A link: what it leads to is not ours to hide.
    await writeFile(path.join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // The file exists already, or nothing can be written here: then making the recording's folder will say so.
  }
}
