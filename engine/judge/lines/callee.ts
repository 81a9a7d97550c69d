import type { FunctionInfo } from '../../read/functions/function-table.ts';
import type { SourceCall } from '../../read/source-code/source-index.ts';

/** A function that another one has called, and how texts name it. */
export interface Callee {
  readonly fn: FunctionInfo;
  /** Its number in the caller's source; −1 where it is in another file. */
  readonly number: number;
  /** True where its source declares it as a generator. */
  readonly isGenerator: boolean;
}

/**
 * Whether V8 has no real name for it. That is so for a function that another one returns (`proto.add =
 * createAdder(1)`), for a module's only export, and for what `eval` and `new Function` make: a text may call it by any
 * name.
 */
export function isUnnamed({ name, url }: FunctionInfo): boolean {
  return (
    name === '' || name === 'module.exports' || name.endsWith('.<computed>') || (url === '' && name === 'anonymous')
  );
}

/** Whether it may be the text given to `eval` itself, or a function at the begin of that text. */
export function mayBeTopOfEval({ url, line, column, name }: FunctionInfo): boolean {
  return url === '' && name === '' && line === 0 && column === 0;
}

/**
 * Whether the language runs it where there is no call: accessors, traps of a proxy, conversions of objects to values.
 */
export function isImplicit({ name }: FunctionInfo): boolean {
  return /^(get |set |<|\[Symbol\.)/.test(name) || implicit.has(lastWord(name));
}

/** Whether loops call it to ask for the next value. */
export function isIteratorMethod({ name }: FunctionInfo): boolean {
  return /^\[Symbol\.(async)?iterator\]$/i.test(name) || ['next', 'return', 'throw'].includes(lastWord(name));
}

const implicit = new Set([
  ...['toString', 'valueOf', 'toJSON', 'then', 'next', 'return', 'throw'],
  ...['get', 'set', 'has', 'apply', 'construct', 'deleteProperty', 'ownKeys', 'defineProperty'],
  ...['getOwnPropertyDescriptor', 'getPrototypeOf', 'setPrototypeOf', 'isExtensible', 'preventExtensions'],
]);

/**
 * The name that a caller writes: `parse` for V8's `exports.parse`, `size` for its `get size`, `Headers` for Node's
 * `_Headers`.
 */
export function calledName({ name, kind }: FunctionInfo): string {
  const called = lastWord(name.replace(/^(?:get|set) /, ''));
  return kind === 'node' ? called.replace(/^_/, '') : called;
}

function lastWord(name: string): string {
  return name.split('.').at(-1) ?? name;
}

/** What runs it. Reading or writing a property runs an accessor; a call or `new` runs everything else. */
export function kindCalledBy({ name }: FunctionInfo): 'get' | 'set' | 'call' {
  if (name.startsWith('get ')) return 'get';
  return name.startsWith('set ') ? 'set' : 'call';
}

export function kindOf({ kind }: SourceCall): 'get' | 'set' | 'call' {
  return kind === 'get' || kind === 'set' ? kind : 'call';
}

/** Whether the callee belongs to the module that is imported by that name. `./rules/detect.js` may be `detect.ts`. */
export function comesFrom(from: string, { path, packageName, url }: FunctionInfo): boolean {
  if (packageName !== null) return from === packageName || from.startsWith(`${packageName}/`);
  if (path === null) return url === from;
  const file = withoutEnding(path.replaceAll('\\', '/'));
  const [first = '', ...rest] = from.split('/').filter((part) => part !== '.' && part !== '..');
  // A name that only tools resolve (`@/rules`) begins with a word of its own.
  const parts = from.startsWith('.') || rest.length === 0 ? [first, ...rest] : rest;
  const imported = withoutEnding(parts.join('/'));
  if (imported === '') return file.endsWith('/index');
  return file.endsWith(`/${imported}`) || file.endsWith(`/${imported}/index`);
}

function withoutEnding(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, '');
}
