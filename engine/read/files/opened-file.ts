import { fileNameOf } from '../../../protocol/machine-path.ts';
import type { World } from './world.ts';
import { gunzipSync } from 'node:zlib';
import { joinBytes } from '../../basics/bytes.ts';

export interface OpenedFile {
  readonly name: string;
  /** The first few thousand bytes of its content, or all of them, unpacked where it is gzipped, in UTF-8. */
  readonly start: Uint8Array;
  /** All its bytes, from the first one on. The file must be read to its end, or closed. */
  readonly chunks: AsyncGenerator<Uint8Array, void>;
  /** The same, unpacked where it is gzipped. Rejects as `gunzip` does. */
  readonly content: AsyncGenerator<Uint8Array, void>;
  readonly isGzip: boolean;
  readonly close: () => Promise<void>;
}

/** Opens a file; undefined where it cannot be read. `onBytes` gets the number of bytes read, piece by piece. */
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
  const all = joined(first, rest);
  const start = isGzip ? await unpackedStart(first) : first;
  const content = isGzip ? gunzip(all) : all;
  const encoding = utf16Of(start);
  return {
    name: fileNameOf(path),
    start: encoding === null ? start : new TextEncoder().encode(new TextDecoder(encoding).decode(start)),
    isGzip,
    chunks: all,
    content: encoding === null ? content : asUtf8(content, encoding),
    close: async () => void (await rest.return(undefined)),
  };
}

/** How a text in UTF-16 is encoded, by its byte order mark, as PowerShell writes it; null for any other file. */
function utf16Of(start: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = start;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

async function* asUtf8(
  content: AsyncIterable<Uint8Array>,
  encoding: 'utf-16le' | 'utf-16be',
): AsyncGenerator<Uint8Array, void> {
  const [decoder, encoder] = [new TextDecoder(encoding), new TextEncoder()];
  for await (const piece of content) yield encoder.encode(decoder.decode(piece, { stream: true }));
  yield encoder.encode(decoder.decode());
}

async function chunksOf(
  path: string,
  world: World,
): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array> | undefined> {
  if (world.readChunks !== undefined) return world.readChunks(path);
  const bytes = await world.readFile(path);
  return bytes === undefined ? undefined : [bytes];
}

/** Joins as many pieces as are needed to recognize the kind. */
async function beginningOf(chunks: AsyncGenerator<Uint8Array, void>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  while (size < START_BYTES) {
    const { value } = await chunks.next();
    if (value === undefined) break;
    // The next piece may overwrite this one.
    pieces.push(size + value.length < START_BYTES ? value.slice() : value);
    size += value.length;
  }
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : joinBytes(pieces);
}

async function* asGenerator(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}

async function* joined(first: Uint8Array, rest: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** Unpacks as much as possible of the first piece of a gzip file. */
async function unpackedStart(packed: Uint8Array): Promise<Uint8Array> {
  const { readable, writable } = new DecompressionStream('gzip');
  const writer = writable.getWriter();
  const reader = readable.getReader();
  // The file is damaged or incomplete. Whoever reads all of it reports that.
  const ignore = (): undefined => undefined;
  writer.write(Uint8Array.from(packed.subarray(0, START_BYTES))).catch(ignore);
  const reading = reader.read().catch(ignore);
  writer.close().catch(ignore);
  const unpacked = await reading;
  await reader.cancel().catch(ignore);
  return unpacked?.value ?? new Uint8Array(0);
}

/** Enough for the first few thousand bytes of the content, packed or not. */
const START_BYTES = 1 << 14;

/**
 * Unpacks pieces on demand. Rejects where they are damaged or cut off, and with `UnpackedTooMuch` where they unpack to
 * more than `most` bytes, or to an implausible size: a few KB of gzip can contain gigabytes of zeros.
 */
export async function* gunzip(
  packed: AsyncGenerator<Uint8Array, void>,
  most: number = Infinity,
): AsyncGenerator<Uint8Array, void> {
  const sizes = { packed: 0, unpacked: 0 };
  const pieces = inPieces(packed);
  const source = new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next();
      if (done === true) {
        controller.close();
        return;
      }
      sizes.packed += value.length;
      controller.enqueue(value.slice()); // This waits while the next piece is read.
    },
  });
  try {
    for await (const piece of source.pipeThrough(new DecompressionStream('gzip'))) {
      sizes.unpacked += piece.length;
      if (sizes.unpacked > Math.min(most, ALWAYS_ALLOWED_BYTES + MAX_RATIO * sizes.packed)) throw new UnpackedTooMuch();
      yield piece;
    }
  } finally {
    await packed.return(undefined); // This closes the file for readers that read no further.
  }
}

export class UnpackedTooMuch extends Error {}

/** Any file may unpack to this size. */
const ALWAYS_ALLOWED_BYTES = 128 << 20;

/** In addition, a file may unpack to this many times its size: profiles to 5 to 30 times, gzip at most to 1030. */
const MAX_RATIO = 50;

/** Cuts input into short pieces, because a piece is unpacked as a whole, however little of it is asked for. */
async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += MAX_PIECE_BYTES) yield chunk.subarray(at, at + MAX_PIECE_BYTES);
  }
}

const MAX_PIECE_BYTES = 1 << 14;

/** The text of a small gzip file; null where damaged, or over `most` bytes. Making a stream would take far longer. */
export function unpackText(packed: Uint8Array, most: number): string | null {
  if (most <= 0) return null;
  try {
    return new TextDecoder().decode(gunzipSync(packed, { maxOutputLength: most }));
  } catch {
    return null;
  }
}

/** Hands bytes to a reader in short pieces. What the reader cannot use yet waits for the next piece. */
export class WaitingBytes {
  /** Memory into which bytes are put as long as they fit. */
  readonly #window: Uint8Array;
  #bytes: Uint8Array;
  #size = 0;
  /** Number of bytes that are needed first, so that a long value is not read again for each piece. */
  #needed = 0;

  constructor(window: Uint8Array = new Uint8Array(PIECE_BYTES * 2)) {
    this.#window = window;
    this.#bytes = window;
  }

  /** `read` gets the bytes that waited, followed by new ones, and gives the number of those that it has used. */
  push(chunk: Uint8Array, read: (bytes: Uint8Array) => number): void {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const bytes = this.#with(chunk.subarray(at, at + PIECE_BYTES));
      if (bytes !== null) this.#keepFrom(read(bytes));
    }
  }

  /** All bytes that waited, and then the piece; null where they are still too few. */
  #with(piece: Uint8Array): Uint8Array | null {
    const size = this.#size + piece.length;
    if (size > this.#bytes.length) this.#move(new Uint8Array(size * 2));
    this.#bytes.set(piece, this.#size);
    this.#size = size;
    return size < this.#needed ? null : this.#bytes.subarray(0, size);
  }

  #keepFrom(position: number): void {
    this.#bytes.copyWithin(0, position, this.#size);
    this.#size -= position;
    this.#needed = this.#size * 2;
    if (this.#bytes !== this.#window && this.#size * 2 <= this.#window.length) this.#move(this.#window);
  }

  /** All bytes that waited, and white space, which ends a number and is harmless otherwise. */
  last(): Uint8Array {
    const bytes = new Uint8Array(this.#size + 1).fill(0x20);
    bytes.set(this.#bytes.subarray(0, this.#size));
    return bytes;
  }

  #move(to: Uint8Array): void {
    to.set(this.#bytes.subarray(0, this.#size));
    this.#bytes = to;
  }
}

/** Size of a piece in bytes, small enough to stay in the processor's cache. */
const PIECE_BYTES = 1 << 18;
