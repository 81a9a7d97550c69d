import { firstDifference } from '../basics/first-difference.ts';
import type { FunctionInfo } from './function-table.ts';

/** The order that settles ties: by url, line, column, name. Negative where `a` comes first. */
export function compareFunctions(a: FunctionInfo, b: FunctionInfo): number {
  return firstDifference(
    compareTexts(a.url, b.url),
    a.line - b.line,
    a.column - b.column,
    compareTexts(a.name, b.name),
  );
}

/** By code units: the same on every machine. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
