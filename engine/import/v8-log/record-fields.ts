/** Reads the fields of one record, from left to right, off its bytes. */
export class RecordFields {
  bytes: Uint8Array = new Uint8Array(0);
  /** Where the next field begins. Behind the last field it is greater than `end`. */
  at = 0;
  /** Where the record ends: at its line break, or at what follows its last wanted field. */
  end = 0;

  open(bytes: Uint8Array, from: number, end: number): void {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  get hasMore(): boolean {
    return this.at < this.end;
  }

  /** Reads a number like `0x7f`; NaN where the field is none. Addresses are exact below 2^53. */
  hex(): number {
    const { bytes, end } = this;
    const start = this.at + 2;
    const isHex = bytes[this.at] === zero && bytes[this.at + 1] === letterX;
    let value = 0;
    let at = start;
    for (; at < end; at++) {
      const digit = digits[bytes[at] ?? 0] ?? -1;
      if (digit === -1) break;
      value = value * 16 + digit;
    }
    return this.#close(at, isHex && at > start ? value : Number.NaN);
  }

  /** Reads a decimal number; NaN where the field is none. */
  decimal(): number {
    const { bytes, end } = this;
    const isNegative = bytes[this.at] === minus;
    const start = isNegative ? this.at + 1 : this.at;
    let value = 0;
    let at = start;
    for (; at < end; at++) {
      const digit = (bytes[at] ?? 0) - zero;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    return this.#close(at, at > start ? (isNegative ? -value : value) : Number.NaN);
  }

  /** Skips the field, and gives where it ended. */
  skip(): number {
    const comma = this.bytes.indexOf(commaByte, this.at);
    const end = comma === -1 || comma > this.end ? this.end : comma;
    this.at = end + 1;
    return end;
  }

  text(): string {
    const start = Math.min(this.at, this.end);
    return decoder.decode(this.bytes.subarray(start, this.skip()));
  }

  /** All the rest, commas included. */
  rest(): string {
    const start = Math.min(this.at, this.end);
    this.at = this.end + 1;
    return decoder.decode(this.bytes.subarray(start, this.end));
  }

  /** The value, if the field ends here: a number is one only up to a comma or the end. */
  #close(at: number, value: number): number {
    if (at >= this.end || this.bytes[at] === commaByte) {
      this.at = at + 1;
      return value;
    }
    this.skip();
    return Number.NaN;
  }
}

export const newline = 0x0a;
export const commaByte = 0x2c;
export const zero = 0x30;
const minus = 0x2d;
const letterX = 0x78;

/** Decodes names, which are UTF-8. What is not UTF-8 becomes U+FFFD. */
const decoder = new TextDecoder();

/** Value of a hexadecimal digit, by its byte; −1 for other bytes. */
const digits = Int8Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase()),
);
