import type { SourceCall, SourceFunction, SourceIndex } from '../../read/source-code/source-index.ts';
import { callbackMethods, methods, isNodeModule, globals, meaningOf } from '../../read/source-code/name-meanings.ts';
import type { FunctionInfo } from '../../read/functions/function-table.ts';

/** Whether a call runs the callee, as far as its text shows. */
export type Relation =
  | 'is' // it names this very function
  | 'named' // it has its name, of an object that may be another's
  | 'namesake' // it has its name, but this file also has something of that name
  | 'handed' // it passes the callee to a function that may run it
  | 'default' // it calls the only export of the callee's module, by a name of its own
  | 'sibling' // it calls something else of the callee's module
  | 'hidden' // it has no name: `table[key]()`, `make()()`
  | 'value' // it calls a parameter or variable that may hold any function
  | 'access' // it reads or writes a property, which may be an accessor of another name
  | 'builtIn' // it has the name of something built in, which may have been replaced
  | 'method' // it calls a method of another name, of an unknown object
  | 'imported' // it calls a function of another module, by another name
  | 'other' // it calls a function of another name
  | 'not'; // it certainly runs another function

export function relationOf(call: SourceCall, callee: Callee, body: SourceFunction, index: SourceIndex): Relation {
  if (call.kind === 'iterate' || call.kind === 'element') return 'not';
  const isAccess = kindOf(call) !== 'call' || kindCalledBy(callee.fn) !== 'call';
  if (isAccess) return accessRelation(call, callee, index);
  if (callee.number > 0 && call.inline.includes(callee.number)) return 'is';
  if (call.isOfLiteral && (callee.number > 0 || !isUnnamed(callee.fn))) return 'not';
  const direct = call.isMember
    ? memberRelation(call, callee, body, index)
    : nameRelation(call.callee, callee, body, index);
  if (direct === 'is') return direct;
  const passed = call.passed.map((name) => nameRelation(name, callee, body, index));
  const its = passed.find((one) => one === 'is' || one === 'named');
  if (callsBack(call)) return its ?? (direct === 'builtIn' ? valueIn(passed) : direct);
  return its !== undefined && direct !== 'named' ? 'handed' : direct;
}

/** Relation of a call to a built-in that runs one of the values that it is handed. */
function valueIn(passed: readonly Relation[]): Relation {
  const ways: readonly Relation[] = ['default', 'sibling', 'value', 'method', 'imported', 'other'];
  return ways.find((way) => passed.includes(way)) ?? 'builtIn';
}

/** Relation of a call to an accessor: naming a property runs an accessor, a call runs every other function. */
function accessRelation(call: SourceCall, { fn }: Callee, { members }: SourceIndex): Relation {
  const hasName = kindOf(call) === kindCalledBy(fn) && call.callee === calledName(fn);
  if (!hasName) return kindOf(call) === 'call' ? 'not' : 'access';
  return members.has(call.callee) ? 'namesake' : 'named';
}

/** Relation of a plain name that is called, or handed over. */
function nameRelation(name: string, callee: Callee, body: SourceFunction, index: SourceIndex): Relation {
  if (name === '') return 'hidden';
  const { fn } = callee;
  let called = name;
  for (let step = 0; step < MAX_CHAIN; step += 1) {
    const meaning = meaningOf(called, body, index);
    const hasName = called === calledName(fn) && !isUnnamed(fn);
    if (meaning.type === 'function') return meaning.index === callee.number ? 'is' : 'not';
    if (meaning.type === 'value') return hasName ? 'named' : continuations.has(called) ? 'other' : 'value';
    if (meaning.type === 'global') return hasName ? 'named' : globals.has(called) ? 'builtIn' : 'other';
    const { alias } = meaning;
    if (alias.from !== null) return importRelation(alias.name, name, callee, alias.from);
    if (alias.isMember) return alias.name === calledName(fn) ? 'named' : 'method';
    called = alias.name;
  }
  return 'other';
}

/** Maximum chain of aliases: a name may lead back to itself. */
const MAX_CHAIN = 4;

