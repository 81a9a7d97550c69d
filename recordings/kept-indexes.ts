import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { KeptIndexes } from '../engine/read/files/world.ts';
import { attempted, makeFolders, notOursAlone, ownCacheFolder } from './private-files.ts';

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
