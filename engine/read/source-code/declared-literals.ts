import type { ArrayExpression, Node, ObjectExpression, VariableDeclarator } from '@babel/types';
import { type Visit, bare, functionAround, namesIn, slice } from './syntax.ts';

/** A variable that is declared with a list or an object, and is never anything else. */
export interface DeclaredLiteral {
  readonly kind: 'list' | 'object';
  readonly init: ArrayExpression | ObjectExpression;
  readonly declarator: VariableDeclarator;
}

/** What a name is declared with; null where that is not certain. `visits` are all nodes of the source. */
export function declaredLiteral(name: string, from: Visit, visits: readonly Visit[]): DeclaredLiteral | null {
  const { node: declarator, parent = null } = declarationOf(name, from, visits)?.parent ?? {};
  if (declarator?.type !== 'VariableDeclarator' || declarator.id.type !== 'Identifier' || !isAround(parent, from))
    return null;
  const init = declarator.init === null || declarator.init === undefined ? null : bare(declarator.init);
  if (init?.type !== 'ArrayExpression' && init?.type !== 'ObjectExpression') return null;
  if (visits.some((visit) => assignsOther(visit, name, init.type))) return null;
  return { kind: init.type === 'ArrayExpression' ? 'list' : 'object', init, declarator };
}

/** The only declaration of a name in the nearest function around that declares it. */
function declarationOf(name: string, from: Visit, visits: readonly Visit[]): Visit | null {
  const all = visits.filter(
    ({ node, key, parent }) =>
      /^(?:id|params?)$/.test(key) && parent?.node.type !== 'PrivateName' && namesIn(node).includes(name),
  );
  for (let fn = functionAround(from); ; fn = functionAround(fn)) {
    const here = all.filter((one) => functionAround(one)?.node === fn?.node);
    if (here.length > 0) return here.length === 1 ? (here[0] ?? null) : null;
    if (fn === null) return null;
  }
}

/** Whether a place is in the block that has the declaration. */
function isAround(declaration: Visit | null, from: Visit): boolean {
  const within = declaration?.parent ?? null;
  const block = (within?.node.type.startsWith('Export') === true ? within.parent : within)?.node;
  let outer: Visit | null = from;
  while (outer !== null && outer.node !== block) outer = outer.parent;
  return outer !== null;
}

/** Whether a node is a name that gets another kind of value than `init`, or one that the source does not show. */
function assignsOther({ node, key, parent }: Visit, name: string, init: Node['type']): boolean {
  const to = parent?.node;
  if (key !== 'left' || to === undefined || !namesIn(node).includes(name)) return false;
  if (to.type === 'AssignmentExpression') return node.type !== 'Identifier' || to.right.type !== init;
  return to.type.startsWith('For');
}

/** Whether the source shows nothing that a way through JSON would change, and no lists or plain values as items. */
export function isPlainData({ init }: DeclaredLiteral): boolean {
  if (init.type === 'ObjectExpression') return isPlain(init);
  return init.elements.every(
    (item) => item !== null && !/Literal$|^(?:Array|Unary|Binary)Expression$/.test(bare(item).type) && isPlain(item),
  );
}

function isPlain(node: Node | null): boolean {
  const value = node === null ? null : bare(node);
  if (value?.type === 'ArrayExpression') return value.elements.every(isPlain);
  if (value?.type === 'ObjectExpression') return value.properties.every(isPlain);
  if (value?.type === 'ObjectProperty') return isPlain(value.value);
  if (value?.type === 'Identifier') return !/^(?:undefined|NaN|Infinity)$/.test(value.name);
  return value !== null && !/^New|Function|Class|^ObjectMethod$|^(?:RegExp|BigInt)Literal$/.test(value.type);
}

/** Whether it may be changed in place: by its type, and without accessors, which a copy leaves behind. */
export function isWritable({ init, declarator }: DeclaredLiteral, source: string): boolean {
  const { id } = declarator;
  const type = 'typeAnnotation' in id && id.typeAnnotation ? slice(id.typeAnnotation, source) : ': Array<…>';
  if (/\breadonly/i.test(type) || !/\[\]$|^:\s*(?:Array|Record)</.test(type) || declarator.init !== init) return false;
  return init.type === 'ArrayExpression' || init.properties.every((part) => part.type !== 'ObjectMethod');
}
