import type { FunctionInfo } from '../../read/functions/function-table.ts';
import type { Line1 } from '../../../protocol/units.ts';
import type { Relation, Callee } from './call-targets.ts';
import {
  isHandedOn,
  kindCalledBy,
  kindOf,
  relationOf,
  calledName,
  isImplicit,
  isIteratorMethod,
  isUnnamed,
  mayBeTopOfEval,
} from './call-targets.ts';
import type { SourceCall, SourceFunction, SourceIndex } from '../../read/source-code/source-index.ts';
import { callbackMethods, globals, isNodeModule, meaningOf } from '../../read/source-code/name-meanings.ts';

/** The lines of a body that may call another function, ascending. Of several, each may be it. */
export interface CallLines {
  readonly lines: readonly Line1[];
  /** `named`: the source names the callee there. `only`: nothing else can be the call. `guess`: there may be others. */
  readonly by: 'named' | 'only' | 'guess';
}

/** Lines that may call the callee; empty where the source does not show it (a callback from elsewhere, `toString`). */
export function callLines(body: SourceFunction, callee: Callee, index: SourceIndex): CallLines {
  if (callee.isGenerator) return linesThatIterate(body, callee, index);
  const related = relatedLines(body, callee, index);
  return isUnnamed(callee.fn)
    ? linesOfUnnamed(body, callee, related, index)
    : linesOfNamed(body, callee, related, index);
}

type Related = (...relations: readonly Relation[]) => readonly Line1[];

function relatedLines(body: SourceFunction, callee: Callee, index: SourceIndex): Related {
  const relations = body.calls.map((call) => [call.line, relationOf(call, callee, body, index)] as const);
  return (...wanted) => ascending(relations.filter(([, relation]) => wanted.includes(relation)).map(([line]) => line));
}

/** From the most to the least specific names. The less a name says, the more other calls are possible. */
function linesOfNamed(body: SourceFunction, callee: Callee, lines: Related, index: SourceIndex): CallLines {
  const special = specialLines(body, callee, index);
  const hidden = [
    ...special,
    ...lines('hidden'),
    ...(isHandedOn(callee, body, index) ? lines('value') : []),
    ...implicitLines(body, callee),
  ];
  const own = lines('is');
  if (own.length > 0) return named(own, [...hidden, ...lines('named')]);
  const called = lines('named');
  if (called.length > 0) return named(called, [...hidden, ...lines('value')]);
  if (special.length > 0) return named(special, []);
  const handed = lines('handed');
  if (handed.length > 0) return named(handed, [...hidden, ...lines('value')]);
  const doubtful = lines('namesake');
  if (doubtful.length > 0)
    return guessed(doubtful, [...hidden, ...lines('value', 'default', 'sibling', 'method', 'imported', 'other')]);
  if (isImplicit(callee.fn)) return guessed([], implicitLines(body, callee));
  const siblings = ascending([...lines('default', 'sibling'), ...intoModule(body, callee, index)]);
  const possible = [...hidden, ...siblings, ...lines('value', 'method')];
  const calls = [...possible, ...lines('imported', 'other')];
  const all = ascending([...calls, ...lines('builtIn', 'access')]);
  if (all.length === 1 && calls.length > 0) return { lines: all, by: 'only' };
  const defaults = lines('default');
  if (defaults.length > 0 && ascending(possible).length === defaults.length) return named(defaults, []);
  const ways = [ascending([...possible, ...lines('imported')]), ascending(possible), siblings];
  return guessed(ways.find(({ length }) => length <= MAX_GUESSES) ?? [], []);
}

function linesOfUnnamed(body: SourceFunction, { fn, number }: Callee, lines: Related, index: SourceIndex): CallLines {
  const own = lines('is');
  if (own.length > 0 && number >= 0) return named(own, lines('hidden'));
  const methods = linesOfOwner(body, fn, index);
  if (methods.length > 0) return named(methods, lines('hidden'));
  const evals = mayBeTopOfEval(fn) ? linesWhere(body, (call) => standsFor(call, 'eval', body, index)) : [];
  const related = lines('is', 'named', 'namesake', 'handed', 'default', 'sibling');
  const all = ascending([...evals, ...related, ...lines('hidden', 'value', 'method', 'imported', 'other')]);
  return all.length === 1 ? { lines: all, by: 'only' } : guessed(all, []);
}

