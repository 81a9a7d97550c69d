import { type CallTree, childrenOf, firstFunctionNode } from '../../read/samples/call-tree.ts';
import type { FunctionFlags } from '../../read/functions/function-table.ts';

export interface TreeFacts {
  /** Has 1 where no frame above is the same function: there, recursion counts once. */
  readonly outermost: Uint8Array;
  /** Outermost *user* frame on the path (its url is not Node's), as a node; −1 for none. */
  readonly outermostUser: Int32Array;
  /** Has 1 for user functions, by function id and not by node. */
  readonly userFunctions: Uint8Array;
  /** Innermost node on the path that is a module body, the node itself included; −1 where there is none. */
  readonly moduleBody: Int32Array;
  /** Function id of the module body next above the innermost loader frame; −1 where there is none. */
  readonly loadingModule: Int32Array;
  /** Has 1 where the innermost among loader and user frames is a loader's. */
  readonly innermostLoads: Uint8Array;
  /** Function id of the outermost waiting function on the path (disk, pipe, another process); −1 for none. */
  readonly waiter: Int32Array;
}

export function treeFacts(tree: CallTree, flags: FunctionFlags): TreeFacts {
  const { parent, functionId, size } = tree;
  const outermostUser = new Int32Array(size).fill(-1);
  const moduleBody = new Int32Array(size).fill(-1);
  const loadingModule = new Int32Array(size).fill(-1);
  const innermostLoads = new Uint8Array(size);
  for (let node = firstFunctionNode; node < size; node++) {
    const above = parent[node] ?? 0;
    const fn = functionId[node] ?? 0;
    const isUser = flags.user[fn] === 1;
    const isLoader = flags.loader[fn] === 1;
    const userAbove = outermostUser[above] ?? -1;
    const bodyAbove = moduleBody[above] ?? -1;
    outermostUser[node] = userAbove === -1 && isUser ? node : userAbove;
    moduleBody[node] = flags.moduleBody[fn] === 1 ? node : bodyAbove;
    loadingModule[node] = isLoader ? (functionId[bodyAbove] ?? -1) : (loadingModule[above] ?? -1);
    innermostLoads[node] = isLoader ? 1 : isUser ? 0 : (innermostLoads[above] ?? 0);
  }
  const outermost = outermostNodes(tree, flags.user.length);
  const waiter = waitersOf(tree, flags);
  return { outermost, outermostUser, userFunctions: flags.user, moduleBody, loadingModule, innermostLoads, waiter };
}

/** Function id of the outermost function on the path that waits, by node; −1 where there is none. */
export function waitersOf({ parent, functionId, size }: CallTree, { waits }: FunctionFlags): Int32Array {
  const waiter = new Int32Array(size).fill(-1);
  for (let node = firstFunctionNode; node < size; node++) {
    const above = waiter[parent[node] ?? 0] ?? -1;
    const fn = functionId[node] ?? 0;
    waiter[node] = above === -1 && waits[fn] === 1 ? fn : above;
  }
  return waiter;
}

/** Walks down and up the tree without recursion, and counts the open calls of each function. */
function outermostNodes({ parent, functionId, size }: CallTree, functions: number): Uint8Array {
  const outermost = new Uint8Array(size);
  const children = childrenOf(parent);
  const open = new Int32Array(functions);
  let node = children.first[0] ?? -1;
  while (node > 0) {
    const fn = functionId[node] ?? 0;
    const already = open[fn] ?? 0;
    outermost[node] = already === 0 ? 1 : 0;
    open[fn] = already + 1;
    let next = children.first[node] ?? -1;
    while (next === -1 && node > 0) {
      const left = functionId[node] ?? 0;
      open[left] = (open[left] ?? 1) - 1;
      next = children.next[node] ?? -1;
      node = parent[node] ?? 0;
    }
    node = next;
  }
  return outermost;
}

/** The lowest node that both nodes are at or below: the common path of their stacks. Parents have lower numbers. */
export function lowestCommonNode(a: number, b: number, parent: Int32Array): number {
  let left = a;
  let right = b;
  while (left !== right) {
    if (left > right) left = parent[left] ?? 0;
    else right = parent[right] ?? 0;
  }
  return left;
}
