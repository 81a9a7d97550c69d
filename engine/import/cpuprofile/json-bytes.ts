import { parseJson } from '../../../protocol/json-value.ts';

/**
 * Reads JSON from bytes. A position is an index into the current bytes. What cannot be told yet is `more`, what is no
 * JSON is `bad`.
 */

/** The bytes end too soon: ask again with the bytes from this position on, and with more of them. */
export const more = -1;
export const bad = -2;

export const quote = 0x22;
export const comma = 0x2c;
export const minus = 0x2d;
export const zero = 0x30;
export const nine = 0x39;
export const colon = 0x3a;
export const openBracket = 0x5b;
const backslash = 0x5c;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

const space = 0x20;
/** The bit in which a brace and a bracket differ; all others are equal. */
const braceBit = 0x20;

/** The first position from `from` on without white space; the number of bytes where there is none. */
export function afterSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && isSpace(bytes[at] ?? 0)) at++;
  return at;
}

export function isSpace(byte: number): boolean {
  return byte === space || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The position behind the value that begins at `from`. Its content is not checked. */
export function endOfValue(bytes: Uint8Array, from: number): number {
  const first = bytes[from] ?? 0;
  if (first === quote) return endOfString(bytes, from);
  if (!opens(first)) return endOfWord(bytes, from);
  return createSkipper()(bytes, from);
}

/** The position behind the string whose opening quote is at `from`. */
export function endOfString(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) return at + 1;
    if (byte === backslash) at++;
  }
  return more;
}

/** The position behind a number, `true`, `false` or `null`. */
function endOfWord(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === comma || closes(byte) || isSpace(byte)) return at === from ? bad : at;
    if (byte === quote || byte === colon || opens(byte)) return bad;
  }
  return more;
}

/**
 * Skips one list or object, however deep and long, piece by piece. The result is the position behind it, or `more`
 * where all bytes belong to it; then it continues with the next bytes. `depth` is the number of its brackets that are
 * open already.
 */
export function createSkipper(depth = 0): (bytes: Uint8Array, from: number) => number {
  let open = depth;
  let inString = false;
  let isEscaped = false;
  return (bytes, from) => {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (isEscaped) isEscaped = false;
      else if (inString) {
        if (byte === backslash) isEscaped = true;
        else if (byte === quote) inString = false;
      } else if (byte === quote) inString = true;
      else if (opens(byte)) open++;
      else if (closes(byte)) {
        open--;
        if (open === 0) return at + 1;
      }
    }
    return more;
  };
}

export function opens(byte: number): boolean {
  return (byte | braceBit) === openBrace;
}

function closes(byte: number): boolean {
  return (byte | braceBit) === closeBrace;
}

/**
 * The value in these bytes; undefined where they are no JSON, or more than a string can hold. No single name is that
 * long.
 */
export function valueOf(bytes: Uint8Array, from: number, to: number): unknown {
  if (to - from > longestText) return bytes[from] === quote ? '' : undefined;
  return parseJson(utf8.decode(bytes.subarray(from, to)));
}

/** One decoder for all texts: it keeps nothing between them, and making one takes longer than decoding. */
const utf8 = new TextDecoder();

/** Longest text in bytes: half of the longest string of V8. */
export const longestText = 2 ** 28;
