import { frameKind, tierOf } from './code.ts';
import { lastUpTo } from './last-up-to.ts';
import type { PlaceTable } from './place-table.ts';

/** As they stood in the log: `bytes` from `start` to `middle` are the positions, behind a comma up to `end` what is inlined. */
export interface PositionTexts {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly middle: number;
  readonly end: number;
  /** Those that are inlined; −1 of one that nobody knows. */
  readonly functions: Int32Array;
}

/**
 * Where in its script each part of a code object is, and what is inlined there. It is read when a tick is first inside:
 * most code is never seen.
 *
 *     positions (C<pcOffset>O<scriptOffset>[I<inlined>])*      inlined (F<function>O<callOffset>[I<into>])*
 */
export class CodePositions {
  #texts: PositionTexts | null = null;
  #read: ReadPositions | null = null;

  /** They stand in a record of their own, behind that of the code: true where a tick came in between. */
  tell(texts: PositionTexts): boolean {
    const isLate = this.#read !== null;
    this.#texts = texts;
    this.#read = null;
    return isLate;
  }

  /** The frames at that byte of the code, the code's own and what is inlined into it: a list of the table's. */
  framesAt(pcOffset: number, kind: number, places: PlaceTable): number {
    this.#read ??= readPositions(this.#texts);
    this.#texts = null; // It may be all that needs its bytes.
    const { pcs, offsets, inlinedAt, lists } = this.#read;
    const entry = lastUpTo(pcs, pcOffset);
    if (entry === -1) return places.list(places.number(kind, -1), -1);
    const known = lists[entry] ?? -1;
    if (known !== -1) return known;
    const list = listOf(this.#read, offsets[entry] ?? -1, inlinedAt[entry] ?? -1, kind, places);
    lists[entry] = list;
    return list;
  }
}

/** By entry; all in one piece of memory. */
interface ReadPositions extends Entries {
  /** Number of the list of frames; −1 where it was not asked for yet. */
  readonly lists: Int32Array;
  readonly inlined: InlinedCalls;
}

interface Entries {
  /** Ascending. */
  readonly pcs: Int32Array;
  readonly offsets: Int32Array;
  /** Number of the inlined call; −1 where the code's own text runs. */
  readonly inlinedAt: Int32Array;
}

interface InlinedCalls {
  /** By call: the function's index, the offset of the call, and number of the call that it is itself inlined into or −1. */
  readonly called: Int32Array;
  readonly offsets: Int32Array;
  readonly into: Int32Array;
  readonly functions: Int32Array;
}

/** Innermost first: a list grows at its outer end. */
function listOf(
  { inlined: { called, offsets, into, functions } }: ReadPositions,
  offsetInside: number,
  innermost: number,
  kind: number,
  places: PlaceTable,
): number {
  let offset = offsetInside;
  let list = -1;
  for (let call = innermost; call >= 0 && call < called.length;) {
    const fn = functions[called[call] ?? -1] ?? -1;
    if (fn !== -1) list = places.list(places.number(frameKind(fn, tierOf(kind), true, false), offset), list);
    offset = offsets[call] ?? -1;
    const outer = into[call] ?? -1;
    call = outer < call ? outer : -1; // None is inlined into a later one: no circle.
  }
  return places.list(places.number(kind, offset), list);
}

function readPositions(texts: PositionTexts | null): ReadPositions {
  if (texts === null) return nothingKnown;
  const { bytes, start, middle, end, functions } = texts;
  const [pcs, offsets, inlinedAt, lists] = readEntries(bytes, start, middle);
  if (end <= middle + 1) return { pcs, offsets, inlinedAt, lists, inlined: nothingInlined };
  const [called, callOffsets, into] = readEntries(bytes, middle + 1, end);
  return { pcs, offsets, inlinedAt, lists, inlined: { called, offsets: callOffsets, into, functions } };
}

const none = new Int32Array(0);
const nothingInlined: InlinedCalls = { called: none, offsets: none, into: none, functions: none };
const nothingKnown: ReadPositions = { pcs: none, offsets: none, inlinedAt: none, lists: none, inlined: nothingInlined };

/** Numbers with a letter in front: `C` or `F` begins an entry, `O` and `I` follow; what is missing is −1, as is all of a fourth. */
function readEntries(
  bytes: Uint8Array,
  start: number,
  end: number,
): readonly [Int32Array, Int32Array, Int32Array, Int32Array] {
  let size = 0;
  for (let at = start; at < end; at++) if (bytes[at] === letterC || bytes[at] === letterF) size++;
  const numbers = new Int32Array(size * 4).fill(-1);
  let entry = -1;
  for (let at = start; at < end;) {
    const letter = bytes[at++] ?? 0;
    let value = 0;
    for (let digit = (bytes[at] ?? 0) - 0x30; at < end && digit >= 0 && digit <= 9; digit = (bytes[at] ?? 0) - 0x30) {
      value = value * 10 + digit;
      at++;
    }
    if (letter === letterC || letter === letterF) numbers[++entry] = value;
    else if (entry >= 0 && letter === letterO) numbers[size + entry] = value;
    else if (entry >= 0 && letter === letterI) numbers[size * 2 + entry] = value;
  }
  const column = (number: number): Int32Array => numbers.subarray(size * number, size * (number + 1));
  return [column(0), column(1), column(2), column(3)];
}

const letterC = 0x43;
const letterF = 0x46;
const letterI = 0x49;
const letterO = 0x4f;
