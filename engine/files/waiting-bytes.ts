/** The end of the last piece, which waits for the next one. */
export class WaitingBytes {
  /** Where bytes are put as long as there is room for them. */
  readonly #window: Uint8Array;
  #bytes: Uint8Array;
  #size = 0;
  /** So many have to be there first: a long value is not read again for each piece. */
  #needed = 0;

  constructor(window: Uint8Array) {
    this.#window = window;
    this.#bytes = window;
  }

  /** All that waited, then the piece; null where that is too little yet. */
  with(piece: Uint8Array): Uint8Array | null {
    const size = this.#size + piece.length;
    if (size > this.#bytes.length) this.#move(new Uint8Array(size * 2));
    this.#bytes.set(piece, this.#size);
    this.#size = size;
    return size < this.#needed ? null : this.#bytes.subarray(0, size);
  }

  /** Lets only those from there on wait. */
  keepFrom(position: number): void {
    this.#bytes.copyWithin(0, position, this.#size);
    this.#size -= position;
    this.#needed = this.#size * 2;
    if (this.#bytes !== this.#window && this.#size * 2 <= this.#window.length) this.#move(this.#window);
  }

  /** All that waited, and white space: it ends a number, and harms nothing. */
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
