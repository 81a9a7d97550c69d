import { lastUpTo } from '../../basics/binary-search.ts';
import type { BuiltFunctions } from './log-functions.ts';
import type { TextLines } from './log-scripts.ts';

/** The line of an offset in a script, from 1; 0 where it is not known. */
export type LineOf = (offset: number) => number;

/** A function's first offset, and the place that the log gives for it, from 0. */
interface Anchor {
  readonly start: number;
  readonly line: number;
  readonly column: number;
}

/** By script, the functions whose begin the log tells. */
export function anchorsOf({ frames, scripts, starts }: BuiltFunctions): ReadonlyMap<number, readonly Anchor[]> {
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
 * Lines by the text's own lines, where its functions are where the log says; null where they are not, because another
 * text ran.
 */
export function linesOfText({ starts }: TextLines, anchors: readonly Anchor[]): LineOf | null {
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

/** Lines without a text: what is between the begins of two functions on one line is on that line. */
export function linesBetween(anchors: readonly Anchor[]): LineOf {
  const sorted = anchors.toSorted((a, b) => a.start - b.start);
  const starts = Int32Array.from(sorted, ({ start }) => start);
  return (offset) => {
    const before = lastUpTo(starts, offset);
    const line = sorted[before]?.line;
    const isCertain = starts[before] === offset || sorted[before + 1]?.line === line;
    return line === undefined || !isCertain ? 0 : line + 1;
  };
}
