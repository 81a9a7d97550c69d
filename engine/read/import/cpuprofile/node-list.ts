import { isRecord, listOf, numberOf, positionOf, textOf, type Fields } from '../../../../protocol/json-value.ts';
import { bad, endOfValue, MAX_TEXT_BYTES, valueOf } from './json-bytes.ts';
import { NumberList } from '../../../basics/number-list.ts';
import { boundedText } from '../../files/file-path.ts';
import type { ProfileFrame } from '../../samples/cpu-profile.ts';

/** In the order of the file. */
export class NodeList {
  readonly ids = new NumberList();
  /** Index into the call frames, by node. */
  readonly frame = new NumberList();
  readonly callFrames = new CallFrames();
  /** Ids of all children; those of node `n` end at `childrenEnd[n]`. */
  readonly children = new NumberList();
  readonly childrenEnd = new NumberList();
  /** Nodes that name their parent, and the parents' ids. */
  readonly named = new NumberList();
  readonly namedParents = new NumberList();
  /** Lines of all ticks; those of node `n` end at `ticksEnd[n]`. */
  readonly tickLines = new NumberList();
  readonly tickCounts = new NumberList();
  readonly ticksEnd = new NumberList();
  /** True where one of the elements was not a node. */
  isDamaged = false;
  /** True where one of them is longer than the longest string. */
  isTooLong = false;

  /** Whether there are twenty times as many nodes as in the largest programs. The analysis needs 1 KB for each. */
  get isTooMany(): boolean {
    return this.ids.size > MAX_NODES || this.callFrames.frames.length > MAX_FRAMES;
  }

  /**
   * Reads any element at `from`, written in any way; returns the position behind it. `PlainReader` has read usual ones.
   */
  read(bytes: Uint8Array, from: number): number {
    const end = endOfValue(bytes, from);
    if (end < 0) return end;
    const value = valueOf(bytes, from, end);
    this.isTooLong ||= end - from > MAX_TEXT_BYTES;
    if (value === undefined) return bad;
    this.#add(value);
    return end;
  }

  #add(node: unknown): void {
    const id = isRecord(node) ? node['id'] : undefined;
    const callFrame = isRecord(node) ? node['callFrame'] : undefined;
    if (!isRecord(node) || typeof id !== 'number' || !isRecord(callFrame)) {
      this.isDamaged = true;
      return;
    }
    for (const child of listOf(node['children'])) if (typeof child === 'number') this.children.push(child);
    const ticks = listOf(node['positionTicks']).filter(isRecord);
    for (const tick of ticks) {
      this.tickLines.push(Math.max(0, positionOf(tick['line']))); // Lines count from 1; 0 is none.
      this.tickCounts.push(numberOf(tick['ticks'], 0));
    }
    const parent = numberOf(node['parent'], Number.NaN);
    if (!Number.isNaN(parent)) {
      this.named.push(this.ids.size);
      this.namedParents.push(parent);
    }
    this.ids.push(id);
    this.frame.push(this.callFrames.add(callFrame));
    this.childrenEnd.push(this.children.size);
    this.ticksEnd.push(this.tickLines.size);
  }
}

const MAX_NODES = 8e6;
const MAX_FRAMES = 600_000;

export class CallFrames {
  readonly frames: ProfileFrame[] = [];
  readonly #known = new Map<string, number>();

  add(callFrame: Fields): number {
    return this.addFrame(frameOf(callFrame));
  }

  addFrame(found: ProfileFrame): number {
    const key = `${found.line}:${found.column}:${found.functionName}\n${found.url}`;
    const number = this.#known.get(key) ?? this.frames.push(found) - 1;
    this.#known.set(key, number);
    return number;
  }
}

function frameOf(given: Fields): ProfileFrame {
  return {
    functionName: boundedText(textOf(given['functionName'])),
    url: boundedText(textOf(given['url'])),
    line: positionOf(given['lineNumber']),
    column: positionOf(given['columnNumber']),
  };
}
