import { frameKind, tierOf } from './code.ts';
import { lastUpTo } from './last-up-to.ts';

/** Numbers a frame's kind at an offset of its script: a *place*. −1: an offset that is not known. */
export type NumberPlace = (kind: number, offset: number) => number;

/** As they stood in the log, and the functions that are inlined (−1 of one that nobody knows). */
export interface PositionTexts {
  readonly positions: Uint8Array;
  readonly inlined: Uint8Array;
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

  /** They stand in a record of their own, behind that of the code. */
  tell(texts: PositionTexts): void {
    this.#texts = texts;
    this.#read = null;
  }

  /** The frames at that byte of the code, outermost first: the code's own, then what is inlined into it. */
  framesAt(pcOffset: number, kind: number, place: NumberPlace): readonly number[] {
    this.#read ??= readPositions(this.#texts);
    const entry = lastUpTo(this.#read.pcs, pcOffset);
    const known = this.#read.frames[entry + 1] ?? framesOf(this.#read, entry, kind, place);
    this.#read.frames[entry + 1] = known;
    return known;
  }
}

interface ReadPositions {
  /** Ascending. */
  readonly pcs: Int32Array;
  readonly offsets: Int32Array;
  /** Number of the inlined call; −1 where the code's own text runs. */
  readonly inlinedAt: Int32Array;
  /** For each inlined call: index of its function, offset of the call, number of what it is itself inlined into or −1. */
  readonly inlined: Int32Array;
  readonly functions: Int32Array;
  /** By entry plus 1, 0 for what comes before the first. */
  readonly frames: (readonly number[] | undefined)[];
}

function framesOf(read: ReadPositions, entry: number, kind: number, place: NumberPlace): readonly number[] {
  let offset = read.offsets[entry] ?? -1;
  let inlined = read.inlinedAt[entry] ?? -1;
  const frames: number[] = [];
  while (inlined >= 0 && inlined * 3 < read.inlined.length) {
    const fn = read.functions[read.inlined[inlined * 3] ?? -1] ?? -1;
    if (fn !== -1) frames.push(place(frameKind(fn, tierOf(kind), true, false), offset));
    offset = read.inlined[inlined * 3 + 1] ?? -1;
    const into = read.inlined[inlined * 3 + 2] ?? -1;
    inlined = into < inlined ? into : -1; // None is inlined into a later one: no circle.
  }
  return [place(kind, offset), ...frames.toReversed()];
}

function readPositions(texts: PositionTexts | null): ReadPositions {
  const triples = readTriples(texts?.positions);
  const column = (number: number): Int32Array =>
    Int32Array.from({ length: triples.length / 3 }, (_, entry) => triples[entry * 3 + number] ?? 0);
  return {
    pcs: column(0),
    offsets: column(1),
    inlinedAt: column(2),
    inlined: readTriples(texts?.inlined),
    functions: texts?.functions ?? new Int32Array(0),
    frames: [],
  };
}

/** Three numbers, a letter in front of each; the third, after an `I`, may be missing: −1. */
function readTriples(text: Uint8Array = new Uint8Array(0)): Int32Array {
  const numbers: number[] = [];
  for (let at = 0; at < text.length;) {
    const letter = text[at++] ?? 0;
    let value = 0;
    for (let digit = (text[at] ?? 0) - 0x30; digit >= 0 && digit <= 9; digit = (text[at] ?? 0) - 0x30) {
      value = value * 10 + digit;
      at++;
    }
    if (letter === letterI) numbers[numbers.length - 1] = value;
    else if (letter === letterO) numbers.push(value, -1);
    else numbers.push(value);
  }
  return Int32Array.from(numbers.slice(0, numbers.length - (numbers.length % 3)));
}

const letterI = 0x49;
const letterO = 0x4f;
