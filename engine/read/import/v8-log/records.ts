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

  /** Reads a number like `0x7f`; NaN for another field. Addresses are exact below 2^53. */
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

  /** NaN where the field is not a decimal number. */
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
const commaByte = 0x2c;
const zero = 0x30;
const minus = 0x2d;
const letterX = 0x78;

/** Decodes names, which are UTF-8. What is not UTF-8 becomes U+FFFD. */
const decoder = new TextDecoder();

/** Value of a hexadecimal digit, by its byte; −1 for other bytes. */
const digits = Int8Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase()),
);

/** Finds the ends of records, in the order of the bytes. Each place where no record can end is looked at only once. */
export class RecordEnds {
  /** No record of a function ends at the line breaks up to this position. */
  #checked = -1;

  /**
   * The end of the record at `from`, its line break; −1 where that is not there yet. Names of functions are not escaped
   * and may contain line breaks: such a record ends on the first line that ends like one. `isLast`: no bytes follow.
   */
  endOf(bytes: Uint8Array, from: number, isLast: boolean): number {
    const first = bytes.indexOf(newline, from);
    if (first === -1 || !isFunctionRecord(bytes, from)) return first;
    const start = first > this.#checked ? first : bytes.indexOf(newline, this.#checked + 1);
    for (let end = start; end !== -1; end = bytes.indexOf(newline, end + 1)) {
      if (end - from > MAX_NAME_BYTES) return first;
      if (tailOf(bytes, from, end) !== -1) return end;
      this.#checked = end;
    }
    return isLast || bytes.length - from > MAX_NAME_BYTES ? first : -1;
  }
}

const MAX_NAME_BYTES = 1 << 16;

export function startsWith(bytes: Uint8Array, at: number, head: Uint8Array): boolean {
  for (let index = 0; index < head.length; index++) if (bytes[at + index] !== head[index]) return false;
  return true;
}

const encoder = new TextEncoder();
const creation = encoder.encode('code-creation,');
/** What V8 calls code of JavaScript in Node 18, and in Node 20 and later. */
const functionTags = ['JS,', 'Eval,', 'Script,', 'LazyCompile,', 'Function,'].map((tag) => encoder.encode(tag));

export function isFunctionRecord(bytes: Uint8Array, from: number): boolean {
  return (
    startsWith(bytes, from, creation) && functionTags.some((tag) => startsWith(bytes, from + creation.length, tag))
  );
}

/** Position of the comma before `0xSFI,MARKER` at the end of a record; −1 where the record does not end like that. */
export function tailOf(bytes: Uint8Array, from: number, end: number): number {
  let at = end - 1;
  while (at > from && end - at <= MAX_MARKER_BYTES && markerBytes.has(bytes[at] ?? 0)) at--;
  if (bytes[at] !== commaByte) return -1;
  const comma = at--;
  while (at > from && comma - at < MAX_ADDRESS_BYTES && isHexDigit(bytes[at] ?? 0)) at--;
  return comma - at > 1 && bytes[at] === 0x78 && bytes[at - 1] === zero && bytes[at - 2] === commaByte ? at - 2 : -1;
}

const MAX_MARKER_BYTES = 4;
const MAX_ADDRESS_BYTES = 20;
const markerBytes = new Set(encoder.encode("~^+*'o"));

function isHexDigit(byte: number): boolean {
  return (byte >= zero && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66);
}
