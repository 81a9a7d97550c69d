import type { Node } from '@babel/types';
import type { Alias, SourceCall } from './source-index.ts';
import type { Visit } from './syntax.ts';
import { namesIn, bare, isNamedByMember, nameOf, textOf, placeOf, MAX_CHAIN, namingNode, rootName } from './syntax.ts';
import type { Line1 } from '../../../protocol/units.ts';
import { callbackMethods } from './name-meanings.ts';
import { isCall } from './function-title.ts';

interface Scope {
  readonly parent: number;
  readonly names: Map<string, Alias | null>;
  readonly inner: Map<string, number>;
}

export function noteNames({ node }: Visit, around: Scope): void {
  const aliases = new Map(aliasesOf(node));
  for (const name of declaredBy(node)) {
    const isNew = !around.names.has(name);
    around.names.set(name, isNew ? (aliases.get(name) ?? null) : null);
  }
}

function declaredBy(node: Node): readonly string[] {
  if (node.type === 'ClassDeclaration' && node.id !== null && node.id !== undefined) return [node.id.name];
  if (node.type === 'VariableDeclarator') return namesIn(node.id);
  if (node.type === 'ImportDeclaration') return node.specifiers.map(({ local }) => local.name);
  return [];
}

export function reassignedNames(node: Node): readonly string[] {
  if (node.type === 'AssignmentExpression') return namesIn(node.left);
  const isLoop = node.type === 'ForOfStatement' || node.type === 'ForInStatement';
  return isLoop && node.left.type !== 'VariableDeclaration' ? namesIn(node.left) : [];
}

/** Forgets the target of an assigned name, which is unknown. Call it when all names are noted. */
export function forget(name: string, around: Scope, scopes: readonly Scope[]): void {
  for (let scope: Scope | undefined = around; scope !== undefined; scope = scopes[scope.parent]) {
    if (!scope.names.has(name) && !scope.inner.has(name)) continue;
    scope.inner.delete(name);
    scope.names.set(name, null);
    return;
  }
}

/** The aliases that a node declares, as `[local, alias]`. */
function aliasesOf(node: Node): readonly (readonly [string, Alias])[] {
  if (node.type === 'ImportDeclaration') return imported(node);
  if (node.type === 'VariableDeclarator' && node.init !== null && node.init !== undefined)
    return declared(node.id, node.init);
  return node.type === 'ClassDeclaration' ? inherited(node) : [];
}

/** A class without a constructor is an alias of the class that it extends: V8 shows only that constructor. */
function inherited({
  id,
  superClass,
  body,
}: Extract<Node, { type: 'ClassDeclaration' }>): readonly (readonly [string, Alias])[] {
  const hasOwn = body.body.some((member) => member.type === 'ClassMethod' && member.kind === 'constructor');
  if (id === null || id === undefined || superClass?.type !== 'Identifier' || hasOwn) return [];
  return [[id.name, { name: superClass.name, from: null, isMember: false }]];
}

function imported(node: Extract<Node, { type: 'ImportDeclaration' }>): readonly (readonly [string, Alias])[] {
  const from = node.source.value;
  return node.specifiers.map((specifier) => {
    const local = specifier.local.name;
    if (specifier.type === 'ImportSpecifier')
      return [local, { name: nameOf(specifier.imported), from, isMember: false }];
    return [local, { name: specifier.type === 'ImportDefaultSpecifier' ? 'default' : '*', from, isMember: false }];
  });
}

/** Names declared as in `const read = x.parse`, `const { parse: read } = x`, `const read = require('./parse')`. */
function declared(id: Node, init: Node): readonly (readonly [string, Alias])[] {
  const from = requiredModule(init);
  if (id.type === 'ObjectPattern') {
    return id.properties.flatMap((property) => {
      if (property.type !== 'ObjectProperty') return [];
      const target = property.value.type === 'AssignmentPattern' ? property.value.left : property.value;
      return target.type === 'Identifier'
        ? [[target.name, { name: nameOf(property.key), from, isMember: from === null }] as const]
        : [];
    });
  }
  if (id.type !== 'Identifier') return [];
  if (from !== null) return [[id.name, { name: 'default', from, isMember: false }]];
  const name = nameOf(init);
  const isMember = isNamedByMember(init);
  return name === '' || (name === id.name && !isMember) ? [] : [[id.name, { name, from: null, isMember }]];
}

