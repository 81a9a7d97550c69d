// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 250 kinds of node
import type { Node } from '@babel/types';
import { type Visit, longestChain } from './syntax.ts';

/**
 * Whether each call of the enclosing function makes this one: it is behind no condition, and no statement before it
 * returns a value that may have been made before. `returns` are the statements that return something, as far as the
 * text was read. False where it is nested too deep to decide, and in generators and modules: a generator runs one call
 * in pieces, and a module runs once.
 */
export function isMadeByEachCall(literal: Visit, returns: readonly Node[]): boolean {
  const around = new Set<Node>();
  for (let place = literal; place.parent !== null && around.size < longestChain; place = place.parent) {
    const { node } = place.parent;
    around.add(node);
    if (isFunction(node)) {
      const isHoisted = literal.node.type === 'FunctionDeclaration';
      const hasLeft = returns.some((statement) => !around.has(statement));
      return place.key === 'body' && !isGenerator(node) && (isHoisted || !hasLeft);
    }
    if (isConditional(node, place.key)) return false;
  }
  return false;
}

function isFunction(node: Node): boolean {
  return /^(Function(Declaration|Expression)|ArrowFunctionExpression|ObjectMethod|Class(Private)?Method)$/.test(
    node.type,
  );
}

function isGenerator(node: Node): boolean {
  return 'generator' in node && node.generator;
}

/** Whether the code at this property of the node may be skipped. */
function isConditional(node: Node, key: string): boolean {
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return key !== 'test';
    case 'LogicalExpression':
    case 'AssignmentPattern':
      return key === 'right';
    case 'AssignmentExpression':
      return key === 'right' && ['??=', '||=', '&&='].includes(node.operator);
    case 'SwitchCase':
      return key === 'consequent';
    case 'CatchClause':
      return true;
    default:
      return false;
  }
}
