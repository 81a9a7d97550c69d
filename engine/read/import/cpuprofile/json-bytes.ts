import { parseJson } from '../../../../protocol/json-value.ts';
import type { NumberList } from '../../../basics/number-list.ts';

/** Reads JSON from bytes. A position is an index into the current bytes. */

/** The bytes end too soon. Ask again with the bytes from the same position on, followed by more. */
export const more = -1;
export const bad = -2;

export const quote = 0x22;
export const comma = 0x2c;
export const minus = 0x2d;
export const zero = 0x30;
export const nine = 0x39;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

const space = 0x20;
/** The bit in which a brace and a bracket differ; all others are equal. */
const braceBit = 0x20;

/** The first position from `from` on without white space, or the number of bytes. */
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
 * Skips a list or object piece by piece, at any depth and length. Returns the position behind it, or `more` where all
 * bytes belong to it and the next ones continue it. `depth`: the number of its brackets that are open already.
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

/** The value in these bytes; undefined where they are not JSON. Of a text longer than a string can be, `''`. */
export function valueOf(bytes: Uint8Array, from: number, to: number): unknown {
  if (to - from > MAX_TEXT_BYTES) return bytes[from] === quote ? '' : undefined;
  return parseJson(utf8.decode(bytes.subarray(from, to)));
}

/** One decoder for all texts: it keeps nothing between them, and making one takes longer than decoding. */
const utf8 = new TextDecoder();

/** Half of the longest string of V8. */
export const MAX_TEXT_BYTES = 2 ** 28;

/**
 * Reads elements of a list, each with its comma or bracket, from the first element or after a comma. Returns the
 * position behind the closing bracket, or behind the last comma where the bytes end sooner.
 */
export function readNumbers(bytes: Uint8Array, from: number, list: NumberList): number {
  let done = from;
  for (;;) {
    const start = afterSpace(bytes, done);
    const end = endOfInteger(bytes, start);
    const after = end < 0 ? addAny(bytes, start, list) : end;
    if (after < 0) return after === bad ? bad : done;
    const separator = afterSpace(bytes, after);
    if (separator === bytes.length) {
      if (end < 0) list.cutTo(list.size - 1);
      return done;
    }
    if (end >= 0) list.push(integerAt(bytes, start, end));
    const byte = bytes[separator];
    done = separator + 1;
    if (byte === closeBracket) return done;
    if (byte !== comma) return bad;
  }
}

/** NaN for an element that is not a number. */
function addAny(bytes: Uint8Array, start: number, list: NumberList): number {
  const end = start === bytes.length ? more : endOfValue(bytes, start);
  if (end < 0) return end;
  const value = valueOf(bytes, start, end);
  if (value === undefined) return bad;
  list.push(typeof value === 'number' ? value : Number.NaN);
  return end;
}

/** The position behind the integer at `from`; `bad` where there is none, or one too long to read digit by digit. */
function endOfInteger(bytes: Uint8Array, from: number): number {
  const first = bytes[from] === minus ? from + 1 : from;
  let at = first;
  while (isDigit(bytes[at] ?? 0)) at++;
  const digits = at - first;
  if (at >= bytes.length) return bad;
  if (digits === 0 || digits > MAX_DIGITS || (bytes[first] === zero && digits > 1)) return bad;
  const next = (bytes[at] ?? 0) | 0x20; // This makes a small letter.
  return next === 0x65 || next === 0x2e ? bad : at; // This is an exponent or a fraction.
}

function integerAt(bytes: Uint8Array, from: number, to: number): number {
  const isNegative = bytes[from] === minus;
  let value = 0;
  for (let at = isNegative ? from + 1 : from; at < to; at++) value = value * 10 + (bytes[at] ?? zero) - zero;
  return isNegative ? -value : value;
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine;
}

/** An integer with more digits may not be exact. */
const MAX_DIGITS = 15;
