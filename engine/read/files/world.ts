import { isWithin } from '../../../protocol/machine-path.ts';

/** Reads files for the engine, which has no I/O: `recordings/disk-world.ts`, and in memory for tests. */
export interface World {
  /** The file's bytes; undefined where it cannot be read, or has more than `most` bytes. Never rejects. */
  readonly readFile: (path: string, most?: number) => Promise<Uint8Array | undefined>;
  /** The bytes in pieces, for files of any size; undefined where unreadable. A piece may overwrite the one before. */
  readonly readChunks?: (path: string) => Promise<AsyncIterable<Uint8Array> | undefined>;
  /** The plain files directly in a folder; undefined where it cannot be read. Never rejects. */
  readonly listFiles: (folder: string) => Promise<readonly ListedFile[] | undefined>;
  /** The names of the folders in a folder, without those that are only linked from it. Never rejects. */
  readonly listFolders?: (folder: string) => Promise<readonly string[]>;
  /** Size in bytes, for progress only; undefined for anything but a plain file. Never rejects. */
  readonly sizeOf?: (path: string) => Promise<number | undefined>;
  /**
   * When the file was written, replaced or moved there, in ms since the epoch; undefined where missing. Never rejects.
   */
  readonly changedAt?: (path: string) => Promise<number | undefined>;
  /** When its text was written, as its file system says, in ms since the epoch; undefined where missing. Never rejects. */
  readonly writtenAt?: (path: string) => Promise<number | undefined>;
  /** When a file or folder was made, in ms since the epoch; undefined where missing or unknown. Never rejects. */
  readonly bornAt?: (path: string) => Promise<number | undefined>;
  /** The path where all links lead; undefined where they lead nowhere. Never rejects. */
  readonly realPath?: (path: string) => Promise<string | undefined>;
  /** What was made of sources before; null or missing where nothing is kept. */
  readonly keptIndexes?: KeptIndexes | null;
}

/** Packed indexes of sources that earlier processes have made (`recordings/disk-world.ts`). It never throws. */
export interface KeptIndexes {
  /** Undefined where none is kept. `language` is the suffix of the file, such as `.ts`. */
  readonly read: (text: string, language: string) => string | undefined;
  readonly write: (text: string, language: string, index: string) => void;
}

export interface ListedFile {
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Reads the text of a file at an absolute path; null where it cannot be read (missing, no regular file, too long). */
export type ReadText = (path: string, kind?: 'map') => Promise<string | null>;

/** The file's text; null where it cannot be read, has more bytes than `most`, or is longer than a string can be. */
export async function readText(path: string, world: World, most?: number): Promise<string | null> {
  const bytes = await world.readFile(path, most);
  if (bytes === undefined) return null;
  try {
    return new TextDecoder().decode(bytes);
  } catch {
    return null; // The file is longer than the longest string.
  }
}

/** Limits in bytes for files that an untrusted profile or comment names. A script may contain its map. */
export const MAX_NAMED_BYTES = { text: 64 * 1024 * 1024, map: 256 * 1024 * 1024 } as const;

export interface Folder {
  readonly path: string;
  readonly files: readonly ListedFile[];
}

/** The folders below a folder, nearest first, without hidden and installed ones; at most `MAX_FOLDERS`, else not `isWhole`. */
export async function foldersBelow(
  folder: string,
  world: World,
): Promise<{ readonly folders: readonly Folder[]; readonly isWhole: boolean }> {
  const paths = [folder];
  for (let at = 0; at < paths.length && paths.length <= MAX_FOLDERS; at++) {
    const names = (await world.listFolders?.(paths[at] ?? '')) ?? [];
    const wanted = names.filter((name) => !name.startsWith('.') && name !== 'node_modules');
    for (const name of wanted.toSorted().slice(0, MAX_FOLDERS + 1)) paths.push(`${paths[at]}/${name}`);
  }
  const folders: Folder[] = [];
  for (const path of paths.slice(1, MAX_FOLDERS + 1))
    folders.push({ path, files: (await world.listFiles(path)) ?? [] });
  return { folders, isWhole: paths.length <= MAX_FOLDERS + 1 };
}

const MAX_FOLDERS = 500;

/** The same files without those of other hosts. `opened`: the paths that the user opened, which may be on a share. */
export function worldOfThisMachine(world: World, opened: readonly string[]): World {
  const ask =
    <Answer, More extends readonly unknown[]>(
      question: (path: string, ...more: More) => Promise<Answer>,
      otherwise: Answer,
    ) =>
    async (path: string, ...more: More): Promise<Answer> =>
      isWithin(path, opened) ? question(path, ...more) : otherwise;
  const { readChunks, listFolders, sizeOf, changedAt, writtenAt, bornAt, realPath, keptIndexes = null } = world;
  return {
    readFile: ask(world.readFile, undefined),
    listFiles: ask(world.listFiles, undefined),
    keptIndexes,
    ...(readChunks === undefined ? {} : { readChunks: ask(readChunks, undefined) }),
    ...(listFolders === undefined ? {} : { listFolders: ask(listFolders, []) }),
    ...(sizeOf === undefined ? {} : { sizeOf: ask(sizeOf, undefined) }),
    ...(changedAt === undefined ? {} : { changedAt: ask(changedAt, undefined) }),
    ...(writtenAt === undefined ? {} : { writtenAt: ask(writtenAt, undefined) }),
    ...(bornAt === undefined ? {} : { bornAt: ask(bornAt, undefined) }),
    ...(realPath === undefined ? {} : { realPath: ask(realPath, undefined) }),
  };
}
