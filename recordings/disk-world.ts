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
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { once } from '../engine/basics/once.ts';
import { attempted, makeFolders, notOursAlone, ownCacheFolder } from './private-files.ts';
import type { ListedFile, World, KeptIndexes } from '../engine/read/files/world.ts';
import { createHash } from 'node:crypto';

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

/**
 * Keeps indexes of sources in the user's cache folder, by the content of the source, so that no text is parsed twice.
 * Null without such a folder, where others may write to it, and where this program was not built. Each file begins with
 * a checksum of the rest. `indexer` changes with every change of how indexes are made.
 */
export function keptIndexes(env: NodeJS.ProcessEnv = process.env, indexer = builtIndexer()): KeptIndexes | null {
  const cache = ownCacheFolder(env);
  if (cache === null || indexer === null) return null;
  const all = path.join(cache, 'indexes');
  const folder = path.join(all, indexer);
  const isOurs = attempted(() => {
    makeFolders(folder);
    return [cache, all, folder].every((one) => notOursAlone(one) === null);
  });
  if (isOurs !== true) return null;
  const state = { written: PRUNE_EVERY };
  return {
    read: (text, language) => attempted(() => indexIn(readFileSync(path.join(folder, nameOf(text, language))))),
    write: (text, language, index) => {
      state.written += attempted(() => writeFile(path.join(folder, nameOf(text, language)), index)) ?? 0;
      if (state.written < PRUNE_EVERY) return;
      attempted(() => prune(all, indexer));
      state.written = 0;
    },
  };
}

/** A hash of the code that makes indexes; null where it runs from its sources, as tests do. */
function builtIndexer(): string | null {
  return process.env['HOTSPAN_INDEXER'] ?? null; // The build puts the hash in its place.
}

function nameOf(text: string, language: string): string {
  return createHash('sha256').update(language).update('\0').update(text).digest('hex');
}

function indexIn(bytes: Buffer): string | undefined {
  const [checksum, rest] = [bytes.subarray(0, CHECKSUM), bytes.subarray(CHECKSUM)];
  return checksumOf(rest).equals(checksum) ? rest.toString() : undefined;
}

/** Returns the number of bytes. */
function writeFile(file: string, index: string): number {
  const rest = Buffer.from(index);
  const unfinished = `${file}.${process.pid}.tmp`;
  writeFileSync(unfinished, Buffer.concat([checksumOf(rest), rest]), { mode: 0o600, flag: 'wx' });
  renameSync(unfinished, file);
  return rest.length;
}

function checksumOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** In bytes. */
const CHECKSUM = 32;

/** Deletes what another version of the indexer kept a week ago and, where there is too much, what was written first. */
function prune(all: string, indexer: string): void {
  for (const name of readdirSync(all)) {
    const isOld = statSync(path.join(all, name)).mtimeMs < Date.now() - WEEK_MS;
    if (name !== indexer && isOld) rmSync(path.join(all, name), { recursive: true, force: true });
  }
  const folder = path.join(all, indexer);
  const files = readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats === undefined ? [] : [{ file, bytes: stats.size, at: stats.mtimeMs }];
  });
  let surplus = files.reduce((sum, { bytes }) => sum + bytes, 0) - MAX_BYTES;
  if (surplus <= 0) return;
  for (const { file, bytes } of files.toSorted((a, b) => a.at - b.at)) {
    if (surplus <= -MAX_BYTES / 2) return;
    rmSync(file, { force: true });
    surplus -= bytes;
  }
}

/** In bytes: after so much more was written, it looks again. The first look is at the first index that is written. */
const PRUNE_EVERY = 16 * 1024 * 1024;

/** The editor and the command line may be of two versions. */
const WEEK_MS = 7 * 24 * 3600 * 1000;

/** Some 10,000 files of 300 lines. */
const MAX_BYTES = 128 * 1024 * 1024;
