import { WaitingBytes } from '../../files/opened-file.ts';
import { RecordFields, newline, RecordEnds, startsWith } from './records.ts';
import { LineStarts, type LogScript, LogScripts } from './log-scripts.ts';
import { LiveCode } from './live-code.ts';
import { LogFunctions } from './log-functions.ts';
import { TickTree } from './tick-tree.ts';
import { type DecodedLog, metaNames } from './v8-log.ts';

/** Decodes a V8 log piece by piece. Memory grows with ticks, functions and living code, not with bytes. */
export class V8LogDecoder {
  readonly #replay = new LogReplay();
  readonly #fields = new RecordFields();
  readonly #waiting = new WaitingBytes();
  /** The script whose text continues in the next piece, and its lines so far. */
  #source: { readonly script: number; readonly text: EscapedSource } | null = null;
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
    this.#replay.noteScript(script, { url: this.#fields.rest() });
    this.#source = { script, text: new EscapedSource() };
    return text;
  }

  #readSource(bytes: Uint8Array, from: number): number {
    const end = bytes.indexOf(newline, from);
    this.#source?.text.push(bytes, from, end === -1 ? bytes.length : end);
    if (end === -1) return bytes.length;
    if (this.#source !== null) this.#replay.noteScript(this.#source.script, { text: this.#source.text.lines.build() });
    this.#source = null;
    return end + 1;
  }
}

const scriptSource = new TextEncoder().encode('script-source,');

/** Counts the lines of a script's text in the log, where it is escaped, piece by piece. The text is never kept. */
class EscapedSource {
  readonly lines = new LineStarts();
  #state: 'plain' | 'escape' | 'digits' = 'plain';
  #digitsLeft = 0;
  #value = 0;

  push(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0;
      if (this.#state === 'plain' && byte !== backslash) this.lines.add(byte);
      else this.#escape(byte);
    }
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
    this.lines.add(unit);
    this.#state = 'plain';
  }
}

const backslash = 0x5c;
const letterN = 0x6e;
const letterU = 0x75;
const letterX = 0x78;

/** Reads a log record by record, in the order of the file, because the meaning of an address changes all the time. */
class LogReplay {
  readonly #functions = new LogFunctions();
  readonly #scripts = new LogScripts();
  readonly #code = new LiveCode(this.#functions, this.#scripts);
  readonly #tree: TickTree;
  readonly #unreadable = new Map<string, number>();
  readonly #unknown = new Map<string, number>();
  #records = 0;
  #version: string | null = null;
  #restarts = 0;
  /** Between two ticks, in µs. */
  #interval = 1000;

  constructor() {
    for (const name of metaNames) this.#functions.addNative(name);
    this.#tree = new TickTree(this.#code);
  }

  /** `script` is V8's number of the script. */
  noteScript(script: number, facts: Partial<LogScript>): void {
    this.#scripts.set(this.#scripts.numberOf(script), facts);
  }

  take(fields: RecordFields): void {
    const from = fields.at;
    if (from === fields.end) return;
    const kind = kindOf(fields);
    const isRead = this.#read(kind, fields, from);
    if (isRead === true) this.#records++;
    else count(isRead === null ? this.#unknown : this.#unreadable, kind);
  }

  build(): DecodedLog {
    const { places, nodes, ticks, backwards } = this.#tree;
    if (this.#records === 0) return { type: 'damaged', damage: 'notLog' };
    if (ticks.times.size === 0) return { type: 'damaged', damage: 'noTicks' };
    const { compiled, deopts, markers } = this.#code;
    const problems = { unreadable: this.#unreadable, unknown: this.#unknown, restarts: this.#restarts, backwards };
    const { scripts } = this.#scripts;
    const functions = this.#functions.build(scripts);
    const read = {
      places,
      nodes: { parent: nodes.firsts, place: nodes.seconds, spare: nodes.takeSlots() },
      ticks,
      compiled,
      deopts,
      markers,
      problems,
      functions,
      scripts,
    };
    return { type: 'log', log: { version: this.#version, ...read } };
  }

  /** False where the record cannot be read, null where its kind is unknown. */
  #read(kind: string, fields: RecordFields, from: number): boolean | null {
    switch (kind) {
      case 'tick':
        // With marks of the recorder, the turns are measured.
        return this.#tree.take(fields, this.#code.markers.length === 0 ? this.#interval : null);
      case 'profiler':
        this.#interval = Number(/^begin,([1-9]\d*)$/.exec(fields.rest())?.[1] ?? this.#interval);
        return true;
      case 'code-creation':
        return this.#code.create(fields, from);
      case 'code-source-info':
        return this.#code.setPositions(fields);
      case 'code-move':
        return this.#move(fields, (to, start) => this.#code.move(to, start));
      case 'sfi-move':
        return this.#move(fields, (to, start) => this.#functions.moveSfi(to, start));
      case 'code-delete':
        this.#code.remove(fields.hex());
        return true;
      case 'code-deopt':
        return this.#code.deoptimize(fields);
      case 'v8-version':
        return this.#begin(fields.rest());
      default:
        return otherKinds.has(kind) ? true : null;
    }
  }

  #move(fields: RecordFields, move: (from: number, to: number) => void): boolean {
    const from = fields.hex();
    const to = fields.hex();
    if (Number.isNaN(from + to)) return false;
    move(from, to);
    return true;
  }

  /** Reads a version like `13,6,233,17,-node.53,0`. */
  #begin(version: string): boolean {
    const [, number, suffix = ''] = /^(\d+,\d+,\d+,\d+),([^,]*)/.exec(version) ?? [];
    if (this.#version !== null) {
      this.#restarts++;
      this.#functions.restart();
      this.#scripts.restart();
      this.#code.restart();
      this.#tree.restart();
    }
    this.#version ??= number === undefined ? null : `${number.replaceAll(',', '.')}${suffix}`;
    return number !== undefined;
  }
}

/** The first field, where it looks like the name of a kind. */
function kindOf(fields: RecordFields): string {
  const { bytes, at } = fields;
  const end = fields.skip();
  // Nine of ten records are of one of these kinds, so no text is made for them.
  for (const [kind, letters] of frequent)
    if (letters.length === end - at && startsWith(bytes, at, letters)) return kind;
  const name = end - at > MAX_KIND_BYTES ? '' : new TextDecoder('latin1').decode(bytes.subarray(at, end));
  return /^[a-z][\w-]*$/i.test(name) ? name : 'other text';
}

const frequent = ['tick', 'code-creation', 'code-source-info'].map(
  (kind) => [kind, new TextEncoder().encode(kind)] as const,
);
const MAX_KIND_BYTES = 32;

/** Other records that V8 writes. They are not needed here. Source: `log.cc` of V8 10 to 14. */
const otherKinds = new Set(
  [
    'shared-library shared-library-end v8-platform new delete heap-capacity heap-available',
    'heap-sample-begin heap-sample-end heap-sample-item timer-event timer-event-start timer-event-end',
    'current-time active-runtime-timer code-disassemble feedback-vector code-feedback code-dependency-change',
    'code-disable-optimization function script script-details snapshot-code-name external map map-create',
    'map-details LoadIC StoreIC KeyedLoadIC KeyedStoreIC LoadGlobalIC StoreGlobalIC StoreInArrayLiteralIC',
    'CompileLazy suspect-read interpreter api',
  ].flatMap((row) => row.split(' ')),
);

function count(counts: Map<string, number>, kind: string): void {
  if (counts.size < MAX_KINDS || counts.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
}

/** Limits unknown kinds, in a file of garbage. */
const MAX_KINDS = 50;
