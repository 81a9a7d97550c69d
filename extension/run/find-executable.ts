import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';

/** Absolute path of a program on a `PATH`, as the system would find it; null where there is none. */
export async function findExecutable(name: string, { PATH, PATHEXT }: SearchPath): Promise<string | null> {
  const extensions = process.platform === 'win32' ? (PATHEXT ?? '.EXE;.CMD').split(';') : [''];
  const folders = (PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  for (const candidate of folders.flatMap((folder) =>
    extensions.map((extension) => path.join(folder, name + extension)),
  )) {
    if (await isExecutable(candidate)) return candidate;
  }
  return null;
}

export interface SearchPath {
  readonly PATH?: string | undefined;
  /** Windows: endings of programs. */
  readonly PATHEXT?: string | undefined;
}

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false; // Not there, or not ours to run: both are no.
  }
}
