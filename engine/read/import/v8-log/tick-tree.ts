import { NumberList } from '../../../basics/number-list.ts';
import { PairTable } from '../../../basics/pair-table.ts';
import { vmStates } from '../../samples/tiered-samples.ts';
import { type LiveCode, type Code, isBytecode } from './live-code.ts';
import type { RecordFields } from './records.ts';
import { type Ticks, logMeta, metaNames, PlaceTable, frameKind } from './v8-log.ts';
import { MAX_PROFILE_US } from '../../samples/sample-times.ts';
import { milliseconds } from '../../../../protocol/units.ts';

/** Grows the tree of all stacks. A node is a place below a node. */
export class TickTree {
  readonly #seen = new SeenPlaces();
  readonly nodes = new PairTable(1024);
  readonly ticks: Ticks = { times: new NumberList(), nodes: new NumberList(), states: new NumberList() };
  backwards = 0;
  #latest = -Infinity;
  #began = 0;
  readonly #code: LiveCode;
  readonly #before: LastFrames;
  /** Frames of the current tick that the last one does not have, innermost first. Never shortened, to be reused. */
  readonly #codes: (Code | undefined)[] = [];
  readonly #offsets: number[] = [];
  readonly #lengths: number[] = [];

  constructor(code: LiveCode) {
    this.#code = code;
    this.#before = new LastFrames(code);
    for (const fn of metaNames.keys())
      this.nodes.numberOf(-1, this.#seen.table.places.numberOf(frameKind(fn, 0, false, false), -1));
  }

  get places(): PairTable {
    return this.#seen.table.places;
  }

  /**
   * Reads `tick,PC,TIME,IS_EXTERNAL,TOP_OR_CALLBACK,STATE,FRAMES…`; false where it cannot be read. `interval`: µs
   * between two ticks; null where a late tick does not mean that the thread waited.
   */
  take(fields: RecordFields, interval: number | null): boolean {
    const pc = fields.hex();
    const time = fields.decimal();
    const isExternal = fields.decimal();
    const callback = fields.hex();
    const state = fields.decimal();
    if (Number.isNaN(pc + isExternal + callback + state) || !(time < MAX_PROFILE_US) || this.nodes.size > MAX_NODES)
      return false;
    // In a C++ function, the program counter is inside of it, and the callback is its address. Neither is JavaScript.
    const leaf = isExternal === 0 ? this.#code.find(pc) : undefined;
    const isIdle = state === vmStates.idle || state === vmStates.idleExternal;
    if (interval !== null) this.#addWait(time, isIdle, interval);
    const meta = state === vmStates.gc ? logMeta.gc : isIdle ? logMeta.idle : logMeta.program;
    const node = this.#nodeOf(fields, leaf, pc - (leaf?.start ?? 0));
    this.#add(time, state, state === vmStates.gc || node === -1 ? meta : node);
    return true;
  }

  /** The log of another isolate begins, with its own times. */
  restart(): void {
    this.#began = Math.max(0, this.#latest);
  }

  /**
   * Adds an idle tick before a late one: on Linux, Node blocks the sampler's signal while its loop waits. Up to Node 24
   * the first tick after a wait is idle.
   */
  #addWait(sinceBegin: number, isIdle: boolean, interval: number): void {
    const gap = this.#began + sinceBegin - this.#latest;
    const longest = isIdle ? 2 * interval : Math.max(MAX_GAP, 3 * interval);
    if (gap > longest && gap < Infinity) this.#add(this.#latest + interval - this.#began, vmStates.idle, logMeta.idle);
  }

  #add(sinceBegin: number, state: number, node: number): void {
    const time = this.#began + sinceBegin;
    if (time < this.#latest) this.backwards++;
    this.#latest = Math.max(this.#latest, time);
    this.ticks.times.push(this.#latest);
    this.ticks.states.push(state & 0xff);
    this.ticks.nodes.push(node);
  }

  /** Node of the stack; −1 where no frame is JavaScript. */
  #nodeOf(fields: RecordFields, leaf: Code | undefined, leafOffset: number): number {
    const { bytes, at, end } = fields;
    const from = Math.min(at - 1, end); // This is the comma before them.
    const known = this.#before.leaveCommon(bytes, from, end);
    const count = this.#readFrames(fields, end - known);
    let node = this.#before.node;
    for (let frame = count - 1; frame >= 0; frame--) {
      node = this.#under(node, this.#codes[frame], this.#offsets[frame] ?? 0);
      this.#before.add(this.#lengths[frame] ?? 0, node);
    }
    return this.#under(node, leaf, leafOffset);
  }

