import type { ScriptPosition } from '../sourcemap/ask-map.ts';

/**
 * Whether all functions can begin where V8 says in this text, seen from the characters there alone: a tenth of the
 * time of parsing it. False proves nothing, as other engines give other columns.
 */
export function mayHaveRun(text: string, starts: readonly ScriptPosition[]): boolean {
  const lines = text.split('\n');
  return starts.every((start) => {
    if (isModuleBody(start) || start.line < 0 || start.column < 0) return true;
    const line = lines[start.line];
    return line !== undefined && start.column < line.length && isBegin(line, start.column, lastName(start.name));
  });
}

/** Whether a function of that name may begin here: at its parameters, or at an arrow function or class itself. */
function isBegin(line: string, column: number, name: string): boolean {
  const before = line.slice(Math.max(0, column - MAX_BEFORE), column).trimEnd();
  if (line[column] !== '(') return begin.test(line.slice(column, column + MAX_BEFORE));
  const word = /[\p{L}\p{N}_$#]+$/u.exec(before)?.[0] ?? '';
  return word === '' || word === name || isKeyword.test(word);
}

/** In UTF-16 units. */
const MAX_BEFORE = 100;
const begin = /^(?:async\b|class\b|static\b|function\b|[\p{L}_$][\p{L}\p{N}_$]*\s*=>)/u;
const isKeyword = /^(?:function|async|return|yield|await|default|constructor|of|in|case|throw|void|typeof)$/;

/** Whether it is the body of a whole script, maybe in the function that a test runner puts around it. */
export function isModuleBody({ line, column, name }: ScriptPosition): boolean {
  return line === 0 && (column <= 0 || name === 'Object.<anonymous>');
}

/** The name in the source: `total` of `Cart.total`, `price` of `get price`. Empty for `(anonymous)`. */
export function lastName(name: string): string {
  return /[\p{L}\p{N}_$]+$/u.exec(name)?.[0] ?? '';
}