function requiredModule(init: Node): string | null {
  const node = bare(init);
  const isRequire = node.type === 'CallExpression' && nameOf(node.callee) === 'require';
  return isRequire ? textOf(node.arguments[0]) : null;
}

// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 250 kinds of node

interface Values {
  readonly handedOn: Set<string>;
  readonly coercions: Set<Line1>;
  readonly makes: Set<Line1>;
}

/** Adds what a node does with values: it hands them on, converts them, or keeps them under a name (`members`). */
export function noteValues(visit: Visit, { handedOn, coercions, makes }: Values, members: Set<string>): void {
  const { node } = visit;
  if (node.type === 'Identifier' && isHandedOn(visit)) handedOn.add(node.name);
  if (isCoercion(visit)) coercions.add(placeOf(node, 'start').line);
  if (isFunction(node) || makers.has(node.type)) makes.add(placeOf(node, 'start').line);
  const member = memberWrittenBy(node, visit.parent);
  if (member !== '') members.add(member);
}

const makers = new Set<Node['type']>(['ObjectExpression', 'ArrayExpression', 'RegExpLiteral']);

function isHandedOn({ key, parent }: Visit): boolean {
  switch (parent?.node.type) {
    case 'ArrayExpression':
    case 'ConditionalExpression':
    case 'LogicalExpression':
    case 'SpreadElement':
      return true;
    case 'ObjectProperty':
      return key === 'value' && parent.parent?.node.type === 'ObjectExpression';
    case 'AssignmentExpression':
      return key === 'right';
    default:
      return (
        parent !== null &&
        isCall(parent.node) &&
        key === 'arguments' &&
        !callbackMethods.has(nameOf(parent.node.callee))
      );
  }
}

function isCoercion({ node, parent }: Visit): boolean {
  switch (node.type) {
    case 'TemplateLiteral':
      return node.expressions.length > 0 && parent?.node.type !== 'TaggedTemplateExpression';
    case 'BinaryExpression':
      return node.operator !== '===' && node.operator !== '!==';
    case 'UnaryExpression':
      return ['+', '-', '~', 'delete'].includes(node.operator);
    case 'AssignmentExpression':
      return !['=', '&&=', '||=', '??='].includes(node.operator);
    case 'SpreadElement':
      return parent?.node.type === 'ObjectExpression';
    case 'RestElement':
      return parent?.node.type === 'ObjectPattern';
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return node.computed;
    default:
      return false;
  }
}

function isFunction({ type }: Node): boolean {
  return type === 'FunctionExpression' || type === 'ArrowFunctionExpression' || type === 'ClassExpression';
}

function memberWrittenBy(node: Node, parent: Visit | null): string {
  switch (node.type) {
    case 'ObjectProperty':
      return parent?.node.type === 'ObjectExpression' && !node.computed ? nameOf(node.key) : '';
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassProperty':
      return node.computed ? '' : nameOf(node.key);
    case 'AssignmentExpression':
      return node.left.type === 'MemberExpression' && isFunction(node.right) ? nameOf(node.left) : '';
    default:
      return '';
  }
}

// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 250 kinds of node

export interface OpenCall extends SourceCall {
  readonly inline: number[];
}

