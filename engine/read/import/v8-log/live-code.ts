import { clockMarker } from '../../../../protocol/recording.ts';
import { CodePositions, ByteStore } from './code-positions.ts';
import type { LogFunctions } from './log-functions.ts';
import type { LogScripts } from './log-scripts.ts';
import { type RecordFields, isFunctionRecord, tailOf } from './records.ts';
import { type ClockMarker, type LoggedCode, type LoggedDeopt, frameKind, functionOf, tierOf } from './v8-log.ts';
import { tierNumbers } from '../../samples/tiered-samples.ts';

/** The code that V8 made, moved and gave up, so far in the log. Methods return false for a record they cannot read. */
export class LiveCode {
  readonly compiled: LoggedCode[] = [];
  readonly deopts: LoggedDeopt[] = [];
  readonly markers: ClockMarker[] = [];
  #map = new CodeMap();
  #version = 0;
  #numbers = 0;
  readonly #store = new ByteStore();
  readonly #functions: LogFunctions;
  readonly #scripts: LogScripts;

  constructor(functions: LogFunctions, scripts: LogScripts) {
    this.#functions = functions;
    this.#scripts = scripts;
  }

  find(address: number): Code | undefined {
    return this.#map.find(address);
  }

  /** As long as this does not change, an address that has code has the same code. */
  get version(): number {
    return this.#version + this.#map.removals;
  }

  /** Forgets all code, because the log of another isolate begins. */
  restart(): void {
    this.#version = this.version + 1;
    this.#map = new CodeMap();
  }

  /** Reads `code-creation,TAG,KIND,TIME,ADDRESS,SIZE,NAME` and, for a function, `,SFI,MARKER`. */
  create(fields: RecordFields, from: number): boolean {
    const { bytes, end } = fields;
    const isRegExp = fields.text() === 'RegExp';
    fields.skip();
    const time = fields.decimal();
    const start = fields.hex();
    const size = fields.decimal();
    if (Number.isNaN(time + start + size) || !fields.hasMore) return false;
    if (!isFunctionRecord(bytes, from)) {
      const kind = isRegExp ? frameKind(this.#functions.addNative(`RegExp: ${fields.rest()}`), 0, false, false) : -1;
      this.#map.add({ start, size, kind, positions: new CodePositions(this.#numbers++) });
      return true;
    }
    const tail = tailOf(bytes, from, end);
    if (tail < fields.at) return false;
    fields.open(bytes, fields.at, tail);
    const name = fields.rest();
    fields.open(bytes, tail + 1, end);
    const fn = this.#functions.add(name, fields.hex());
    const marker = fields.text();
    const tier = tierOfMarker(marker);
    const kind = frameKind(fn, tier, false, marker.startsWith('o'));
    this.#map.add({ start, size, kind, positions: new CodePositions(this.#numbers++) });
    if (tier > tierNumbers.ignition) this.compiled.push({ kind, time, forOneClosure: marker.endsWith("'") });
    else this.#readMarker(name, time);
    return true;
  }

  /**
   * Reads `code-source-info,ADDRESS,SCRIPT,START,END,POSITIONS,INLINED,FUNCTIONS` of the latest code at the address.
   */
  setPositions(fields: RecordFields): boolean {
    const { bytes } = fields;
    const code = this.#map.startingAt(fields.hex());
    const script = fields.decimal();
    const start = fields.decimal();
    const end = fields.decimal();
    if (Number.isNaN(script + start + end)) return false;
    if (code === undefined || code.kind < 0) return true; // The code was not logged.
    const number = this.#scripts.numberOf(script);
    this.#scripts.noteFunction(number, start, end);
    this.#functions.place(functionOf(code.kind), number, start);
    const from = Math.min(fields.at, fields.end);
    const middle = fields.skip();
    const kept = this.#store.keep(bytes, from, fields.skip());
    const functions = fields.hasMore ? this.#inlinedFunctions(fields.rest()) : noFunctions;
    const isLate = code.positions.set({ kept, length: middle - from, functions }, this.#numbers++);
    if (isLate) this.#version++;
    return true;
  }

  move(from: number, to: number): void {
    const code = this.#map.remove(from);
    if (code !== undefined) this.#map.add({ ...code, start: to });
  }

  remove(address: number): void {
    this.#map.remove(address);
  }

  /** Reads `code-deopt,TIME,SIZE,ADDRESS,INLINED,OFFSET,KIND,PLACES,REASON`. */
  deoptimize(fields: RecordFields): boolean {
    const time = fields.decimal();
    fields.skip();
    const code = this.#map.startingAt(fields.hex());
    fields.skip();
    fields.skip();
    const deopt = fields.text();
    const text = fields.text();
    if (Number.isNaN(time) || text === '') return false;
    if (code !== undefined && code.kind >= 0)
      this.deopts.push({ kind: code.kind, time, deopt, text, reason: fields.rest() });
    return true;
  }

  /** Reads `S0x…S0x…`. */
  #inlinedFunctions(text: string): Int32Array {
    return Int32Array.from(text.split('S').slice(1), (sfi) => this.#functions.ofSfi(Number(sfi)));
  }

  /** Reads the `NAME` of a script that the recorder compiled. Its url has the isolate and the time. */
  #readMarker(name: string, time: number): void {
    if (!name.startsWith(` ${clockMarker}`)) return;
    const [pid, threadId, clock] = name
      .slice(1 + clockMarker.length)
      .split(':')
      .map(Number);
    if (pid === undefined || threadId === undefined || clock === undefined) return;
    if (Number.isFinite(pid + threadId + clock)) this.markers.push({ pid, threadId, clock: clock / 1000, time });
  }
}

const noFunctions = new Int32Array(0);

/** Tier of code by its marker. Code that is not to be optimized has none. Source: `ComputeMarker` of V8. */
function tierOfMarker(marker: string): number {
  const { ignition, sparkplug, maglev, turbofan } = tierNumbers;
  if (marker.includes('*')) return turbofan;
  if (marker.includes('+')) return maglev;
  return marker.includes('^') ? sparkplug : ignition;
}

export interface Code {
  readonly start: number;
  /** Size in bytes. */
  readonly size: number;
  /** Its function, and how it was compiled, as `frameKind`; −1 for code that is not a frame (built-ins). */
  readonly kind: number;
  readonly positions: CodePositions;
}

/** An interpreted frame is at the bytecode that runs; a frame of machine code is behind the call. */
export function isBytecode({ kind }: Code): boolean {
  return kind >= 0 && tierOf(kind) === tierNumbers.ignition;
}

/** The living code by address, in sorted leaves of a few hundred. New code removes what it overlaps. */
class CodeMap {
  readonly #leaves: Leaf[] = [new Leaf(-Infinity)];
  /** Grows when code is removed. As long as it stays the same, an address that has code has the same code. */
  removals = 0;
  /** Where the last search ended: the leaf, and the slot in it. Slot −1 means that nothing begins so early. */
  #leaf = 0;
  #slot = -1;

