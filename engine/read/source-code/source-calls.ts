// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 250 kinds of node
import type { Node } from '@babel/types';
import { isCall } from './function-title.ts';
import type { SourceCall } from './source-index.ts';
import { type Visit, bare, longestChain, nameOf, namingNode, placeOf, rootName, textOf } from './syntax.ts';

/** A call whose arguments are still being read. */
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
    isOfText: passed[0]?.type === 'StringLiteral',
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
    property.type === 'ObjectProperty' ? valuesOf(property.value) : [],
  );
}

function valuesOf(value: Node): readonly Node[] {
  return value.type === 'StringLiteral' ? [] : [value];
}

function calledName(expression: Node, visit: Visit): string {
  if (expression.type !== 'Super') return nameOf(expression);
  let place: Visit | null = visit;
  for (let depth = 0; place !== null && depth < longestChain; depth++, place = place.parent) {
    const { node }: Visit = place;
    const isHere = node.type === 'ClassDeclaration' || node.type === 'ClassExpression';
    if (isHere) return node.superClass === null || node.superClass === undefined ? '' : nameOf(node.superClass);
  }
  return '';
}

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
