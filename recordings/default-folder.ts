import path from 'node:path';
import { comparisonSuffix, nameOfRun } from './formats/folder-names.ts';
import { lstat, stat, writeFile } from './files-at-once.ts';
import { makeFolders } from './private-files.ts';

/**
 * Path of a new folder for the recording of a command that runs in `cwd`. It is below `node_modules/.cache` where there
 * is a `node_modules`, because a new folder among the sources wakes watchers and enters jest's map of files. Otherwise
 * it is below `.hotspan`, which git ignores.
 */
export async function defaultRecordingFolder(cwd: string, startedAt: Date): Promise<string> {
  const name = `${nameOfRun(startedAt).replace('Z', '')}-${process.pid}`;
  const modules = path.join(cwd, 'node_modules');
  if (await isDirectory(modules)) return path.join(modules, '.cache', 'hotspan', name);
  const home = path.join(cwd, '.hotspan');
  await hideFromGit(home);
  return path.join(home, name);
}

/** Path of a new folder for the recordings of a comparison or a check. */
export async function comparisonFolder(cwd: string, startedAt: Date): Promise<string> {
  return `${await defaultRecordingFolder(cwd, startedAt)}${comparisonSuffix}`;
}

async function isDirectory(folder: string): Promise<boolean> {
  return stat(folder).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
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