  find(address: number): Code | undefined {
    this.#seek(address);
    const code = this.#leaves[this.#leaf]?.codes[this.#slot];
    return code !== undefined && address < code.start + code.size ? code : undefined;
  }

  startingAt(address: number): Code | undefined {
    this.#seek(address);
    const code = this.#leaves[this.#leaf]?.codes[this.#slot];
    return code?.start === address ? code : undefined;
  }

  add(code: Code): void {
    for (;;) {
      this.#seek(Math.max(code.start, code.start + code.size - 1));
      const leaf = this.#leaves[this.#leaf];
      const last = leaf?.codes[this.#slot];
      if (
        leaf === undefined ||
        last === undefined ||
        (last.start + last.size <= code.start && last.start !== code.start)
      )
        break;
      leaf.remove(this.#slot);
      this.removals++;
    }
    const at = this.#leafOf(code.start);
    const leaf = this.#leaves[at];
    leaf?.insert(leaf.slotOf(code.start) + 1, code);
    if (leaf?.codes.length === MAX_LEAF) this.#leaves.splice(at + 1, 0, leaf.split());
  }

  remove(address: number): Code | undefined {
    const code = this.startingAt(address);
    if (code === undefined) return undefined;
    this.#leaves[this.#leaf]?.remove(this.#slot);
    this.removals++;
    return code;
  }

  /** Goes to the last code that begins at or before the address. */
  #seek(address: number): void {
    this.#leaf = this.#leafOf(address);
    this.#slot = this.#leaves[this.#leaf]?.slotOf(address) ?? -1;
    while (this.#slot === -1 && this.#leaf > 0) this.#slot = (this.#leaves[--this.#leaf]?.codes.length ?? 0) - 1;
  }

  #leafOf(address: number): number {
    let low = 0;
    let high = this.#leaves.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#leaves[middle]?.lowest ?? 0) <= address) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Code from `lowest` up to the next leaf. Starts are in an array of their own, so that a search reads nothing else. */
class Leaf {
  readonly lowest: number;
  readonly codes: Code[] = [];
  readonly #starts = new Float64Array(MAX_LEAF);

  constructor(lowest: number) {
    this.lowest = lowest;
  }

  /** Slot of the last code that begins at or before the address; −1 for none. */
  slotOf(address: number): number {
    const starts = this.#starts;
    let low = -1;
    let high = this.codes.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= address) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  insert(slot: number, code: Code): void {
    this.#starts.copyWithin(slot + 1, slot, this.codes.length);
    this.#starts[slot] = code.start;
    this.codes.splice(slot, 0, code);
  }

  remove(slot: number): void {
    this.#starts.copyWithin(slot, slot + 1, this.codes.length);
    this.codes.splice(slot, 1);
  }

  /** Splits off its upper half. */
  split(): Leaf {
    const half = this.codes.length >> 1;
    const upper = new Leaf(this.#starts[half] ?? 0);
    for (const [slot, code] of this.codes.splice(half).entries()) upper.insert(slot, code);
    return upper;
  }
}

const MAX_LEAF = 256;
