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

  /** They stand in a record of their own, behind that of the code: true where a tick came in between. */
  tell(texts: PositionTexts): boolean {
    const isLate = this.#read !== null;
    this.#texts = texts;
    this.#read = null;
    return isLate;
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
  readonly inlined: Entries;
  readonly functions: Int32Array;
  /** By entry plus 1, 0 for what comes before the first. */
  readonly frames: (readonly number[] | undefined)[];
}

function framesOf(read: ReadPositions, entry: number, kind: number, place: NumberPlace): readonly number[] {
  const { inlined, functions } = read;
  let offset = read.offsets[entry] ?? -1;
  let call = read.inlinedAt[entry] ?? -1;
  const frames: number[] = [];
  while (call >= 0 && call < inlined.first.length) {
    const fn = functions[inlined.first[call] ?? -1] ?? -1;
    if (fn !== -1) frames.push(place(frameKind(fn, tierOf(kind), true, false), offset));
    offset = inlined.second[call] ?? -1;
    const into = inlined.third[call] ?? -1;
    call = into < call ? into : -1; // None is inlined into a later one: no circle.
  }
  return [place(kind, offset), ...frames.toReversed()];
}

function readPositions(texts: PositionTexts | null): ReadPositions {
  const entries = new Entries(texts?.positions);
  return {
    pcs: entries.first,
    offsets: entries.second,
    inlinedAt: entries.third,
    inlined: new Entries(texts?.inlined),
    functions: texts?.functions ?? new Int32Array(0),
    frames: [],
  };
}

/** Three numbers each, a letter in front of each number; the third, after an `I`, may be missing: −1. */
class Entries {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly third: Int32Array;

  constructor(text: Uint8Array = new Uint8Array(0)) {
    let size = 0;
    for (const byte of text) if (byte === letterC || byte === letterF) size++;
    this.first = new Int32Array(size);
    this.second = new Int32Array(size).fill(-1);
    this.third = new Int32Array(size).fill(-1);
    this.#read(text);
  }

  #read(text: Uint8Array): void {
    let entry = -1;
    for (let at = 0; at < text.length;) {
      const letter = text[at++] ?? 0;
      let value = 0;
      for (let digit = (text[at] ?? 0) - 0x30; digit >= 0 && digit <= 9; digit = (text[at] ?? 0) - 0x30) {
        value = value * 10 + digit;
        at++;
      }
      if (letter === letterO) this.second[entry] = value;
      else if (letter === letterI) this.third[entry] = value;
      else if (letter === letterC || letter === letterF) this.first[++entry] = value;
    }
  }
}

const letterC = 0x43;
const letterF = 0x46;
const letterI = 0x49;
const letterO = 0x4f;
