import type { FunctionInfo } from '../functions/function-table.ts';
import type { Line1 } from '../../protocol/units.ts';
import {
  type Callee,
  asksIterator,
  globals,
  isImplicit,
  isNodeModule,
  isTopOfEval,
  isUnnamed,
  mayCall,
} from './call-targets.ts';
import { type Alias, type SourceCall, type SourceFunction, type SourceIndex, functionAt } from './source-index.ts';

/** The lines of a function's body that may call another, ascending: of several, any one. */
export interface CallLines {
  readonly lines: readonly Line1[];
  /**
   * `named`: the source names it there; `only`: no name says so, but no other call can be it; `guess`: what else is called
   * there is of its module.
   */
  readonly by: 'named' | 'only' | 'guess';
}

/** None where the source tells nothing: a callback from elsewhere, `toString`. */
export function callLines(body: SourceFunction, callee: Callee, isSameFile: boolean, index: SourceIndex): CallLines {
  const { fn } = callee;
  const inline = isSameFile ? functionAt(index, fn.line, fn.column, fn.name) : -1;
  const named = linesOfFirst(body, waysByName(callee, inline, index));
  if (named.length > 0) return { lines: named, by: 'named' };
  const intoModule = isUnnamed(fn) ? [] : linesOf(body, (call) => isCalled(call) && isIntoModuleOf(call, fn, index));
  const others = isImplicit(fn) ? [] : linesOf(body, (call) => mayCall(call, callee, body, index));
  if (others.length === 1 && intoModule.every((line) => line === others[0])) return { lines: others, by: 'only' };
  const guesses = isUnnamed(fn) ? others : intoModule;
  return { lines: guesses.length > mostGuesses ? [] : guesses, by: 'guess' };
}

type Way = (call: SourceCall) => boolean;

/** Ways in which a text says that it calls a function, the surest first. */
function waysByName({ fn, isGenerator }: Callee, inline: number, index: SourceIndex): readonly Way[] {
  const isInline: Way = (call) => inline > 0 && call.inline.includes(inline);
  if (isUnnamed(fn)) return isTopOfEval(fn) ? [({ callee }) => names(callee, 'eval', fn, index)] : [isInline];
  const name = calledName(fn);
  const isNamed: Way = (call) => names(call.callee, name, fn, index);
  if (isGenerator) return [(call) => call.kind === 'iterate' && isNamed(call), asksIterator];
  return [
    isInline,
    (call) => call.kind !== 'iterate' && kindOf(call) === kindCalledBy(fn) && isNamed(call),
    ({ kind }) => kind === 'element' && elementMakers.has(name),
    (call) => call.passed.some((passed) => names(passed, name, fn, index)),
    ...(isStackWriter(fn) ? stackReads : []),
  ];
}

/** The lines of the first way that any call is of. */
function linesOfFirst(body: SourceFunction, ways: readonly Way[]): readonly Line1[] {
  for (const isWay of ways) {
    const lines = linesOf(body, isWay);
    if (lines.length > 0) return lines;
  }
  return [];
}

/** What JSX becomes a call of. */
const elementMakers = new Set(['jsx', 'jsxs', 'jsxDEV', 'createElement', 'h']);

/** Node's part in writing `error.stack`, which V8 calls when the stack is first read: no call of it stands anywhere. */
function isStackWriter({ kind, name }: FunctionInfo): boolean {
  return kind === 'node' && name.startsWith('prepareStackTrace');
}

const stackReads = [
  ({ kind, callee }: SourceCall) => kind === 'get' && callee === 'stack',
  ({ callee }: SourceCall) => callee === 'captureStackTrace' || callee.endsWith('Error'),
];

/** More lines than this that may call a function say nothing about any one of them. */
const mostGuesses = 3;

/** The lines that may run a regular expression, ascending. */
export function regExpLines(body: SourceFunction): readonly Line1[] {
  return linesOf(body, ({ kind, callee }) => kind === 'call' && regExpMethods.has(callee));
}

const regExpMethods = new Set(['test', 'exec', 'match', 'matchAll', 'replace', 'replaceAll', 'search', 'split']);

function linesOf({ calls }: SourceFunction, isWanted: (call: SourceCall) => boolean): readonly Line1[] {
  const lines = new Set(calls.filter(isWanted).map((call) => call.line));
  return [...lines].toSorted((a, b) => a - b);
}

/**
 * Whether the chain of a call begins with a name of the callee's module: `gzipSync` of `node:zlib`, `process`; or with
 * the object that the callee is a computed method of: `router` for V8's `Router.<computed>`.
 */
function isIntoModuleOf({ kind, root }: SourceCall, callee: FunctionInfo, { aliases }: SourceIndex): boolean {
  const alias = aliases.get(root);
  const owner = /^(.+)\.<computed>$/.exec(callee.name)?.[1]?.toLowerCase();
  if (owner !== undefined)
    return kind === 'call' && (root.toLowerCase() === owner || alias?.name.toLowerCase() === owner);
  if (callee.kind === 'node') return alias === undefined ? globals.has(root) : isNodeModule(alias.from ?? '');
  return alias !== undefined && comesFrom(alias, callee);
}

/** What a caller writes: `parse` for V8's `exports.parse`, `size` for its `get size`, `Headers` for Node's `_Headers`. */
function calledName({ name, kind }: FunctionInfo): string {
  const last = name
    .replace(/^(?:get|set) /, '')
    .split('.')
    .at(-1);
  const called = last ?? name;
  return kind === 'node' ? called.replace(/^_/, '') : called;
}

/** An accessor is called by naming a property, everything else by a call or `new`. */
function kindCalledBy({ name }: FunctionInfo): 'get' | 'set' | 'call' {
  if (name.startsWith('get ')) return 'get';
  return name.startsWith('set ') ? 'set' : 'call';
}

function isCalled({ kind }: SourceCall): boolean {
  return kind === 'call' || kind === 'new';
}

function kindOf({ kind }: SourceCall): 'get' | 'set' | 'call' {
  return kind === 'get' || kind === 'set' ? kind : 'call';
}

/** Whether a name as written in this file means the callee, also through aliases of aliases. */
function names(written: string, name: string, callee: FunctionInfo, { aliases }: SourceIndex): boolean {
  if (written === '') return false;
  let called = written;
  for (let step = 0; step < longestChain; step += 1) {
    if (called === name) return true;
    const alias = aliases.get(called);
    if (alias === undefined) return false;
    if ((alias.name === 'default' || alias.name === '*') && comesFrom(alias, callee)) return true;
    called = alias.name;
  }
  return called === name;
}

/** Of aliases: a name may stand for itself in the end. */
const longestChain = 4;

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
