/**
 * How bytes come into the engine, which itself reads no files. Implemented in `recordings/disk-world.ts` and, for
 * tests, in memory.
 */
export interface World {
  /** The file's bytes; undefined where it cannot be read, or has more than `most` bytes. Never rejects. */
  readonly readFile: (path: string, most?: number) => Promise<Uint8Array | undefined>;
  /**
   * The file's bytes in pieces, for files of any size; undefined where it cannot be read. Asking for the next piece may
   * overwrite the one before.
   */
  readonly readChunks?: (path: string) => Promise<AsyncIterable<Uint8Array> | undefined>;
  /** The plain files directly in a folder; undefined where it is no folder that can be read. Never rejects. */
  readonly listFiles: (folder: string) => Promise<readonly ListedFile[] | undefined>;
  /** The names of the folders in a folder, without those that are only linked from it. Never rejects. */
  readonly listFolders?: (folder: string) => Promise<readonly string[]>;
  /** Size in bytes, for progress only; undefined where it is no plain file. Never rejects. */
  readonly sizeOf?: (path: string) => Promise<number | undefined>;
  /**
   * When the file was last written, replaced or moved there, in ms since the epoch; undefined where there is no such
   * file. Never rejects.
   */
  readonly changedAt?: (path: string) => Promise<number | undefined>;
  /** The path where all links lead; undefined where they lead nowhere. Never rejects. */
  readonly realPath?: (path: string) => Promise<string | undefined>;
}

export interface ListedFile {
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Reads the text of a file at an absolute path; null where it cannot be read (missing, no regular file, too long). */
export type ReadText = (path: string, kind?: 'map') => Promise<string | null>;
