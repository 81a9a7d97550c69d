import type { OperationTree } from '../function-figures/operation-tree.ts';
import type { PreparedStream } from '../function-figures/prepared-stream.ts';

/** Which culprit took the samples at each place of an operation's tree. */
export interface Takers {
  /** Place of the culprit; −1 where none took them. */
  readonly taker: Int32Array;
  /**
   * The first place below the culprit, on the path from it, that is not native; −1 where the time is the culprit's own.
   */
  readonly via: Int32Array;
  /** The first module body below the culprit, on the path from it; −1 where there is none. */
  readonly body: Int32Array;
  /** Has 1 where a loader frame is between the culprit and the place. */
  readonly loading: Uint8Array;
}

/**
 * Samples go to the nearest culprit above them. Those under a loader frame pass by the module bodies above that frame,
 * to the nearest `caller`, which is no module body.
 */
export function createTakers({
  stream,
  flags,
}: PreparedStream): (tree: OperationTree, isCulprit: Uint8Array) => Takers {
  const { size } = stream.tree;
  const { native: isNative, loader: isLoader, moduleBody: isModuleBody } = flags;
  const nearest = new Way(size);
  const caller = new Way(size);
  const loading = new Uint8Array(size);
  return ({ size: places, parent, functionId }, isCulprit) => {
    for (let place = 1; place < places; place++) {
      const fn = functionId[place] ?? 0;
      const above = parent[place] ?? 0;
      const loads = isLoader[fn] === 1;
      const kind = { isNative: isNative[fn] === 1, isBody: isModuleBody[fn] === 1 };
      caller.follow(place, above, caller, kind);
      nearest.follow(place, above, loads ? caller : nearest, kind);
      loading[place] = loads ? 1 : (loading[above] ?? 0);
      if (isCulprit[place] === 0) continue;
      nearest.start(place);
      if (isModuleBody[fn] === 0) caller.start(place);
      loading[place] = 0;
    }
    return { taker: nearest.taker, via: nearest.via, body: nearest.body, loading };
  };
}

/** The nearest culprit above each place, of all culprits or of some, and the first function below it on the path. */
class Way {
  readonly taker: Int32Array;
  readonly via: Int32Array;
  readonly body: Int32Array;

  constructor(size: number) {
    this.taker = new Int32Array(size).fill(-1);
    this.via = new Int32Array(size).fill(-1);
    this.body = new Int32Array(size).fill(-1);
  }

  start(culprit: number): void {
    this.taker[culprit] = culprit;
    this.via[culprit] = -1;
    this.body[culprit] = -1;
  }

  /** Continues from the place above, with what `from` has for it. */
  follow(place: number, above: number, from: Way, { isNative, isBody }: PlaceKind): void {
    const via = from.via[above] ?? -1;
    const taker = from.taker[above] ?? -1;
    this.taker[place] = taker;
    this.via[place] = via !== -1 || taker === -1 || isNative ? via : place;
    const body = from.body[above] ?? -1;
    this.body[place] = body !== -1 || taker === -1 || !isBody ? body : place;
  }
}

interface PlaceKind {
  readonly isNative: boolean;
  readonly isBody: boolean;
}
