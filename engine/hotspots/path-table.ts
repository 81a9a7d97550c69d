import type { FunctionInfo } from '../functions/function-table.ts';
import { type CallTree, firstFunctionNode } from '../samples/call-tree.ts';
import type { TreeFacts } from '../samples/tree-facts.ts';

/** Numbers for paths of functions, over all isolates: equal paths have equal numbers. Path 0 is the empty one. */
export interface PathTable {
  /** The functions of a path, outermost first. */
  readonly functionsOf: (path: number) => readonly number[];
}

/** A path table that still grows. */
export interface PathFinder extends PathTable {
  /** Gives the cut path to each node of this tree. */
  readonly cutPathsOf: (tree: CallTree, facts: TreeFacts) => (node: number) => number;
}

/**
 * *Cut path* of a node: from the root to it, first loop-erased (when a function reappears, the path is cut back to its
 * first occurrence), then without the leading frames that are Node's, a runner's or test code; never without the
 * function itself.
 */
export function createPathFinder(functions: readonly FunctionInfo[]): PathFinder {
  const paths = createPaths();
  const isLeading = functions.map((fn) => fn.kind === 'node' || fn.kind === 'runner' || fn.role === 'test');
  const cut = createCut(paths, isLeading);
  return {
    functionsOf: paths.functionsOf,
    cutPathsOf: (tree, facts) => {
      const erased = loopErased(tree, facts, paths);
      return (node) => {
        const path = erased(node);
        return path === 0 ? 0 : paths.child(cut(paths.parentOf(path)), paths.functionOf(path));
      };
    },
  };
}

interface Paths extends PathTable {
  readonly child: (path: number, functionId: number) => number;
  readonly parentOf: (path: number) => number;
  readonly functionOf: (path: number) => number;
}

function createPaths(): Paths {
  const parents: number[] = [0];
  const functionIds: number[] = [-1];
  const known = new Map<number, number>();
  return {
    child: (path, functionId) => {
      const key = path * 2 ** 26 + functionId;
      const found = known.get(key);
      if (found !== undefined) return found;
      const child = parents.push(path) - 1;
      functionIds.push(functionId);
      known.set(key, child);
      return child;
    },
    parentOf: (path) => parents[path] ?? 0,
    functionOf: (path) => functionIds[path] ?? -1,
    functionsOf: (path) => {
      const found: number[] = [];
      for (let at = path; at > 0; at = parents[at] ?? 0) found.push(functionIds[at] ?? -1);
      return found.toReversed();
    },
  };
}

/** Loop-erased path by node, each found once. */
function loopErased({ parent, functionId }: CallTree, facts: TreeFacts, paths: Paths): (node: number) => number {
  const known = new Int32Array(parent.length);
  const next = (node: number): number => {
    const above = known[parent[node] ?? 0] ?? 0;
    const fn = functionId[node] ?? -1;
    if (facts.outermost[node] === 1) return paths.child(above, fn);
    let path = above;
    while (path > 0 && paths.functionOf(path) !== fn) path = paths.parentOf(path);
    return path > 0 ? path : paths.child(above, fn);
  };
  return (node) => {
    const missing: number[] = [];
    for (let at = node; at >= firstFunctionNode && known[at] === 0; at = parent[at] ?? 0) missing.push(at);
    for (const at of missing.toReversed()) known[at] = next(at);
    return known[node] ?? 0;
  };
}

/** A path without its leading frames, by path, each found once. */
function createCut(paths: Paths, isLeading: readonly boolean[]): (path: number) => number {
  const known = new Map<number, number>([[0, 0]]);
  const next = (path: number): number => {
    const above = known.get(paths.parentOf(path)) ?? 0;
    const fn = paths.functionOf(path);
    return above === 0 && isLeading[fn] === true ? 0 : paths.child(above, fn);
  };
  return (path) => {
    const missing: number[] = [];
    for (let at = path; !known.has(at); at = paths.parentOf(at)) missing.push(at);
    for (const at of missing.toReversed()) known.set(at, next(at));
    return known.get(path) ?? 0;
  };
}