function importRelation(exported: string, local: string, { fn }: Callee, from: string): Relation {
  const isDefault = exported === 'default' || exported === '*';
  const hasName = !isUnnamed(fn) && (exported === calledName(fn) || (isDefault && local === calledName(fn)));
  if (comesFrom(from, fn)) return hasName ? 'is' : isDefault ? 'default' : 'sibling';
  if (hasName) return 'named';
  return isNodeModule(from) && fn.kind !== 'node' ? 'builtIn' : 'imported';
}

function memberRelation(
  { callee: name, root, kind }: SourceCall,
  callee: Callee,
  body: SourceFunction,
  index: SourceIndex,
): Relation {
  const { fn, number } = callee;
  const meaning = root === '' ? null : meaningOf(root, body, index);
  const isBuiltIn = meaning?.type === 'global' && globals.has(root) && root !== 'require';
  if (isBuiltIn)
    return root === 'Reflect' ? 'hidden' : fn.kind === 'node' && name === calledName(fn) ? 'named' : 'builtIn';
  if (name === '') return 'hidden';
  const from = meaning?.type === 'alias' ? meaning.alias.from : null;
  if (!isUnnamed(fn) && name === calledName(fn)) {
    const isImported = from !== null && comesFrom(from, fn);
    return isImported ? 'is' : index.members.has(name) && number < 0 ? 'namesake' : 'named';
  }
  if (from !== null)
    return comesFrom(from, fn) ? 'sibling' : isNodeModule(from) && fn.kind !== 'node' ? 'builtIn' : 'imported';
  if (kind === 'new') return 'hidden';
  return methods.has(name) || callbackMethods.has(name) ? 'builtIn' : 'method';
}

/** Whether a call calls a built-in that runs the functions that it is handed. */
function callsBack({ root, callee, passed }: SourceCall): boolean {
  if (callbackMethods.has(callee) || root === 'Reflect' || root === 'Promise') return true;
  return passed.length > 1 && (root === 'JSON' || root === 'Object' || root === 'Array');
}

/** Whether the function is handed here to something that keeps it. Then any variable may hold it. */
export function isHandedOn(callee: Callee, body: SourceFunction, index: SourceIndex): boolean {
  const isKept = (call: SourceCall): boolean =>
    callee.number > 0 && call.inline.includes(callee.number) && call.callee !== '' && !callsBack(call);
  if (body.calls.some(isKept)) return true;
  return [...body.handedOn].some((name) => {
    const relation = nameRelation(name, callee, body, index);
    return relation === 'is' || relation === 'named';
  });
}

/** Usual names for the code that runs next. A named function is not passed by such a name. */
const continuations = new Set(['next', 'done', 'resolve', 'reject', 'cb', 'callback']);

/** A function that another one has called, and how texts name it. */
export interface Callee {
  readonly fn: FunctionInfo;
  /** Its number in the caller's source; −1 where it is in another file. */
  readonly number: number;
  /** True where its source declares it as a generator. */
  readonly isGenerator: boolean;
}

/**
 * Whether V8 has no real name for it, so that a text may call it by any name: a returned function, an only export,
 * `eval`.
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

/** Whether the language calls it implicitly: accessors, proxy traps, conversions of objects. */
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

/** The name that a caller writes: `parse` for `exports.parse`, `size` for `get size`, `Headers` for `_Headers`. */
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
  if (packageName !== null) return isOfPackage(from, packageName);
  if (path === null) return url === from;
  const file = stem(path);
  const [first = '', ...rest] = from.split('/').filter((part) => part !== '.' && part !== '..');
  // A name that only tools resolve (`@/rules`) begins with a word of its own.
  const parts = from.startsWith('.') || rest.length === 0 ? [first, ...rest] : rest;
  const imported = stem(parts.join('/'));
  if (imported === '') return file.endsWith('/index');
  return file.endsWith(`/${imported}`) || file.endsWith(`/${imported}/index`);
}

/** Whether an import names a package, or a file of it. */
export function isOfPackage(from: string, name: string): boolean {
  // oxlint-disable-next-line hotspan/one-path-spelling -- a name, not a path
  return from === name || from.startsWith(`${name}/`);
}

/** A path with `/` and without the extension of a source. */
export function stem(path: string): string {
  return path.replaceAll('\\', '/').replace(/\.[cm]?[jt]sx?$/, '');
}
