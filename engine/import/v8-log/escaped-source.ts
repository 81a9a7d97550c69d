import { LineStarts, type TextLines } from './line-starts.ts';

/** Counts the lines of a script's text as it stands in the log, escaped, piece by piece: it is never held. */
export class EscapedSource {
  readonly #lines = new LineStarts();
  #state: 'plain' | 'escape' | 'digits' = 'plain';
  #digitsLeft = 0;
  #value = 0;

  push(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0;
      if (this.#state === 'plain' && byte !== backslash) this.#lines.add(byte);
      else this.#escape(byte);
    }
  }

  build(): TextLines {
    return this.#lines.build();
  }

  #escape(byte: number): void {
    if (this.#state === 'plain') this.#state = 'escape';
    else if (this.#state === 'digits') {
      this.#value = this.#value * 16 + Number.parseInt(String.fromCharCode(byte), 16);
      this.#digitsLeft--;
      if (this.#digitsLeft === 0) this.#end(this.#value);
    } else if (byte === letterX || byte === letterU) {
      this.#state = 'digits';
      this.#digitsLeft = byte === letterX ? 2 : 4;
      this.#value = 0;
    } else this.#end(byte === letterN ? 0x0a : byte);
  }

  #end(unit: number): void {
    this.#lines.add(unit);
    this.#state = 'plain';
  }
}

const backslash = 0x5c;
const letterN = 0x6e;
const letterU = 0x75;
const letterX = 0x78;
