import { commaByte, newline, zero } from './record-fields.ts';

/** Finds ends of records, in the order of the bytes. Places where no record can end are looked at once. */
export class RecordEnds {
  /** No record of a function ends at the line breaks up to this position. */
  #checked = -1;

  /**
   * Where the record that begins at `from` ends: at its line break, or −1 where that is not there yet. Names of
   * functions are not escaped, so one may contain line breaks; its record then ends on the line that ends as such a
   * record does. `isLast`: nothing follows these bytes.
   */
  endOf(bytes: Uint8Array, from: number, isLast: boolean): number {
    const first = bytes.indexOf(newline, from);
    if (first === -1 || !isFunctionRecord(bytes, from)) return first;
    const start = first > this.#checked ? first : bytes.indexOf(newline, this.#checked + 1);
    for (let end = start; end !== -1; end = bytes.indexOf(newline, end + 1)) {
      if (end - from > longestName) return first;
      if (tailOf(bytes, from, end) !== -1) return end;
      this.#checked = end;
    }
    return isLast || bytes.length - from > longestName ? first : -1;
  }
}

/** Longest name in bytes. */
const longestName = 1 << 16;

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

/** Where the comma before `0xSFI,MARKER` is, at the end of a record; −1 where it does not end so. */
export function tailOf(bytes: Uint8Array, from: number, end: number): number {
  let at = end - 1;
  while (at > from && end - at <= longestMarker && markerBytes.has(bytes[at] ?? 0)) at--;
  if (bytes[at] !== commaByte) return -1;
  const comma = at--;
  while (at > from && comma - at < longestAddress && isHexDigit(bytes[at] ?? 0)) at--;
  return comma - at > 1 && bytes[at] === 0x78 && bytes[at - 1] === zero && bytes[at - 2] === commaByte ? at - 2 : -1;
}

const longestMarker = 4;
const longestAddress = 20;
const markerBytes = new Set(encoder.encode("~^+*'o"));

function isHexDigit(byte: number): boolean {
  return (byte >= zero && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66);
}
