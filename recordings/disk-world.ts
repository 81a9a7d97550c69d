import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ListedFile, World } from '../engine/read/files/world.ts';

/**
 * The files of this machine. The answer is undefined for a path that is missing, forbidden, or not a regular file: the
 * engine decides what that means. A recording has dozens of small files, each of which is asked for several times: to
 * wait for another thread for each costs several times what reading them here does.
 */
export const diskWorld: World = {
  readFile: async (file, most = longestText) => {
    // A profile may name a device that never ends, or a pipe to which nobody writes.
    const stats = regularFile(file);
    if (stats === undefined) return undefined;
    // Files that the kernel makes up have the size 0 (`/proc/kmsg`), and reading one may wait for ever.
    if (stats.size === 0) return new Uint8Array(0);
    await pause();
    return wholeFile(file, most);
  },
  readChunks: async (file) => {
    const stats = regularFile(file);
    const opened = stats === undefined ? undefined : openFile(file);
    return opened === undefined ? undefined : chunksOf(opened, Math.min(stats?.size ?? 0, chunkSize));
  },
  sizeOf: async (file) => regularFile(file)?.size,
  // This is not the time of writing, which installers and backups set to an old one.
  changedAt: async (file) => statsOf(file)?.ctimeMs,
  realPath: async (file) => attempted(() => realpathSync.native(file)),
  listFiles: async (folder) => {
    const names = attempted(() => readdirSync(folder));
    return names === undefined ? undefined : listedFiles(folder, names);
  },
  listFolders: async (folder) => {
    await pause();
    const entries = attempted(() => readdirSync(folder, { withFileTypes: true })) ?? [];
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  },
};

/** Longest text in bytes: what one string can hold. */
const longestText = 2 ** 29 - 24;

/**
 * Nothing else happens while files are read here: no progress, and no cancelling. So whoever reads many of them makes a
 * pause now and then.
 */
const pause = createPause(20);

function createPause(everyMs: number): () => Promise<void> {
  const state = { lastMs: Date.now() };
  return async () => {
    if (Date.now() - state.lastMs < everyMs) return;
    await setImmediate();
    state.lastMs = Date.now();
  };
}

/** Undefined where there is no such file, it may not be read, or it is no path at all. */
function attempted<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function statsOf(file: string): Stats | undefined {
  return attempted(() => statSync(file, { throwIfNoEntry: false }));
}

function regularFile(file: string): Stats | undefined {
  const stats = statsOf(file);
  return stats?.isFile() === true ? stats : undefined;
}

/**
 * Another file may have come to this path since the check. So opening must not wait, and what was opened is checked
 * again.
 */
function wholeFile(file: string, most: number): Uint8Array | undefined {
  const opened = openFile(file);
  if (opened === undefined) return undefined;
  try {
    const stats = fstatSync(opened);
    return stats.isFile() && stats.size <= most ? readFileSync(opened) : undefined;
  } catch {
    return undefined; // The disk, or the right to read, has gone.
  } finally {
    closeSync(opened);
  }
}

/** The number of an opened file. */
function openFile(file: string): number | undefined {
  return attempted(() => openSync(file, opening));
}

/** Windows has neither of the two flags. */
const opening = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Pieces of a file, all in one piece of memory. It reads without waiting for other threads, which costs less than the
 * waiting, and pauses now and then, or nothing else would happen meanwhile: no progress, and no cancelling.
 */
async function* chunksOf(file: number, size: number): AsyncIterable<Uint8Array> {
  const memory = new Uint8Array(size);
  try {
    for (let read = bytesInto(memory, file), all = read; read > 0; read = bytesInto(memory, file), all += read) {
      yield memory.subarray(0, read);
      if (all % pauseEvery < read) await setImmediate();
    }
  } finally {
    closeSync(file);
  }
}

/** Reads the next bytes of a file. None are left at its end; one that cannot be read to its end counts as cut off. */
function bytesInto(memory: Uint8Array, file: number): number {
  try {
    return readSync(file, memory);
  } catch {
    return 0; // The reader of the bytes says that they are cut off.
  }
}

async function listedFiles(folder: string, names: readonly string[]): Promise<readonly ListedFile[]> {
  const files: ListedFile[] = [];
  for (const name of names) {
    await pause();
    const file = listedFile(folder, name);
    if (file !== undefined) files.push(file);
  }
  return files;
}

/** A file of a folder; undefined for folders, devices and files that have gone meanwhile. */
function listedFile(folder: string, name: string): ListedFile | undefined {
  const stats = regularFile(path.join(folder, name));
  return stats === undefined ? undefined : { name, size: stats.size };
}

/** Size of a piece in bytes, small enough to stay in the processor's cache. */
const chunkSize = 1 << 18;
/** Number of bytes after which a reader pauses. */
const pauseEvery = 1 << 22;
