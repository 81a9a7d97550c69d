import type { World } from '../world.ts';

/** A file of which the first piece was read. */
export interface OpenedFile {
  /** What is in it, unpacked where it is gzipped; a piece of it, empty where there is nothing. */
  readonly start: Uint8Array;
  /** All its bytes, from the first one on. To be read, or closed. */
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly close: () => Promise<void>;
}

/** Undefined where it cannot be read. */
export async function openFile(path: string, world: World): Promise<OpenedFile | undefined> {
  const chunks = await chunksOf(path, world);
  if (chunks === undefined) return undefined;
  const rest = withoutEmpty(chunks);
  const { value: first = new Uint8Array(0) } = await rest.next();
  return {
    start: first[0] === 0x1f && first[1] === 0x8b ? await unpackedStart(first) : first,
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

async function* withoutEmpty(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of chunks) if (chunk.length > 0) yield chunk;
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
  writer.write(Uint8Array.from(packed.subarray(0, packedLength))).catch(ignore);
  const reading = reader.read().catch(ignore);
  writer.close().catch(ignore);
  const unpacked = await reading;
  await reader.cancel().catch(ignore);
  return unpacked?.value ?? new Uint8Array(0);
}

/** Enough for the first few thousand bytes of what is in it. */
const packedLength = 1 << 14;
