import { firstFrom } from '../../../basics/lists.ts';
import { type PlaceTable, frameKind, tierOf } from './v8-log.ts';

/** Where in its script each part of a code object is, and what is inlined there. */
export class CodePositions {
  number: number;
  #texts: PositionTexts | null = null;
  #isRead = false;
  /** Marks in long texts; null until they are asked for. */
  #marks: Marks | null = null;

  constructor(number: number) {
    this.number = number;
  }

  /** Adds the positions, which follow the code in a record of their own. True where a tick came between the two. */
  set(texts: PositionTexts, number: number): boolean {
    this.#texts = texts;
    this.#marks = null;
    this.number = number;
    return this.#isRead;
  }

  /** The frames at that byte, as the number of a list. Reads the text each time: arrays took more memory. */
  framesAt(pcOffset: number, kind: number, { places, lists }: PlaceTable): number {
    this.#isRead = true;
    const texts = this.#texts;
    const position = texts === null ? null : positionAt(texts, pcOffset, this.#startFor(texts, pcOffset));
    if (texts === null || position === null) return lists.numberOf(places.numberOf(kind, -1), -1);
    if (position.inlined === -1) return lists.numberOf(places.numberOf(kind, position.offset), -1);
    return listOf(texts, position, kind, { places, lists });
  }

  /** Where to begin reading. Reading a very long text from its begin for each offset would take too long. */
  #startFor(texts: PositionTexts, pcOffset: number): number {
    if (texts.length <= MARK_DISTANCE) return texts.kept.start;
    const { at, upTo } = (this.#marks ??= marksOf(texts));
    return at[firstFrom(upTo, pcOffset + 1) - 1] ?? texts.kept.start;
  }
}

/** Texts of positions as in the log: the first bytes are the positions, and behind a comma is what is inlined. */
interface PositionTexts {
  readonly kept: KeptBytes;
  /** Number of bytes that are positions. */
  readonly length: number;
  /** Functions that are inlined; −1 for an unknown one. */
  readonly functions: Int32Array;
}

/** Places in a long text at which reading may begin, each with the largest byte of the code up to there. */
interface Marks {
  readonly at: readonly number[];
  readonly upTo: readonly number[];
}

function marksOf({ kept: { bytes, start }, length }: PositionTexts): Marks {
  const marks = { at: [start], upTo: [-1] };
  let most = -1;
  let next = start + MARK_DISTANCE;
  for (let at = start; at < start + length;) {
    const letter = bytes[at] ?? 0;
    const here = at;
    let value = 0;
    for (let digit = (bytes[++at] ?? 0) - 0x30; digit >= 0 && digit <= 9; digit = (bytes[++at] ?? 0) - 0x30) {
      value = value * 10 + digit;
    }
    if (letter !== letterC) continue;
    most = Math.max(most, value);
    if (here < next) continue;
    marks.at.push(here);
    marks.upTo.push(most);
    next = here + MARK_DISTANCE;
  }
  return marks;
}

/** In bytes. */
const MARK_DISTANCE = 1 << 12;

/** `inlined` is the number of the inlined call; −1 where the code's own text runs. */
interface Position {
  readonly offset: number;
  readonly inlined: number;
}

/** The last position that begins at or before that byte of the code. Positions are ascending. */
function positionAt(
  { kept: { bytes, start }, length }: PositionTexts,
  pcOffset: number,
  from: number,
): Position | null {
  let [isFound, offset, inlined] = [false, -1, -1];
  for (let at = from; at < start + length;) {
    const letter = bytes[at++] ?? 0;
    let value = 0;
    for (let digit = (bytes[at] ?? 0) - 0x30; digit >= 0 && digit <= 9; digit = (bytes[++at] ?? 0) - 0x30) {
      value = value * 10 + digit;
    }
    if (letter === letterC) {
      if (value > pcOffset) break;
      [isFound, offset, inlined] = [true, -1, -1];
    } else if (letter === letterO) offset = value;
    else if (letter === letterI) inlined = value;
  }
  return isFound ? { offset, inlined } : null;
}

/** Number of the list of frames, innermost first: a list grows at its outer end. */
function listOf(
  texts: PositionTexts,
  { offset: own, inlined }: Position,
  kind: number,
  { places, lists }: PlaceTable,
): number {
  let offset = own;
  let list = -1;
  let depth = 0;
  for (let call = inlined; call >= 0 && depth < MAX_INLINED_DEPTH; depth++) {
    const found = inlinedCall(texts, call);
    if (found === null) break;
    const fn = texts.functions[found.called] ?? -1;
    if (fn !== -1) list = lists.numberOf(places.numberOf(frameKind(fn, tierOf(kind), true, false), offset), list);
    offset = found.offset;
    call = found.into < call ? found.into : -1; // A call is never inlined into a later one, so there is no circle.
  }
  return lists.numberOf(places.numberOf(kind, offset), list);
}

/** V8 limits how much it inlines into one function, so it stays below this depth. */
const MAX_INLINED_DEPTH = 256;

/** `called`: the function; −1 if not JavaScript. `into`: number of the call into which this is inlined; −1 for none. */
function inlinedCall({ kept: { bytes, start, end }, length }: PositionTexts, number: number) {
  let at = start + length;
  for (let before = -1; before < number && at !== -1; before++) at = bytes.indexOf(letterF, at + 1);
  if (at === -1 || at >= end) return null;
  const text = String.fromCharCode(...bytes.subarray(at, Math.min(at + MAX_CALL_BYTES, end)));
  const [, called = '', offset = '-1', into = '-1'] = /^F(\d*)(?:O(\d+))?(?:I(\d+))?/.exec(text) ?? [];
  return { called: called === '' ? -1 : Number(called), offset: Number(offset), into: Number(into) };
}

/** Three letters, and numbers below 2^53. */
const MAX_CALL_BYTES = 51;
const letterC = 0x43;
const letterF = 0x46;
const letterI = 0x49;
const letterO = 0x4f;

/** Keeps short pieces of bytes side by side in blocks. A block is freed when none of its pieces is in use any more. */
export class ByteStore {
  #block: Uint8Array = new Uint8Array(0);
  #used = 0;

  keep(bytes: Uint8Array, from: number, to: number): KeptBytes {
    const size = to - from;
    if (this.#used + size > this.#block.length) {
      this.#block = new Uint8Array(Math.max(BLOCK_BYTES, size));
      this.#used = 0;
    }
    const start = this.#used;
    this.#block.set(bytes.subarray(from, to), start);
    this.#used += size;
    return { bytes: this.#block, start, end: start + size };
  }
}

/** A piece of `bytes`, from `start` up to `end`. */
interface KeptBytes {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

const BLOCK_BYTES = 1 << 16;
