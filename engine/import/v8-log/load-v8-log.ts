import type { CpuProfile } from '../../samples/cpu-profile.ts';
import { filePathOf } from '../../files/file-path.ts';
import { assembleLog } from './assemble-log.ts';
import { type LineOf, anchorsOf, linesBetween, linesOfText } from './script-lines.ts';
import { functionOf } from './code.ts';
import { type TextLines, LineStarts } from './line-starts.ts';
import type { V8Log, ClockMarker, DecodedLog } from './v8-log.ts';
import type { World } from '../../files/world.ts';
import { type LogWarning, oddities } from './log-warning.ts';
import type { OpenedFile } from '../../files/opened-file.ts';
import { longestNamed } from '../../files/read-text.ts';
import { UnpackedTooMuch, gunzip } from '../../files/gunzip.ts';
import { V8LogDecoder } from './v8-log-decoder.ts';

export type LoadedLog =
  | { readonly type: 'profile'; readonly profile: CpuProfile; readonly warnings: readonly LogWarning[] }
  | { readonly type: 'cancelled' }
  | { readonly type: 'silent' | 'unusable'; readonly warning: LogWarning };

/** Reads one V8 log. `silent`: it has no ticks. `name` is that of its file. */
export async function loadV8Log(
  file: OpenedFile,
  name: string,
  world: World,
  signal: AbortSignal | undefined,
): Promise<LoadedLog> {
  const decoded = await readV8Log(file.chunks, file.isGzip, signal);
  if (decoded.type === 'cancelled') return { type: 'cancelled' };
  if (decoded.type !== 'log') {
    const damage = decoded.type === 'damaged' ? decoded.damage : decoded.type;
    const warning: LogWarning = { type: 'logDamaged', file: name, damage };
    return { type: damage === 'noTicks' ? 'silent' : 'unusable', warning };
  }
  const { log } = decoded;
  const profile = assembleLog(log, await linesOfLog(log, world), clockOfLog(log.markers) ?? 0);
  return { type: 'profile', profile, warnings: oddities(name, log) };
}

/**
 * Lines of the scripts in which ticks were, by number: from their text in the log, else from the file that they ran
 * from.
 */
async function linesOfLog(log: V8Log, world: World): Promise<ReadonlyMap<number, LineOf>> {
  const { scripts, urls } = log.functions;
  const lines = new Map<number, LineOf>();
  const anchors = anchorsOf(log.functions);
  const used = new Set(log.places.firsts.map((kind) => scripts[functionOf(kind)] ?? -1));
  for (const script of used) {
    if (script < 0) continue;
    const own = anchors.get(script) ?? [];
    const text =
      log.scripts[script]?.text ?? (await linesOnDisk(urls.get(script) ?? '', log.scripts[script]?.length ?? 0, world));
    const found = text === null ? null : linesOfText(text, own);
    lines.set(script, found ?? linesBetween(own));
  }
  return lines;
}

/**
 * Lines of a file; null where it is not as long as the text that ran (`length` in UTF-16 units), because it has
 * changed.
 */
async function linesOnDisk(url: string, length: number, world: World): Promise<TextLines | null> {
  const path = url.startsWith('node:') ? null : filePathOf(url);
  const bytes = path === null ? undefined : await world.readFile(path, longestNamed.text);
  if (bytes === undefined) return null;
  const source = new Utf8Source();
  source.push(bytes);
  const text = source.build();
  const isSame = length === 0 || length === text.length || length === text.length + sourceUrlComment(url).length;
  return isSame ? text : null;
}

/** The comment that Node.js writes behind TypeScript whose types it strips. */
function sourceUrlComment(url: string): string {
  return `\n\n//# sourceURL=${url}`;
}

/**
 * What must be added to the times of a log to get the recorder's clock, in µs; null where the log has no marker. Each
 * marker was logged after its own time was taken and before the next one's, so all of these bounds hold together.
 */
function clockOfLog(markers: readonly ClockMarker[]): number | null {
  let earliest = -Infinity;
  let latest = Infinity;
  for (const [index, { clock, time }] of markers.entries()) {
    earliest = Math.max(earliest, clock - time);
    latest = Math.min(latest, clock - (markers[index - 1]?.time ?? -Infinity));
  }
  if (markers.length === 0) return null;
  return latest >= earliest && Number.isFinite(latest) ? (earliest + latest) / 2 : earliest;
}

/** Counts the lines of a file in UTF-8 piece by piece, as V8 counts them in its text. The text is never kept. */
class Utf8Source {
  readonly #lines = new LineStarts();
  /** Value of the character that continues in the next byte. */
  #value = 0;
  #bytesLeft = 0;
  #isStart = true;

  push(bytes: Uint8Array): void {
    // oxlint-disable-next-line typescript/prefer-for-of -- an iterator makes an object for each byte
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte < 0x80) this.#add(byte);
      else if (byte >= 0xc0) {
        this.#bytesLeft = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
        this.#value = byte & (0x3f >> this.#bytesLeft);
      } else {
        this.#value = this.#value * 64 + (byte & 0x3f);
        this.#bytesLeft--;
        if (this.#bytesLeft === 0) this.#add(this.#value);
      }
    }
  }

  build(): TextLines {
    return this.#lines.build();
  }

  /** Adds a character. Beyond 16 bits it is two units. Node.js leaves out a byte order mark. */
  #add(character: number): void {
    if (!this.#isStart || character !== byteOrderMark) this.#lines.add(character > 0xffff ? surrogate : character);
    if (character > 0xffff) this.#lines.add(surrogate);
    this.#isStart = false;
  }
}

const byteOrderMark = 0xfeff;
/** Any surrogate will do, because it ends no line. */
const surrogate = 0xd800;

/** The read was aborted before the last bytes came, or the file is damaged gzip of which nothing could be read. */
interface UnreadLog {
  readonly type: 'cancelled' | 'badGzip' | 'inflated';
}

/** Decodes a V8 log from its bytes in order. If a gzip file is cut off, what comes before is read. */
async function readV8Log(
  chunks: AsyncGenerator<Uint8Array, undefined>,
  isGzip: boolean,
  signal?: AbortSignal,
): Promise<DecodedLog | UnreadLog> {
  const decoder = new V8LogDecoder();
  try {
    for await (const chunk of isGzip ? gunzip(chunks) : chunks) {
      if (signal?.aborted === true) return { type: 'cancelled' };
      decoder.push(chunk);
    }
  } catch (error) {
    if (!isGzip) throw error;
    if (error instanceof UnpackedTooMuch) return { type: 'inflated' };
    const read = decoder.finish();
    return read.type === 'log' ? read : { type: 'badGzip' }; // It is damaged, or cut off.
  }
  return decoder.finish();
}
