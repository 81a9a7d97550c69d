import { isRecord } from '../../../../protocol/json-value.ts';
import { valueOf } from './json-bytes.ts';
import { type NodeList, CallFrames } from './node-list.ts';
import type { NumberList } from '../../../basics/number-list.ts';
import { plainModule } from './plain-module.ts';
import { bytesOfBase64 } from '../../../basics/bytes.ts';

/** What `wasm/main.ts` exports: functions, addresses in its memory, and the number of items that it read last. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly readNodes: (from: number, to: number, nodes: number, children: number, ticks: number) => number;
  readonly readNumbers: (from: number, to: number) => number;
  /** 1 where it did. */
  readonly narrowNumbers: () => number;
  readonly forgetFrames: () => void;
  readonly windowStart: WebAssembly.Global<'i32'>;
  readonly windowSize: WebAssembly.Global<'i32'>;
  readonly ids: WebAssembly.Global<'i32'>;
  readonly frames: WebAssembly.Global<'i32'>;
  readonly childrenEnds: WebAssembly.Global<'i32'>;
  readonly ticksEnds: WebAssembly.Global<'i32'>;
  readonly named: WebAssembly.Global<'i32'>;
  readonly namedParents: WebAssembly.Global<'i32'>;
  readonly tickLines: WebAssembly.Global<'i32'>;
  readonly tickCounts: WebAssembly.Global<'i32'>;
  readonly numbers: WebAssembly.Global<'i32'>;
  readonly nodeSize: WebAssembly.Global<'i32'>;
  readonly namedSize: WebAssembly.Global<'i32'>;
  readonly tickSize: WebAssembly.Global<'i32'>;
  readonly numberSize: WebAssembly.Global<'i32'>;
}

/** Null without WebAssembly (`--jitless`), without addresses for it (`ulimit -v`), and on processors without SIMD. */
export function createPlainReader(): PlainReader | null {
  try {
    return 'WebAssembly' in globalThis ? new PlainReader() : null;
  } catch (error) {
    // V8 reserves gigabytes of addresses for each memory.
    if (error instanceof RangeError || error instanceof WebAssembly.CompileError) return null;
    throw error;
  }
}

/**
 * Reads nodes and numbers as profilers usually write them, in WebAssembly, ten times as fast as `JSON.parse`. Stops
 * before anything else. Reads only bytes of its window. One reader reads profile after profile: making it takes longer
 * than reading a small one.
 */
export class PlainReader {
  /** Memory for the input bytes. */
  readonly window: Uint8Array;
  readonly #exports: Exports;
  readonly #bytes: Uint8Array;
  /** Each frame of the memory of WebAssembly once, by its number there. Profiles of one run share nearly all. */
  #shared = new CallFrames();
  /** Those of the current profile, and the number there of each of `#shared`; −1 where it has none yet. */
  #callFrames = new CallFrames();
  #numberHere = new Int32Array(0);

  constructor() {
    const module = new WebAssembly.Module(bytesOfBase64(plainModule));
    const learn = (from: number, to: number): number => this.#learn(from, to);
    this.#exports = new WebAssembly.Instance(module, { 'known-frames': { learn } }).exports as unknown as Exports;
    const { memory, windowStart, windowSize } = this.#exports;
    this.#bytes = new Uint8Array(memory.buffer);
    this.window = new Uint8Array(memory.buffer, windowStart.value, windowSize.value);
  }

  /** Adds nodes that are followed by a comma. The result is the position of the first node that it does not read. */
  readNodes(bytes: Uint8Array, from: number, nodes: NodeList): number {
    if (bytes.buffer !== this.window.buffer) return from;
    const start = bytes.byteOffset;
    if (this.#callFrames !== nodes.callFrames) this.#beginProfile(nodes.callFrames);
    const { ids, children, tickLines } = nodes;
    const end = this.#exports.readNodes(start + from, start + bytes.length, ids.size, children.size, tickLines.size);
    this.#addTo(nodes);
    return end - start;
  }

  /** Adds integers, each with the comma or closing bracket behind it. Returns the position behind the last of those. */
  readNumbers(bytes: Uint8Array, from: number, list: NumberList): number {
    if (bytes.buffer !== this.window.buffer) return from;
    const { readNumbers, narrowNumbers, numbers, numberSize } = this.#exports;
    const end = readNumbers(bytes.byteOffset + from, bytes.byteOffset + bytes.length);
    if (list.isShort && narrowNumbers() === 1)
      list.append(new Uint16Array(this.window.buffer, numbers.value, numberSize.value));
    else list.append(this.#list(numbers, numberSize));
    return end - bytes.byteOffset;
  }

  #beginProfile(callFrames: CallFrames): void {
    this.#callFrames = callFrames;
    if (this.#shared.frames.length > MAX_SHARED) {
      this.#exports.forgetFrames();
      this.#shared = new CallFrames();
    }
    this.#numberHere.fill(-1);
  }

  /** Number of a new call frame; −1 where it is not a frame. `from` and `to` are addresses in the memory. */
  #learn(from: number, to: number): number {
    const frame = valueOf(this.#bytes, from, to);
    return isRecord(frame) ? this.#shared.add(frame) : -1;
  }

  /** The numbers in the current profile. */
  #framesHere(numbers: Int32Array): Int32Array {
    const { frames } = this.#shared;
    const size = frames.length;
    if (size > this.#numberHere.length) {
      const larger = new Int32Array(size * 2).fill(-1);
      larger.set(this.#numberHere);
      this.#numberHere = larger;
    }
    const here = this.#numberHere;
    return numbers.map((number) => {
      const frame = here[number] === -1 ? frames[number] : undefined;
      if (frame !== undefined) here[number] = this.#callFrames.addFrame(frame);
      return here[number] ?? -1;
    });
  }

  #addTo(nodes: NodeList): void {
    const { nodeSize, namedSize, tickSize, numberSize, ...lists } = this.#exports;
    nodes.ids.append(this.#list(lists.ids, nodeSize));
    nodes.frame.append(this.#framesHere(this.#list(lists.frames, nodeSize)));
    nodes.children.append(this.#list(lists.numbers, numberSize));
    nodes.childrenEnd.append(this.#list(lists.childrenEnds, nodeSize));
    nodes.named.append(this.#list(lists.named, namedSize));
    nodes.namedParents.append(this.#list(lists.namedParents, namedSize));
    nodes.tickLines.append(this.#list(lists.tickLines, tickSize));
    nodes.tickCounts.append(this.#list(lists.tickCounts, tickSize));
    nodes.ticksEnd.append(this.#list(lists.ticksEnds, nodeSize));
  }

  #list(start: WebAssembly.Global<'i32'>, size: WebAssembly.Global<'i32'>): Int32Array {
    return new Int32Array(this.window.buffer, start.value, size.value);
  }
}

/** Number of frames above which the next profile begins without those of the others. */
const MAX_SHARED = 200_000;
