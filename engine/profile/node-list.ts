import { isList, isRecord, numberOf } from '../json-value.ts';
import { CallFrames } from './call-frames.ts';
import * as json from './json-bytes.ts';
import { afterSpace, bad } from './json-bytes.ts';
import { NumberList } from './number-list.ts';
import { endOfInteger, integerAt, readNumbers } from './read-numbers.ts';

/** The nodes of a profile as they stand in its file. */
export class NodeList {
  readonly ids = new NumberList();
  /** Index into the call frames per node. */
  readonly frame = new NumberList();
  readonly callFrames = new CallFrames();
  /** Ids; those of node `n` end at `childrenEnd[n]`. */
  readonly children = new NumberList();
  readonly childrenEnd = new NumberList();
  /** Nodes that name their parent, and its id. */
  readonly named = new NumberList();
  readonly namedParents = new NumberList();
  /** Those of node `n` end at `ticksEnd[n]`. */
  readonly tickLines = new NumberList();
  readonly tickCounts = new NumberList();
  readonly ticksEnd = new NumberList();
  /** Something among them was no node. */
  isDamaged = false;
  // Of the node that is being read; NaN and −1 as long as it names none.
  #id = Number.NaN;
  #parent = Number.NaN;
  #frame = -1;

  /** Takes in the node at `from`; answers the position behind it. */
  read(bytes: Uint8Array, from: number): number {
    const children = this.children.size;
    const ticks = this.tickLines.size;
    const plain = this.#readPlain(bytes, from);
    if (plain !== bad) return plain;
    this.children.cutTo(children);
    this.tickLines.cutTo(ticks);
    this.tickCounts.cutTo(ticks);
    return this.#readAny(bytes, from);
  }

  /**
   * A node of V8's keys alone, each once and with a value as V8 writes it, in any order: no object is made of it. `bad`
   * where it is none, or not whole.
   */
  #readPlain(bytes: Uint8Array, from: number): number {
    if (bytes[from] !== json.openBrace) return bad;
    this.#id = Number.NaN;
    this.#parent = Number.NaN;
    this.#frame = -1;
    let seen = 0;
    let at = from;
    do {
      const start = afterSpace(bytes, at + 1);
      const key = keyAt(bytes, start);
      if (key === bad || (seen & (1 << key)) !== 0) return bad;
      seen |= 1 << key;
      const sign = afterSpace(bytes, start + (keys[key]?.length ?? 0));
      if (bytes[sign] !== json.colon) return bad;
      const end = this.#readValue(bytes, afterSpace(bytes, sign + 1), key);
      if (end < 0) return bad;
      at = afterSpace(bytes, end);
    } while (bytes[at] === json.comma);
    if (bytes[at] !== json.closeBrace || Number.isNaN(this.#id) || this.#frame === -1) return bad;
    this.#add(this.#id, this.#frame, this.#parent);
    return at + 1;
  }

  #readValue(bytes: Uint8Array, from: number, key: number): number {
    switch (key) {
      case idKey:
      case parentKey:
      case hitCountKey: {
        const end = endOfInteger(bytes, from);
        if (end < 0 || key === hitCountKey) return end;
        if (key === idKey) this.#id = integerAt(bytes, from, end);
        else this.#parent = integerAt(bytes, from, end);
        return end;
      }
      case callFrameKey: {
        const end = bytes[from] === json.openBrace ? this.callFrames.read(bytes, from) : bad;
        this.#frame = this.callFrames.last;
        return end;
      }
      case childrenKey:
        return this.#readChildren(bytes, from);
      case ticksKey:
        return this.#readTicks(bytes, from);
      default:
        return readWord(bytes, from);
    }
  }