function named(lines: readonly Line1[], rivals: readonly Line1[]): CallLines {
  const all = ascending([...lines, ...rivals]);
  if (all.length === lines.length) return { lines, by: 'named' };
  return all.length > lines.length + MAX_GUESSES ? { lines: [], by: 'guess' } : { lines: all, by: 'named' };
}

/**
 * Whether all that a line does is to call the callee: `once`, or `repeated` in a loop or for each item of a list, or
 * beside an object that it makes, which has work of its own. Null where it does more. Reading a property takes no time,
 * unless the callee is its accessor: `read`.
 */
export function onlyCalls(
  line: Line1,
  callee: Callee,
  body: SourceFunction,
  index: SourceIndex,
): 'once' | 'repeated' | 'read' | null {
  const onLine = body.calls.filter((one) => one.line === line);
  const calls = onLine.filter((one) => kindOf(one) === 'call');
  if (kindCalledBy(callee.fn) !== 'call') {
    const isRead = onLine.some((one) => relationOf(one, callee, body, index).startsWith('name'));
    return isRead ? 'read' : null;
  }
  const loops = body.repeats.filter(({ first, last }) => first <= line && line <= last);
  if (body.coercions.has(line) || loops.some(({ first, last }) => first === line || last === line)) return null;
  const [call, ...others] = calls;
  if (call === undefined || others.length > 0 || call.inline.includes(callee.number)) return null;
  if (callbackMethods.has(call.callee) || globals.has(call.root)) return null;
  if (!/^(?:is|named|default|value)$/.test(relationOf(call, callee, body, index))) return null;
  const isRepeated = loops.length > 0 || callbackMethods.has(body.callbackOf ?? '') || body.makes.has(line);
  return isRepeated ? 'repeated' : 'once';
}

/** Lines each of which may be the one; none if they are too many. */
export function guessed(lines: readonly Line1[], rivals: readonly Line1[]): CallLines {
  const all = ascending([...lines, ...rivals]);
  return { lines: all.length > MAX_GUESSES ? [] : all, by: 'guess' };
}

/** Maximum lines of a guess: more of them say nothing. */
const MAX_GUESSES = 4;

/** The lines that ask a generator for values, because its body runs there, and not where it is made. */
function linesThatIterate(body: SourceFunction, { fn }: Callee, index: SourceIndex): CallLines {
  const its = linesWhere(body, (call) => call.kind === 'iterate' && standsFor(call, calledName(fn), body, index));
  if (its.length > 0) return { lines: its, by: 'named' };
  const all = linesWhere(body, asksIterator);
  return all.length === 1 ? { lines: all, by: 'only' } : guessed(all, []);
}

/** Whether a call asks an iterator for values: a loop over it, `next`, or what reads it to its end. */
export function asksIterator({ kind, callee, root }: SourceCall): boolean {
  if (kind === 'iterate') return true;
  if (kind === 'new') return /^(Weak)?(Map|Set)$/.test(callee);
  return kind === 'call' && (iteratorMethods.has(callee) || root === 'Array' || root === 'Promise');
}

const iteratorMethods = new Set(['next', 'return', 'throw', 'from', 'fromEntries', 'toArray', 'drop', 'take']);

/** The lines where the language itself may run the callee. */
function implicitLines(body: SourceFunction, { fn }: Callee): readonly Line1[] {
  if (!isImplicit(fn)) return [];
  if (isIteratorMethod(fn)) return linesWhere(body, asksIterator);
  const copies = linesWhere(
    body,
    ({ root, callee, kind }) => kind === 'call' && (root === 'Reflect' || looksInside.has(callee)),
  );
  const accesses = traps.has(fn.name) ? linesWhere(body, ({ kind }) => kind === fn.name) : [];
  return [...body.coercions, ...copies, ...accesses];
}

const looksInside = new Set([
  ...['stringify', 'assign', 'entries', 'values', 'keys', 'fromEntries', 'structuredClone', 'String', 'Number'],
  ...['join', 'concat', 'sort', 'toSorted', 'append', 'groupBy', 'getOwnPropertyDescriptors', 'deepEqual', 'inspect'],
]);
/** Names of traps of a proxy that reading or writing any property runs. */
const traps = new Set(['get', 'set']);

