/**
 * The fast half of the decoder, in AssemblyScript (`scripts/build-wasm.mjs` compiles it). Reads what profilers usually
 * write: nodes with whole numbers and call frames, keys in any order. Stops at anything else, which only
 * `NodeList` can read.
 */
import {
  after,
  afterInteger,
  afterPlainString,
  afterSpace,
  begin,
  byte,
  closeBrace,
  closeBracket,
  comma,
  commasAt,
  integerAt,
  lastInteger,
  noDigitsAt,
  none,
  openBrace,
  openBracket,
  startsWithZero,
} from './json';
import { afterFrame, lastFrame } from './known-frames';
import * as memory from './memory';
import { afterShortIntegers, shortIntegersEnd } from './short-integers';

export { windowStart, windowSize, ids, frames, childrenEnds, ticksEnds, named, namedParents } from './memory';
export { tickLines, tickCounts, numbers } from './memory';
export { forgetFrames } from './known-frames';

// Numbers of entries that were read.
export let nodeSize: i32 = 0;
export let namedSize: i32 = 0;
export let tickSize: i32 = 0;
export let numberSize: i32 = 0;

// One bit for each member that a node can have.
const idBit: i32 = 1;
const frameBit: i32 = 2;
const hitsBit: i32 = 4;
const childrenBit: i32 = 8;
const ticksBit: i32 = 16;
const parentBit: i32 = 32;

// Letters that tell keys apart.
const a: u8 = 0x61;
const c: u8 = 0x63;
const h: u8 = 0x68;
const i: u8 = 0x69;
const o: u8 = 0x6f;
const p: u8 = 0x70;

/**
 * Reads nodes, each with the comma behind it; returns the position of the first one that it does not read. `nodes`,
 * `children` and `ticks` are the numbers of those that were read before.
 */
export function readNodes(from: i32, to: i32, nodes: i32, children: i32, ticks: i32): i32 {
  begin(to);
  nodeSize = 0;
  namedSize = 0;
  tickSize = 0;
  numberSize = 0;
  let at = from;
  while (true) {
    const numbersBefore = numberSize;
    const ticksBefore = tickSize;
    const namedBefore = namedSize;
    const end = afterNode(at, nodes);
    if (end == none || byte(end) != comma) {
      numberSize = numbersBefore;
      tickSize = ticksBefore;
      namedSize = namedBefore;
      return at;
    }
    put(memory.childrenEnds, nodeSize, children + numberSize);
    put(memory.ticksEnds, nodeSize, ticks + tickSize);
    nodeSize++;
    at = afterSpace(end + 1);
  }
}

/**
 * Reads integers, each with its comma or bracket; returns the position behind the last one. Stops behind the bracket,
 * and at anything else.
 */
export function readNumbers(from: i32, to: i32): i32 {
  numberSize = 0;
  return afterNumbers(from, to);
}

/** Stores the numbers of `readNumbers` in 2 bytes each, at the same place. False where one of them is not below 65,536. */
export function narrowNumbers(): bool {
  if ((bitsOfNumbers() & ~0xffff) != 0) return false;
  for (let number = 0; number < numberSize; number += 8) {
    const from = memory.numbers + number * 4;
    const narrow = i16x8.narrow_i32x4_u(v128.load(from), v128.load(from + 16));
    v128.store(memory.numbers + number * 2, narrow);
  }
  return true;
}

/** Each bit that any of the numbers has. */
function bitsOfNumbers(): i32 {
  let several = i32x4.splat(0);
  let number = 0;
  for (; number + 4 <= numberSize; number += 4) {
    several = v128.or(several, v128.load(memory.numbers + number * 4));
  }
  let bits = i32x4.extract_lane(several, 0) | i32x4.extract_lane(several, 1);
  bits |= i32x4.extract_lane(several, 2) | i32x4.extract_lane(several, 3);
  for (; number < numberSize; number++) bits |= load<i32>(memory.numbers + number * 4);
  return bits;
}

function afterNumbers(from: i32, to: i32): i32 {
  begin(to);
  let done = from;
  while (true) {
    done = afterPlainIntegers(done);
    const end = afterSpace(afterInteger(afterSpace(done)));
    if (byte(end) != comma && byte(end) != closeBracket) return done;
    put(memory.numbers, numberSize++, lastInteger());
    done = end + 1;
    if (byte(end) == closeBracket) return done;
  }
}

/**
 * Reads integers without white space, such as `123,45,6,`: four short ones at once; for others, the commas among 64
 * bytes are found at once, so that no number waits for the one before it. One after the other took three times as long.
 */
