import { afterSpace, bad, closeBracket, comma, endOfValue, minus, more, nine, valueOf, zero } from './json-bytes.ts';
import type { NumberList } from '../../basics/number-list.ts';

/** Most digits of an integer: one with more may not be exact as a number. */
const safeDigits = 15;

/**
 * Reads the elements of a list and the comma or bracket behind each, from its first element or one after a comma. The
 * result is the position behind the closing bracket, or behind the last comma where the bytes end sooner.
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

/** Adds an element that is no plain integer: NaN where it is no number either. */
function addAny(bytes: Uint8Array, start: number, list: NumberList): number {
  const end = start === bytes.length ? more : endOfValue(bytes, start);
  if (end < 0) return end;
  const value = valueOf(bytes, start, end);
  if (value === undefined) return bad;
  list.push(typeof value === 'number' ? value : Number.NaN);
  return end;
}

/**
 * The position behind the integer at `from`; `bad` where there is none, or one that is too long to be read digit by
 * digit.
 */
function endOfInteger(bytes: Uint8Array, from: number): number {
  const first = bytes[from] === minus ? from + 1 : from;
  let at = first;
  while (isDigit(bytes[at] ?? 0)) at++;
  const digits = at - first;
  if (at >= bytes.length) return bad;
  if (digits === 0 || digits > safeDigits || (bytes[first] === zero && digits > 1)) return bad;
  const next = (bytes[at] ?? 0) | 0x20; // This makes a small letter.
  return next === 0x65 || next === 0x2e ? bad : at; // This is an exponent or a fraction.
}

/** The integer between two positions: a sign or none, then digits. */
function integerAt(bytes: Uint8Array, from: number, to: number): number {
  const isNegative = bytes[from] === minus;
  let value = 0;
  for (let at = isNegative ? from + 1 : from; at < to; at++) value = value * 10 + (bytes[at] ?? zero) - zero;
  return isNegative ? -value : value;
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine;
}
