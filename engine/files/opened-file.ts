import type { World } from './world.ts';

/** A file of which the beginning was read. */
export interface OpenedFile {
  /** What is in it, unpacked where it is gzipped: its first few thousand bytes at least, or all there are. */
  readonly start: Uint8Array;
  /** All its bytes, from the first one on. To be read, or closed. */
  readonly chunks: AsyncGenerator<Uint8Array, undefined>;
  readonly isGzip: boolean;
  readonly close: () => Promise<void>;
}

/** Undefined where it cannot be read. `onBytes` is told how many were, piece by piece. */
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

/** As many pieces as tell the kind, in one, whatever the size of each. */
async function beginningOf(chunks: AsyncGenerator<Uint8Array, undefined>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  while (size < startLength) {
    const { value } = await chunks.next();
    if (value === undefined) break;
    // The next piece may overwrite it.
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

/** What the first piece of a gzip file holds, as far as it can be unpacked. */
async function unpackedStart(packed: Uint8Array): Promise<Uint8Array> {
  const { readable, writable } = new DecompressionStream('gzip');
  const writer = writable.getWriter();
  const reader = readable.getReader();
  // Damaged or not whole: its reader says so.
  const ignore = (): undefined => undefined;
  writer.write(Uint8Array.from(packed.subarray(0, startLength))).catch(ignore);
  const reading = reader.read().catch(ignore);
  writer.close().catch(ignore);
  const unpacked = await reading;
  await reader.cancel().catch(ignore);
  return unpacked?.value ?? new Uint8Array(0);
}

/** In bytes: enough for the first few thousand bytes of what is in it, packed or not. */
const startLength = 1 << 14;
