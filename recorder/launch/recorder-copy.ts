import { createHash } from 'node:crypto';
import { readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { makeFolders } from './make-folders.ts';
import { cacheFolder } from './cache-folder.ts';

/**
 * Puts the recorder where it outlives every recording and every update of Hotspan, and says where. A daemon that a
 * recorded run has started keeps `--require FILE` for good: every Node that it starts would die if the file went away.
 * The name holds the hash of the text, so versions live side by side. Where nothing can be written, the bundled file
 * itself is used.
 */
export async function installRecorder(
  bundled: string,
  home: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const folder = home ?? cacheFolder(process.platform, env, os.homedir());
  try {
    const text = await readFile(bundled);
    const file = path.join(folder, `recorder-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.cjs`);
    makeFolders(folder);
    if (!(await readFile(file).catch(() => null))?.equals(text)) {
      const unfinished = `${file}.${process.pid}.tmp`;
      await writeFile(unfinished, text, { mode: 0o600 });
      await rename(unfinished, file);
    }
    const now = new Date();
    await utimes(file, now, now);
    await prune(folder, now);
    return file;
  } catch {
    return bundled; // A read-only home: good enough until Hotspan is updated.
  }
}

/** Copies that no recording has used for 90 days. */
async function prune(folder: string, now: Date): Promise<void> {
  const lasting = 90 * 24 * 3600 * 1000;
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    if (/^recorder-[0-9a-f]{12}\.cjs$/.test(name) && now.getTime() - (await stat(file)).mtimeMs > lasting)
      await rm(file);
  }
}
