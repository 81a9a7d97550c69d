import type { Node } from '@babel/types';
import type { Alias } from './source-index.ts';
import { type Visit, namesIn, bare, isNamedByMember, nameOf, textOf } from './syntax.ts';

interface Scope {
  readonly parent: number;
  readonly names: Map<string, Alias | null>;
  readonly inner: Map<string, number>;
}

/** Adds the names that a node declares to those of the enclosing function. */
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

/** The names to which a node assigns other values. */
export function namesSetAnew(node: Node): readonly string[] {
  if (node.type === 'AssignmentExpression') return namesIn(node.left);
  const isLoop = node.type === 'ForOfStatement' || node.type === 'ForInStatement';
  return isLoop && node.left.type !== 'VariableDeclaration' ? namesIn(node.left) : [];
}

/**
 * Forgets what a name stands for, because that is not known for a name that is assigned anywhere. Must be called when
 * all names are noted.
 */
export function forget(name: string, around: Scope, scopes: readonly Scope[]): void {
  for (let scope: Scope | undefined = around; scope !== undefined; scope = scopes[scope.parent]) {
    if (!scope.names.has(name) && !scope.inner.has(name)) continue;
    scope.inner.delete(name);
    scope.names.set(name, null);
    return;
  }
}

/** The names that a declaration makes stand for others, as `[local, alias]`. */
function aliasesOf(node: Node): readonly (readonly [string, Alias])[] {
  if (node.type === 'ImportDeclaration') return imported(node);
  if (node.type === 'VariableDeclarator' && node.init !== null && node.init !== undefined)
    return declared(node.id, node.init);
  return node.type === 'ClassDeclaration' ? inherited(node) : [];
}

/**
 * The name of a class without a constructor stands for the class that it extends: that one's constructor runs, and V8
 * shows no function between them.
 */
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
