import type { CallExpression, File, Node } from '@babel/types';
import type { Line1 } from '../../../protocol/units.ts';
import { parseSource } from './parse-source.ts';
import { type Visit, bare, childrenOf, nameOf, namesIn, namingNode, outOfCasts, textOf } from './syntax.ts';

/** What one line of a source does, by its syntax. */
export interface LineSyntax {
  /** The outer one first. */
  readonly calls: readonly LineCall[];
  /** The assignments on the line that copy a list or an object to add to it. */
  readonly growths: readonly Growth[];
  readonly isModule: boolean;
  /** Whether the line is one whole statement, which another text can replace. */
  readonly isStatement: boolean;
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
  readonly args: readonly string[];
  /** What its only argument is, where that is a name: what the source declares it with; else null. */
  readonly declaredAs: 'list' | 'object' | null;
  readonly awaits: Awaits;
  /** Text such as `const line of lines` of the innermost loop around, in the same function; null for none. */
  readonly loop: string | null;
  /** Its statement as written, with another text instead of the call. */
  readonly statementWith: (text: string) => string;
}

interface Growth {
  readonly name: string;
  readonly inPlace: string;
}

/** Whether the function around can use `await`; `never` in callbacks, constructors, generators and modules. */
type Awaits = 'now' | 'ifAsync' | 'never';

/** In UTF-16 units: the user waits for the answer. */
const MAX_SOURCE_LENGTH = 300_000;

/** Reads a line; null where the source is too long, or cannot be parsed. `url` shows the language. */
export function lineSyntax(source: string, url: string, line: Line1): LineSyntax | null {
  const file = source.length > MAX_SOURCE_LENGTH ? null : parseSource(source, url);
  if (file === null || (file.errors?.length ?? 0) > 0) return null;
  const visits = visitsOf(file);
  const known: Known = { source, visits, imports: new Map(visits.flatMap(({ node }) => importedNames(node))) };
  const whole = (source.split(/\r\n?|\n/)[line - 1] ?? '').trim();
  const here = visits.filter(({ node }) => node.loc?.start.line === line);
  const calls = visits.flatMap((visit) =>
    (isCallOn(visit.node, line) ? [visit.node] : []).map((node) => ({ visit, node })),
  );
  return {
    calls: calls.map(({ visit, node }) => callOf(node, visit, known)),
    growths: here.flatMap(({ node }) => growthOf(node, source)),
    isModule: visits.some(({ node }) => node.type === 'ImportDeclaration'),
    isStatement: here.some(({ node }) => isStatement(node) && slice(node, source) === whole),
    hasName: (name) => visits.some(({ node }) => node.type === 'Identifier' && node.name === name),
  };
}

interface Known {
  readonly source: string;
  readonly visits: readonly Visit[];
  /** The module of each imported name. A name that is imported under another name is left out. */
  readonly imports: ReadonlyMap<string, string>;
}

/** All nodes, each after its parent. */
function visitsOf(file: File): readonly Visit[] {
  const visits: Visit[] = [{ node: file.program, key: '', parent: null }];
  // A list that grows while it is read: its own end is the end of the tree.
  for (const parent of visits) {
    for (const { key, node } of childrenOf(parent.node)) visits.push({ node, key, parent });
  }
  return visits;
}

function isCallOn(node: Node, line: Line1): node is CallExpression {
  if (node.type !== 'CallExpression') return false;
  return (namingNode(node.callee) ?? node).loc?.start.line === line;
}