/** The lines that JSX, and reading an error's stack, may run. */
function specialLines(body: SourceFunction, { fn }: Callee, index: SourceIndex): readonly Line1[] {
  const isElement = ({ kind }: SourceCall): boolean => kind === 'element';
  if (elementMakers.has(calledName(fn))) return linesWhere(body, isElement);
  // V8 calls Node's writer of `error.stack` when the stack is first read: no source calls it.
  const isStackWriter = fn.kind === 'node' && fn.name.startsWith('prepareStackTrace');
  const reads = isStackWriter ? stackReads.map((isWay) => linesWhere(body, isWay)) : [];
  return (
    reads.find((lines) => lines.length > 0) ??
    linesWhere(body, (call) => isElement(call) && standsFor(call, calledName(fn), body, index))
  );
}

/** Functions whose calls JSX becomes. */
const elementMakers = new Set(['jsx', 'jsxs', 'jsxDEV', 'createElement', 'h']);

const stackReads = [
  ({ kind, callee }: SourceCall) => kind === 'get' && callee === 'stack',
  ({ callee }: SourceCall) => callee === 'captureStackTrace' || callee.endsWith('Error'),
];

/** The lines that may run a regular expression, ascending, and whether no other line may. */
export function regExpLines(
  body: SourceFunction,
  index: SourceIndex,
): { readonly lines: readonly Line1[]; readonly isSure: boolean } {
  const lines = linesWhere(body, (call) => call.kind === 'call' && usesRegExp(call, body, index));
  const isHidden = body.calls.some(
    ({ kind, callee, root, isMember }) => kind === 'call' && isMember && callee === '' && !globals.has(root),
  );
  return { lines, isSure: lines.length === 1 && !isHidden };
}

/** Whether a line does nothing but run regular expressions: it has no other call, and no loop begins there. */
export function onlyMatches(body: SourceFunction, line: Line1, index: SourceIndex): boolean {
  const calls = body.calls.filter((call) => call.line === line && call.kind !== 'get' && call.kind !== 'set');
  const isLoop = body.repeats.some(({ first }) => first === line);
  return calls.length > 0 && !isLoop && calls.every((call) => usesRegExp(call, body, index));
}

function usesRegExp(call: SourceCall, body: SourceFunction, index: SourceIndex): boolean {
  const isMethod = (name: string): boolean => regExpMethods.has(aliased(name, body, index));
  if (call.isMember && isMethod(call.callee)) return !(call.hasTextArgument && takesText.has(call.callee));
  return (
    isMethod(aliased(call.callee, body, index)) || call.passed.some((name) => isMethod(name) && name !== call.callee)
  );
}

/** Functions for which a text as the first argument is not a pattern. */
const takesText = new Set(['split', 'replace', 'replaceAll']);

const regExpMethods = new Set(['test', 'exec', 'match', 'matchAll', 'replace', 'replaceAll', 'search', 'split']);

/** What a name stands for: `test` for `const isSlow = pattern.test.bind(pattern)`. */
function aliased(name: string, body: SourceFunction, index: SourceIndex): string {
  const meaning = name === '' ? null : meaningOf(name, body, index);
  return meaning?.type === 'alias' ? meaning.alias.name : name;
}

function standsFor(call: SourceCall, name: string, body: SourceFunction, index: SourceIndex): boolean {
  return call.callee === name || aliased(call.callee, body, index) === name;
}

/** Lines whose call chain begins with a name of the callee's module: `gzipSync` of `node:zlib`, `process`. */
function intoModule(body: SourceFunction, { fn }: Callee, index: SourceIndex): readonly Line1[] {
  if (fn.kind !== 'node') return [];
  return linesWhere(body, ({ kind, root }) => {
    if (kind !== 'call' && kind !== 'new') return false;
    const meaning = root === '' ? null : meaningOf(root, body, index);
    if (meaning?.type === 'alias') return isNodeModule(meaning.alias.from ?? '');
    return meaning?.type === 'global' && globals.has(root);
  });
}

/** Lines that use the object of a computed method: `router.get()` for V8's `Router.<computed>`. */
function linesOfOwner(body: SourceFunction, { name }: FunctionInfo, index: SourceIndex): readonly Line1[] {
  const owner = /^(.+)\.<computed>$/.exec(name)?.[1]?.toLowerCase();
  if (owner === undefined) return [];
  return linesWhere(
    body,
    ({ kind, root }) =>
      kind === 'call' && (root.toLowerCase() === owner || aliased(root, body, index).toLowerCase() === owner),
  );
}

function linesWhere({ calls }: SourceFunction, isWanted: (call: SourceCall) => boolean): readonly Line1[] {
  return ascending(calls.filter(isWanted).map(({ line }) => line));
}

function ascending(lines: readonly Line1[]): readonly Line1[] {
  return [...new Set(lines)].toSorted((a, b) => a - b);
}
