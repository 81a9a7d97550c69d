import type { CallExpression, File, Node } from '@babel/types';
import { type Line1, line1 } from '../../../protocol/units.ts';
import { suiteWords, testWords } from './function-title.ts';
import { bare, childrenOf, MAX_CHAIN, textOf } from './syntax.ts';

/** A test or a suite that a source registers with a call such as `test('…', …)` or `describe('…', …)`. */
export interface SourceTest {
  readonly kind: 'test' | 'suite';
  readonly line: Line1;
  readonly title: Title;
  /** Titles of the suites around it, outermost first. */
  readonly suites: readonly Title[];
  /** False where other suites may be around it, because it is in a function that is called elsewhere. */
  readonly isWhole: boolean;
}

export interface Title {
  /** As written, with `${…}` for each part that is only known at run time. */
  readonly text: string;
  /** `one`: of one test. `several`: of those that a table or a template makes. `none`: unknown. */
  readonly names: 'one' | 'several' | 'none';
}

/** The tests and suites of a source, in its order, without those that are skipped or inside of another test. */
export function findTests({ program }: File): readonly SourceTest[] {
  const found: SourceTest[] = [];
  const open: Place[] = [{ node: program, suites: [], isWhole: true }];
  while (open.length > 0) {
    const place = open.pop();
    if (place === undefined) break;
    const inside = insideOf(place, found);
    if (inside !== null) for (const child of childrenOf(place.node).toReversed()) open.push(inside(child.node));
  }
  return found;
}

interface Place extends Pick<SourceTest, 'suites' | 'isWhole'> {
  readonly node: Node;
}

/** The places of the nodes below a node; null where no test can be. Adds the node's own test to `found`. */
function insideOf({ node, suites, isWhole }: Place, found: SourceTest[]): ((child: Node) => Place) | null {
  if (node.type === 'FunctionDeclaration' || node.type === 'VariableDeclarator')
    return (child) => ({
      node: child,
      suites: isFunctionOf(node, child) ? [] : suites,
      isWhole: isWhole && !isFunctionOf(node, child),
    });
  const call = node.type === 'CallExpression' ? registeredBy(node) : null;
  if (call === null) return (child) => ({ node: child, suites, isWhole });
  if (call.isSkipped) return null;
  const { kind, title } = call;
  found.push({ kind, line: line1(node.loc?.start.line ?? 1), title, suites, isWhole });
  return kind === 'test' ? null : (child) => ({ node: child, suites: [...suites, title], isWhole });
}

/** Whether a node is what a declared function runs, wherever that is called. */
function isFunctionOf(declaration: Node, child: Node): boolean {
  if (declaration.type === 'FunctionDeclaration') return child === declaration.body;
  return child.type === 'ArrowFunctionExpression' || child.type === 'FunctionExpression';
}

/** Reads `it.only('…', fn)`, `test.each(table)('…', fn)`; null for other calls. */
function registeredBy({ callee, arguments: given }: CallExpression) {
  const [first, second] = given;
  if (first === undefined || (second === undefined && !isFunction(first))) return null;
  const words = wordsOf(callee);
  const [root = '', ...others] = words ?? [];
  const isTable = others.some((word) => tables.has(word));
  // `test.each(table)` only makes the function that registers.
  if (words === null || (isTable && bare(callee).type === 'MemberExpression')) return null;
  const kind = others.reduce((known, word) => kindOf(word) ?? known, kindOf(root));
  if (kind === null || !others.every((word) => kindOf(word) !== null || modifiers.has(word) || tables.has(word)))
    return null;
  const isSkipped = root.startsWith('x') || others.some((word) => word === 'skip' || word === 'todo');
  return { kind, title: titleOf(first, isTable), isSkipped };
}

function kindOf(word: string): SourceTest['kind'] | null {
  if (testWords.has(word)) return 'test';
  return suiteWords.has(word) ? 'suite' : null;
}

const modifiers = new Set('only skip todo concurrent sequential failing fails shuffle skipIf runIf'.split(' '));
const tables = new Set(['each', 'for']);

/** The names of a chain from its begin: `test`, `each` of `test.each(table)`. Null for anything else. */
function wordsOf(callee: Node): readonly string[] | null {
  const words: string[] = [];
  let node = bare(callee);
  for (let length = 0; length < MAX_CHAIN; length++) {
    if (node.type === 'Identifier') return [node.name, ...words.toReversed()];
    if (node.type === 'CallExpression') node = bare(node.callee);
    else if (node.type === 'TaggedTemplateExpression') node = bare(node.tag);
    else if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier' || node.computed) return null;
    else {
      words.push(node.property.name);
      node = bare(node.object);
    }
  }
  return null;
}

const unknownPart = '${…}';

function titleOf(node: Node, isTable: boolean): Title {
  const isTemplate = node.type === 'TemplateLiteral' && node.expressions.length > 0;
  const text = isTemplate
    ? node.quasis.map(({ value }) => value.cooked ?? value.raw).join(unknownPart)
    : (textOf(node) ?? unknownPart);
  const known = text.replaceAll(unknownPart, '').trim();
  if (known === '' || (isTable && /^(?:%\S|\$\w+)$/.test(known))) return { text: unknownPart, names: 'none' };
  return { text, names: isTemplate || isTable ? 'several' : 'one' };
}

function isFunction({ type }: Node): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
}
