import { assembleProfile } from './assemble-profile.ts';
import type { DecodedProfile } from '../../samples/cpu-profile.ts';
import * as json from './json-bytes.ts';
import { afterSpace, bad, more, readNumbers } from './json-bytes.ts';
import { NodeList } from './node-list.ts';
import { NumberList } from '../../../basics/number-list.ts';
import { type PlainReader, createPlainReader } from './plain-reader.ts';
import { WaitingBytes } from '../../files/opened-file.ts';
import type { ProfileDamage } from '../../../../words/warnings/file-warnings.ts';

/** Reads what is complete at `from`. The result is the position behind it, else `more` or `bad`. */
type Step = (bytes: Uint8Array, from: number) => number;

/**
 * Decodes a `.cpuprofile` piece by piece; what is incomplete waits for the next bytes. Memory grows with nodes and
 * samples, not with bytes. Unknown keys are skipped; of equal keys, the last counts.
 */
export class ProfileDecoder {
  #nodes: NodeList | null = null;
  #samples = new NumberList();
  #deltas = new NumberList();
  #startTime: unknown;
  #endTime: unknown;
  #step: Step;
  #state: 'nothing' | 'inside' | 'whole' | 'bad' = 'nothing';
  #isObject = false;
  #isFollowed = false;
  #firstKey: unknown;
  /** The last byte that is not white space. */
  #lastByte = 0;
  readonly #plain: PlainReader | null;
  readonly #waiting: WaitingBytes;

  /** `plain` reads faster, with the same result. Without it, everything is parsed as JSON. */
  constructor(plain = createPlainReader()) {
    this.#plain = plain;
    this.#waiting = new WaitingBytes(plain?.window);
    this.#step = this.#begin;
  }

  push(chunk: Uint8Array): void {
    this.#lastByte = chunk[chunk.findLastIndex((byte) => !json.isSpace(byte))] ?? this.#lastByte;
    if (this.#state !== 'bad') this.#waiting.push(chunk, this.#take);
  }

  /** Must be called once, after the last piece. */
  finish(): DecodedProfile {
    if (this.#state !== 'bad') this.#take(this.#waiting.last());
    const damage = this.#damage();
    if (damage !== null) return { type: 'damaged', damage };
    if (this.#nodes === null) return { type: 'damaged', damage: this.#isFollowed ? 'notJson' : 'otherJson' };
    const given = { deltas: this.#deltas, startTime: this.#startTime, endTime: this.#endTime };
    return assembleProfile(this.#nodes, this.#samples, given, this.#isFollowed);
  }

  #damage(): ProfileDamage | null {
    if (this.#state === 'nothing') return 'empty';
    if (this.#state === 'whole') return null;
    if (this.#nodes?.isTooLong === true) return 'tooLong';
    if (this.#nodes?.isTooMany === true) return 'tooMany';
    const isCut = this.#firstKey === 'nodes' || (this.#isObject && this.#lastByte !== json.closeBrace);
    return isCut ? 'cutOff' : 'notJson';
  }

  /** Number of bytes that could be read. */
  readonly #take = (bytes: Uint8Array): number => {
    let at = 0;
    while (this.#state !== 'bad') {
      const next = this.#step(bytes, at);
      // White space never waits, so a gigabyte of it takes no memory.
      if (next === more) return afterSpace(bytes, at);
      if (next === bad) this.#state = 'bad';
      at = next;
    }
    return bytes.length;
  };

  // These are the steps. Each one says which one comes next.

  readonly #begin: Step = (bytes, from) => {
    if (from === bytes.length) return more;
    if (bytes[from] === byteOrderMark[0] && bytes.length - from < byteOrderMark.length) return more;
    const isMarked = byteOrderMark.every((byte, index) => bytes[from + index] === byte);
    this.#step = this.#start;
    return isMarked ? from + byteOrderMark.length : from;
  };

  readonly #start: Step = (bytes, from) => {
    const start = afterSpace(bytes, from);
    if (start === bytes.length) return more;
    this.#state = 'inside';
    this.#isObject = bytes[start] === json.openBrace;
    if (!this.#isObject) return this.#otherValue(bytes, start, this.#end, () => undefined);
    this.#step = this.#firstMember;
    return start + 1;
  };

  readonly #end: Step = (bytes, from) => {
    this.#state = 'whole';
    if (afterSpace(bytes, from) === bytes.length) return more;
    this.#isFollowed = true;
    this.#step = this.#behind;
    return bytes.length;
  };

  readonly #behind: Step = (bytes, from) => (from === bytes.length ? more : bytes.length);

  readonly #firstMember: Step = (bytes, from) => {
    const start = afterSpace(bytes, from);
    if (start === bytes.length) return more;
    const isEmpty = bytes[start] === json.closeBrace;
    this.#step = isEmpty ? this.#end : this.#member;
    return isEmpty ? start + 1 : start;
  };

  readonly #member: Step = (bytes, from) => {
    const start = afterSpace(bytes, from);
    if (start === bytes.length) return more;
    const end = bytes[start] === json.quote ? json.endOfString(bytes, start) : bad;
    if (end < 0) return end;
    const key = json.valueOf(bytes, start, end);
    if (key === undefined) return bad;
    this.#firstKey ??= key;
    const sign = afterSpace(bytes, end);
    const value = afterSpace(bytes, sign + 1);
    if (value >= bytes.length) return more;
    if (bytes[sign] !== json.colon) return bad;
    return this.#value(bytes, value, key);
  };

  #value(bytes: Uint8Array, from: number, key: unknown): number {
    const isList = bytes[from] === json.openBracket;
    switch (key) {
      case 'nodes':
        this.#nodes = isList ? new NodeList() : null;
        if (!isList) break;
        this.#step = this.#firstNode;
        return from + 1;
      case 'samples':
        this.#samples = new NumberList(new Uint16Array(64));
        if (!isList) break;
        this.#step = this.#firstNumber(this.#samples);
        return from + 1;
      case 'timeDeltas':
        // V8 writes the samples first, and then as many deltas, which become times in the same memory.
        this.#deltas = new NumberList(new Int32Array(Math.max(this.#samples.size, 64)));
        if (!isList) break;
        this.#step = this.#firstNumber(this.#deltas);
        return from + 1;
      default:
    }
    this.#step = (bytes, from) =>
      this.#otherValue(bytes, from, this.#afterMember, (value) => {
        if (key === 'startTime') this.#startTime = value;
        if (key === 'endTime') this.#endTime = value;
      });
    return from;
  }

