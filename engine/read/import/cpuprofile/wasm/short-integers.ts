import { comma, zero } from './json';
import { integerSizes, integerShuffles } from './memory';

/**
 * Reads up to four integers of at MAX_INTEGERS four digits at once. The places of the commas among twelve bytes decide which
 * digit goes where: two tables have the answer for each of the 4096 patterns.
 */

/** Number of bytes that are looked at at once. */
const WIDTH: i32 = 12;
const MAX_INTEGERS: i32 = 4;
const MAX_DIGITS: i32 = 4;
/** Index for a digit that is not there: the shuffle puts a 0 in its place. */
const nowhere: u8 = 0x80;

let isReady: bool = false;
let listEnd: i32 = 0;

/** Address behind the last integer that `afterShortIntegers` has stored. */
// @ts-ignore: decorator
@inline
export function shortIntegersEnd(): i32 {
  return listEnd;
}

/**
 * Stores the integers of a text like `123,45,6,` at `list`; returns the position behind the last comma. Stops before
 * anything else. May write up to 16 bytes behind the last integer.
 */
export function afterShortIntegers(from: i32, list: i32): i32 {
  if (!isReady) fillTables();
  let first = from;
  let next = list;
  while (true) {
    const bytes = v128.load(first);
    const digits = i8x16.sub(bytes, i8x16.splat(zero));
    const ends = i8x16.bitmask(i8x16.gt_u(digits, i8x16.splat(9)));
    const commas = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(comma)));
    const zeros = i8x16.bitmask(i8x16.eq(digits, i8x16.splat(0)));
    /** Zeros at the begin of numbers that have more digits. */
    const leading = zeros & ((commas << 1) | 1) & (~ends >> 1);
    const way = ends & ((1 << WIDTH) - 1);
    const sizes = i32(load<u8>(integerSizes + way));
    if ((((ends ^ commas) | leading) & ((1 << WIDTH) - 1)) != 0 || sizes == 0) break;
    const placed = i8x16.swizzle(digits, v128.load(integerShuffles + way * 16));
    const tens = i16x8.mul(v128.and(placed, i16x8.splat(0xff)), i16x8.splat(10));
    const pairs = i16x8.add(tens, i16x8.shr_u(placed, 8));
    v128.store(next, i32x4.dot_i16x8_s(pairs, i16x8(100, 1, 100, 1, 100, 1, 100, 1)));
    next += (sizes >> 4) * 4;
    first += sizes & 0xf;
  }
  listEnd = next;
  return first;
}

/**
 * Fills the tables. Their index has one bit for each byte, set for a comma. `integerSizes` has the number of bytes,
 * plus 16 times the number of integers; `integerShuffles` has the place of each byte.
 */
function fillTables(): void {
  for (let way = 0; way < 1 << WIDTH; way++) {
    const shuffle = integerShuffles + way * 16;
    memory.fill(shuffle, nowhere, 16);
    let first = 0;
    let count = 0;
    for (let end = 0; end < WIDTH && count < MAX_INTEGERS; end++) {
      if (((way >> end) & 1) == 0) continue;
      const size = end - first;
      if (size == 0 || size > MAX_DIGITS) break;
      for (let at = first; at < end; at++) store<u8>(shuffle + (count + 1) * MAX_DIGITS - (end - at), u8(at));
      first = end + 1;
      count++;
    }
    store<u8>(integerSizes + way, u8(first | (count << 4)));
  }
  isReady = true;
}
