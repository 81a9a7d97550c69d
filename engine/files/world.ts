/** How bytes come into the engine, which itself reads nothing. Implemented in `recordings/disk-world.ts` and, for tests, in memory. */
export interface World {
  /** The file's bytes; undefined where it cannot be read, or has more than `most`. Never rejects. */
  readonly readFile: (path: string, most?: number) => Promise<Uint8Array | undefined>;
  /**
   * The file's bytes in pieces, for files of any size; undefined where it cannot be read. Asking for the next piece may
   * overwrite the one before.
   */
  readonly readChunks?: (path: string) => Promise<AsyncIterable<Uint8Array> | undefined>;
  /** The plain files in a folder, not deeper; undefined where it is no folder that can be read. Never rejects. */
  readonly listFiles: (folder: string) => Promise<readonly ListedFile[] | undefined>;
  /** The names of the folders in a folder, not of those that are only linked from it. Never rejects. */
  readonly listFolders?: (folder: string) => Promise<readonly string[]>;
  /** In bytes; undefined where it is no plain file. For progress alone. Never rejects. */
  readonly sizeOf?: (path: string) => Promise<number | undefined>;
  /** When the file was last written, replaced or moved there, in ms since the epoch; undefined where it is not there. Never rejects. */
  readonly changedAt?: (path: string) => Promise<number | undefined>;
  /** Where a path leads through all links; undefined where it leads nowhere. Never rejects. */
  readonly realPath?: (path: string) => Promise<string | undefined>;
}

export interface ListedFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** Text of a file at an absolute path; null where it cannot be read (missing, no regular file, too long). */
export type ReadText = (path: string, kind?: 'map') => Promise<string | null>;
