/** Keeps pieces of bytes side by side in blocks. A block is freed when none of its pieces is needed any more. */
export class ByteStore {
  #block: Uint8Array = new Uint8Array(0);
  #used = 0;

  keep(bytes: Uint8Array, from: number, to: number): KeptBytes {
    const size = to - from;
    if (this.#used + size > this.#block.length) {
      this.#block = new Uint8Array(Math.max(blockSize, size));
      this.#used = 0;
    }
    const start = this.#used;
    this.#block.set(bytes.subarray(from, to), start);
    this.#used += size;
    return { bytes: this.#block, start, end: start + size };
  }
}

/** A piece of `bytes`, from `start` up to `end`. */
export interface KeptBytes {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Size of a block in bytes. */
const blockSize = 1 << 16;
