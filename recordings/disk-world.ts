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
import { once } from '../engine/basics/once.ts';
import { keptIndexes } from './kept-indexes.ts';
import { attempted } from './private-files.ts';
import type { ListedFile, World } from '../engine/read/files/world.ts';

/**
 * The files of this machine; undefined for a path that is missing, forbidden, or not a regular file. It reads
 * synchronously: a recording has dozens of small files, each read several times, and waiting for another thread each time
 * takes several times as long.
 */
export const diskWorld: World = {
  get keptIndexes() {
    return ourIndexes();
  },
  readFile: async (file, most = MAX_TEXT) => {
    // A profile may name an endless device, or a pipe without a writer.
    const stats = regularFile(file);
    if (stats === undefined) return undefined;
    // Files of the kernel (`/proc/kmsg`) have the size 0, and reading one may wait for ever.
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
  // Installers and backups set the time of writing to an old one.
  changedAt: async (file) => statsOf(file)?.ctimeMs,
  writtenAt: async (file) => statsOf(file)?.mtimeMs,
  // Some file systems do not know it: 0.
  bornAt: async (file) => {
    const time = statsOf(file)?.birthtimeMs;
    return time === 0 ? undefined : time;
  },
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

/** Looked for at the first analysis. */
const ourIndexes = once(() => keptIndexes());

/** In bytes: a longer text does not fit into a string. */
const MAX_TEXT = 2 ** 29 - 24;

/** Lets progress and cancelling happen, every 20 ms while many files are read. */
const pause = createPause(20);

function createPause(everyMs: number): () => Promise<void> {
  const state = { lastMs: Date.now() };
  return async () => {
    if (Date.now() - state.lastMs < everyMs) return;
    await setImmediate();
    state.lastMs = Date.now();
  };
}

function statsOf(file: string): Stats | undefined {
  return attempted(() => statSync(file, { throwIfNoEntry: false }));
}

/** Undefined for folders, devices, and files that are missing or cannot be read. */
function regularFile(file: string): Stats | undefined {
  const stats = statsOf(file);
  return stats?.isFile() === true ? stats : undefined;
}

/** Another file may have come to this path since the check: so opening must not wait, and this checks again. */
function wholeFile(file: string, most: number): Uint8Array | undefined {
  const opened = openFile(file);
  if (opened === undefined) return undefined;
  const bytes = attempted(() => {
    const stats = fstatSync(opened);
    return stats.isFile() && stats.size <= most ? readFileSync(opened) : undefined;
  });
  closeSync(opened);
  return bytes;
}

/** The descriptor of the opened file. Windows has neither of the two flags. */
function openFile(file: string): number | undefined {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
  return attempted(() => openSync(file, flags));
}

/** The chunks of a file, each in the same memory. It pauses now and then, as `pause` does. */
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

/** Reads the next bytes. A file that cannot be read to its end counts as cut off there, which the decoder reports. */
function bytesInto(memory: Uint8Array, file: number): number {
  return attempted(() => readSync(file, memory)) ?? 0;
}

async function listedFiles(folder: string, names: readonly string[]): Promise<readonly ListedFile[]> {
  const files: ListedFile[] = [];
  for (const name of names) {
    await pause();
    const stats = regularFile(path.join(folder, name));
    if (stats !== undefined) files.push({ name, size: stats.size });
  }
  return files;
}

/** Size of a chunk in bytes: small enough for the processor's cache. */
const chunkSize = 1 << 18;
/** A reader of chunks pauses after this many bytes. */
const pauseEvery = 1 << 22;
