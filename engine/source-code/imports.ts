// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 250 kinds of node
import type { Node } from '@babel/types';
import { nameOf, textOf } from './syntax.ts';

/** The module that a node loads, as it is written there; null for other nodes and for imports of types. */
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
