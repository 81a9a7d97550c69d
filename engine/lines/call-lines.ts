import type { FunctionInfo } from '../functions/function-table.ts';
import type { Line1 } from '../../protocol/units.ts';
import { type Alias, type SourceCall, type SourceFunction, type SourceIndex, functionAt } from './source-index.ts';

/**
 * The lines of a function's body that may call `callee`, ascending: one is sure, several are alternatives, none means
 * that the source names it nowhere (a callback from elsewhere, `toString`, an iterator).
 */
export function callLines(
  body: SourceFunction,
  callee: FunctionInfo,
  isSameFile: boolean,
  index: SourceIndex,
): readonly Line1[] {
  const inline = isSameFile ? functionAt(index, callee.line, callee.column, callee.name) : -1;
  const name = calledName(callee);
  const ways = [
    (call: SourceCall) => inline > 0 && call.inline.includes(inline),
    (call: SourceCall) => kindOf(call) === kindCalledBy(callee) && names(call.callee, name, callee, index),
    (call: SourceCall) => call.passed.some((passed) => names(passed, name, callee, index)),
  ];
  for (const isWay of ways) {
    const lines = new Set(body.calls.filter(isWay).map((call) => call.line));
    if (lines.size > 0) return [...lines].toSorted((a, b) => a - b);
  }
  return [];
}

/** What a caller writes: `parse` for V8's `exports.parse`, `size` for its `get size`. */
function calledName({ name }: FunctionInfo): string {
  const last = name
    .replace(/^(?:get|set) /, '')
    .split('.')
    .at(-1);
  return last ?? name;
}

/** An accessor is called by naming a property, everything else by a call or `new`. */
function kindCalledBy({ name }: FunctionInfo): 'get' | 'set' | 'call' {
  if (name.startsWith('get ')) return 'get';
  return name.startsWith('set ') ? 'set' : 'call';
}

function kindOf({ kind }: SourceCall): 'get' | 'set' | 'call' {
  return kind === 'new' ? 'call' : kind;
}

/** Whether a name as written in this file means the callee. */
function names(written: string, name: string, callee: FunctionInfo, { aliases }: SourceIndex): boolean {
  if (written === '') return false;
  const alias = aliases.get(written);
  if (written === name || alias?.name === name) return true;
  return alias !== undefined && (alias.name === 'default' || alias.name === '*') && comesFrom(alias, callee);
}

/** Whether the callee is of the module that was imported: `./rules/detect.js` may be `detect.ts`. */
function comesFrom({ from }: Alias, { path, packageName, url }: FunctionInfo): boolean {
  if (from === null) return false;
  if (packageName !== null) return from === packageName || from.startsWith(`${packageName}/`);
  if (path === null) return url === from;
  const imported = stem(from);
  return imported !== '' && (stem(path) === imported || path.includes(`/${imported}/index.`));
}

function stem(path: string): string {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return file.replace(/\.[cm]?[jt]sx?$/, '');
}
