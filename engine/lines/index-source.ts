// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 250 kinds of node
import type { Node } from '@babel/types';
import { type Column0, type Line1, column0, line1 } from '../../protocol/units.ts';
import { aliasesOf } from './aliases.ts';
import { importedBy } from './imports.ts';
import { isCall, titleOf } from './function-title.ts';
import { isMadeByEachCall } from './made-by-each-call.ts';
import { parseSource } from './parse-source.ts';
import type { Alias, SourceCall, SourceFunction, SourceImport, SourceIndex, SourcePlace } from './source-index.ts';
import { type Visit, bare, childrenOf, nameOf, namingNode, outOfCasts, rootName } from './syntax.ts';

/** Reads a source once for all questions about its functions; null where it cannot be parsed. */
export function indexSource(text: string, url: string): SourceIndex | null {
  const file = parseSource(text, url);
  if (file === null) return null;
  const module: OpenFunction = {
    kind: 'module',
    start: { line: line1(1), column: column0(0) },
    bodyStart: { line: line1(1), column: column0(0) },
    lastLine: line1(file.program.loc?.end.line ?? 1),
    parent: -1,
    title: null,
    callbackOf: null,
    isMadeByEachCall: false,
    calls: [],
    returns: [],
  };
  const functions = [module];
  const aliases = new Map<string, Alias>();
  const imports: SourceImport[] = [];
  walk(file.program, functions, aliases, imports);
  return { functions, aliases, imports };
}

interface OpenFunction extends SourceFunction {
  readonly calls: OpenCall[];
  /** Its statements so far that may hand something back. */
  readonly returns: Node[];
}

interface OpenCall extends SourceCall {
  readonly inline: number[];
}

interface Step extends Visit {
  readonly parent: Step | null;
  /** Index of the function whose body this is part of. */
  readonly around: number;
  /** What a call here is, for the functions in its arguments. */
  readonly call: OpenCall | null;
}

/** Depth first, in the order of the text, without recursion: sources are as deep as their authors like. */
function walk(program: Node, functions: OpenFunction[], aliases: Map<string, Alias>, imports: SourceImport[]): void {
  const steps: Step[] = [{ node: program, key: '', parent: null, around: 0, call: null }];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    for (const [local, alias] of aliasesOf(step.node)) aliases.set(local, alias);
    const from = importedBy(step.node);
    if (from !== null) imports.push({ from, line: placeOf(step.node, 'start').line });
    const opened = openFunction(step, functions);
    if (step.node.type === 'ReturnStatement') functions[step.around]?.returns.push(step.node);
    const call = callAt(step);
    if (call !== null) functions[step.around]?.calls.push(call);
    const current: Step = { ...step, call };
    for (const child of childrenOf(step.node).toReversed()) {
      steps.push({ ...child, parent: current, around: aroundChild(current, child.key, opened), call: null });
    }
  }
}

/** Adds the function or class that begins here, and tells the call that it is an argument of. Its index, or −1. */
function openFunction(step: Step, functions: OpenFunction[]): number {
  const { node } = step;
  const bodyStart = bodyStartOf(node);
  if (bodyStart === null) return -1;
  const index = functions.length;
  functions.push({
    kind: isClass(node) ? 'class' : 'function',
    start: placeOf(node, 'start'),
    bodyStart,
    lastLine: placeOf(node, 'end').line,
    parent: step.around,
    ...titleOf(step),
    isMadeByEachCall: isMadeByEachCall(step, functions[step.around]?.returns ?? []),
    calls: [],
    returns: [],
  });
  callOfArgument(step)?.inline.push(index);
  return index;
}

function bodyStartOf(node: Node): SourcePlace | null {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassPrivateMethod':
      return placeOf(node.body, 'start');
    case 'ClassDeclaration':
    case 'ClassExpression':
      return placeOf(node, 'end');
    default:
      return null;
  }
}

function isClass(node: Node): boolean {
  return node.type === 'ClassDeclaration' || node.type === 'ClassExpression';
}

/** The function that a child is part of: names and decorators are evaluated outside, fields by the class. */
function aroundChild(step: Step, key: string, opened: number): number {
  const { node } = step;
  if (opened >= 0 && !isClass(node)) return key === 'key' || key === 'decorators' ? step.around : opened;
  if (isClass(node)) return key === 'body' ? opened : step.around;
  const isMember = node.type.startsWith('Class') && node.type.endsWith('Property');
  const outside = isMember && key !== 'value' ? step.parent?.parent?.around : undefined;
  return outside ?? step.around;
}

/** The call in whose arguments a function stands, itself or in an object, or that calls it at once. */
function callOfArgument(step: Step): OpenCall | null {
  let place: Visit | null = outOfCasts(step);
  while (place?.parent?.node.type === 'ObjectProperty' || place?.parent?.node.type === 'ObjectExpression') {
    place = outOfCasts(place.parent);
  }
  const parent = place?.parent ?? null;
  const isPart = place?.key === 'arguments' || place?.key === 'callee';
  return parent !== null && isPart && isStep(parent) ? parent.call : null;
}

function isStep(visit: Visit): visit is Step {
  return 'call' in visit;
}

function callAt(step: Step): OpenCall | null {
  const { node } = step;
  if (isCall(node)) return callOf(node.type === 'NewExpression' ? 'new' : 'call', node.callee, step, node.arguments);
  if (node.type === 'TaggedTemplateExpression') return callOf('call', node.tag, step, node.quasi.expressions);
  if (node.type === 'JSXOpeningElement') return callOf('element', node.name, step, []);
  const isPulledOut = node.type === 'ObjectProperty' && step.parent?.node.type === 'ObjectPattern' && !node.computed;
  if (isPulledOut) return callOf('get', node.key, step, []);
  const isMember = node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression';
  if (!isMember || step.key === 'callee' || step.key === 'tag') return null;
  return callOf(step.key === 'left' ? 'set' : 'get', node, step, []);
}

function callOf(kind: SourceCall['kind'], expression: Node, step: Step, passed: readonly Node[]): OpenCall {
  const named = namingNode(expression);
  const isBuiltIn = bare(expression).type.endsWith('MemberExpression') && builtIns.has(rootName(expression));
  return {
    kind,
    line: placeOf(named ?? expression, 'start').line,
    root: rootName(expression),
    callee: isBuiltIn ? '' : calledName(expression, step),
    inline: [],
    passed: passed
      .flatMap(valuesIn)
      .map(nameOf)
      .filter((name) => name !== ''),
  };
}

/** What an argument hands over: itself, or the properties of an object. */
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

/** Their methods have names that people's own functions have too: `JSON.parse`. */
const builtIns = new Set(['JSON', 'Math', 'Object', 'Reflect', 'Number']);

function calledName(expression: Node, step: Step): string {
  if (expression.type !== 'Super') return nameOf(expression);
  for (let place: Visit | null = step; place !== null; place = place.parent) {
    const { node } = place;
    const isHere = node.type === 'ClassDeclaration' || node.type === 'ClassExpression';
    if (isHere) return node.superClass === null || node.superClass === undefined ? '' : nameOf(node.superClass);
  }
  return '';
}

function placeOf(node: Node, side: 'start' | 'end'): { line: Line1; column: Column0 } {
  const place = node.loc?.[side];
  return { line: line1(place?.line ?? 1), column: column0(place?.column ?? 0) };
}
