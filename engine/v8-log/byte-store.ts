/** Keeps pieces of bytes side by side in blocks. A block goes when none of its pieces is needed any more. */
export class ByteStore {
  #block = new Uint8Array(0);
  #used = 0;

  keep(bytes: Uint8Array, from: number, to: number): Uint8Array {
    const size = to - from;
    if (this.#used + size > this.#block.length) {
      this.#block = new Uint8Array(Math.max(blockSize, size));
      this.#used = 0;
    }
    const kept = this.#block.subarray(this.#used, this.#used + size);
    kept.set(bytes.subarray(from, to));
    this.#used += size;
    return kept;
  }
}

/** In bytes. */
const blockSize = 1 << 18;
