// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 250 kinds of node
import type { Node, TryStatement } from '@babel/types';
import { isRecord, listOf } from '../../../protocol/json-value.ts';
import { type Column0, type Line1, column0, line1 } from '../../../protocol/units.ts';

/** A node on the path down from the program, with what encloses it. */
export interface Visit {
  readonly node: Node;
  readonly key: string;
  readonly parent: Visit | null;
}

const notVisited = new Set('loc extra typeAnnotation returnType typeParameters typeArguments errors'.split(' '));

/** The nodes directly below a node, in the order of the text, without types. */
export function childrenOf(node: Node): readonly { readonly key: string; readonly node: Node }[] {
  const children: { key: string; node: Node }[] = [];
  eachChild(node, (key, child) => children.push({ key, node: child }));
  return children;
}

/** A node and all below it, each after its parent. */
export function visitsOf(node: Node): readonly Visit[] {
  const visits: Visit[] = [{ node, key: '', parent: null }];
  // A list that grows while it is read: its own end is the end of the tree.
  for (const parent of visits) eachChild(parent.node, (key, child) => visits.push({ node: child, key, parent }));
  return visits;
}

/** Calls for each of them. Half of the time to index a source went into lists of keys and values. */
export function eachChild(node: Node, call: (key: string, child: Node) => void): void {
  if (!isRecord(node)) return;
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (typeof value !== 'object' || value === null || notVisited.has(key)) continue;
    if (isNode(value)) call(key, value);
    else for (const child of listOf(value).filter(isNode)) call(key, child);
  }
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value
  );
}

/** The expression itself, without the casts and brackets around it. */
export function bare(node: Node): Node {
  let inner = node;
  for (let next = insideOf(node); next !== null; next = insideOf(next)) inner = next;
  return inner;
}

/** What a cast or brackets enclose, or the last value of a sequence; null for any other node. */
function insideOf(node: Node): Node | null {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
    case 'TypeCastExpression':
    case 'ParenthesizedExpression':
      return node.expression;
    case 'SequenceExpression':
      return node.expressions.at(-1) ?? null;
    default:
      return null;
  }
}

/** Limits steps along a chain of calls or members, and up the tree. Each step may walk to the begin of the chain. */
export const MAX_CHAIN = 1000;

/** The node with the name of an expression: `c` of `a.b.c`, `parse` of `parse.call` and `parse.bind(x)`; else null. */
export function namingNode(expression: Node, depth = 0): Node | null {
  if (depth > MAX_CHAIN) return null;
  const node = bare(expression);
  switch (node.type) {
    case 'Identifier':
    case 'PrivateName':
    case 'StringLiteral':
      return node;
    case 'MemberExpression':
    case 'OptionalMemberExpression': {
      const property =
        node.property.type === 'Identifier' && node.computed ? null : namingNode(node.property, depth + 1);
      const isIndirect = property?.type === 'Identifier' && (property.name === 'call' || property.name === 'apply');
      return isIndirect ? namingNode(node.object, depth + 1) : property;
    }
    case 'CallExpression': {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return null;
      return callee.property.name === 'bind' ? namingNode(callee.object, depth + 1) : null;
    }
    case 'JSXIdentifier':
      return node;
    case 'JSXMemberExpression':
      return node.property;
    default:
      return null;
  }
}

/** Whether the name of an expression is a member's: `c` of `a.b.c` and of `a.b.c.bind(x)`, but not of `c.bind(x)`. */
export function isNamedByMember(expression: Node): boolean {
  const named = namingNode(expression);
  let node = bare(expression);
  while (node !== named) {
    if (node.type === 'CallExpression') node = bare(node.callee);
    else if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return false;
    else if (node.property === named) return true;
    else node = bare(node.object);
  }
  return false;
}

export function nameOf(expression: Node): string {
  const node = namingNode(expression);
  if (node === null) return '';
  if (node.type === 'Identifier' || node.type === 'JSXIdentifier') return node.name;
  if (node.type === 'StringLiteral') return node.value;
  return node.type === 'PrivateName' ? `#${node.id.name}` : '';
}

/** The first name of a chain: `it` of `it.each(table)`, `app` of `app.get`; `''` for another begin, or if too long. */
export function rootName(expression: Node): string {
  let node = bare(expression);
  for (let length = 0; length < MAX_CHAIN; length++) {
    switch (node.type) {
      case 'Identifier':
        return node.name;
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        node = bare(node.object);
        break;
      case 'CallExpression':
      case 'OptionalCallExpression':
        node = bare(node.callee);
        break;
      case 'TaggedTemplateExpression':
        node = bare(node.tag);
        break;
      default:
        return '';
    }
  }
  return '';
}

/** The value of a string, with `…` for what a template fills in. Null for anything else. */
export function textOf(node: Node | undefined): string | null {
  if (node?.type === 'StringLiteral') return node.value;
  if (node?.type !== 'TemplateLiteral') return null;
  return node.quasis.map((quasi) => quasi.value.cooked ?? quasi.value.raw).join('…');
}

/** The visit itself, or the nearest one around that is not a cast or a bracket. */
export function outOfCasts(visit: Visit | null): Visit | null {
  let outer = visit;
  while (outer !== null && outer.parent !== null && insideOf(outer.parent.node) === outer.node) outer = outer.parent;
  return outer;
}

/** The nearest function around, or part of a class that runs as one; null at the top of a module. */
export function functionAround(visit: Visit | null): Visit | null {
  let fn = visit?.parent ?? null;
  while (fn !== null && !isFunction(fn.node)) fn = fn.parent;
  return fn;
}

export function isFunction({ type }: Node): boolean {
  return (
    type.includes('Function') ||
    type === 'ObjectMethod' ||
    (type.startsWith('Class') && type.endsWith('Method')) ||
    type === 'StaticBlock'
  );
}

/** A node as written. Brackets around it are left out, but where commas in it would then mean something else. */
export function slice(node: Node, source: string): string {
  const text = source.slice(node.start ?? 0, node.end ?? 0);
  return node.type === 'SequenceExpression' ? `(${text})` : text;
}

export function placeOf(node: Node, side: 'start' | 'end'): { readonly line: Line1; readonly column: Column0 } {
  const place = node.loc?.[side];
  return { line: line1(place?.line ?? 1), column: column0(place?.column ?? 0) };
}

/** The names that a parameter, or another pattern, gives to values. */
export function namesIn(pattern: Node): readonly string[] {
  const names: string[] = [];
  const open: (Node | null | undefined)[] = [pattern];
  while (open.length > 0) {
    const node = open.pop();
    switch (node?.type) {
      case 'Identifier':
        names.push(node.name);
        break;
      case 'AssignmentPattern':
        open.push(node.left);
        break;
      case 'RestElement':
        open.push(node.argument);
        break;
      case 'ArrayPattern':
        for (const element of node.elements) open.push(element);
        break;
      case 'ObjectPattern':
        for (const part of node.properties) open.push(part.type === 'RestElement' ? part : part.value);
        break;
      case 'TSParameterProperty':
        open.push(node.parameter);
        break;
      default:
        break; // This is a hole in an array.
    }
  }
  return names;
}

/** Whether the code at this property of the node may be skipped. */
export function isConditional(node: Node, key: string): boolean {
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

/** Whether everything behind this part of a node runs after it, if at all. */
export function isOrdered({ type }: Node, key: string): boolean {
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
export function runsAlways(node: Node, key: string): boolean {
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
