import type { BuiltFunctions } from './log-functions.ts';
import { type TextLines, LineStarts } from './log-scripts.ts';
import { lastUpTo } from '../../../basics/lists.ts';
import { filePathOf } from '../../files/file-path.ts';
import type { V8Log } from './v8-log.ts';
import { type World, longestNamed } from '../../files/world.ts';
import { functionOf } from './frame-places.ts';

/** The line of an offset in a script, from 1; 0 where it is not known. */
export type LineOf = (offset: number) => number;

/**
 * Lines of the scripts in which ticks were, by number. They come from the text in the log, else from the file of the
 * script.
 */
export async function linesOfLog(log: V8Log, world: World): Promise<ReadonlyMap<number, LineOf>> {
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

/** A function's first offset, and the place that the log gives for it, from 0. */
interface Anchor {
  readonly start: number;
  readonly line: number;
  readonly column: number;
}

/** The functions whose begin is in the log, by script. */
function anchorsOf({ frames, scripts, starts }: BuiltFunctions): ReadonlyMap<number, readonly Anchor[]> {
  const anchors = new Map<number, Anchor[]>();
  for (const [fn, { line, column }] of frames.entries()) {
    const script = scripts[fn] ?? -1;
    const start = starts[fn] ?? -1;
    if (script < 0 || start < 0 || line < 0) continue;
    const list = anchors.get(script) ?? [];
    list.push({ start, line, column });
    anchors.set(script, list);
  }
  return anchors;
}

/**
 * The lines of a text, if its functions are at the places in the log; null if they are not, because then another text
 * ran.
 */
function linesOfText({ starts }: TextLines, anchors: readonly Anchor[]): LineOf | null {
  const lineIn = (offset: number): number => lastUpTo(starts, offset);
  // `vm.Script` may count from another line than the first.
  const [first] = anchors;
  const shift = first === undefined ? 0 : first.line - lineIn(first.start);
  const isOther = anchors.some(({ start, line, column }) => {
    const found = lineIn(start);
    return found + shift !== line || (found > 0 && start - (starts[found] ?? 0) !== column);
  });
  return isOther ? null : (offset) => (offset < 0 ? 0 : lineIn(offset) + shift + 1);
}

/** The lines of a script without its text. What is between the begins of two functions on one line is on that line. */
function linesBetween(anchors: readonly Anchor[]): LineOf {
  const sorted = anchors.toSorted((a, b) => a.start - b.start);
  const starts = Int32Array.from(sorted, ({ start }) => start);
  return (offset) => {
    const before = lastUpTo(starts, offset);
    const line = sorted[before]?.line;
    const isCertain = starts[before] === offset || sorted[before + 1]?.line === line;
    return line === undefined || !isCertain ? 0 : line + 1;
  };
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

/** The comment that Node.js adds to TypeScript when it strips the types. */
function sourceUrlComment(url: string): string {
  return `\n\n//# sourceURL=${url}`;
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
