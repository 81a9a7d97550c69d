// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 250 kinds of node
import type { Node } from '@babel/types';
import type { Line1 } from '../../../protocol/units.ts';
import { isCall } from './function-title.ts';
import { type Visit, nameOf, placeOf } from './syntax.ts';
import { callbackMethods } from './name-meanings.ts';

interface Values {
  readonly handedOn: Set<string>;
  readonly coercions: Set<Line1>;
}

/** Adds what a node does with values: it hands them on, converts them, or keeps them under a name (`members`). */
export function noteValues(visit: Visit, { handedOn, coercions }: Values, members: Set<string>): void {
  const { node } = visit;
  if (node.type === 'Identifier' && isHandedOn(visit)) handedOn.add(node.name);
  if (isCoercion(visit)) coercions.add(placeOf(node, 'start').line);
  const member = memberWrittenBy(node, visit.parent);
  if (member !== '') members.add(member);
}

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
