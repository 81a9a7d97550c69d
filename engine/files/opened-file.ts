import type { World } from './world.ts';

/** A file whose beginning was read. */
export interface OpenedFile {
  /**
   * The beginning of its content, unpacked where it is gzipped: at least the first few thousand bytes, or all that
   * there are.
   */
  readonly start: Uint8Array;
  /** All its bytes from the first one on. They must be read, or closed. */
  readonly chunks: AsyncGenerator<Uint8Array, undefined>;
  readonly isGzip: boolean;
  readonly close: () => Promise<void>;
}

/**
 * Opens a file; undefined where it cannot be read. `onBytes` is told the number of bytes that were read, piece by
 * piece.
 */
export async function openFile(
  path: string,
  world: World,
  onBytes: (count: number) => void = () => undefined,
): Promise<OpenedFile | undefined> {
  const chunks = await chunksOf(path, world);
  if (chunks === undefined) return undefined;
  const rest = asGenerator(chunks, onBytes);
  const first = await beginningOf(rest);
  const isGzip = first[0] === 0x1f && first[1] === 0x8b;
  return {
    start: isGzip ? await unpackedStart(first) : first,
    isGzip,
    chunks: joined(first, rest),
    close: async () => void (await rest.return(undefined)),
  };
}

async function chunksOf(
  path: string,
  world: World,
): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array> | undefined> {
  if (world.readChunks !== undefined) return world.readChunks(path);
  const bytes = await world.readFile(path);
  return bytes === undefined ? undefined : [bytes];
}

/** Joins as many pieces as are needed to tell the kind, whatever the size of each. */
async function beginningOf(chunks: AsyncGenerator<Uint8Array, undefined>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  while (size < startLength) {
    const { value } = await chunks.next();
    if (value === undefined) break;
    // The next piece may overwrite this one.
    pieces.push(size + value.length < startLength ? value.slice() : value);
    size += value.length;
  }
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

async function* asGenerator(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
  return undefined;
}

async function* joined(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  yield first;
  yield* rest;
  return undefined;
}

/** Unpacks what the first piece of a gzip file has, as far as that is possible. */
async function unpackedStart(packed: Uint8Array): Promise<Uint8Array> {
  const { readable, writable } = new DecompressionStream('gzip');
  const writer = writable.getWriter();
  const reader = readable.getReader();
  // The file is damaged or not whole, and its reader says so.
  const ignore = (): undefined => undefined;
  writer.write(Uint8Array.from(packed.subarray(0, startLength))).catch(ignore);
  const reading = reader.read().catch(ignore);
  writer.close().catch(ignore);
  const unpacked = await reading;
  await reader.cancel().catch(ignore);
  return unpacked?.value ?? new Uint8Array(0);
}

/** Number of bytes that is enough for the first few thousand bytes of the content, packed or not. */
const startLength = 1 << 14;
