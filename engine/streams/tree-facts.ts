import type { FunctionFlags } from '../functions/function-flags.ts';
import { type CallTree, firstFunctionNode } from '../samples/call-tree.ts';

/** What can be told of each node of a call tree from the frames above it, before any sample is looked at. */
export interface TreeFacts {
  /** 1 where no frame above is the same function: recursion counts once, there. */
  readonly outermost: Uint8Array;
  /** Outermost node on the way that is a *user* frame: has a url, and not one of Node's; −1 where there is none. */
  readonly outermostUser: Int32Array;
  /** By function id, not by node: 1 for user functions. */
  readonly userFunctions: Uint8Array;
  /** Innermost node on the way that is a module body, itself included; −1 where there is none. */
  readonly moduleBody: Int32Array;
  /** The module body next above the innermost loader frame, as a function's id; −1 where there is none. */
  readonly loadingModule: Int32Array;
  /** 1 where the innermost among loader and user frames is a loader's. */
  readonly innermostLoads: Uint8Array;
  /** Outermost function on the way that waits for a disk, a pipe or another process, as its id; −1 where there is none. */
  readonly waiter: Int32Array;
}

export function treeFacts(tree: CallTree, flags: FunctionFlags): TreeFacts {
  const { parent, functionId, size } = tree;
  const outermostUser = new Int32Array(size).fill(-1);
  const moduleBody = new Int32Array(size).fill(-1);
  const loadingModule = new Int32Array(size).fill(-1);
  const innermostLoads = new Uint8Array(size);
  const waiter = new Int32Array(size).fill(-1);
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
    const waiterAbove = waiter[above] ?? -1;
    waiter[node] = waiterAbove === -1 && flags.waits[fn] === 1 ? fn : waiterAbove;
    innermostLoads[node] = isLoader ? 1 : isUser ? 0 : (innermostLoads[above] ?? 0);
  }
  const outermost = outermostNodes(tree, flags.user.length);
  return { outermost, outermostUser, userFunctions: flags.user, moduleBody, loadingModule, innermostLoads, waiter };
}

/** Goes down and back up the tree without recursion, counting the open calls of each function. */
function outermostNodes({ parent, functionId, size }: CallTree, functions: number): Uint8Array {
  const outermost = new Uint8Array(size);
  const firstChild = new Int32Array(size).fill(-1);
  const sibling = new Int32Array(size).fill(-1);
  for (let node = size - 1; node >= firstFunctionNode; node--) {
    const above = parent[node] ?? 0;
    sibling[node] = firstChild[above] ?? -1;
    firstChild[above] = node;
  }
  const open = new Int32Array(functions);
  let node = firstChild[0] ?? -1;
  while (node > 0) {
    const fn = functionId[node] ?? 0;
    const already = open[fn] ?? 0;
    outermost[node] = already === 0 ? 1 : 0;
    open[fn] = already + 1;
    let next = firstChild[node] ?? -1;
    while (next === -1 && node > 0) {
      const left = functionId[node] ?? 0;
      open[left] = (open[left] ?? 1) - 1;
      next = sibling[node] ?? -1;
      node = parent[node] ?? 0;
    }
    node = next;
  }
  return outermost;
}