  /** Reads a value at `from`. A list or an object is undefined. */
  #otherValue(bytes: Uint8Array, from: number, next: Step, use: (value: unknown) => void): number {
    if (json.opens(bytes[from] ?? 0)) {
      use(undefined);
      this.#step = this.#skipping(1, next);
      return from + 1;
    }
    const end = json.endOfValue(bytes, from);
    const value = end < 0 ? undefined : json.valueOf(bytes, from, end);
    if (value === undefined) return end === more ? more : bad;
    use(value);
    this.#step = next;
    return end;
  }

  #skipping(depth: number, next: Step): Step {
    const skip = json.createSkipper(depth);
    return (bytes, from) => {
      const end = skip(bytes, from);
      if (end === more) return from === bytes.length ? more : bytes.length;
      this.#step = next;
      return end;
    };
  }

  readonly #firstNode: Step = (bytes, from) => {
    const start = afterSpace(bytes, from);
    const byte = bytes[start];
    if (byte === undefined) return more;
    const isNumber = byte === json.minus || (byte >= json.zero && byte <= json.nine);
    if (isNumber) this.#nodes = null; // A heap snapshot has nodes and samples, too: lists of numbers.
    this.#step = isNumber ? this.#skipping(1, this.#afterMember) : this.#node;
    if (byte === json.closeBracket) this.#step = this.#afterMember;
    return byte === json.closeBracket ? start + 1 : start;
  };

  /** Reads plain nodes, each with the comma behind it, or any other element. */
  readonly #node: Step = (bytes, from) => {
    const start = afterSpace(bytes, from);
    if (start === bytes.length || this.#nodes === null) return start === bytes.length ? more : bad;
    // After damage, the rest of the nodes is of no use.
    if (this.#nodes.isDamaged) {
      this.#step = this.#skipping(1, this.#afterMember);
      return start;
    }
    if (this.#nodes.isTooMany) return bad;
    const plain = this.#plain?.readNodes(bytes, start, this.#nodes) ?? start;
    if (plain > start) return plain;
    const end = this.#nodes.read(bytes, start);
    if (end < 0) return end;
    this.#step = this.#afterNode;
    return end;
  };

  readonly #afterNode: Step = (bytes, from) => {
    const sign = afterSpace(bytes, from);
    if (sign === bytes.length) return more;
    this.#step = bytes[sign] === json.comma ? this.#node : this.#afterMember;
    return bytes[sign] === json.comma || bytes[sign] === json.closeBracket ? sign + 1 : bad;
  };

  #firstNumber(numbers: NumberList): Step {
    const next: Step = (bytes, from) => {
      const plain = this.#plain?.readNumbers(bytes, from, numbers) ?? from;
      const end = plain > from ? plain : readNumbers(bytes, from, numbers);
      if (end === from) return more;
      if (end !== bad && bytes[end - 1] === json.closeBracket) this.#step = this.#afterMember;
      return end;
    };
    return (bytes, from) => {
      const start = afterSpace(bytes, from);
      if (start === bytes.length) return more;
      this.#step = bytes[start] === json.closeBracket ? this.#afterMember : next;
      return bytes[start] === json.closeBracket ? start + 1 : start;
    };
  }

  readonly #afterMember: Step = (bytes, from) => {
    const sign = afterSpace(bytes, from);
    if (sign === bytes.length) return more;
    this.#step = bytes[sign] === json.comma ? this.#member : this.#end;
    return bytes[sign] === json.comma || bytes[sign] === json.closeBrace ? sign + 1 : bad;
  };
}

const byteOrderMark = [0xef, 0xbb, 0xbf];
