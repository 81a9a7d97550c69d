import { windowStart } from './memory';

/**
 * Reads JSON from bytes. A position is an address; 0 (`none`) is none. Zeros behind the last byte stop every reader.
 */

export const none: i32 = 0;

export const quote: u8 = 0x22;
export const comma: u8 = 0x2c;
const minus: u8 = 0x2d;
const dot: u8 = 0x2e;
export const zero: u8 = 0x30;
export const openBracket: u8 = 0x5b;
const backslash: u8 = 0x5c;
export const closeBracket: u8 = 0x5d;
export const openBrace: u8 = 0x7b;
export const closeBrace: u8 = 0x7d;
const space: u8 = 0x20;
/** The bit that makes a capital letter a small one, and a bracket a brace. */
const smallBit: u8 = 0x20;
const letterE: u8 = 0x65;

/** Value of the integer that was read last. */
let integer: i32 = 0;
/** Position behind the last byte that may be read. */
let bytesEnd: i32 = windowStart;

export function begin(end: i32): void {
  bytesEnd = end;
  memory.fill(end, 0, 64);
}

// @ts-ignore: decorator
@inline
export function isBehind(at: i32): bool {
  return at > bytesEnd;
}

// @ts-ignore: decorator
@inline
export function byte(at: i32): u8 {
  return load<u8>(at);
}

// @ts-ignore: decorator
@inline
export function opens(at: i32): bool {
  return (byte(at) | smallBit) == openBrace;
}

// @ts-ignore: decorator
@inline
export function lastInteger(): i32 {
  return integer;
}

// @ts-ignore: decorator
@inline
export function afterSpace(from: i32): i32 {
  let at = from;
  while (byte(at) <= space && isSpace(byte(at))) at++;
  return at;
}

function isSpace(given: u8): bool {
  return given == space || given == 0x0a || given == 0x0d || given == 0x09;
}

/**
 * Position behind this ASCII text; none where another text is there. Compares eight bytes at once, some of them twice.
 */
// @ts-ignore: decorator
@inline
export function after(at: i32, text: string): i32 {
  const length = text.length;
  const wanted = changetype<i32>(text);
  if (length < 8) {
    const mask = (1 << length) - 1;
    return (eightEqual(at, wanted) & mask) == mask ? at + length : none;
  }
  for (let done = 0; done + 8 < length; done += 8) {
    if (eightEqual(at + done, wanted + done * 2) != 0xff) return none;
  }
  return eightEqual(at + length - 8, wanted + length * 2 - 16) == 0xff ? at + length : none;
}

/** Compares eight bytes with eight UTF-16 units, and sets one bit for each pair that is equal. */
// @ts-ignore: decorator
@inline
function eightEqual(bytes: i32, units: i32): i32 {
  return i16x8.bitmask(i16x8.eq(v128.load_ext<u8>(bytes), v128.load(units)));
}

/** Position behind an integer of at most seven digits, whose value is then `lastInteger()`; none for anything else. */
// @ts-ignore: decorator
@inline
export function afterInteger(from: i32): i32 {
  const isNegative = byte(from) == minus;
  const first = from + i32(isNegative);
  const others = otherThanDigits(load<u64>(first));
  const size = i32(ctz(others)) >> 3;
  if (others == 0 || size == 0 || startsWithZero(first, size)) return none;
  const next = byte(first + size);
  if ((next | smallBit) == letterE || next == dot) return none;
  const value = integerAt(first, size);
  integer = isNegative ? -value : value;
  return first + size;
}

/** Sets a bit in the upper half of each of the eight bytes that is not a digit. */
// @ts-ignore: decorator
@inline
function otherThanDigits(bytes: u64): u64 {
  const digits = bytes ^ 0x3030303030303030;
  return ((digits + 0x0606060606060606) | digits) & 0xf0f0f0f0f0f0f0f0;
}

/** Whether the digits start with a zero and go on after it, which JSON does not allow. */
// @ts-ignore: decorator
@inline
export function startsWithZero(first: i32, size: i32): bool {
  return byte(first) == zero && size > 1;
}

/**
 * Value of an integer of one to eight digits: digits are added up to pairs, pairs to fours, fours to the number.
 * Source: https://lemire.me/blog/2022/01/21/swar-explained-parsing-eight-digits/
 */
// @ts-ignore: decorator
@inline
export function integerAt(first: i32, size: i32): i32 {
  const digits = (load<u64>(first) ^ 0x3030303030303030) << (64 - size * 8);
  const pairs = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ff;
  const fours = ((pairs * (1 + (100 << 16))) >> 16) & 0x0000ffff0000ffff;
  return i32((fours * (1 + (u64(10000) << 32))) >> 32);
}

/** Has one bit for each of the 64 bytes from `at` on; the bit is set where the byte is a comma. */
// @ts-ignore: decorator
@inline
export function commasAt(at: i32): u64 {
  return commas(at) | (commas(at + 16) << 16) | (commas(at + 32) << 32) | (commas(at + 48) << 48);
}

// @ts-ignore: decorator
@inline
function commas(at: i32): u64 {
  return u64(i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(comma))));
}

/** Has one bit for each of the 64 bytes from `at` on; the bit is set where the byte is not a digit. */
// @ts-ignore: decorator
@inline
export function noDigitsAt(at: i32): u64 {
  return noDigits(at) | (noDigits(at + 16) << 16) | (noDigits(at + 32) << 32) | (noDigits(at + 48) << 48);
}

// @ts-ignore: decorator
@inline
function noDigits(at: i32): u64 {
  return u64(i8x16.bitmask(i8x16.gt_u(i8x16.sub(v128.load(at), i8x16.splat(zero)), i8x16.splat(9))));
}

/** Position of the quote that ends the string that contains `from`. */
// @ts-ignore: decorator
@inline
export function endOfString(from: i32): i32 {
  let at = from;
  while (at < bytesEnd) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(quote)));
    if (found == 0) at += 16;
    else {
      at += ctz(found);
      if (!isEscaped(at)) return at;
      at++;
    }
  }
  return none;
}

/** Whether an odd number of backslashes is before the byte, so that they escape it. */
// @ts-ignore: decorator
@inline
function isEscaped(at: i32): bool {
  let before = at - 1;
  while (byte(before) == backslash) before--;
  return ((at - before) & 1) == 0;
}

/** Position behind a string without escapes and control characters. */
export function afterPlainString(from: i32): i32 {
  if (byte(from) != quote) return none;
  let at = from + 1;
  while (byte(at) >= space && byte(at) != quote && byte(at) != backslash) at++;
  return byte(at) == quote ? at + 1 : none;
}

/** Position of the first closing brace in the next 64 bytes; none where they contain no closing brace. */
// @ts-ignore: decorator
@inline
export function nextCloseBrace(from: i32): i32 {
  for (let at = from; at < from + 64; at += 16) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(closeBrace)));
    if (found != 0) return at + ctz(found);
  }
  return none;
}
