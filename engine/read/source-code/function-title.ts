// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 250 kinds of node
import type { CallExpression, NewExpression, Node, ObjectExpression, OptionalCallExpression } from '@babel/types';
import type { SourceFunction } from './source-index.ts';
import { type Visit, bare, MAX_CHAIN, nameOf, outOfCasts, rootName, textOf } from './syntax.ts';

type FunctionTitle = Pick<SourceFunction, 'title' | 'callbackOf' | 'inferredName'>;

/** The title of a function (or class): its name, its test or route, else what it is given to. */
export function titleOf(visit: Visit): FunctionTitle {
  // V8 calls a constructor by its class.
  const isConstructor = visit.node.type === 'ClassMethod' && visit.node.kind === 'constructor';
  const name = ownName((isConstructor ? visit.parent?.parent?.node : null) ?? visit.node);
  if (name !== '') return { ...untitled, title: name };
  const place = outOfCasts(visit);
  const parent = place?.parent ?? null;
  if (place === null || parent === null) return untitled;
  if (isCall(parent.node) && place.key === 'arguments') return titleOfArgument(parent.node);
  const given = routeOfObject(parent) ?? nameGivenBy(parent.node, place.key);
  return given === '' ? { ...untitled, inferredName: inferredNameOf(place) } : { ...untitled, title: given };
}

const untitled: FunctionTitle = { title: null, callbackOf: null, inferredName: null };
export const testWords: ReadonlySet<string> = new Set(['test', 'it', 'specify', 'fit', 'xit', 'xtest', 'xspecify']);
export const suiteWords: ReadonlySet<string> = new Set(
  'describe suite context fdescribe xdescribe xcontext'.split(' '),
);
const methods = new Set(['get', 'post', 'put', 'patch', 'delete', 'del', 'head', 'options', 'all']);
const eventWords = new Set(['on', 'once', 'addListener', 'addEventListener', 'prependListener']);

type Call = CallExpression | OptionalCallExpression | NewExpression;

export function isCall(node: Node): node is Call {
  return node.type === 'CallExpression' || node.type === 'OptionalCallExpression' || node.type === 'NewExpression';
}

function titleOfArgument(call: Call): FunctionTitle {
  const callee = nameOf(call.callee);
  const words = textOf(call.arguments[0]);
  const title = words === null ? null : (titleOfTest(call, callee, words) ?? titleOfHandler(callee, words));
  const named = title ?? routeOfChain(call, callee);
  return { title: named, callbackOf: named !== null || callee === '' ? null : callee, inferredName: '' };
}

/** The name that V8 infers for an element of a list, or one of several values; null where it is not known. */
function inferredNameOf(visit: Visit): string | null {
  let place: Visit = visit;
  while (place.parent !== null && isOneOfSeveral(place.parent.node)) place = outOfCasts(place.parent) ?? place.parent;
  if (place === visit || place.parent === null) return null;
  const { node } = place.parent;
  const given = nameGivenBy(node, place.key);
  if (given !== '') return given;
  const hasNone = node.type === 'ReturnStatement' || node.type === 'ArrowFunctionExpression';
  return hasNone || (isCall(node) && place.key === 'arguments') ? '' : null;
}

function isOneOfSeveral({ type }: Node): boolean {
  return type === 'ArrayExpression' || type === 'ConditionalExpression' || type === 'LogicalExpression';
}

/** Title of a test: `test("…")`, `it.each(table)("…")`, `t.test("…")`. */
function titleOfTest(call: Call, callee: string, words: string): string | null {
  const root = rootName(call.callee);
  if (testWords.has(root) || callee === 'test' || callee === 'it') return `test "${words}"`;
  if (!suiteWords.has(root) && callee !== 'describe') return null;
  return `${suiteWords.has(callee) ? callee : root} "${words}"`;
}

/** Title of a handler: `app.get('/hello', …)`, `app.use('/admin', …)`, `socket.on('message', …)`. */
function titleOfHandler(callee: string, words: string): string | null {
  const isPath = words.startsWith('/') || words === '*';
  if (isPath && methods.has(callee)) return `handler of ${methodWord(callee)} ${words}`;
  if (isPath && callee === 'use') return `middleware of ${words}`;
  return eventWords.has(callee) ? `handler of "${words}"` : null;
}

/** Route of a chain such as `router.route('/hello').get(…)`, with other methods in between. */
function routeOfChain(call: Call, callee: string): string | null {
  if (!methods.has(callee)) return null;
  let node: Node = bare(call.callee);
  for (let length = 0; length < MAX_CHAIN; length++) {
    if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return null;
    const object = bare(node.object);
    if (!isCall(object)) return null;
    const path = textOf(object.arguments[0]);
    if (nameOf(object.callee) === 'route' && path !== null) return `handler of ${methodWord(callee)} ${path}`;
    node = bare(object.callee);
  }
  return null;
}

/** Route of an object such as `server.route({ method: 'GET', url: '/hello', handler() {} })`. */
function routeOfObject(property: Visit): string | null {
  const isHandler = property.node.type === 'ObjectProperty' && nameOf(property.node.key) === 'handler';
  const object = isHandler ? property.parent?.node : undefined;
  return object?.type === 'ObjectExpression' ? routeOfOptions(object) : null;
}

function routeOfOptions(options: ObjectExpression): string | null {
  const values = new Map<string, string | null>();
  for (const property of options.properties) {
    if (property.type === 'ObjectProperty') values.set(nameOf(property.key), textOf(property.value));
  }
  const path = values.get('url') ?? values.get('path') ?? null;
  const method = values.get('method') ?? null;
  return path === null || method === null ? null : `handler of ${methodWord(method)} ${path}`;
}

function methodWord(method: string): string {
  return method === 'del' ? 'DELETE' : method.toUpperCase();
}

/** The name that a function or class carries itself. */
function ownName(node: Node): string {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ClassDeclaration':
    case 'ClassExpression':
      return node.id === null || node.id === undefined ? '' : node.id.name;
    case 'ObjectMethod':
    case 'ClassMethod':
      return node.computed ? '' : nameOf(node.key);
    case 'ClassPrivateMethod':
      return nameOf(node.key);
    default:
      return '';
  }
}

/** The name of what a function is assigned to. */
function nameGivenBy(parent: Node, key: string): string {
  switch (parent.type) {
    case 'VariableDeclarator':
      return nameOf(parent.id);
    case 'AssignmentExpression':
    case 'AssignmentPattern':
      return key === 'right' ? nameOf(parent.left) : '';
    case 'ObjectProperty':
    case 'ClassProperty':
    case 'ClassAccessorProperty':
      return (parent.computed ?? false) && parent.key.type !== 'StringLiteral' ? '' : nameOf(parent.key);
    case 'ClassPrivateProperty':
      return nameOf(parent.key);
    default:
      return '';
  }
}
