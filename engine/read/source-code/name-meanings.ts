import type { Alias, SourceFunction, SourceIndex } from './source-index.ts';

type Meaning =
  /** A function or class of this file, by its number in the index. */
  | { readonly type: 'function'; readonly index: number }
  | { readonly type: 'alias'; readonly alias: Alias }
  /** It is a parameter, or a variable whose value is not known. */
  | { readonly type: 'value' }
  /** It is declared nowhere in the file. */
  | { readonly type: 'global' };

/** The meaning of a name, looked up from the function outwards. Blocks are not distinguished. */
export function meaningOf(name: string, body: SourceFunction, { functions }: SourceIndex): Meaning {
  for (let scope: SourceFunction | undefined = body; scope !== undefined; scope = functions[scope.parent]) {
    const own = scope.inner.get(name);
    const declared = scope.names.get(name);
    if (declared !== undefined && declared !== null) return { type: 'alias', alias: declared };
    if (own !== undefined) return { type: 'function', index: own };
    if (declared === null) return { type: 'value' };
  }
  return { type: 'global' };
}

/** Built-ins that run the functions that they are handed. */
export const callbackMethods: ReadonlySet<string> = new Set([
  ...['map', 'filter', 'forEach', 'reduce', 'reduceRight', 'some', 'every', 'flatMap', 'sort', 'toSorted', 'then'],
  ...['find', 'findIndex', 'findLast', 'findLastIndex', 'replace', 'replaceAll', 'from', 'catch', 'finally', 'Promise'],
]);

/** Methods of built-in objects alone. A user's function of such a name is known to V8 by that name. */
export const methods = new Set([
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
