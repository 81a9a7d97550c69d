import { NumberList } from '../profile/number-list.ts';
import { longestProfile } from '../profile/plausible-time.ts';
import { PairTable } from '../samples/pair-table.ts';
import { vmStates } from '../samples/tiered-samples.ts';
import { type Code, frameKind } from './code.ts';
import type { LiveCode } from './live-code.ts';
import type { RecordFields } from './record-fields.ts';
import { type Ticks, logMeta, metaNames } from './v8-log.ts';

/** Grows the tree of all stacks: a node is a place under a node. */
export class TickTree {
  readonly places = new PairTable(1024);
  readonly nodes = new PairTable(1024);
  readonly ticks: Ticks = { times: new NumberList(), nodes: new NumberList(), states: new NumberList() };
  backwards = 0;
  #latest = -Infinity;
  #began = 0;
  readonly #code: LiveCode;
  /** Of the tick at hand, innermost first. */
  readonly #codes: Code[] = [];
  readonly #offsets: number[] = [];
  readonly #place = (kind: number, offset: number): number => this.places.numberOf(kind, offset);

  constructor(code: LiveCode) {
    this.#code = code;
    for (const fn of metaNames.keys()) this.nodes.numberOf(-1, this.#place(frameKind(fn, 0, false, false), -1));
  }

  /** `tick,PC,TIME,IS_EXTERNAL,TOP_OR_CALLBACK,STATE,FRAMES…`; false where it cannot be read. */
  take(fields: RecordFields): boolean {
    const pc = fields.hex();
    const time = fields.decimal();
    const isExternal = fields.decimal();
    const callback = fields.hex();
    const state = fields.decimal();
    if (Number.isNaN(pc + isExternal + callback + state) || !(time < longestProfile)) return false;
    this.#codes.length = 0;
    this.#offsets.length = 0;
    // In a function of C++, the program counter is a place in it: its address is the callback's.
    if (isExternal === 0) this.#push(pc, true);
    while (fields.hasMore) this.#push(fields.hex(), false);
    this.#add(time, state);
    return true;
  }

  /** The log of another isolate begins: its times are told from here on. */
  restart(): void {
    this.#began = Math.max(0, this.#latest);
  }

  #add(sinceBegin: number, state: number): void {
    const time = this.#began + sinceBegin;
    if (time < this.#latest) this.backwards++;
    this.#latest = Math.max(this.#latest, time);
    this.ticks.times.push(this.#latest);
    this.ticks.states.push(state & 0xff);
    this.ticks.nodes.push(state === vmStates.gc ? logMeta.gc : this.#nodeOf(state));
  }

  #nodeOf(state: number): number {
    let node = -1;
    for (let frame = this.#codes.length - 1; frame >= 0; frame--) {
      const code = this.#codes[frame];
      const places = code?.positions.framesAt(this.#offsets[frame] ?? 0, code.kind, this.#place) ?? [];
      for (const place of places) node = this.nodes.numberOf(node, place);
    }
    if (node !== -1) return node;
    return state === vmStates.idle || state === vmStates.idleExternal ? logMeta.idle : logMeta.program;
  }

  #push(address: number, isLeaf: boolean): void {
    const code = this.#code.find(address);
    if (code === undefined || code.kind < 0) return;
    this.#codes.push(code);
    // Behind a call may begin what comes after it.
    this.#offsets.push(address - code.start - (isLeaf || code.isBytecode ? 0 : 1));
  }
}
