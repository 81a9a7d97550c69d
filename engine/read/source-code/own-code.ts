import type { Column0, Line0, Line1 } from '../../../protocol/units.ts';
import { functionAt, isBefore, isPartOfClass, type SourceFunction, type SourceIndex } from './source-index.ts';

/** A function as V8 or a source map places it. */
export interface PlacedFunction {
  readonly line: Line0;
  readonly column: Column0;
  readonly name: string;
  /** True for the body of a whole module. */
  readonly moduleBody: boolean;
}

export function sourceOf(index: SourceIndex | null, fn: PlacedFunction): SourceFunction | undefined {
  return index?.functions[fn.moduleBody ? 0 : functionAt(index, fn.line, fn.column, fn.name)];
}

/**
 * What a function itself has on a line of its source: neither the code around it nor that of functions in it, but `.map(`
 * where it begins as the callback of `map`. Null for a line outside of it.
 */
export function ownCode(source: string, line: Line1, fn: SourceFunction, { functions }: SourceIndex): string | null {
  if (line < fn.start.line || line > fn.end.line) return null;
  const text = source.split('\n')[line - 1] ?? '';
  const columns = ({ start, end }: SourceFunction) => ({
    from: start.line < line ? 0 : start.column,
    until: end.line > line ? text.length : end.column,
  });
  const { from, until } = columns(fn);
  let code = fn.callbackOf !== null && fn.start.line === line ? `.${fn.callbackOf}(` : '';
  let at = from;
  for (const inner of functions.slice(functions.indexOf(fn) + 1)) {
    if (isPartOfClass(inner) || inner.end.line < line || inner.start.line > line) continue;
    const its = columns(inner);
    if (its.from < at || !isBefore(inner.start, fn.end)) continue;
    code += `${text.slice(at, its.from)} `;
    at = its.until;
  }
  return code + text.slice(at, until);
}
