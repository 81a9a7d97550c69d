import { type Line0, line0 } from '../../protocol/units.ts';
import type { CodeMap } from './code-map.ts';

/** A function as it was in the text that was recorded. */
export interface FunctionExtent {
  /** V8's name; `''` for anonymous functions. */
  readonly name: string;
  readonly firstLine: Line0;
  readonly lastLine: Line0;
}

/** Where a function is now. */
export interface PlacedFunction {
  readonly line: Line0;
  /** Its last line, as far as that is known: that of the last code that is still there. */
  readonly lastLine: Line0;
  /** True where its code has changed since it was measured. */
  readonly stale: boolean;
  /** Where one of its lines is now; null where the code of that line is gone. */
  readonly lineOf: (line: Line0) => Line0 | null;
}

/**
 * Finds a function again in the current text: where its code moved to, else wherever its code is. Null where it is gone.
 * The result depends only on the two texts, so undoing an edit brings everything back.
 */
export function placeFunction(map: CodeMap, extent: FunctionExtent): PlacedFunction | null {
  const { before, now } = map;
  const first = before.tokensAbove(extent.firstLine);
  const end = before.tokensAbove(extent.lastLine + 1);
  const shift = end > first ? shiftOf(map, first, end) : null;
  if (shift !== null) {
    return {
      line: now.lineOf(first + shift),
      lastLine: now.lineOf(end - 1 + shift),
      stale: false,
      lineOf: (line) => now.lineOf(before.tokensAbove(line) + shift),
    };
  }
  const line = map.lineOf(extent.firstLine) ?? changedFirstLine(map, extent);
  if (line === null) return null;
  const lineOf = (asked: Line0): Line0 | null => (asked === extent.firstLine ? line : map.lineOf(asked));
  return { line, lastLine: lastKept(map, extent) ?? line, stale: true, lineOf };
}

/** By how much the numbers of a function's tokens differ now; null where they are no longer together anywhere. */
function shiftOf(map: CodeMap, first: number, end: number): number | null {
  const { before, now } = map;
  const isAt = (shift: number): boolean => {
    for (let token = first; token < end; token++) {
      if (now.tokens[token + shift] !== before.tokens[token]) return false;
    }
    return true;
  };
  const likely = map.shifts(first, end).find(isAt);
  if (likely !== undefined) return likely;
  if (end - first < leastTelling) return null;
  const elsewhere = now.tokens.findIndex((_, token) => isAt(token - first));
  return elsewhere < 0 ? null : elsewhere - first;
}

/** From so many tokens on a function is known by its code alone. Fewer of them may be anywhere. */
const leastTelling = 12;

/**
 * New first line of a function whose first line was rewritten. It is the line in its place, if that has the function's
 * name or if other lines of the function are still there.
 */
function changedFirstLine(map: CodeMap, extent: FunctionExtent): Line0 | null {
  const { now } = map;
  const nearest = map.nearest(extent.firstLine);
  if (extent.name !== '') {
    const end = now.tokensAbove(nearest + 3);
    for (let token = now.tokensAbove(nearest); token < end; token++) {
      if (now.tokens[token] === extent.name) return now.lineOf(token);
    }
  }
  return lastKept(map, extent) === null ? null : nearest;
}

/** Where the last line of a function is now that tells which function it is; null where there is none. */
function lastKept({ before, lineOf }: CodeMap, { firstLine, lastLine }: FunctionExtent): Line0 | null {
  for (let line: number = lastLine; line > firstLine; line--) {
    const tokens = before.tokens.slice(before.tokensAbove(line), before.tokensAbove(line + 1));
    const there = tokens.some((token) => /\w{2}/.test(token)) ? lineOf(line0(line)) : null;
    if (there !== null) return there;
  }
  return null;
}
