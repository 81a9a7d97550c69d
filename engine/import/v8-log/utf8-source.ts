import { LineStarts, type TextLines } from './line-starts.ts';

/** Counts the lines of a file in UTF-8 piece by piece, as V8 counts them in its text: it is never held. */
export class Utf8Source {
  readonly #lines = new LineStarts();
  /** Of the character that goes on in the next byte. */
  #value = 0;
  #bytesLeft = 0;
  #isStart = true;

  push(bytes: Uint8Array): void {
    // oxlint-disable-next-line typescript/prefer-for-of -- an iterator makes an object for each byte
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte < 0x80) this.#add(byte);
      else if (byte >= 0xc0) {
        this.#bytesLeft = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
        this.#value = byte & (0x3f >> this.#bytesLeft);
      } else {
        this.#value = this.#value * 64 + (byte & 0x3f);
        this.#bytesLeft--;
        if (this.#bytesLeft === 0) this.#add(this.#value);
      }
    }
  }

  build(): TextLines {
    return this.#lines.build();
  }

  /** Beyond 16 bits a character is two units. Node.js leaves out a byte order mark. */
  #add(character: number): void {
    if (!this.#isStart || character !== byteOrderMark) this.#lines.add(character > 0xffff ? surrogate : character);
    if (character > 0xffff) this.#lines.add(surrogate);
    this.#isStart = false;
  }
}

const byteOrderMark = 0xfeff;
/** Any one: it ends no line. */
const surrogate = 0xd800;