function afterPlainIntegers(from: i32): i32 {
  let next = memory.numbers + numberSize * 4;
  let first = from;
  let start: i32;
  do {
    first = afterShortIntegers(first, next);
    next = shortIntegersEnd();
    start = first;
    const commas = commasAt(start);
    for (let ends = noDigitsAt(start); ends != 0; ends &= ends - 1) {
      const end = start + i32(ctz(ends));
      const size = end - first;
      if ((commas & ends & (0 - ends)) == 0 || size == 0 || size > 8 || startsWithZero(first, size)) {
        start = first;
        break;
      }
      store<i32>(next, integerAt(first, size));
      next += 4;
      first = end + 1;
    }
  } while (first != start);
  numberSize = (next - memory.numbers) >> 2;
  return first;
}

// @ts-ignore: decorator
@inline
function put(list: i32, index: i32, value: i32): void {
  store<i32>(list + index * 4, value);
}

function afterNode(from: i32, nodes: i32): i32 {
  if (byte(from) != openBrace) return none;
  let seen = 0;
  let at = from;
  do {
    const key = afterSpace(at + 1);
    let bit = 0;
    at = none;
    switch (byte(key + 1)) {
      case i:
        at = afterInteger(valueOf(key, '"id":'));
        put(memory.ids, nodeSize, lastInteger());
        bit = idBit;
        break;
      case c:
        if (byte(key + 2) == a) {
          at = afterFrame(valueOf(key, '"callFrame":'));
          put(memory.frames, nodeSize, lastFrame());
          bit = frameBit;
        } else {
          at = afterChildren(valueOf(key, '"children":'));
          bit = childrenBit;
        }
        break;
      case h:
        at = afterInteger(valueOf(key, '"hitCount":'));
        bit = hitsBit;
        break;
      case p:
        if (byte(key + 2) == o) {
          at = afterTicks(valueOf(key, '"positionTicks":'));
          bit = ticksBit;
        } else {
          at = afterInteger(valueOf(key, '"parent":'));
          put(memory.named, namedSize, nodes + nodeSize);
          put(memory.namedParents, namedSize++, lastInteger());
          bit = parentBit;
        }
        break;
      default:
        at = afterUnknownMember(key);
    }
    if (at == none || (seen & bit) != 0) return none;
    seen |= bit;
    at = afterSpace(at);
  } while (byte(at) == comma);
  const isNode = byte(at) == closeBrace && (seen & (idBit | frameBit)) == (idBit | frameBit);
  return isNode ? at + 1 : none;
}

// @ts-ignore: decorator
@inline
function valueOf(at: i32, key: string): i32 {
  const value = after(at, key);
  return value == none ? none : afterSpace(value);
}

/** Position behind a number or a string under another key. VS Code's debugger adds such members. */
function afterUnknownMember(from: i32): i32 {
  const colon = afterPlainString(from);
  const value = colon == none ? none : valueOf(colon, ':');
  if (value == none) return none;
  const end = afterPlainString(value);
  return end == none ? afterInteger(value) : end;
}

function afterChildren(from: i32): i32 {
  if (byte(from) != openBracket) return none;
  const first = afterSpace(from + 1);
  if (byte(first) == closeBracket) return first + 1;
  let at = from;
  do {
    at = afterInteger(afterSpace(at + 1));
    if (at == none) return none;
    put(memory.numbers, numberSize++, lastInteger());
    at = afterSpace(at);
  } while (byte(at) == comma);
  return byte(at) == closeBracket ? at + 1 : none;
}

function afterTicks(from: i32): i32 {
  if (byte(from) != openBracket) return none;
  const first = afterSpace(from + 1);
  if (byte(first) == closeBracket) return first + 1;
  let at = from;
  do {
    at = afterTick(afterSpace(at + 1));
    if (at == none) return none;
    at = afterSpace(at);
  } while (byte(at) == comma);
  return byte(at) == closeBracket ? at + 1 : none;
}

/** Position behind a tick: the line and the count, in this order. */
function afterTick(from: i32): i32 {
  let at = afterInteger(valueOf(afterBrace(from), '"line":'));
  if (at == none) return none;
  put(memory.tickLines, tickSize, lastInteger());
  at = afterSpace(at);
  if (byte(at) != comma) return none;
  at = afterInteger(valueOf(afterSpace(at + 1), '"ticks":'));
  if (at == none) return none;
  put(memory.tickCounts, tickSize++, lastInteger());
  at = afterSpace(at);
  return byte(at) == closeBrace ? at + 1 : none;
}

// @ts-ignore: decorator
@inline
function afterBrace(from: i32): i32 {
  return byte(from) == openBrace ? afterSpace(from + 1) : none;
}
