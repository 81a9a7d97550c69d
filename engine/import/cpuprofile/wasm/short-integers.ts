import { comma, zero } from './json';
import { integerSizes, integerShuffles } from './memory';

/**
 * Integers of at most four digits, up to four of them at once: where the commas are among twelve bytes says which digit goes
 * where. What each of the 4096 ways asks for stands in two tables.
 */

/** What is looked at at once, in bytes. */
const width: i32 = 12;
const most: i32 = 4;
const mostDigits: i32 = 4;
/** Stands for a digit that is not there: a shuffle makes 0 of it. */
const nowhere: u8 = 0x80;

let isReady: bool = false;
let listEnd: i32 = 0;

/** Behind the last integer that `afterShortIntegers` put down. */
// @ts-ignore: decorator
@inline
export function shortIntegersEnd(): i32 {
  return listEnd;
}

/** Puts integers as `123,45,6,` down at `list`, 16 bytes more than they take; stops in front of any other. */
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
    /** Zeros that a number begins with, and does not end with. */
    const leading = zeros & ((commas << 1) | 1) & (~ends >> 1);
    const way = ends & ((1 << width) - 1);
    const sizes = i32(load<u8>(integerSizes + way));
    if ((((ends ^ commas) | leading) & ((1 << width) - 1)) != 0 || sizes == 0) break;
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

/** By a bit per comma: how many bytes the integers take and, 16 times that, how many they are; and which byte goes where. */
function fillTables(): void {
  for (let way = 0; way < 1 << width; way++) {
    const shuffle = integerShuffles + way * 16;
    memory.fill(shuffle, nowhere, 16);
    let first = 0;
    let count = 0;
    for (let end = 0; end < width && count < most; end++) {
      if (((way >> end) & 1) == 0) continue;
      const size = end - first;
      if (size == 0 || size > mostDigits) break;
      for (let at = first; at < end; at++) store<u8>(shuffle + (count + 1) * mostDigits - (end - at), u8(at));
      first = end + 1;
      count++;
    }
    store<u8>(integerSizes + way, u8(first | (count << 4)));
  }
  isReady = true;
}
