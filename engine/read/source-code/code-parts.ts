// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 250 kinds of node
import type { AssignmentExpression, Class, Node, ObjectExpression, Statement, VariableDeclarator } from '@babel/types';
import { importedBy } from './node-facts.ts';
import { parseSource } from './parse-source.ts';
import { childrenOf, nameOf, namesIn, rootName, textOf } from './syntax.ts';

/**
 * A part of a source: a statement of its top level, a member of a class there, one name of an import or an export. Only
 * code that mentions one of its `names` can reach it.
 */
export interface CodePart {
  /** In UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** What it declares. Empty for a statement that only has an effect. `*`: it always counts. */
  readonly names: readonly string[];
  /** Names and strings in it. */
  readonly mentions: ReadonlySet<string>;
  /** The modules that it loads, as written. */
  readonly loads: readonly string[];
}

/** The parts of a source in its order, without types; one part that always counts where it cannot be parsed. */
export function codePartsIn(text: string, url: string): readonly CodePart[] {
  const file = parseSource(text, url);
  if (file === null) return [{ start: 0, end: text.length, names: [everyName], mentions: new Set(), loads: [] }];
  return file.program.body.flatMap(partsOf);
}

export const everyName = '*';

function partsOf(node: Statement): readonly CodePart[] {
  switch (node.type) {
    case 'ImportDeclaration':
      if (node.importKind === 'type') return [];
      return node.specifiers.map((one) => partOf(one, [one.local.name], [node.source.value]));
    case 'ExportAllDeclaration':
      return [partOf(node, [everyName], [node.source.value])];
    case 'ExportNamedDeclaration': {
      const from = [node.source?.value ?? []].flat();
      const named = node.specifiers.map((one) => partOf(one, [nameOf(one.exported)], from));
      return node.declaration ? partsOf(node.declaration) : named;
    }
    case 'ExportDefaultDeclaration': {
      const { declaration } = node;
      if (declaration.type === 'ClassDeclaration') return partsOfClass(declaration, ['default']);
      const id = declaration.type === 'FunctionDeclaration' ? declaration.id : null;
      return [partOf(node, ['default', id?.name ?? []].flat())];
    }
    case 'VariableDeclaration':
      return node.declarations.flatMap(partsOfDeclaration);
    case 'ClassDeclaration':
      return partsOfClass(node, []);
    case 'FunctionDeclaration':
      return [partOf(node, [node.id?.name ?? []].flat())];
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSDeclareFunction':
      return [];
    case 'ExpressionStatement':
      return node.expression.type === 'AssignmentExpression' ? partsOfAssignment(node.expression) : [partOf(node, [])];
    default:
      return [partOf(node, [])];
  }
}

/** `const { a, b } = require('./c.js')` has a part for each name, as an import has. */
function partsOfDeclaration(node: VariableDeclarator): readonly CodePart[] {
  const { id, init } = node;
  const from = init ? importedBy(init) : null;
  if (from === null || id.type !== 'ObjectPattern') return [partOf(node, namesIn(id))];
  return id.properties.map((one) => partOf(one, namesIn(one.type === 'RestElement' ? one : one.value), [from]));
}

/** A method is a part of its own; fields and the constructor belong to the class. */
function partsOfClass(node: Class, more: readonly string[]): readonly CodePart[] {
  const names = [...more, node.id?.name ?? []].flat();
  const head = [node.superClass ?? [], node.decorators ?? []].flat();
  const mentions = new Set(head.flatMap((one) => [...wordsIn(one)]));
  const start = { start: node.start ?? 0, end: node.body.start ?? 0, names, mentions, loads: head.flatMap(loadsIn) };
  const members = node.body.body.map((member) => {
    const isMethod = (member.type === 'ClassMethod' || member.type === 'ClassPrivateMethod') && !isConstructor(member);
    const name = isMethod ? nameOf(member.key) : '';
    const part = partOf(member, name === '' ? names : [name]);
    return { ...part, mentions: new Set([...part.mentions, ...names]) };
  });
  return [start, ...members];
}

function isConstructor(member: { readonly kind: string }): boolean {
  return member.kind === 'constructor';
}

/** `module.exports = { a, b }` has a part for each name; `exports.a = …` and `Cart.prototype.a = …` declare `a`. */
function partsOfAssignment(node: AssignmentExpression): readonly CodePart[] {
  const { left, right } = node;
  const isModule = rootName(left) === 'module' && nameOf(left) === 'exports';
  if (isModule && right.type === 'ObjectExpression')
    return right.properties.map((one) => partOf(one, [exportedName(one)]));
  const name = nameOf(left);
  return [partOf(node, isModule ? ['default'] : name === '' ? [] : [name])];
}

function exportedName(property: ObjectExpression['properties'][number]): string {
  const name = property.type === 'SpreadElement' ? '' : nameOf(property.key);
  return name === '' ? everyName : name;
}

function partOf(node: Node, names: readonly string[], loads: readonly string[] = []): CodePart {
  const { start, end } = node;
  return { start: start ?? 0, end: end ?? 0, names, mentions: wordsIn(node), loads: [...loads, ...loadsIn(node)] };
}

function wordsIn(node: Node): ReadonlySet<string> {
  const words = new Set<string>();
  forEachNode(node, (one) => {
    if (one.type === 'Identifier' || one.type === 'JSXIdentifier') words.add(one.name);
    else if (one.type === 'PrivateName') words.add(`#${one.id.name}`);
    else if (one.type === 'StringLiteral' || one.type === 'TemplateLiteral') words.add(textOf(one) ?? '');
  });
  return words;
}

function loadsIn(node: Node): readonly string[] {
  const loads: string[] = [];
  forEachNode(node, (one) => {
    const from = importedBy(one);
    if (from !== null) loads.push(from);
  });
  return loads;
}

function forEachNode(node: Node, visit: (node: Node) => unknown): void {
  const open = [node];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    visit(one);
    for (const child of childrenOf(one)) open.push(child.node);
  }
}
