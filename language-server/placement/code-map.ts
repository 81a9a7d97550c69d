import { diffArrays } from 'diff';
import { line0, type Line0 } from '../../protocol/units.ts';
import { type CodeText, codeText, isLongTemplate } from '../../protocol/code-text.ts';

/** Maps lines of a text to a later state of it. Lines count from 0. */
export interface CodeMap {
  readonly before: CodeText;
  /** The same object as `before` where the texts are the same. */
  readonly now: CodeText;
  /** The line where the code of a line begins now; null where it has changed, or the line has no code. */
  readonly lineOf: (line: Line0) => Line0 | null;
  /** The line of the code after the nearest kept code above. */
  readonly nearest: (line: Line0) => Line0;
  /** The shift of the numbers of a line's tokens; null where these tokens are apart now. */
  readonly shiftOf: (line: number) => number | null;
  /** Likely shifts of the numbers of these tokens, most likely first. */
  readonly shifts: (first: number, end: number) => readonly number[];
}

/** Limit of inserted and deleted lines: beyond it, the texts are unrelated. */
const MAX_EDITS = 2_000;

/** Compares two texts: their common head and tail by tokens (line breaks do not matter), the rest by lines. */
export function mapCode(before: CodeText, current: CodeText): CodeMap {
  if (before.text === current.text) return unchanged(before);
  const now = withHiddenCode(before, current);
  const head = commonHead(before.tokens, now.tokens);
  const tail = commonTail(before.tokens, now.tokens);
  const tailShift = now.tokens.length - before.tokens.length;
  const between = linesBetween(before, now, head, tail);
  const shiftOf = (line: number): number | null => {
    const first = before.tokensAbove(line);
    const end = before.tokensAbove(line + 1);
    if (first === end) return null;
    if (end <= head) return 0;
    return first >= before.tokens.length - tail ? tailShift : (between.get(line) ?? null);
  };
  const lineOf = (line: Line0): Line0 | null => {
    const shift = shiftOf(line);
    return shift === null ? null : now.lineOf(before.tokensAbove(line) + shift);
  };
  return {
    before,
    now,
    lineOf,
    shiftOf,
    nearest: (line) => {
      for (let above: number = line; above >= 0; above--) {
        const shift = shiftOf(above);
        if (shift === null) continue;
        const next = before.tokensAbove(above === line ? above : above + 1) + shift;
        return now.lineOf(Math.min(next, now.tokens.length - 1));
      }
      return now.tokens.length === 0 ? line0(0) : now.lineOf(0);
    },
    shifts: (first, end) => {
      const lines = new Set<number>();
      for (let line: number = before.lineOf(first); line <= before.lineOf(end - 1); line++) lines.add(line);
      const inside = [...lines].flatMap((line) => between.get(line) ?? []);
      return [...new Set([0, tailShift, ...inside])];
    },
  };
}

/** Each line is where it was, also one whose code was not recognized: a template may have hidden it. */
function unchanged(text: CodeText): CodeMap {
  const lineOf = (line: Line0): Line0 | null => (line >= 0 && line < text.lineCount ? line : null);
  return { before: text, now: text, lineOf, shiftOf: () => 0, nearest: (line) => line, shifts: () => [0] };
}

/**
 * The later text, without new templates that hold lines of the earlier code. Until a backtick has its partner, the next one
 * closes it, and the code and the templates below change places.
 */
function withHiddenCode(before: CodeText, now: CodeText): CodeText {
  const known = new Set(before.tokens.filter(isLongTemplate));
  const opened = now.tokens.filter((token) => isLongTemplate(token) && !known.has(token));
  if (opened.length === 0) return now;
  const { tokensAbove } = before;
  const isCode = (line: string, at: number): boolean => /\w{2}/.test(line) && tokensAbove(at + 1) > tokensAbove(at);
  const code = new Set(linesOf(before.text).filter(isCode));
  const hidesCode = (template: string): boolean =>
    linesOf(template)
      .slice(1, -1)
      .some((line) => code.has(line));
  const isFalse = (template: string): boolean => !known.has(template) && hidesCode(template);
  return opened.some(isFalse) ? codeText(now.text, now.path, isFalse) : now;
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n?|\n/).map((line) => line.trim());
}

function commonHead(a: readonly string[], b: readonly string[]): number {
  const least = Math.min(a.length, b.length);
  let head = 0;
  while (head < least && a[head] === b[head]) head++;
  return head;
}

