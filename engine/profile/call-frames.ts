import { isRecord, numberOf, textOf } from '../json-value.ts';
import type { ProfileFrame } from './cpu-profile.ts';
import { bad, closeBrace, endOfString, more, opens, quote, valueOf } from './json-bytes.ts';

/** After so many others in its place, a frame is read anew each time: no file makes the search long. */
const mostProbes = 16;

/**
 * Numbers call frames. One that was seen before is told by its bytes alone: no text is made of it. In real profiles
 * 99 of 100 are such.
 */
export class CallFrames {
  readonly frames: ProfileFrame[] = [];
  /** Number of the frame that was read last. */
  last = -1;
  readonly #known = new Map<string, number>();
  /** The distinct bytes, one after the other. */
  #texts = new Uint8Array(1 << 16);
  #textsView = new DataView(this.#texts.buffer);
  #textsEnd = 0;
  /** The bytes of which `#view` is. */
  #viewed: Uint8Array | null = null;
  #view: DataView = this.#textsView;
  /** Per number of bytes: where they begin and end, and which frame they are. */
  readonly #spans: { start: number; end: number; frame: number }[] = [];
  /** Index into the spans, plus 1, by hash. */
  #slots = new Int32Array(1 << 12);

  /** The position behind the object that opens at `from`; `bad` where it is none, or holds others. Sets `last`. */
  read(bytes: Uint8Array, from: number): number {
    for (let at = from + 1; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === quote) {
        at = endOfString(bytes, at) - 1;
        if (at < 0) return more;
      } else if (byte === closeBrace) return this.#find(bytes, from, at + 1);
      else if (opens(byte)) return bad;
    }
    return more;
  }

  add(callFrame: Readonly<Record<string, unknown>>): number {
    const found = frameOf(callFrame);
    const key = `${found.line}:${found.column}:${found.functionName}\n${found.url}`;
    const number = this.#known.get(key) ?? this.frames.push(found) - 1;
    this.#known.set(key, number);
    return number;
  }

  #find(bytes: Uint8Array, from: number, to: number): number {
    const hash = hashOf(bytes, from, to);
    const mask = this.#slots.length - 1;
    for (let probe = 0; probe < mostProbes; probe++) {
      const slot = ((Math.imul(hash, 0x9e3779b1) >>> 8) + probe) & mask;
      const number = this.#slots[slot] ?? 0;
      if (number === 0) return this.#remember(bytes, from, to, slot);
      const span = this.#spans[number - 1];
      if (span !== undefined && this.#isSame(bytes, from, to, span.start, span.end)) {
        this.last = span.frame;
        return to;
      }
    }
    return this.#parse(bytes, from, to);
  }

  /** Four bytes at once: a loop over single ones took a third of the whole time. */
  #isSame(bytes: Uint8Array, from: number, to: number, start: number, end: number): boolean {
    const length = to - from;
    if (end - start !== length) return false;
    const ours = this.#textsView;
    const theirs = this.#viewOf(bytes);
    let at = 0;
    for (; at + 4 <= length; at += 4) if (theirs.getInt32(from + at) !== ours.getInt32(start + at)) return false;
    for (; at < length; at++) if (theirs.getInt8(from + at) !== ours.getInt8(start + at)) return false;
    return true;
  }

  #viewOf(bytes: Uint8Array): DataView {
    if (this.#viewed !== bytes) {
      this.#viewed = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    return this.#view;
  }

  #parse(bytes: Uint8Array, from: number, to: number): number {
    const value = valueOf(bytes, from, to);
    if (!isRecord(value)) return bad;
    this.last = this.add(value);
    return to;
  }

  #remember(bytes: Uint8Array, from: number, to: number, slot: number): number {
    if (this.#parse(bytes, from, to) === bad) return bad;
    const start = this.#textsEnd;
    const end = start + to - from;
    if (end > this.#texts.length) {
      const grown = new Uint8Array(end * 2);
      grown.set(this.#texts);
      this.#texts = grown;
      this.#textsView = new DataView(grown.buffer);
    }
    this.#texts.set(bytes.subarray(from, to), start);
    this.#textsEnd = end;
    this.#slots[slot] = this.#spans.push({ start, end, frame: this.last });
    if (this.#spans.length * 2 > this.#slots.length) this.#widen();
    return to;
  }

  /** Empties the slots too: the bytes are met and remembered again, which is rare and simple. */
  #widen(): void {
    this.#slots = new Int32Array(this.#slots.length * 4);
    this.#spans.length = 0;
    this.#textsEnd = 0;
  }
}

/** Of the beginning, where the name is, and of the end, where line and column are: all bytes would cost twice the time. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = to - from;
  const nameEnd = Math.min(from + 48, to);
  for (let at = from + 16; at < nameEnd; at++) hash = Math.imul(hash, 31) + (bytes[at] ?? 0);
  for (let at = Math.max(from, to - 36); at < to; at++) hash = Math.imul(hash, 31) + (bytes[at] ?? 0);
  return hash;
}

function frameOf(given: Readonly<Record<string, unknown>>): ProfileFrame {
  return {
    functionName: textOf(given['functionName']),
    url: textOf(given['url']),
    line: positionOf(given['lineNumber']),
    column: positionOf(given['columnNumber']),
  };
}

/** 0-based; −1 where there is none that a file could have. */
function positionOf(value: unknown): number {
  const position = numberOf(value, -1);
  return Number.isInteger(position) && position >= 0 && position < 2 ** 31 - 1 ? position : -1;
}
