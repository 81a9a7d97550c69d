import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { World } from '../engine/world.ts';
import { textsFile } from '../protocol/recording.ts';

/** Texts of source files by their absolute path. */
export type Texts = ReadonlyMap<string, string>;

/** What was kept beside a recording; null where nothing was, or it cannot be read. */
export async function readTexts(recording: string): Promise<Texts | null> {
  try {
    const text = await promisify(gunzip)(await readFile(path.join(recording, textsFile)));
    const value: unknown = JSON.parse(text.toString('utf8'));
    if (typeof value !== 'object' || value === null) return null;
    return new Map(Object.entries(value).flatMap(([file, kept]) => (typeof kept === 'string' ? [[file, kept]] : [])));
  } catch {
    return null; // It is no folder, or of before this was kept.
  }
}

/** Keeps texts beside a recording. Where that fails (a full disk, a recording that goes) they are read anew each time. */
export async function keepTexts(recording: string, texts: Texts): Promise<void> {
  const file = path.join(recording, textsFile);
  const bytes = await promisify(gzip)(JSON.stringify(Object.fromEntries(texts)));
  await writeFile(`${file}.tmp`, bytes, { mode: 0o600 })
    .then(() => rename(`${file}.tmp`, file))
    .catch(() => undefined);
}

/** A world in which these files are as they were. */
export function worldWith(texts: Texts, world: World): World {
  const keptBytes = (file: string): Uint8Array | undefined => {
    const text = texts.get(file);
    return text === undefined ? undefined : new TextEncoder().encode(text);
  };
  return {
    ...world,
    readFile: async (file) => keptBytes(file) ?? world.readFile(file),
    readChunks: async (file) => {
      const bytes = keptBytes(file) ?? (world.readChunks === undefined ? await world.readFile(file) : undefined);
      return bytes === undefined ? world.readChunks?.(file) : inOnePiece(bytes);
    },
  };
}

async function* inOnePiece(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
