/** The end of the last piece, which waits for the next one. */
export class WaitingBytes {
  #bytes = new Uint8Array(0);
  #size = 0;
  /** So many have to be there first: a long value is not read again for each piece. */
  #needed = 0;

  /** All that waited, then the chunk; null where that is too little yet. */
  with(chunk: Uint8Array): Uint8Array | null {
    if (this.#size === 0 && chunk.length >= this.#needed) return chunk;
    const size = this.#size + chunk.length;
    if (size > this.#bytes.length) {
      const grown = new Uint8Array(size * 2);
      grown.set(this.#bytes.subarray(0, this.#size));
      this.#bytes = grown;
    }
    this.#bytes.set(chunk, this.#size);
    this.#size = size;
    return size < this.#needed ? null : this.#bytes.subarray(0, size);
  }

  /** Lets these wait alone. */
  keep(rest: Uint8Array): void {
    const bytes = rest.length > this.#bytes.length ? new Uint8Array(rest.length * 2) : this.#bytes;
    bytes.set(rest); // Also right where both are the same memory.
    this.#bytes = bytes;
    this.#size = rest.length;
    this.#needed = rest.length * 2;
  }

  /** All that waited, and white space: it ends a number, and harms nothing. */
  last(): Uint8Array {
    const bytes = new Uint8Array(this.#size + 1).fill(0x20);
    bytes.set(this.#bytes.subarray(0, this.#size));
    return bytes;
  }
}
