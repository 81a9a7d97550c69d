import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';

/** How targets are found in the files: given by the caller, so that tests draw their own. Nothing throws. */
export interface Readers {
  /** Null where there is no such file, or it cannot be read. */
  readonly readText: (file: string) => Promise<string | null>;
  /** Names in the folder, those of folders with a `/` at their end; none where there is no such folder. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** Of the `node` on the PATH, such as `v20.20.2`; null without one. */
  readonly nodeVersion: () => Promise<string | null>;
}

/** The machine's own. `env` tells which `node` is meant. */
export function fileReaders(env: NodeJS.ProcessEnv): Readers {
  return {
    readText: (file) => readFile(file, 'utf8').catch(() => null),
    list: async (folder) => {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
    },
    nodeVersion: () =>
      new Promise((resolve) => {
        execFile('node', ['--version'], { env, timeout: 10_000 }, (error, stdout) =>
          resolve(error === null ? stdout.trim() : null),
        );
      }),
  };
}
