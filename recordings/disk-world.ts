import { constants, readSync } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ListedFile, World } from '../engine/files/world.ts';

/**
 * The files of this machine. The answer is undefined for a path that is missing, forbidden, or not a regular file: the
 * engine decides what that means.
 */
export const diskWorld: World = {
  readFile: async (file, most = longestText) => {
    // A profile may name a device that never ends, or a pipe to which nobody writes.
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFile() !== true) return undefined;
    // Files that the kernel makes up have the size 0 (`/proc/kmsg`), and reading one may wait for ever.
    return stats.size === 0 ? new Uint8Array(0) : wholeFile(file, most);
  },
  readChunks: async (file) => {
    const stats = await stat(file).catch(() => undefined);
    const handle = stats?.isFile() === true ? await openFile(file) : undefined;
    return handle === undefined ? undefined : chunksOf(handle, Math.min(stats?.size ?? 0, chunkSize));
  },
  sizeOf: async (file) => {
    const stats = await stat(file).catch(() => undefined);
    return stats?.isFile() === true ? stats.size : undefined;
  },
  // This is not the time of writing, which installers and backups set to an old one.
  changedAt: async (file) => (await stat(file).catch(() => undefined))?.ctimeMs,
  realPath: (file) => realpath(file).catch(() => undefined),
  listFiles: async (folder) => {
    const names = await readdir(folder).catch(() => undefined);
    if (names === undefined) return undefined;
    const files = await Promise.all(names.map(async (name) => listedFile(folder, name)));
    return files.filter((file) => file !== undefined);
  },
  listFolders: async (folder) => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  },
};

/** Longest text in bytes: what one string can hold. */
const longestText = 2 ** 29 - 24;

/**
 * Another file may have come to this path since the check. So opening must not wait, and what was opened is checked
 * again.
 */
async function wholeFile(file: string, most: number): Promise<Uint8Array | undefined> {
  const handle = await openFile(file);
  try {
    const stats = await handle?.stat();
    return stats?.isFile() === true && stats.size <= most ? await handle?.readFile() : undefined;
  } catch {
    return undefined; // The disk, or the right to read, has gone.
  } finally {
    await handle?.close();
  }
}

async function openFile(file: string): Promise<FileHandle | undefined> {
  return open(file, opening).catch(() => undefined);
}

/** Windows has neither of the two flags. */
const opening = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Pieces of a file, all in one piece of memory. It reads without waiting for other threads, which costs less than the
 * waiting, and pauses now and then, or nothing else would happen meanwhile: no progress, and no cancelling.
 */
async function* chunksOf(file: FileHandle, size: number): AsyncIterable<Uint8Array> {
  const memory = new Uint8Array(size);
  try {
    for (let read = bytesInto(memory, file), all = read; read > 0; read = bytesInto(memory, file), all += read) {
      yield memory.subarray(0, read);
      if (all % pauseEvery < read) await setImmediate();
    }
  } finally {
    await file.close();
  }
}

/** Reads the next bytes of a file. None are left at its end; one that cannot be read to its end counts as cut off. */
function bytesInto(memory: Uint8Array, { fd }: FileHandle): number {
  try {
    return readSync(fd, memory);
  } catch {
    return 0; // The reader of the bytes says that they are cut off.
  }
}

/** A file of a folder; undefined for folders, devices and files that have gone meanwhile. */
async function listedFile(folder: string, name: string): Promise<ListedFile | undefined> {
  const stats = await stat(path.join(folder, name)).catch(() => undefined);
  return stats?.isFile() === true ? { name, size: stats.size } : undefined;
}

/** Size of a piece in bytes, small enough to stay in the processor's cache. */
const chunkSize = 1 << 18;
/** Number of bytes after which a reader pauses. */
const pauseEvery = 1 << 22;
