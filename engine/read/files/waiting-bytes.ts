/**
 * Hands the bytes of a file to a reader in short pieces. What the reader could not use yet waits for the next piece.
 */
export class WaitingBytes {
  /** Memory into which bytes are put as long as they fit. */
  readonly #window: Uint8Array;
  #bytes: Uint8Array;
  #size = 0;
  /** Number of bytes that are needed first, so that a long value is not read again for each piece. */
  #needed = 0;

  constructor(window: Uint8Array = new Uint8Array(pieceSize * 2)) {
    this.#window = window;
    this.#bytes = window;
  }

  /** `read` gets the bytes that waited, followed by new ones, and gives the number of those that it has used. */
  push(chunk: Uint8Array, read: (bytes: Uint8Array) => number): void {
    for (let at = 0; at < chunk.length; at += pieceSize) {
      const bytes = this.#with(chunk.subarray(at, at + pieceSize));
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

  /** Keeps only the bytes from this position on waiting. */
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
const pieceSize = 1 << 18;
