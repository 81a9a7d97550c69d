import { lstat, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nameOfRun } from './formats/folder-names.ts';
import { makeFolders } from './private-files.ts';

/**
 * Path of a new folder for a recording of a command run in `cwd`. It is below `node_modules/.cache` where that exists,
 * because a new folder among the sources wakes watchers and enters jest's map of files. Else it is below `.hotspan`,
 * which git ignores.
 */
export async function defaultRecordingFolder(cwd: string, startedAt: Date): Promise<string> {
  const name = `${nameOfRun(startedAt).replace('Z', '')}-${process.pid}`;
  const modules = path.join(cwd, 'node_modules');
  if (await isDirectory(modules)) return path.join(modules, '.cache', 'hotspan', name);
  const home = path.join(cwd, '.hotspan');
  await hideFromGit(home);
  return path.join(home, name);
}

/** The folders that `defaultRecordingFolder` may have chosen for the recordings of `cwd`. */
export function defaultRecordingsFolders(cwd: string): readonly string[] {
  return [path.join(cwd, 'node_modules', '.cache', 'hotspan'), path.join(cwd, '.hotspan')];
}

async function isDirectory(folder: string): Promise<boolean> {
  return stat(folder).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

async function hideFromGit(folder: string): Promise<void> {
  try {
    makeFolders(folder);
    if (!(await lstat(folder)).isDirectory()) return; // A link: what it leads to is not ours to hide.
    await writeFile(path.join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // It is there already, or nothing can be written here: making the recording's folder will say so.
  }
}
