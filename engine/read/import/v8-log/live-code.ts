import { clockMarker } from '../../../../protocol/recording.ts';
import { tierNumbers } from '../../samples/tiered-samples.ts';
import { CodePositions, ByteStore } from './code-positions.ts';
import { CodeMap, type Code } from './code-map.ts';
import type { LogFunctions } from './log-functions.ts';
import type { LogScripts } from './log-scripts.ts';
import { type RecordFields, isFunctionRecord, tailOf } from './records.ts';
import type { ClockMarker, LoggedCode, LoggedDeopt } from './v8-log.ts';
import { frameKind, functionOf } from './frame-places.ts';

/**
 * The code that V8 made, moved and gave up, as far as the log has been read. Each method gives false for a record that
 * cannot be read.
 */
export class LiveCode {
  readonly compiled: LoggedCode[] = [];
  readonly deopts: LoggedDeopt[] = [];
  readonly markers: ClockMarker[] = [];
  #map = new CodeMap();
  #version = 0;
  /** Number of positions of code so far. */
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
   * Reads `code-source-info,ADDRESS,SCRIPT,START,END,POSITIONS,INLINED,FUNCTIONS`, which is about the latest code at
   * that address.
   */
  tell(fields: RecordFields): boolean {
    const { bytes } = fields;
    const code = this.#map.startingAt(fields.hex());
    const script = fields.decimal();
    const start = fields.decimal();
    const end = fields.decimal();
    if (Number.isNaN(script + start + end)) return false;
    if (code === undefined || code.kind < 0) return true; // The code was not logged.
    const number = this.#scripts.numberOf(script);
    this.#scripts.tellFunction(number, start, end);
    this.#functions.place(functionOf(code.kind), number, start);
    const from = Math.min(fields.at, fields.end);
    const middle = fields.skip();
    const kept = this.#store.keep(bytes, from, fields.skip());
    const functions = fields.hasMore ? this.#inlinedFunctions(fields.rest()) : noFunctions;
    const isLate = code.positions.tell({ kept, length: middle - from, functions }, this.#numbers++);
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

  /** Reads the `NAME` of a script that the recorder compiled. Its url tells which isolate did so, and when. */
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
