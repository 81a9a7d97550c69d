// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 250 kinds of node
import type { Node, TryStatement } from '@babel/types';
import { type Visit, placeOf } from './syntax.ts';

/** Whole lines, the first and the last one included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Lines that certainly run only after this `await`, as the syntax alone proves: what follows it in a list of statements
 * or in an expression, without a way around it. Empty for other nodes.
 */
export function linesBehind(visit: Visit): readonly LineRange[] {
  const { node } = visit;
  const isLoop = node.type === 'ForOfStatement' && node.await;
  if (node.type !== 'AwaitExpression' && !isLoop) return [];
  const ranges = isLoop ? [between(node.right, node)] : [];
  for (let at: Visit = visit; at.parent !== null; at = at.parent) {
    const around = at.parent.node;
    if (isOrdered(around, at.key)) ranges.push(between(at.node, around));
    if (!runsAlways(around, at.key)) break;
  }
  return ranges.filter(({ first, last }) => first <= last);
}

/** The lines of the outer node that lie wholly behind the inner one. */
function between(inner: Node, outer: Node): LineRange {
  return { first: placeOf(inner, 'end').line + 1, last: placeOf(outer, 'end').line - 1 };
}

/** Whether everything behind this part of a node runs after it, if at all. */
function isOrdered({ type }: Node, key: string): boolean {
  switch (type) {
    case 'BlockStatement':
      return key === 'body';
    case 'SwitchCase':
      return key === 'consequent';
    case 'IfStatement':
    case 'WhileStatement':
    case 'ConditionalExpression':
      return key === 'test';
    case 'ForStatement':
      return key === 'init' || key === 'test';
    case 'ForOfStatement':
    case 'ForInStatement':
      return key === 'right';
    case 'SwitchStatement':
      return key === 'discriminant';
    case 'VariableDeclaration':
    case 'CallExpression':
    case 'NewExpression':
    case 'ArrayExpression':
    case 'ObjectExpression':
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'SequenceExpression':
    case 'TemplateLiteral':
      return true;
    default:
      return false;
  }
}

/** Whether this part runs each time that the node runs to its end. */
function runsAlways(node: Node, key: string): boolean {
  switch (node.type) {
    case 'IfStatement':
    case 'WhileStatement':
    case 'ConditionalExpression':
    case 'ForStatement':
    case 'ForOfStatement':
    case 'ForInStatement':
    case 'SwitchStatement':
      return isOrdered(node, key);
    case 'LogicalExpression':
      return key === 'left';
    case 'AssignmentExpression':
      return key === 'right' && !/^(\|\||&&|\?\?)=$/.test(node.operator);
    case 'VariableDeclarator':
      return key === 'init';
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return key === 'object';
    case 'OptionalCallExpression':
      return key === 'callee';
    case 'ObjectProperty':
      return key === 'value';
    case 'TryStatement':
      // A jump out of the block, or of what handles its errors, leaves the list around it, too.
      return key === 'finalizer' || (key === 'block' && isLeftByErrors(node));
    default:
      return plain.has(node.type);
  }
}

const plain = new Set<Node['type']>([
  ...(['BlockStatement', 'ExpressionStatement', 'VariableDeclaration', 'ReturnStatement', 'ThrowStatement'] as const),
  ...(['CallExpression', 'NewExpression', 'ArrayExpression', 'ObjectExpression', 'BinaryExpression'] as const),
  ...(['SequenceExpression', 'TemplateLiteral', 'AwaitExpression', 'UnaryExpression', 'SpreadElement'] as const),
  ...(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'ParenthesizedExpression'] as const),
]);

/** Whether an error in the block never goes on behind it. */
function isLeftByErrors({ handler }: TryStatement): boolean {
  const last = handler?.body.body.at(-1)?.type ?? '';
  return handler === null || handler === undefined || /^(Return|Throw|Continue|Break)Statement$/.test(last);
}
