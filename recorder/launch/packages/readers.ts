import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';

/** What the search for targets reads; tests pass their own files. Nothing here throws. */
export interface Readers {
  /** Null where there is no such file, or it cannot be read. */
  readonly readText: (file: string) => Promise<string | null>;
  /** Names in the folder, with a `/` at the end of folders' names; empty where there is no such folder. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** The version of the `node` on the PATH, such as `v20.20.2`; null where there is none. */
  readonly nodeVersion: () => Promise<string | null>;
}

/** Where targets are looked for. */
export interface Search {
  readonly workspace: string;
  readonly readers: Readers;
}

/** Reads the files of this machine. The PATH in `env` decides which `node` is asked. */
export function fileReaders(env: NodeJS.ProcessEnv): Readers {
  const asked: { version?: Promise<string | null> } = {};
  return {
    readText: (file) => readFile(file, 'utf8').catch(() => null),
    list: async (folder) => {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
    },
    // A process for each of many packages would take longer than all else.
    nodeVersion: async () => (asked.version ??= versionOnPath(env)),
  };
}

async function versionOnPath(env: NodeJS.ProcessEnv): Promise<string | null> {
  return new Promise((resolve) => {
    execFile('node', ['--version'], { env, timeout: 10_000 }, (error, stdout) =>
      resolve(error === null ? stdout.trim() : null),
    );
  });
}
