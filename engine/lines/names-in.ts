import type { Node } from '@babel/types';
import { aliasesOf } from './aliases.ts';
import type { Alias } from './source-index.ts';
import { type Visit, namesIn } from './syntax.ts';

interface Scope {
  readonly parent: number;
  readonly names: Map<string, Alias | null>;
}

/** Adds the names that a node declares to those of the function around it, and forgets what is assigned anew stands for. */
export function noteNames({ node }: Visit, around: Scope, scopes: readonly Scope[]): void {
  const aliases = new Map(aliasesOf(node));
  for (const name of declaredBy(node)) {
    const isKnown = !around.names.has(name);
    around.names.set(name, isKnown ? (aliases.get(name) ?? null) : null);
  }
  const assigned = assignedBy(node);
  if (assigned !== null) forget(assigned, around, scopes);
}

function declaredBy(node: Node): readonly string[] {
  if (node.type === 'ClassDeclaration' && node.id !== null && node.id !== undefined) return [node.id.name];
  if (node.type === 'VariableDeclarator') return namesIn(node.id);
  if (node.type === 'ImportDeclaration') return node.specifiers.map(({ local }) => local.name);
  return [];
}

function assignedBy(node: Node): string | null {
  return node.type === 'AssignmentExpression' && node.left.type === 'Identifier' ? node.left.name : null;
}

function forget(name: string, around: Scope, scopes: readonly Scope[]): void {
  for (let scope: Scope | undefined = around; scope !== undefined; scope = scopes[scope.parent]) {
    if (!scope.names.has(name)) continue;
    scope.names.set(name, null);
    return;
  }
}