/** The call by which a node may run code that is elsewhere; null where it runs none. */
export function callAt(visit: Visit): OpenCall | null {
  const { node } = visit;
  if (isCall(node) && node.callee.type === 'Import') return null;
  if (isCall(node)) return callOf(node.type === 'NewExpression' ? 'new' : 'call', node.callee, visit, node.arguments);
  switch (node.type) {
    case 'TaggedTemplateExpression':
      return callOf('call', node.tag, visit, node.quasi.expressions);
    case 'JSXOpeningElement':
      return callOf('element', node.name, visit, []);
    case 'ForOfStatement':
      return iterationOf(node.right, visit);
    case 'SpreadElement':
      return visit.parent?.node.type === 'ObjectExpression' ? null : iterationOf(node.argument, visit);
    case 'YieldExpression':
      return node.delegate && node.argument !== null && node.argument !== undefined
        ? iterationOf(node.argument, visit)
        : null;
    case 'VariableDeclarator':
      return node.id.type === 'ArrayPattern' && node.init !== null && node.init !== undefined
        ? iterationOf(node.init, visit)
        : null;
    case 'ObjectProperty':
      return visit.parent?.node.type === 'ObjectPattern' && !node.computed ? callOf('get', node.key, visit, []) : null;
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      if (visit.key === 'callee' || visit.key === 'tag') return null;
      return callOf(visit.key === 'left' ? 'set' : 'get', node, visit, []);
    default:
      return null;
  }
}

/** The iteration of an expression: `rows(x)` and `rows` are both iterations of `rows`. */
function iterationOf(expression: Node, visit: Visit): OpenCall {
  const iterated = bare(expression);
  return callOf('iterate', isCall(iterated) ? iterated.callee : iterated, visit, []);
}

function callOf(kind: SourceCall['kind'], expression: Node, visit: Visit, passed: readonly Node[]): OpenCall {
  const named = namingNode(expression);
  const isMember = bare(expression).type.endsWith('MemberExpression');
  return {
    kind,
    line: placeOf(named ?? expression, 'start').line,
    root: rootName(expression),
    isMember,
    isOfLiteral: /^(?:Arrow)?FunctionExpression$/.test(bare(expression).type),
    hasTextArgument: passed[0]?.type === 'StringLiteral',
    callee: calledName(expression, visit),
    inline: [],
    passed: passed
      .flatMap(valuesIn)
      .map(nameOf)
      .filter((name) => name !== ''),
  };
}

/** The values that an argument hands over: itself, or the properties of an object. */
function valuesIn(argument: Node): readonly Node[] {
  if (argument.type === 'StringLiteral') return [];
  if (argument.type !== 'ObjectExpression') return [argument];
  return argument.properties.flatMap((property) =>
    property.type === 'ObjectProperty' && property.value.type !== 'StringLiteral' ? [property.value] : [],
  );
}

function calledName(expression: Node, visit: Visit): string {
  if (expression.type !== 'Super') return nameOf(expression);
  let place: Visit | null = visit;
  for (let depth = 0; place !== null && depth < MAX_CHAIN; depth++, place = place.parent) {
    const { node }: Visit = place;
    const isHere = node.type === 'ClassDeclaration' || node.type === 'ClassExpression';
    if (isHere) return node.superClass === null || node.superClass === undefined ? '' : nameOf(node.superClass);
  }
  return '';
}

/** The module that a node loads, as written; null for other nodes and for imports of types. */
export function importedBy(node: Node): string | null {
  switch (node.type) {
    case 'ImportDeclaration':
      return node.importKind === 'type' || node.importKind === 'typeof' ? null : node.source.value;
    case 'ExportAllDeclaration':
      return node.exportKind === 'type' ? null : node.source.value;
    case 'ExportNamedDeclaration':
      return node.exportKind === 'type' ? null : (node.source?.value ?? null);
    case 'TSExternalModuleReference':
      return node.expression.value;
    case 'ImportExpression':
      return textOf(node.source);
    case 'CallExpression': {
      const isLoad = node.callee.type === 'Import' || nameOf(node.callee) === 'require';
      return isLoad ? textOf(node.arguments[0]) : null;
    }
    default:
      return null;
  }
}
