import { column0, line0 } from '../../../protocol/units.ts';
import { isRecord, listOf, numberOf, parseJson, positionOf, textOf } from '../../../protocol/json-value.ts';
import { readCpuProfile } from './cpu-profile-importer.ts';
import { type DebuggerPlace, type DebuggerPlaces, type Importer, placeKey } from './importer.ts';
import { indexOfText, joinBytes } from '../../basics/bytes.ts';

/** Reads profiles of js-debug, VS Code's debugger. In those, the first node has the number of its place. */
export const jsDebugImporter: Importer = {
  recognizes: ({ start }) => new TextDecoder().decode(start.subarray(0, 1 << 16)).includes('"locationId":'),
  read: async (file, reading) => {
    const notes = new DebuggerNotes();
    const read = await readCpuProfile({ ...file, content: notes.of(file.content) }, reading);
    return read.type === 'profile' ? { ...read, places: notes.places() } : read;
  },
};

/**
 * Passes the bytes of a profile on, and keeps what js-debug wrote at the end: `$vscode` with the source-mapped places
 * of call frames and lines. Source: `IJsDebugAnnotations` of vscode-js-profile-visualizer.
 */
class DebuggerNotes {
  /** Bytes of the notes, from their key on. */
  #pieces: Uint8Array[] = [];
  #size = 0;
  /** The last bytes before, in which the key may begin. */
  #before = new Uint8Array(0);

  async *of(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of chunks) {
      this.#look(chunk);
      yield chunk;
    }
  }

  /** The places. Must be called after the last byte. */
  places(): DebuggerPlaces {
    const places = new Map<string, DebuggerPlace>();
    if (this.#size > MAX_BYTES) return places;
    const notes = parseJson(`{${this.#text()}`);
    const annotations = isRecord(notes) ? notes['$vscode'] : null;
    const locations = isRecord(annotations) ? annotations['locations'] : null;
    for (const one of listOf(locations)) {
      const place = isRecord(one) ? placeIn(one['locations']) : null;
      const frame = isRecord(one) ? one['callFrame'] : null;
      if (place === null || !isRecord(frame)) continue;
      const { url, lineNumber, columnNumber } = frame;
      places.set(placeKey(textOf(url), numberOf(lineNumber, -1), numberOf(columnNumber, -1)), place);
    }
    return places;
  }

  #look(chunk: Uint8Array): void {
    if (this.#size > MAX_BYTES) {
      this.#pieces = [];
      return;
    }
    const bytes = this.#size > 0 ? chunk : joinBytes([this.#before, chunk]);
    const start = this.#size > 0 ? 0 : indexOfText(bytes, key);
    if (start === -1) this.#before = new Uint8Array(bytes.subarray(-key.length));
    else {
      this.#pieces.push(new Uint8Array(bytes.subarray(start)));
      this.#size += bytes.length - start;
    }
  }

  #text(): string {
    const decoder = new TextDecoder();
    return this.#pieces.map((piece) => decoder.decode(piece, { stream: true })).join('');
  }
}

/** The original place where there is one, because it comes first. A place without a reference is in a file. */
function placeIn(locations: unknown): DebuggerPlace | null {
  const places = listOf(locations)
    .filter(isRecord)
    .flatMap((location) => {
      const source = isRecord(location['source']) ? location['source'] : {};
      const path = textOf(source['path']);
      const line = positionOf(numberOf(location['lineNumber'], 0) - 1);
      const column = Math.max(0, positionOf(numberOf(location['columnNumber'], 1) - 1));
      const isFile = path !== '' && source['sourceReference'] === 0 && line >= 0;
      return isFile ? [{ path, line: line0(line), column: column0(column) }] : [];
    });
  return places[0] ?? null;
}

const key = '"$vscode":';
/** More bytes than any debugger writes. If there are more, the profile itself follows the key. */
const MAX_BYTES = 64 << 20;