function commonTail(a: readonly string[], b: readonly string[]): number {
  const least = Math.min(a.length, b.length);
  let tail = 0;
  while (tail < least && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return tail;
}

/** The shift of each kept line between the common head and tail: few while typing, many after a checkout. */
function linesBetween(before: CodeText, now: CodeText, head: number, tail: number): ReadonlyMap<number, number> {
  const old = codeLines(before, head, before.tokens.length - tail);
  const current = codeLines(now, head, now.tokens.length - tail);
  const shifts = new Map<number, number>();
  const changes = diffArrays(
    old.map(({ code }) => code),
    current.map(({ code }) => code),
    { maxEditLength: MAX_EDITS },
  );
  let from = 0;
  let to = 0;
  for (const { added, removed, count } of changes ?? []) {
    for (let line = 0; line < count; line++) {
      const was = old[from + line];
      const is = current[to + line];
      const isKept = !added && !removed && was !== undefined && is !== undefined;
      if (isKept) shifts.set(was.line, is.first - was.first);
    }
    if (!added) from += count;
    if (!removed) to += count;
  }
  return shifts;
}

interface CodeLine {
  readonly line: number;
  readonly first: number;
  readonly code: string;
}

/** The whole lines that have any token from `first` to before `end`. Lines without code are left out. */
function codeLines(text: CodeText, first: number, end: number): readonly CodeLine[] {
  if (first >= end) return [];
  const lines: CodeLine[] = [];
  for (let line: number = text.lineOf(first); line <= text.lineOf(end - 1); line++) {
    const at = text.tokensAbove(line);
    const code = text.tokens.slice(at, text.tokensAbove(line + 1)).join(' ');
    if (code !== '') lines.push({ line, first: at, code });
  }
  return lines;
}

export interface FunctionExtent {
  /** V8's name; `''` for anonymous functions. */
  readonly name: string;
  readonly firstLine: Line0;
  readonly lastLine: Line0;
}

export interface PlacedFunction {
  readonly line: Line0;
  /** Its last kept line, as far as known. */
  readonly lastLine: Line0;
  /** True where its code has changed since it was measured. */
  readonly stale: boolean;
  /** Where one of its lines is now; null where its code is gone. */
  readonly lineOf: (line: Line0) => Line0 | null;
}

/**
 * Finds a function in the current text: where its code moved, else where its code is. Null where it is gone. It depends
 * on the two texts alone, so undoing an edit restores everything.
 */
export function placeFunction(map: CodeMap, extent: FunctionExtent): PlacedFunction | null {
  const { before, now } = map;
  const { firstLine, lastLine } = extent;
  if (now === before && firstLine >= 0 && lastLine < now.lineCount)
    return { line: firstLine, lastLine, stale: false, lineOf: map.lineOf };
  const first = before.tokensAbove(firstLine);
  const end = before.tokensAbove(lastLine + 1);
  const shift = end > first ? shiftOfFunction(map, first, end) : null;
  if (shift !== null) {
    return {
      line: now.lineOf(first + shift),
      lastLine: now.lineOf(end - 1 + shift),
      stale: false,
      lineOf: (line) => now.lineOf(before.tokensAbove(line) + shift),
    };
  }
  const line = map.lineOf(firstLine) ?? changedFirstLine(map, extent);
  if (line === null) return null;
  const lineOf = (asked: Line0): Line0 | null => (asked === firstLine ? line : map.lineOf(asked));
  return { line, lastLine: lastKept(map, extent) ?? line, stale: true, lineOf };
}

/** By how much the numbers of a function's tokens have shifted; null where they are no longer together. */
function shiftOfFunction(map: CodeMap, first: number, end: number): number | null {
  const { before, now } = map;
  const isAt = (shift: number): boolean => {
    for (let token = first; token < end; token++) {
      if (now.tokens[token + shift] !== before.tokens[token]) return false;
    }
    return true;
  };
  const likely = map.shifts(first, end).find(isAt);
  if (likely !== undefined) return likely;
  if (end - first < MIN_TELLING_TOKENS) return null;
  const elsewhere = now.tokens.findIndex((_, token) => isAt(token - first));
  return elsewhere < 0 ? null : elsewhere - first;
}

/** Functions of fewer tokens are not identified by their code alone. */
const MIN_TELLING_TOKENS = 12;

/** The new first line of a rewritten one: where new code nearby gives the name, else the nearest line if others are kept. */
function changedFirstLine(map: CodeMap, extent: FunctionExtent): Line0 | null {
  const { now } = map;
  const nearest = map.nearest(extent.firstLine);
  if (extent.name !== '') {
    const end = now.tokensAbove(nearest + 3);
    for (let token = now.tokensAbove(nearest); token < end; token++) {
      if (now.tokens[token] === extent.name && givesName(now, token) && !isKept(map, token)) return now.lineOf(token);
    }
  }
  return lastKept(map, extent) === null ? null : nearest;
}

/** Whether a token of the later text is in a line that was there before. */
function isKept({ before, shiftOf }: CodeMap, token: number): boolean {
  for (let line = 0; line < before.lineCount; line++) {
    const was = token - (shiftOf(line) ?? Infinity);
    if (was >= before.tokensAbove(line) && was < before.tokensAbove(line + 1)) return true;
  }
  return false;
}

/** Whether a name may be that of a function which begins there: another use of it is a call, or a value. */
function givesName({ tokens, lineOf }: CodeText, name: number): boolean {
  const next = tokens[name + 1] ?? '';
  if (/^(?:function|class|async|static|[gs]et|\*)$/.test(tokens[name - 1] ?? '')) return true;
  if (next === '(') return /^[{:]$/.test(tokens[closing(tokens, name + 1) + 1] ?? '');
  if (next !== '=' && next !== ':') return next === '<';
  let end = name + 2;
  while (lineOf(end) === lineOf(name + 2) && /^(?:[\w$'"`]|\.$)/.test(tokens[end] ?? '')) end++;
  return !/^[;,})]?$/.test(tokens[end] ?? '') && (end === name + 2 || lineOf(end) === lineOf(name + 2));
}

/** The bracket that closes the one at `open`; the end of the tokens where none does. */
function closing(tokens: readonly string[], open: number): number {
  let depth = 0;
  for (let token = open; token < tokens.length; token++) {
    if (tokens[token] === '(') depth++;
    if (tokens[token] === ')') depth--;
    if (depth === 0) return token;
  }
  return tokens.length;
}

/** Where the last distinctive line of a function is now; null where there is none. */
function lastKept({ before, lineOf }: CodeMap, { firstLine, lastLine }: FunctionExtent): Line0 | null {
  for (let line: number = lastLine; line > firstLine; line--) {
    const tokens = before.tokens.slice(before.tokensAbove(line), before.tokensAbove(line + 1));
    const there = tokens.some((token) => /\w{2}/.test(token)) ? lineOf(line0(line)) : null;
    if (there !== null) return there;
  }
  return null;
}
