import { parseJson } from '../../../../protocol/json-value.ts';

/**
 * The events of a trace whose text contains `wanted`, in their order. The generator's return value says whether the
 * trace was complete. A trace is `{"traceEvents":[…]}` or only the list, which need not be closed. No more than one
 * event's bytes are kept. Source: Chrome's Trace Event Format.
 */
export async function* traceEvents(
  chunks: AsyncIterable<Uint8Array>,
  wanted: string,
  signal?: AbortSignal,
): AsyncGenerator<unknown, boolean> {
  const cutter = new EventCutter();
  try {
    for await (const chunk of chunks) {
      if (signal?.aborted === true) return false;
      yield* cutter.cut(chunk).flatMap((text) => (text.includes(wanted) ? [parseJson(text)] : []));
    }
  } catch {
    return false; // Its gzip is damaged or cut off, or an event is longer than the longest string.
  }
  return cutter.isAtEnd;
}

/** Cuts out the objects that are directly in a list of the outermost value, or in a list of one of its members. */
class EventCutter {
  #depth = 0;
  #lists = 0;
  #isText = false;
  #isEscaped = false;
  /** Depth of the list of events: 1 where the list is the outermost value; −1 as long as nothing has come. */
  #listDepth = -1;
  readonly #decoder = new TextDecoder();
  /** The part of the current event that came in earlier pieces; null between two events. */
  #event: string | null = null;

  get isAtEnd(): boolean {
    return this.#event === null && this.#depth < 2 && (this.#listDepth === 1 || this.#depth === 0);
  }

  /** This is a hot loop over every byte, so its state is a few numbers. */
  cut(bytes: Uint8Array): readonly string[] {
    const events: string[] = [];
    let start = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (this.#isText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) this.#isText = false;
      } else if (byte === quote) this.#isText = true;
      else if (byte === openBrace || byte === openBracket) {
        if (this.#listDepth === -1) this.#listDepth = byte === openBracket ? 1 : 2;
        if (byte === openBrace && this.#depth === this.#listDepth && this.#lists === 1) {
          this.#event = '';
          start = at;
        }
        this.#depth += 1;
        if (byte === openBracket && this.#depth <= this.#listDepth) this.#lists += 1;
      } else if (byte === closeBrace || byte === closeBracket) {
        if (byte === closeBracket && this.#depth <= this.#listDepth) this.#lists -= 1;
        this.#depth -= 1;
        if (this.#event === null || this.#depth !== this.#listDepth) continue;
        events.push(this.#event + this.#decoder.decode(bytes.subarray(start, at + 1)));
        this.#event = null;
      }
    }
    if (this.#event !== null) this.#event += this.#decoder.decode(bytes.subarray(start), { stream: true });
    return events;
  }
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