  /** Reads frames up to there, and gives their number. The outer ones are those of the tick before. */
  #readFrames(fields: RecordFields, stop: number): number {
    let count = 0;
    for (; fields.at < stop; count++) {
      const start = fields.at;
      const address = fields.hex();
      const code = this.#code.find(address);
      this.#codes[count] = code;
      // What follows a call may begin right behind it.
      this.#offsets[count] = code === undefined ? 0 : address - code.start - (isBytecode(code) ? 0 : 1);
      this.#lengths[count] = fields.at - start;
    }
    return count;
  }

  #under(above: number, code: Code | undefined, offset: number): number {
    if (code === undefined || code.kind < 0) return above;
    let node = above;
    const { lists } = this.#seen.table;
    for (let list = this.#seen.framesAt(code, offset); list !== -1; list = lists.secondOf(list))
      node = this.nodes.numberOf(node, lists.firstOf(list));
    return node;
  }
}

/** A call with ticks further apart than this, in µs, on a busy machine is split: better than a hold that never was. */
const MAX_GAP = milliseconds(10);

/** Twenty times as many nodes as the largest programs have. */
const MAX_NODES = 8e6;

/**
 * The frames of the last tick. Outer frames that the next tick shares (nine tenths, in deep stacks) are not read again.
 */
class LastFrames {
  readonly #code: LiveCode;
  /** Frames are at the end of this memory, so what the next tick shares with them stays in place. */
  #bytes = new Uint8Array(1 << 12);
  #size = 0;
  /** As long as no code goes, an address means the same. */
  #version = -1;
  /** By frame, outermost first: bytes from its comma to the end, and its node. Older ones are behind `#depth`. */
  readonly #distances: number[] = [];
  readonly #nodes: number[] = [];
  #depth = 0;

  constructor(code: LiveCode) {
    this.#code = code;
  }

  /** Node of the innermost frame that is left; −1 where none is JavaScript. */
  get node(): number {
    return this.#depth === 0 ? -1 : (this.#nodes[this.#depth - 1] ?? -1);
  }

  /** Keeps those frames that are at the end of these bytes, too, and gives how many bytes they take. */
  leaveCommon(bytes: Uint8Array, from: number, end: number): number {
    if (this.#version !== this.#code.version) this.#depth = 0;
    this.#version = this.#code.version;
    const size = end - from;
    if (size > this.#bytes.length) this.#forget(size);
    const own = this.#bytes;
    const last = own.length - 1;
    const most = Math.min(size, this.#size);
    let equal = 0;
    while (equal < most && bytes[end - 1 - equal] === own[last - equal]) equal++;
    for (let at = equal; at < size; at++) own[last - at] = bytes[end - 1 - at] ?? 0;
    this.#size = size;
    while (this.#depth > 0 && (this.#distances[this.#depth - 1] ?? 0) > equal) this.#depth--;
    return this.#innermostDistance();
  }

  /** Adds a frame inside the existing ones. `length` is in bytes, one comma included. */
  add(length: number, node: number): void {
    this.#distances[this.#depth] = this.#innermostDistance() + length;
    this.#nodes[this.#depth] = node;
    this.#depth++;
  }

  #innermostDistance(): number {
    return this.#depth === 0 ? 0 : (this.#distances[this.#depth - 1] ?? 0);
  }

  #forget(size: number): void {
    this.#bytes = new Uint8Array(size * 2);
    this.#size = 0;
  }
}

/** The places in code at which ticks were. Each is looked up once: a log has few of them and many ticks. */
class SeenPlaces {
  readonly table = new PlaceTable();
  /** Number of the code's positions, and offset in the code. */
  readonly #seen = new PairTable(1024);
  readonly #lists: number[] = [];

  /** The frames at a place in code, as the number of a list in the table. */
  framesAt({ positions, kind }: Code, offset: number): number {
    const place = this.#seen.numberOf(positions.number, offset);
    const known = this.#lists[place];
    if (known !== undefined) return known;
    const list = positions.framesAt(offset, kind, this.table);
    this.#lists.push(list);
    return list;
  }
}