  #readChildren(bytes: Uint8Array, from: number): number {
    if (bytes[from] !== json.openBracket) return bad;
    const first = afterSpace(bytes, from + 1);
    if (bytes[first] === json.closeBracket) return first + 1;
    const end = readNumbers(bytes, first, this.children);
    return end > first && bytes[end - 1] === json.closeBracket ? end : bad;
  }

  /** `[{"line":7,"ticks":2},…]`, without white space. */
  #readTicks(bytes: Uint8Array, from: number): number {
    if (bytes[from] !== json.openBracket) return bad;
    let at = from;
    do {
      const line = after(bytes, at + 1, lineBytes);
      const lineEnd = line < 0 ? bad : endOfInteger(bytes, line);
      const ticks = lineEnd < 0 ? bad : after(bytes, lineEnd, ticksBytes);
      const ticksEnd = ticks < 0 ? bad : endOfInteger(bytes, ticks);
      if (ticksEnd < 0 || bytes[ticksEnd] !== json.closeBrace) return bad;
      this.tickLines.push(integerAt(bytes, line, lineEnd));
      this.tickCounts.push(integerAt(bytes, ticks, ticksEnd));
      at = ticksEnd + 1;
    } while (bytes[at] === json.comma);
    return bytes[at] === json.closeBracket ? at + 1 : bad;
  }

  /** Any value, node or not: through an object, as only foreign writers need. */
  #readAny(bytes: Uint8Array, from: number): number {
    const end = json.endOfValue(bytes, from);
    if (end < 0) return end;
    const value = json.valueOf(bytes, from, end);
    if (value === undefined) return bad;
    this.#addAny(value);
    return end;
  }

  #addAny(node: unknown): void {
    const id = isRecord(node) ? node['id'] : undefined;
    const callFrame = isRecord(node) ? node['callFrame'] : undefined;
    if (!isRecord(node) || typeof id !== 'number' || !isRecord(callFrame)) {
      this.isDamaged = true;
      return;
    }
    const children = isList(node['children']) ? node['children'] : [];
    for (const child of children) if (typeof child === 'number') this.children.push(child);
    const ticks = isList(node['positionTicks']) ? node['positionTicks'].filter(isRecord) : [];
    for (const tick of ticks) {
      this.tickLines.push(numberOf(tick['line'], 0));
      this.tickCounts.push(numberOf(tick['ticks'], 0));
    }
    this.#add(id, this.callFrames.add(callFrame), numberOf(node['parent'], Number.NaN));
  }

  #add(id: number, frame: number, parent: number): void {
    if (!Number.isNaN(parent)) {
      this.named.push(this.ids.size);
      this.namedParents.push(parent);
    }
    this.ids.push(id);
    this.frame.push(frame);
    this.childrenEnd.push(this.children.size);
    this.ticksEnd.push(this.tickLines.size);
  }
}

const utf8 = new TextEncoder();
const keys = ['"id"', '"callFrame"', '"hitCount"', '"children"', '"parent"', '"positionTicks"', '"deoptReason"'].map(
  (key) => utf8.encode(key),
);
const firsts = Uint8Array.from(keys, (key) => key[1] ?? 0);
const thirds = Uint8Array.from(keys, (key) => key[3] ?? 0);
const [idKey, callFrameKey, hitCountKey, childrenKey, parentKey, ticksKey] = [0, 1, 2, 3, 4, 5] as const;
const lineBytes = utf8.encode('{"line":');
const ticksBytes = utf8.encode(',"ticks":');

/** Index into `keys`; `bad` for another one. Its first and third letter tell which one it can be. */
function keyAt(bytes: Uint8Array, from: number): number {
  const first = bytes[from + 1] ?? 0;
  const third = bytes[from + 3] ?? 0;
  for (let key = 0; key < keys.length; key++) {
    if (firsts[key] !== first || thirds[key] !== third) continue;
    return after(bytes, from, keys[key] ?? lineBytes) < 0 ? bad : key;
  }
  return bad;
}

/** The position behind these bytes; `bad` where others stand. */
function after(bytes: Uint8Array, from: number, wanted: Uint8Array): number {
  for (let at = 0; at < wanted.length; at++) if (bytes[from + at] !== wanted[at]) return bad;
  return from + wanted.length;
}

/** Behind a string, number or word of no interest. */
function readWord(bytes: Uint8Array, from: number): number {
  const end = json.opens(bytes[from] ?? 0) ? bad : json.endOfValue(bytes, from);
  return end < 0 || json.valueOf(bytes, from, end) === undefined ? bad : end;
}
