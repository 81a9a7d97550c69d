import type { Node } from '@babel/types';
import { declaredLiteral, isWritable } from './declared-literals.ts';
import { type Visit, slice } from './syntax.ts';

/** A statement that copies a list or an object to add to it. */
export interface Growth {
  readonly name: string;
  /** A statement that adds to it in place. */
  readonly inPlace: string;
  /** Whether it is all of its line. */
  readonly isWholeLine: boolean;
}

export interface ReadLine {
  readonly source: string;
  /** The line without the white space around it. */
  readonly line: string;
  /** All nodes of the source. */
  readonly visits: readonly Visit[];
}

/**
 * `all = [...all, row]` adds in place by `all.push(row)`; `{ ...all, [key]: 1 }` by `all[key] = 1`. Not where its value is
 * used, where `all` may be anything else, or where `row` depends on the copy.
 */
export function growthOf(visit: Visit, read: ReadLine): readonly Growth[] {
  const { node, parent } = visit;
  if (parent?.node.type !== 'ExpressionStatement' || node.type !== 'AssignmentExpression') return [];
  if (node.operator !== '=' || node.left.type !== 'Identifier') return [];
  const { name } = node.left;
  const [self, ...added] = partsOf(node.right);
  if (self?.type !== 'SpreadElement' || self.argument.type !== 'Identifier' || self.argument.name !== name) return [];
  const declared = declaredLiteral(name, visit, read.visits);
  if (declared?.init.type !== node.right.type || !isWritable(declared, read.source)) return [];
  const [start, end] = [self.end ?? 0, node.end ?? 0];
  const behind = read.visits.filter((one) => (one.node.start ?? 0) >= start && (one.node.end ?? 0) <= end);
  if (behind.some((one) => dependsOnCopy(one, name))) return [];
  const inPlace = declared.kind === 'list' ? pushed(name, added, read) : assigned(name, added, read);
  return inPlace === null ? [] : [{ name, inPlace, isWholeLine: isWholeLine(parent.node, read) }];
}

/** Whether a statement is all of its line. A comment in it would be lost with it. */
export function isWholeLine(statement: Node, { source, line }: ReadLine): boolean {
  return slice(statement, source) === line && !line.includes('/*');
}

function partsOf(value: Node): readonly (Node | null)[] {
  if (value.type === 'ArrayExpression') return value.elements;
  return value.type === 'ObjectExpression' ? value.properties : [];
}

/** `all.length` and `all[key]` are the same before and after; other code may run during `await`. */
function dependsOnCopy({ node, key, parent }: Visit, name: string): boolean {
  if (node.type === 'AwaitExpression' || node.type === 'YieldExpression') return true;
  if (node.type !== 'Identifier' || node.name !== name || key === 'property') return false;
  return key !== 'object' || parent?.key === 'callee';
}

function pushed(name: string, added: readonly (Node | null)[], { source }: ReadLine): string | null {
  const items = added.flatMap((part) => (part === null || part.type === 'SpreadElement' ? [] : [slice(part, source)]));
  return items.length === 0 || items.length < added.length ? null : `${name}.push(${items.join(', ')});`;
}

function assigned(name: string, [added, ...others]: readonly (Node | null)[], { source }: ReadLine): string | null {
  if (added?.type !== 'ObjectProperty' || added.shorthand || others.length > 0) return null;
  const key = slice(added.key, source);
  if (!added.computed && added.key.type !== 'Identifier') return null;
  return `${name}${added.computed ? `[${key}]` : `.${key}`} = ${slice(added.value, source)};`;
}
