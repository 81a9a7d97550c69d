import { NumberList } from '../profile/number-list.ts';
import { longestProfile } from '../profile/plausible-time.ts';
import { PairTable } from '../samples/pair-table.ts';
import { vmStates } from '../samples/tiered-samples.ts';
import { type Code, frameKind } from './code.ts';
import type { LiveCode } from './live-code.ts';
import type { RecordFields } from './record-fields.ts';
import { PlaceTable } from './place-table.ts';
import { type Ticks, logMeta, metaNames } from './v8-log.ts';

/** Grows the tree of all stacks: a node is a place under a node. */
export class TickTree {
  readonly #places = new PlaceTable();
  readonly nodes = new PairTable(1024);
  readonly ticks: Ticks = { times: new NumberList(), nodes: new NumberList(), states: new NumberList() };
  backwards = 0;
  #latest = -Infinity;
  #began = 0;
  readonly #code: LiveCode;
  readonly #before: LastFrames;
  /** Frames of the tick at hand that the one before has not, innermost first. */
  readonly #codes: (Code | undefined)[] = [];
  readonly #offsets: number[] = [];
  readonly #lengths: number[] = [];

  constructor(code: LiveCode) {
    this.#code = code;
    this.#before = new LastFrames(code);
    for (const fn of metaNames.keys()) this.nodes.numberOf(-1, this.#places.number(frameKind(fn, 0, false, false), -1));
  }

  get places(): PairTable {
    return this.#places.places;
  }

  /** `tick,PC,TIME,IS_EXTERNAL,TOP_OR_CALLBACK,STATE,FRAMES…`; false where it cannot be read. */
  take(fields: RecordFields): boolean {
    const pc = fields.hex();
    const time = fields.decimal();
    const isExternal = fields.decimal();
    const callback = fields.hex();
    const state = fields.decimal();
    if (Number.isNaN(pc + isExternal + callback + state) || !(time < longestProfile)) return false;
    // In a function of C++, the program counter is a place in it: its address is the callback's.
    const leaf = isExternal === 0 ? this.#code.find(pc) : undefined;
    this.#add(time, state, this.#nodeOf(fields, leaf, pc - (leaf?.start ?? 0)));
    return true;
  }

  /** The log of another isolate begins: its times are told from here on. */
  restart(): void {
    this.#began = Math.max(0, this.#latest);
  }

  #add(sinceBegin: number, state: number, node: number): void {
    const time = this.#began + sinceBegin;
    if (time < this.#latest) this.backwards++;
    this.#latest = Math.max(this.#latest, time);
    const isIdle = state === vmStates.idle || state === vmStates.idleExternal;
    const meta = isIdle ? logMeta.idle : logMeta.program;
    this.ticks.times.push(this.#latest);
    this.ticks.states.push(state & 0xff);
    this.ticks.nodes.push(state === vmStates.gc ? logMeta.gc : node === -1 ? meta : node);
  }

  /** −1 where no frame is of JavaScript. */
  #nodeOf(fields: RecordFields, leaf: Code | undefined, leafOffset: number): number {
    const { bytes, at, end } = fields;
    const from = Math.min(at - 1, end); // The comma in front of them.
    const common = this.#before.commonWith(bytes, from, end);
    this.#readFrames(fields, end - common);
    let node = this.#before.node;
    for (let frame = this.#codes.length - 1; frame >= 0; frame--) {
      node = this.#under(node, this.#codes[frame], this.#offsets[frame] ?? 0);
      this.#before.add(this.#lengths[frame] ?? 0, node);
    }
    this.#before.keep(bytes, from, end);
    return this.#under(node, leaf, leafOffset);
  }

  /** Up to there; the outer ones are those of the tick before. */
  #readFrames(fields: RecordFields, stop: number): void {
    this.#codes.length = 0;
    this.#offsets.length = 0;
    this.#lengths.length = 0;
    while (fields.at < stop) {
      const start = fields.at;
      const address = fields.hex();
      const code = this.#code.find(address);
      this.#codes.push(code);
      // Behind a call may begin what comes after it.
      this.#offsets.push(code === undefined ? 0 : address - code.start - (code.isBytecode ? 0 : 1));
      this.#lengths.push(fields.at - start);
    }
  }

  #under(above: number, code: Code | undefined, offset: number): number {
    if (code === undefined || code.kind < 0) return above;
    let node = above;
    let list = code.positions.framesAt(offset, code.kind, this.#places);
    for (; list !== -1; list = this.#places.insideOf(list))
      node = this.nodes.numberOf(node, this.#places.outermostOf(list));
    return node;
  }
}

/**
 * The frames of the last tick. What the next one has in common with them, the outer frames, is neither read nor looked up
 * again: of a deep stack, nine tenths.
 */
class LastFrames {
  readonly #code: LiveCode;
  #bytes = new Uint8Array(1 << 12);
  #size = 0;
  /** As long as no code goes, an address stays what it was. */
  #version = -1;
  /** Outermost first: bytes from the frame's comma to the end, and its node. */
  readonly #distances: number[] = [];
  readonly #nodes: number[] = [];

  constructor(code: LiveCode) {
    this.#code = code;
  }

  /** Of the innermost frame that is left; −1 where there is none of JavaScript. */
  get node(): number {
    return this.#nodes.at(-1) ?? -1;
  }

  /** Leaves those frames that stand at the end of these bytes too: how many bytes they take. */
  commonWith(bytes: Uint8Array, from: number, end: number): number {
    if (this.#version !== this.#code.version) this.#distances.length = 0;
    this.#version = this.#code.version;
    const own = this.#bytes;
    const most = Math.min(end - from, this.#size);
    let equal = 0;
    while (equal < most && bytes[end - 1 - equal] === own[this.#size - 1 - equal]) equal++;
    while ((this.#distances.at(-1) ?? 0) > equal) this.#distances.pop();
    this.#nodes.length = this.#distances.length;
    return this.#distances.at(-1) ?? 0;
  }

  /** A frame inside those that are there; `length` in bytes, one comma too. */
  add(length: number, node: number): void {
    this.#distances.push((this.#distances.at(-1) ?? 0) + length);
    this.#nodes.push(node);
  }

  keep(bytes: Uint8Array, from: number, end: number): void {
    if (end - from > this.#bytes.length) this.#bytes = new Uint8Array((end - from) * 2);
    this.#bytes.set(bytes.subarray(from, end));
    this.#size = end - from;
  }
}
