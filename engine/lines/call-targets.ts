import type { FunctionInfo } from '../functions/function-table.ts';
import type { SourceCall, SourceFunction, SourceIndex } from './source-index.ts';

/** What a call may run, where no name tells: a line is certain only where no other call of its function can be meant. */

/** A function that is called, and what its own source tells of it. */
export interface Callee {
  readonly fn: FunctionInfo;
  readonly isGenerator: boolean;
}

/**
 * V8 gives no name to a function that another one hands back (`proto.add = createAdder(1)`), nor to what `eval` and
 * `new Function` make: a text may call it by any name.
 */
export function isUnnamed({ name, url }: FunctionInfo): boolean {
  return name === '' || (url === '' && name === 'anonymous');
}

/** The text given to `eval` itself, and no function in it. */
export function isTopOfEval({ url, line, column, name }: FunctionInfo): boolean {
  return url === '' && name === '' && line === 0 && column === 0;
}

/** Called by the language, where no call stands: accessors, traps of a proxy, what turns objects into values. */
export function isImplicit({ name }: FunctionInfo): boolean {
  return /^(get |set |<|\[Symbol\.)/.test(name) || implicit.has(name.slice(name.lastIndexOf('.') + 1));
}

const implicit = new Set([
  ...['toString', 'valueOf', 'toJSON', 'then', 'next', 'return', 'throw'],
  ...['get', 'set', 'has', 'apply', 'construct', 'deleteProperty', 'ownKeys', 'defineProperty'],
  ...['getOwnPropertyDescriptor', 'getPrototypeOf', 'setPrototypeOf', 'isExtensible', 'preventExtensions'],
]);

/** Whether a call may run the callee, by whatever name: nothing says that it runs another function. */
export function mayCall(call: SourceCall, callee: Callee, body: SourceFunction, index: SourceIndex): boolean {
  if (callee.isGenerator) return asksIterator(call);
  if (call.kind !== 'call' && call.kind !== 'new') return false;
  const isKnown = (name: string): boolean => isFunctionHere(name, callee, body, index);
  if (callsBack(call) && call.passed.some((name) => !isKnown(name))) return true;
  return !isOther(call, callee, isKnown, index);
}

/** Whether it makes a generator run on: a loop over one, `next`, and what reads it to its end. */
export function asksIterator({ kind, callee, root }: SourceCall): boolean {
  if (kind === 'iterate') return true;
  if (kind === 'new') return /^(Weak)?(Map|Set)$/.test(callee);
  return kind === 'call' && (iteratorMethods.has(callee) || root === 'Array' || root === 'Promise');
}

const iteratorMethods = new Set(['next', 'return', 'throw', 'from', 'fromEntries', 'toArray', 'drop', 'take']);

function isOther(
  { root, callee: name, isMember }: SourceCall,
  { fn }: Callee,
  isKnown: (name: string) => boolean,
  { aliases }: SourceIndex,
): boolean {
  const from = aliases.get(root)?.from ?? null;
  if (from !== null) return fn.kind !== 'node' && isNodeModule(from);
  if (isMember) return globals.has(root) ? fn.kind !== 'node' : methods.has(name) || callbackMethods.has(name);
  return isKnown(name) || (globals.has(name) && !aliases.has(name));
}

/** A function of this file that is another one: the name is not that of a parameter, which may be anything. */
function isFunctionHere(name: string, { fn }: Callee, body: SourceFunction, index: SourceIndex): boolean {
  const { functions } = index;
  for (let around: SourceFunction | undefined = body; around !== undefined; around = functions[around.parent]) {
    if (around.parameters.includes(name)) return false;
  }
  return functions.some(({ kind, title }) => kind !== 'module' && title === name && title !== fn.label);
}

/** A built-in that runs what it is handed. */
function callsBack({ root, callee, passed }: SourceCall): boolean {
  if (callbackMethods.has(callee) || root === 'Reflect') return true;
  return passed.length > 1 && (root === 'JSON' || root === 'Object');
}

const callbackMethods = new Set([
  ...['map', 'filter', 'forEach', 'reduce', 'reduceRight', 'some', 'every', 'flatMap', 'sort', 'toSorted'],
  ...['find', 'findIndex', 'findLast', 'findLastIndex', 'replace', 'replaceAll', 'from', 'Promise'],
]);

/** Of built-in objects alone: nobody gives such a name to a function of their own without V8 knowing it. */
const methods = new Set([
  ...['push', 'pop', 'shift', 'unshift', 'slice', 'splice', 'join', 'indexOf', 'lastIndexOf', 'includes', 'fill'],
  ...['reverse', 'keys', 'values', 'entries', 'concat', 'charAt', 'charCodeAt', 'codePointAt', 'toFixed', 'padStart'],
  ...['padEnd', 'toUpperCase', 'toLowerCase', 'trim', 'trimStart', 'trimEnd', 'startsWith', 'endsWith', 'substring'],
  ...['hasOwnProperty', 'isPrototypeOf', 'toISOString', 'getTime', 'localeCompare', 'subarray', 'split', 'repeat'],
]);

export function isNodeModule(from: string): boolean {
  return from.startsWith('node:') || nodeModules.has(from);
}

const nodeModules = new Set([
  ...['fs', 'zlib', 'crypto', 'child_process', 'util', 'path', 'url', 'querystring', 'vm', 'dns', 'stream'],
  ...['http', 'assert', 'buffer', 'events', 'v8', 'perf_hooks', 'os', 'net', 'tls', 'https', 'readline'],
]);

/** Of the language and of Node. */
export const globals: ReadonlySet<string> = new Set([
  ...['process', 'Buffer', 'console', 'performance', 'crypto', 'structuredClone', 'fetch', 'Headers', 'Request'],
  ...['Response', 'FormData', 'Blob', 'URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'AbortController'],
  ...['JSON', 'Math', 'Object', 'Reflect', 'Number', 'String', 'Array', 'Date', 'Promise', 'Symbol', 'BigInt'],
  ...['RegExp', 'Intl', 'Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Error', 'TypeError', 'RangeError', 'Proxy'],
  ...['Boolean', 'Function', 'ArrayBuffer', 'SharedArrayBuffer', 'DataView', 'Uint8Array', 'Int32Array', 'Atomics'],
  ...['Float32Array', 'Float64Array', 'Uint16Array', 'Uint32Array', 'Int8Array', 'Int16Array', 'BigInt64Array'],
  ...['WebAssembly', 'parseInt', 'parseFloat', 'isNaN', 'isFinite', 'encodeURIComponent', 'decodeURIComponent'],
  ...['encodeURI', 'decodeURI', 'setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval'],
  ...['clearImmediate', 'queueMicrotask', 'eval', 'require', 'globalThis', 'atob', 'btoa'],
]);
