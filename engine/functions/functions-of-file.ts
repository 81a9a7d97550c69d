import type { Analysis } from '../analysis.ts';
import { firstDifference } from '../basics/first-difference.ts';
import type { FunctionInfo } from './function-table.ts';

/** The functions whose file this is, those whose line is known, by line and column; `path` is absolute and decoded. */
export function functionsOfFile(analysis: Analysis, path: string): readonly FunctionInfo[] {
  return analysis.functions.functions
    .filter((fn) => fn.path === path && fn.line >= 0)
    .toSorted((a, b) => firstDifference(a.line - b.line, a.column - b.column));
}
