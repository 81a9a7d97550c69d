import { LiveCode } from './live-code.ts';
import { LogFunctions } from './log-functions.ts';
import { type LogScript, LogScripts } from './log-scripts.ts';
import { type RecordFields, startsWith } from './records.ts';
import { TickTree } from './tick-tree.ts';
import { type DecodedLog, metaNames } from './v8-log.ts';

/** Reads a log record by record, in the order of the file, because the meaning of an address changes all the time. */
export class LogReplay {
  readonly #functions = new LogFunctions();
  readonly #scripts = new LogScripts();
  readonly #code = new LiveCode(this.#functions, this.#scripts);
  readonly #tree: TickTree;
  readonly #unreadable = new Map<string, number>();
  readonly #unknown = new Map<string, number>();
  #records = 0;
  #version: string | null = null;
  #restarts = 0;

  constructor() {
    for (const name of metaNames) this.#functions.addNative(name);
    this.#tree = new TickTree(this.#code);
  }

  /** `script` is V8's number of the script. */
  tellScript(script: number, facts: Partial<LogScript>): void {
    this.#scripts.tell(this.#scripts.numberOf(script), facts);
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
    const scripts = this.#scripts.build();
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
        return this.#tree.take(fields);
      case 'code-creation':
        return this.#code.create(fields, from);
      case 'code-source-info':
        return this.#code.tell(fields);
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
  const name = end - at > longestKind ? '' : new TextDecoder('latin1').decode(bytes.subarray(at, end));
  return /^[a-z][\w-]*$/i.test(name) ? name : 'other text';
}

const frequent = ['tick', 'code-creation', 'code-source-info'].map(
  (kind) => [kind, new TextEncoder().encode(kind)] as const,
);
const longestKind = 32;

/** Other records that V8 writes. They are not needed here. Source: `log.cc` of V8 10 to 14. */
const otherKinds = new Set([
  'shared-library',
  'shared-library-end',
  'v8-platform',
  'profiler',
  'new',
  'delete',
  'heap-capacity',
  'heap-available',
  'heap-sample-begin',
  'heap-sample-end',
  'heap-sample-item',
  'timer-event',
  'timer-event-start',
  'timer-event-end',
  'current-time',
  'active-runtime-timer',
  'code-disassemble',
  'feedback-vector',
  'code-feedback',
  'code-dependency-change',
  'code-disable-optimization',
  'function',
  'script',
  'script-details',
  'snapshot-code-name',
  'external',
  'map',
  'map-create',
  'map-details',
  'LoadIC',
  'StoreIC',
  'KeyedLoadIC',
  'KeyedStoreIC',
  'LoadGlobalIC',
  'StoreGlobalIC',
  'StoreInArrayLiteralIC',
  'CompileLazy',
  'suspect-read',
  'interpreter',
  'api',
]);

function count(counts: Map<string, number>, kind: string): void {
  if (counts.size < mostKinds || counts.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
}

/** Most unknown kinds that are told apart, in a file of garbage. */
const mostKinds = 50;
