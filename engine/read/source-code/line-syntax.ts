import type { CallExpression, File, Node } from '@babel/types';
import type { Line1 } from '../../../protocol/units.ts';
import { declaredLiteral, isPlainData } from './declared-literals.ts';
import { type Growth, type ReadLine, growthOf, isWholeLine } from './growths.ts';
import { parseSource } from './parse-source.ts';
import {
  type Visit,
  bare,
  functionAround,
  isFunction,
  nameOf,
  namingNode,
  outOfCasts,
  slice,
  textOf,
  visitsOf,
} from './syntax.ts';

/** What one line of a source does, by its syntax. */
export interface LineSyntax {
  /** The outer one first. */
  readonly calls: readonly LineCall[];
  /** The assignments on the line that copy a list or an object to add to it. */
  readonly growths: readonly Growth[];
  /** Whether it is an ES module, not CommonJS; null where the source does not show it. */
  readonly isModule: boolean | null;
  /** Whether a name is used anywhere in the source. */
  readonly hasName: (name: string) => boolean;
}

export interface LineCall {
  /** The called name: `readFileSync` of `fs.readFileSync(file)`. */
  readonly name: string;
  /** Text of what it is a member of; null for a plain name. */
  readonly receiver: string | null;
  /** The module that the name, or its receiver, is imported from; null where the source does not say. */
  readonly module: string | null;
  /** As written. */
  readonly text: string;
  readonly args: readonly string[];
  /** What its only argument is, where that is a name that has only plain data, as the source shows; else null. */
  readonly declaredAs: 'list' | 'object' | null;
  readonly awaits: Awaits;
  /** Text such as `const line of lines` of the innermost loop around, in the same function; null for none. */
  readonly loop: string | null;
  /** Its statement as written, with another text instead of the call. */
  readonly statementWith: (text: string) => string;
  /** Whether that statement is all of its line, and begins before the call. */
  readonly isInWholeLine: boolean;
}

/** Whether the code can use `await`; `never` in callbacks, parameters, parts of classes, generators and modules. */
type Awaits = 'now' | 'ifAsync' | 'never';

/** In UTF-16 units: the user waits for the answer. */
const MAX_SOURCE_LENGTH = 300_000;

/** Reads a line; null where the source is too long, or cannot be parsed. `url` shows the language. */
export function lineSyntax(source: string, url: string, line: Line1): LineSyntax | null {
  const file = source.length > MAX_SOURCE_LENGTH ? null : parseSource(source, url);
  if (file === null || (file.errors?.length ?? 0) > 0) return null;
  const visits = visitsOf(file.program);
  const imports = new Map(visits.flatMap(({ node }) => importedNames(node)));
  const known: Known = { source, line: (source.split(/\r\n?|\n/)[line - 1] ?? '').trim(), visits, imports };
  const here = visits.filter(({ node }) => node.loc?.start.line === line);
  const calls = visits.flatMap((visit) =>
    (isCallOn(visit.node, line) ? [visit.node] : []).map((node) => ({ visit, node })),
  );
  const hasName = (name: string): boolean =>
    visits.some(({ node }) => node.type === 'Identifier' && node.name === name);
  return {
    calls: calls.map(({ visit, node }) => callOf(node, visit, known)),
    growths: here.flatMap((visit) => growthOf(visit, known)),
    isModule: isModule(file, url, hasName),
    hasName,
  };
}

function isModule({ program }: File, url: string, hasName: LineSyntax['hasName']): boolean | null {
  if (program.sourceType === 'module' || /\.m[jt]s$/.test(url)) return true;
  return hasName('require') || /\.c[jt]s$/.test(url) ? false : null;
}

interface Known extends ReadLine {
  /** The module of each imported name. A name that is imported under another name is left out. */
  readonly imports: ReadonlyMap<string, string>;
}

function isCallOn(node: Node, line: Line1): node is CallExpression {
  if (node.type !== 'CallExpression') return false;
  return (namingNode(node.callee) ?? node).loc?.start.line === line;
}

