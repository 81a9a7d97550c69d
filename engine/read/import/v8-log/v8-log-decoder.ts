import { WaitingBytes } from '../../files/waiting-bytes.ts';
import { LogReplay } from './log-replay.ts';
import { RecordFields, newline, RecordEnds, startsWith } from './records.ts';
import type { DecodedLog } from './v8-log.ts';
import { LineStarts, type TextLines } from './log-scripts.ts';

/**
 * Decodes a V8 log piece by piece. Memory grows with its ticks, its functions and the living code, not with its bytes.
 */
export class V8LogDecoder {
  readonly #replay = new LogReplay();
  readonly #fields = new RecordFields();
  readonly #waiting = new WaitingBytes();
  /** The script whose text continues in the next piece, and its lines so far. */
  #source: { readonly script: number; readonly lines: EscapedSource } | null = null;
  #isEmpty = true;

  push(chunk: Uint8Array): void {
    this.#waiting.push(chunk, (bytes) => this.#take(bytes));
    this.#isEmpty &&= chunk.length === 0;
  }

  /** Must be called once, after the last piece. What follows the last line break was cut off while it was written. */
  finish(): DecodedLog {
    if (this.#isEmpty) return { type: 'damaged', damage: 'empty' };
    this.#take(this.#waiting.last(), true);
    return this.#replay.build();
  }

  /** Number of bytes that could be read: complete records, and all there is of a script's text. */
  #take(bytes: Uint8Array, isLast = false): number {
    const ends = new RecordEnds();
    let at = this.#source === null ? 0 : this.#readSource(bytes, 0);
    for (;;) {
      if (this.#source !== null) return at;
      if (startsWith(bytes, at, scriptSource)) {
        const text = this.#openSource(bytes, at);
        if (text === -1) return at;
        at = this.#readSource(bytes, text);
        continue;
      }
      const end = ends.endOf(bytes, at, isLast);
      if (end === -1) return at;
      this.#fields.open(bytes, at, end);
      this.#replay.take(this.#fields);
      at = end + 1;
    }
  }

  /** Reads `script-source,NUMBER,URL,TEXT` and gives where its text begins; −1 as long as that is not there. */
  #openSource(bytes: Uint8Array, from: number): number {
    const afterNumber = bytes.indexOf(0x2c, from + scriptSource.length) + 1;
    const text = bytes.indexOf(0x2c, afterNumber) + 1;
    if (afterNumber === 0 || text === 0) return -1;
    this.#fields.open(bytes, from + scriptSource.length, text - 1);
    const script = this.#fields.decimal();
    this.#replay.tellScript(script, { url: this.#fields.rest() });
    this.#source = { script, lines: new EscapedSource() };
    return text;
  }

  #readSource(bytes: Uint8Array, from: number): number {
    const end = bytes.indexOf(newline, from);
    this.#source?.lines.push(bytes, from, end === -1 ? bytes.length : end);
    if (end === -1) return bytes.length;
    if (this.#source !== null) this.#replay.tellScript(this.#source.script, { text: this.#source.lines.build() });
    this.#source = null;
    return end + 1;
  }
}

const scriptSource = new TextEncoder().encode('script-source,');

/** Counts the lines of a script's text in the log, where it is escaped, piece by piece. The text is never kept. */
class EscapedSource {
  readonly #lines = new LineStarts();
  #state: 'plain' | 'escape' | 'digits' = 'plain';
  #digitsLeft = 0;
  #value = 0;

  push(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0;
      if (this.#state === 'plain' && byte !== backslash) this.#lines.add(byte);
      else this.#escape(byte);
    }
  }

  build(): TextLines {
    return this.#lines.build();
  }

  #escape(byte: number): void {
    if (this.#state === 'plain') this.#state = 'escape';
    else if (this.#state === 'digits') {
      this.#value = this.#value * 16 + Number.parseInt(String.fromCharCode(byte), 16);
      this.#digitsLeft--;
      if (this.#digitsLeft === 0) this.#end(this.#value);
    } else if (byte === letterX || byte === letterU) {
      this.#state = 'digits';
      this.#digitsLeft = byte === letterX ? 2 : 4;
      this.#value = 0;
    } else this.#end(byte === letterN ? 0x0a : byte);
  }

  #end(unit: number): void {
    this.#lines.add(unit);
    this.#state = 'plain';
  }
}

const backslash = 0x5c;
const letterN = 0x6e;
const letterU = 0x75;
const letterX = 0x78;
