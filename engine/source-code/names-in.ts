import type { Node } from '@babel/types';
import { aliasesOf } from './aliases.ts';
import type { Alias } from './source-index.ts';
import { type Visit, namesIn } from './syntax.ts';

interface Scope {
  readonly parent: number;
  readonly names: Map<string, Alias | null>;
  readonly inner: Map<string, number>;
}

/** Adds the names that a node declares to those of the function around it. */
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

/** The names that a node gives other values. */
export function namesSetAnew(node: Node): readonly string[] {
  if (node.type === 'AssignmentExpression') return namesIn(node.left);
  const isLoop = node.type === 'ForOfStatement' || node.type === 'ForInStatement';
  return isLoop && node.left.type !== 'VariableDeclaration' ? namesIn(node.left) : [];
}

/** Nobody knows what a name stands for that is set anew anywhere; asked when all names are known. */
export function forget(name: string, around: Scope, scopes: readonly Scope[]): void {
  for (let scope: Scope | undefined = around; scope !== undefined; scope = scopes[scope.parent]) {
    if (!scope.names.has(name) && !scope.inner.has(name)) continue;
    scope.inner.delete(name);
    scope.names.set(name, null);
    return;
  }
}