function callOf(call: CallExpression, visit: Visit, known: Known): LineCall {
  const { source, visits, imports } = known;
  const callee = bare(call.callee);
  const isMember = callee.type === 'MemberExpression' && !callee.computed && callee.property.type === 'Identifier';
  const receiver = isMember ? slice(callee.object, source) : null;
  const named = isMember ? callee.property : callee;
  const name = named.type === 'Identifier' ? named.name : '';
  const statement = statementOf(visit);
  const isFirst = statement === null || statement.start === call.start;
  const [only] = call.arguments;
  const declared = only?.type === 'Identifier' ? declaredLiteral(only.name, visit, visits) : null;
  return {
    name,
    receiver,
    module: imports.get(receiver ?? name) ?? null,
    text: slice(call, source),
    args: call.arguments.map((argument) => slice(argument, source)),
    declaredAs: declared !== null && isPlainData(declared) ? declared.kind : null,
    awaits: awaitsIn(visit),
    loop: loopAround(visit, source),
    statementWith: (text) => {
      const inner = needsBrackets(text, visit, isFirst) ? `(${text})` : text;
      if (statement === null) return inner;
      const [start, end] = [statement.start ?? 0, statement.end ?? 0];
      return `${source.slice(start, call.start ?? 0)}${inner}${source.slice(call.end ?? 0, end)}`;
    },
    isInWholeLine: !isFirst && isWholeLine(statement, known),
  };
}

/** Whether a text in the place of a call would mean something else without brackets. */
function needsBrackets(text: string, { key, parent }: Visit, isFirst: boolean): boolean {
  if (text.startsWith('{') && isFirst) return true; // That would begin a block.
  const isObject = key === 'object' || key === 'callee' || parent?.node.type === 'TSNonNullExpression';
  return isObject && /^(?:await|new)\b/.test(text);
}

/** The statement in which a call runs; null where a function lies between, or where it has a body of its own. */
function statementOf(visit: Visit): Node | null {
  for (let outer: Visit | null = visit; outer !== null; outer = outer.parent) {
    if (isStatement(outer.node)) return outer.node;
    if (isFunction(outer.node) || outer.node.type.endsWith('Statement')) return null;
  }
  return null;
}

function isStatement({ type }: Node): boolean {
  return type === 'VariableDeclaration' || type === 'ExpressionStatement' || type === 'ReturnStatement';
}

/** The names that a node imports under their own names, each with its module. */
function importedNames(node: Node): readonly (readonly [string, string])[] {
  if (node.type === 'ImportDeclaration') {
    return node.specifiers.flatMap((specifier) => {
      const { name } = specifier.local;
      const isRenamed = specifier.type === 'ImportSpecifier' && nameOf(specifier.imported) !== name;
      return isRenamed ? [] : [[name, node.source.value] as const];
    });
  }
  if (node.type !== 'VariableDeclarator' || node.init === null || node.init === undefined) return [];
  const init = bare(node.init);
  const isRequire = init.type === 'CallExpression' && nameOf(init.callee) === 'require';
  const from = isRequire ? textOf(init.arguments[0]) : null;
  if (from === null) return [];
  if (node.id.type === 'Identifier') return [[node.id.name, from]];
  if (node.id.type !== 'ObjectPattern') return [];
  return node.id.properties.flatMap((part) =>
    part.type === 'ObjectProperty' && part.shorthand ? [[nameOf(part.key), from] as const] : [],
  );
}

function loopAround(from: Visit, source: string): string | null {
  for (let outer: Visit | null = from; outer !== null && !isFunction(outer.node); outer = outer.parent) {
    const loop = outer.key === 'body' ? outer.parent?.node : undefined;
    if (loop?.type !== 'ForOfStatement') continue;
    return loop.await ? null : `${slice(loop.left, source)} of ${slice(loop.right, source)}`;
  }
  return null;
}

function awaitsIn(from: Visit): Awaits {
  const fn = functionAround(from);
  if (fn === null) return 'never';
  for (let outer: Visit = from; outer !== fn && outer.parent !== null; outer = outer.parent) {
    if (outer.key === 'params' || /^Class\w*Property$/.test(outer.node.type)) return 'never';
  }
  const { node } = fn;
  if (node.type === 'StaticBlock') return 'never';
  if (('generator' in node && node.generator) || ('kind' in node && node.kind !== 'method')) return 'never';
  if ('async' in node && node.async) return 'now';
  if (node.type !== 'ArrowFunctionExpression' && node.type !== 'FunctionExpression') return 'ifAsync';
  const holder = outOfCasts(fn)?.parent?.node.type;
  return holder === 'VariableDeclarator' || holder === 'ClassProperty' ? 'ifAsync' : 'never';
}
