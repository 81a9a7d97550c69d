import { isList, isRecord, numberOf, positionOf } from '../../../protocol/json-value.ts';
import { CallFrames } from './call-frames.ts';
import { bad, endOfValue, longestText, valueOf } from './json-bytes.ts';
import { NumberList } from '../../basics/number-list.ts';

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
  /** One of them is longer than any text. */
  isTooLong = false;

  /** Twenty times as many as the largest programs have: what is made of each takes a kilobyte. */
  get isTooMany(): boolean {
    return this.ids.size > mostNodes || this.callFrames.frames.length > mostFrames;
  }

  /**
   * Takes in what stands at `from`, node or not, however it is written; answers the position behind it. What writers
   * of profiles write, `PlainReader` has taken in before.
   */
  read(bytes: Uint8Array, from: number): number {
    const end = endOfValue(bytes, from);
    if (end < 0) return end;
    const value = valueOf(bytes, from, end);
    this.isTooLong ||= end - from > longestText;
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
    const children = isList(node['children']) ? node['children'] : [];
    for (const child of children) if (typeof child === 'number') this.children.push(child);
    const ticks = isList(node['positionTicks']) ? node['positionTicks'].filter(isRecord) : [];
    for (const tick of ticks) {
      this.tickLines.push(Math.max(0, positionOf(tick['line']))); // Counted from 1; 0 is none.
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

const mostNodes = 8e6;
/** Different ones. */
const mostFrames = 600_000;
