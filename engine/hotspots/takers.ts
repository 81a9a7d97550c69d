import type { OperationTree } from './operation-tree.ts';
import type { PreparedStream } from './prepared-stream.ts';

/** Who took the samples at each node of an operation. By node; holds sense for the operation's nodes alone. */
export interface Takers {
  /** The culprit's node; −1 where nobody took them. */
  readonly taker: Int32Array;
  /** On the way from the culprit's node: the first one below it that is not native; −1: the time is its own. */
  readonly via: Int32Array;
  /** 1 where a loader frame lies between the culprit and the node. */
  readonly loading: Uint8Array;
}

/**
 * Samples go to the nearest culprit above them; those under a loader frame pass by the module bodies above that frame.
 */
export function createTakers({
  stream,
  functions,
}: PreparedStream): (tree: OperationTree, culprits: ReadonlySet<number>) => Takers {
  const { parent, functionId, size } = stream.tree;
  const nearest = { taker: new Int32Array(size).fill(-1), via: new Int32Array(size).fill(-1) };
  /** The nearest culprit that is no module body. */
  const caller = { taker: new Int32Array(size).fill(-1), via: new Int32Array(size).fill(-1) };
  const loading = new Uint8Array(size);

  const inherit = (at: Way, node: number, from: Way, isNative: boolean): void => {
    const above = parent[node] ?? 0;
    const via = from.via[above] ?? -1;
    const taker = from.taker[above] ?? -1;
    at.taker[node] = taker;
    at.via[node] = via !== -1 || taker === -1 || isNative ? via : node;
  };

  return (tree, culprits) => {
    for (const node of tree.nodes) {
      const fn = functions[functionId[node] ?? -1];
      const isNative = fn?.kind === 'native';
      const isLoader = fn?.loader === true;
      inherit(caller, node, caller, isNative);
      inherit(nearest, node, isLoader ? caller : nearest, isNative);
      const isUnderLoader = isLoader || loading[parent[node] ?? 0] === 1;
      loading[node] = isUnderLoader && nearest.taker[node] === caller.taker[node] ? 1 : 0;
      if (!culprits.has(node)) continue;
      start(nearest, node);
      if (fn?.moduleBody !== true) start(caller, node);
      loading[node] = 0;
    }
    return { ...nearest, loading };
  };
}

interface Way {
  readonly taker: Int32Array;
  readonly via: Int32Array;
}

function start(way: Way, node: number): void {
  way.taker[node] = node;
  way.via[node] = -1;
}
