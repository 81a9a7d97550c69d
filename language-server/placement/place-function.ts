import { type Line0, line0 } from '../../protocol/units.ts';
import type { LineMap } from './line-map.ts';

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
  /** True where its text has changed since it was measured. */
  readonly stale: boolean;
  /** Where one of its lines is now; null where that line is gone. */
  readonly lineOf: (line: Line0) => Line0 | null;
}

/**
 * Finds a function again in the current text: where its lines moved to, else wherever its text is. Null where it is
 * gone. The result depends only on the two texts, so undoing an edit brings everything back.
 */
export function placeFunction(map: LineMap, before: readonly string[], extent: FunctionExtent): PlacedFunction | null {
  const { firstLine, lastLine } = extent;
  const first = map.lineOf(firstLine);
  if (isUnchanged(map, extent)) return shifted(firstLine, first - firstLine);
  const elsewhere = findText(map.now, before.slice(firstLine, lastLine + 1));
  if (elsewhere >= 0) return shifted(firstLine, elsewhere - firstLine);
  const line = first >= 0 ? first : changedFirstLine(map, extent);
  if (line === null) return null;
  return {
    line: line0(line),
    stale: true,
    lineOf: (asked) => {
      const there = asked === firstLine ? line : map.lineOf(asked);
      return there < 0 ? null : line0(there);
    },
  };
}

function shifted(firstLine: Line0, by: number): PlacedFunction {
  return { line: line0(firstLine + by), stale: false, lineOf: (line) => line0(line + by) };
}

/** Whether every line is there, and nothing was put between them. */
function isUnchanged(map: LineMap, { firstLine, lastLine }: FunctionExtent): boolean {
  const first = map.lineOf(firstLine);
  if (first < 0) return false;
  for (let line: number = firstLine; line <= lastLine; line++) {
    if (map.lineOf(line) !== first + line - firstLine) return false;
  }
  return true;
}

/**
 * First line of the function's whole text somewhere else, after cut and paste; −1 where it is nowhere. One or two lines
 * alone prove nothing, because they may be anywhere.
 */
function findText(now: readonly string[], text: readonly string[]): number {
  if (text.length < 3) return -1;
  return now.findIndex((_, start) => text.every((line, index) => now[start + index] === line));
}

/**
 * New first line of a function whose first line was rewritten. It is the line in its place, if that has the function's
 * name or if other lines of the function are still there.
 */
function changedFirstLine(map: LineMap, { name, firstLine, lastLine }: FunctionExtent): number | null {
  const nearest = map.nearest(firstLine);
  const named =
    name === '' ? -1 : ([nearest, nearest + 1, nearest + 2].find((line) => map.now[line]?.includes(name)) ?? -1);
  if (named >= 0) return named;
  for (let line: number = firstLine + 1; line <= lastLine; line++) {
    if (map.lineOf(line) >= 0 && isTelling(map.now[map.lineOf(line)])) return nearest;
  }
  return null;
}

/** Whether a line identifies its function: a brace alone does not. */
function isTelling(line: string | undefined): boolean {
  return line !== undefined && /\w{2}/.test(line);
}
