import type { Node } from '@babel/types';
import { parseSource } from '../../read/source-code/parse-source.ts';
import type { SourceFunction } from '../../read/source-code/source-index.ts';
import { type Visit, functionAround, namesIn, visitsOf } from '../../read/source-code/syntax.ts';

/**
 * Whether a function can be moved out of the one that makes it: it uses none of that one's names, or it only reads them
 * and is only called there, so that they can be arguments. `url` shows the language.
 */
export function isHoistable(source: string, url: string, literal: SourceFunction, maker: SourceFunction): boolean {
  const { title, names } = literal;
  const lines = source.split('\n');
  const text = textIn(lines, literal);
  const around = [...maker.names.keys(), ...maker.inner.keys(), 'this'];
  const used = around.filter((name) => name !== title && !names.has(name) && word(name, '').test(text));
  const isHandedOn = title === null || word(title, String.raw`(?!\s*(?:\(|=[^=>]))`).test(textIn(lines, maker));
  return (used.length === 0 || !isHandedOn) && !isBound(text, url, used);
}

function textIn(lines: readonly string[], { start, end }: SourceFunction): string {
  const own = lines.slice(start.line - 1, end.line);
  const last = (own.pop() ?? '').slice(0, end.column);
  return [...own, last].join('\n').slice(start.column);
}

/** Whether a function assigns one of these names, or uses its maker's `arguments`, `super` or `new.target`, or may. */
function isBound(text: string, url: string, names: readonly string[]): boolean {
  const file = parseSource(`(${text})`, url) ?? parseSource(`({${text}})`, url); // A method is one only in an object.
  return file === null || visitsOf(file.program).some((visit) => assignsAny(visit.node, names) || isOfMaker(visit));
}

function assignsAny(node: Node, names: readonly string[]): boolean {
  const isLoop = node.type === 'ForOfStatement' || node.type === 'ForInStatement';
  const to = isLoop || node.type === 'AssignmentExpression' ? node.left : null;
  const target = node.type === 'UpdateExpression' ? node.argument : to;
  return target !== null && namesIn(target).some((name) => names.includes(name));
}

function isOfMaker(visit: Visit): boolean {
  const { node } = visit;
  const isOfCall =
    node.type === 'MetaProperty' ? node.meta.name === 'new' : node.type === 'Identifier' && node.name === 'arguments';
  if (!isOfCall && node.type !== 'Super') return false;
  let owner = functionAround(visit);
  while (owner?.node.type === 'ArrowFunctionExpression') owner = functionAround(owner);
  return owner === null || (node.type === 'Super' && owner.node.type === 'ObjectMethod');
}

/** Matches a name that is not a property, followed by `after`, a part of a regular expression. */
function word(name: string, after: string): RegExp {
  return new RegExp(String.raw`(?<![\w$]|(?<!\.\.)\.)${escaped(name)}(?![\w$])${after}`);
}

function escaped(name: string): string {
  return name.replaceAll('$', String.raw`\$`);
}
