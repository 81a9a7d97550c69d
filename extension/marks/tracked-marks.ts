import { maxOf, minOf } from '../../protocol/figures.ts';
import { codeText } from '../../protocol/code-text.ts';
import type { LineMark } from '../../protocol/requests.ts';
import { type Line0, line0 } from '../../protocol/units.ts';

/** The current text of a document. Offsets are in UTF-16 units, lines and characters count from 0. */
export interface TextNow {
  readonly path: string;
  readonly lineCount: number;
  readonly lineAt: (line: number) => string;
  readonly startOf: (line: number) => number;
  readonly lineOf: (offset: number) => number;
  readonly textBetween: (start: number, end: number) => string;
}

/** One change of a text. Its offsets are those before all changes of the event. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** True where it replaces more than a part of one line. */
  readonly isOverLines: boolean;
}

export interface TrackedMark {
  /** Changes whenever VS Code has the mark elsewhere, or with another look. */
  readonly id: number;
  readonly mark: LineMark;
  /** Where the first word of its line is. */
  readonly anchor: number;
  /** True where the code of its function has changed. */
  readonly isStale: boolean;
  readonly code: TrackedCode | null;
}

interface TrackedCode {
  readonly start: number;
  readonly end: number;
  /** The measured code without white space and comments, computed on demand; null where it is too long to compare. */
  readonly measured: () => string | null;
}

/**
 * The marks of a document, moved by VS Code's rules for decorations. A mark follows its line and goes with it; it is
 * stale while the code of its function differs.
 */
export class TrackedMarks {
  #marks: readonly TrackedMark[] = [];
  #lastId = 0;

  get all(): readonly TrackedMark[] {
    return this.#marks;
  }

  /** Takes over marks of the current text. Unchanged ones keep their ids. */
  replace(marks: readonly LineMark[], now: TextNow): void {
    const before = new Map(this.#marks.map((tracked) => [now.lineOf(tracked.anchor), tracked]));
    this.#marks = marks
      .filter(({ line }) => line >= 0 && line < now.lineCount)
      .map((mark) => {
        const code = codeOf(mark, now);
        const known = before.get(mark.line);
        if (known !== undefined && !known.isStale && looksAs(known.mark, mark)) return { ...known, mark, code };
        return { id: this.#nextId(), mark, anchor: firstWordOf(mark.line, now), isStale: false, code };
      });
  }

  /** Applies the changes of one event. True where a mark has gone or looks different. */
  follow(changes: readonly TextChange[], now: TextNow): boolean {
    const before = this.#marks;
    this.#marks = before.flatMap((tracked) => {
      const moved = this.#moved(tracked, changes, now);
      if (moved === null) return [];
      if (moved.code === null || !changes.some((change) => touches(change, tracked.code))) return [moved];
      const isStale = isChanged(moved.code, changes, now);
      return [isStale === tracked.isStale ? moved : { ...moved, isStale, id: this.#nextId() }];
    });
    return this.#marks.length < before.length || this.#marks.some(({ id }, index) => id !== before[index]?.id);
  }

  #moved(tracked: TrackedMark, changes: readonly TextChange[], now: TextNow): TrackedMark | null {
    const code = tracked.code === null ? null : movedCode(tracked.code, changes);
    const { anchor } = tracked;
    const over = changes.find(({ start, end }) => start <= anchor && end > anchor);
    if (over === undefined) return { ...tracked, anchor: anchor + growthBefore(anchor, changes), code };
    // VS Code knows no more where in its line the mark was.
    const line = now.lineOf(over.start + growthBefore(over.start, changes));
    const isGone = over.isOverLines || now.lineAt(line).trim() === '';
    return isGone ? null : { ...tracked, id: this.#nextId(), anchor: firstWordOf(line, now), code };
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}

function looksAs(one: LineMark, other: LineMark): boolean {
  return (
    one.text === other.text && one.class === other.class && one.tone === other.tone && one.isBehind === other.isBehind
  );
}

function firstWordOf(line: Line0 | number, now: TextNow): number {
  return now.startOf(line) + Math.max(0, now.lineAt(line).search(/\S/));
}

function codeOf({ within }: LineMark, now: TextNow): TrackedCode | null {
  if (within === null) return null;
  const start = now.startOf(within.firstLine);
  const last = line0(Math.min(within.lastLine, now.lineCount - 1));
  const end = now.startOf(last) + now.lineAt(last).length;
  return { start, end, measured: once(wordsBetween(start, end, now)) };
}

/** Limit in UTF-16 units of the code that is compared at each key: about 2 ms. */
const MAX_COMPARED_LENGTH = 50_000;

/** The tokens of the current text, computed on demand. */
function wordsBetween(start: number, end: number, now: TextNow): () => string | null {
  if (end - start > MAX_COMPARED_LENGTH) return () => null;
  const { path } = now;
  const text = now.textBetween(start, end);
  return () => codeText(text, path).tokens.join('\n');
}

function once<Value>(find: () => Value): () => Value {
  const found: Value[] = [];
  return () => {
    const [value = find()] = found;
    found[0] = value;
    return value;
  };
}

function isChanged({ start, end, measured }: TrackedCode, changes: readonly TextChange[], now: TextNow): boolean {
  const words = measured();
  if (words === null) return changes.some((change) => change.end > change.start || change.text.trim() !== '');
  return wordsBetween(start, end, now)() !== words;
}

/** Whether a change is inside of the code, or crosses one of its ends. */
function touches({ start, end }: TextChange, code: TrackedCode | null): boolean {
  return code !== null && end > code.start && start < code.end;
}

/** By how much the text before an offset has grown. An insertion at the offset moves it. */
function growthBefore(offset: number, changes: readonly TextChange[]): number {
  return changes
    .filter(({ end }) => end <= offset)
    .reduce((sum, { start, end, text }) => sum + text.length - (end - start), 0);
}

/** An insertion at an end of the code is outside of it. */
function movedCode(code: TrackedCode, changes: readonly TextChange[]): TrackedCode {
  const inside = changes.filter(({ start, end }) => end > code.start && start < code.end);
  const growth = inside.reduce((sum, { start, end, text }) => sum + text.length - (end - start), 0);
  const first = Math.min(code.start, minOf(inside.map(({ start }) => start)));
  const last = Math.max(code.end, maxOf(inside.map(({ end }) => end)));
  const start = first + growthBefore(code.start, changes);
  return { ...code, start, end: start + last - first + growth };
}