function callOf(call: CallExpression, visit: Visit, { source, visits, imports }: Known): LineCall {
  const callee = bare(call.callee);
  const isMember = callee.type === 'MemberExpression' && !callee.computed && callee.property.type === 'Identifier';
  const receiver = isMember ? slice(callee.object, source) : null;
  const named = isMember ? callee.property : callee;
  const name = named.type === 'Identifier' ? named.name : '';
  const statement = statementOf(visit);
  const [only] = call.arguments;
  return {
    name,
    receiver,
    module: imports.get(receiver ?? name) ?? null,
    args: call.arguments.map((argument) => slice(argument, source)),
    declaredAs: only?.type === 'Identifier' ? kindOf(only.name, visit, visits) : null,
    awaits: awaitsIn(visit),
    loop: loopAround(visit, source),
    statementWith: (text) => {
      const isObject = visit.key === 'object' || visit.key === 'callee';
      const inner = isObject && /^(?:await|new)\b/.test(text) ? `(${text})` : text;
      if (statement === null) return inner;
      const [start, end] = [statement.start ?? 0, statement.end ?? 0];
      return `${source.slice(start, call.start ?? 0)}${inner}${source.slice(call.end ?? 0, end)}`;
    },
  };
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

/** What a name is declared with, where that is certain: one `const` in the nearest function around that declares it. */
function kindOf(name: string, from: Visit, visits: readonly Visit[]): LineCall['declaredAs'] {
  const declared = visits.filter(({ node, key }) => {
    const isDeclared = node.type === 'VariableDeclarator' ? namesIn(node.id).includes(name) : false;
    return isDeclared || (key === 'params' && namesIn(node).includes(name));
  });
  for (let fn = functionAround(from); ; fn = functionAround(fn)) {
    const here = declared.filter((one) => functionAround(one)?.node === fn?.node);
    if (here.length > 0) return here.length === 1 ? kindOfDeclared(here[0]) : null;
    if (fn === null) return null;
  }
}

function kindOfDeclared(declared: Visit | undefined): LineCall['declaredAs'] {
  const declaration = declared?.parent?.node;
  if (declared?.node.type !== 'VariableDeclarator' || declaration?.type !== 'VariableDeclaration') return null;
  const { init } = declared.node;
  if (declaration.kind !== 'const' || init === null || init === undefined) return null;
  const value = bare(init);
  return value.type === 'ArrayExpression' ? 'list' : value.type === 'ObjectExpression' ? 'object' : null;
}

function functionAround(visit: Visit | null): Visit | null {
  let fn = visit?.parent ?? null;
  while (fn !== null && !isFunction(fn.node)) fn = fn.parent;
  return fn;
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
  const { node } = fn;
  if (('generator' in node && node.generator) || ('kind' in node && node.kind !== 'method')) return 'never';
  if ('async' in node && node.async) return 'now';
  if (node.type !== 'ArrowFunctionExpression' && node.type !== 'FunctionExpression') return 'ifAsync';
  const holder = outOfCasts(fn)?.parent?.node.type;
  return holder === 'VariableDeclarator' || holder === 'ClassProperty' ? 'ifAsync' : 'never';
}

function isFunction({ type }: Node): boolean {
  return (
    type.includes('Function') ||
    type === 'ObjectMethod' ||
    (type.startsWith('Class') && type.endsWith('Method')) ||
    type === 'StaticBlock'
  );
}

/** `all = [...all, row]` adds in place by `all.push(row)`; `{ ...all, [key]: 1 }` by `all[key] = 1`. */
function growthOf(node: Node, source: string): readonly Growth[] {
  if (node.type !== 'AssignmentExpression' || node.operator !== '=' || node.left.type !== 'Identifier') return [];
  const { name } = node.left;
  const right = bare(node.right);
  const isSelf = (part: Node | null | undefined): boolean =>
    part?.type === 'SpreadElement' && part.argument.type === 'Identifier' && part.argument.name === name;
  if (right.type === 'ArrayExpression') {
    const [first, ...added] = right.elements;
    const texts = added.flatMap((part) =>
      part === null || part.type === 'SpreadElement' ? [] : [slice(part, source)],
    );
    if (!isSelf(first) || texts.length === 0 || texts.length < added.length) return [];
    return [{ name, inPlace: `${name}.push(${texts.join(', ')});` }];
  }
  if (right.type !== 'ObjectExpression' || right.properties.length !== 2 || !isSelf(right.properties[0])) return [];
  const [, added] = right.properties;
  if (added?.type !== 'ObjectProperty' || added.shorthand) return [];
  const key = slice(added.key, source);
  if (!added.computed && added.key.type !== 'Identifier') return [];
  return [{ name, inPlace: `${name}${added.computed ? `[${key}]` : `.${key}`} = ${slice(added.value, source)};` }];
}

function slice(node: Node, source: string): string {
  return source.slice(node.start ?? 0, node.end ?? 0);
}
