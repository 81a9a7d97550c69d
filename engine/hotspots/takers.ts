import type { CallTree } from '../samples/call-tree.ts';
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
 * Samples go to the nearest culprit above them; those under a loader frame pass by the module bodies above that frame: to the nearest `caller`, that is no module body.
 */
export function createTakers({
  stream,
  functions,
}: PreparedStream): (tree: OperationTree, culprits: ReadonlySet<number>) => Takers {
  const { parent, functionId, size } = stream.tree;
  const nearest = new Way(stream.tree);
  const caller = new Way(stream.tree);
  const loading = new Uint8Array(size);
  return (tree, culprits) => {
    for (const node of tree.nodes) {
      const fn = functions[functionId[node] ?? -1];
      const isNative = fn?.kind === 'native';
      const isLoader = fn?.loader === true;
      caller.follow(node, caller, isNative);
      nearest.follow(node, isLoader ? caller : nearest, isNative);
      loading[node] = isLoader ? 1 : (loading[parent[node] ?? 0] ?? 0);
      if (!culprits.has(node)) continue;
      nearest.start(node);
      if (fn?.moduleBody !== true) caller.start(node);
      loading[node] = 0;
    }
    return { taker: nearest.taker, via: nearest.via, loading };
  };
}

/** By node: the nearest culprit above it, of all or of some, and the first function below that one on the way. */
class Way {
  readonly taker: Int32Array;
  readonly via: Int32Array;
  readonly #parent: Int32Array;

  constructor({ size, parent }: CallTree) {
    this.taker = new Int32Array(size).fill(-1);
    this.via = new Int32Array(size).fill(-1);
    this.#parent = parent;
  }

  start(culprit: number): void {
    this.taker[culprit] = culprit;
    this.via[culprit] = -1;
  }

  /** Goes on from the parent of `node` as `from` has it. */
  follow(node: number, from: Way, isNative: boolean): void {
    const above = this.#parent[node] ?? 0;
    const via = from.via[above] ?? -1;
    const taker = from.taker[above] ?? -1;
    this.taker[node] = taker;
    this.via[node] = via !== -1 || taker === -1 || isNative ? via : node;
  }
}
