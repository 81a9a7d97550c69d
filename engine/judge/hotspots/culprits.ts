import type { Microseconds } from '../../../protocol/units.ts';
import type { OperationTree, PreparedStream } from '../function-figures/operation-tree.ts';
import { Sums } from '../function-figures/sums.ts';

/**
 * Finds the *culprits* of an operation: an array with 1 at their places in the operation's tree, or null where there is
 * none. From the leaves up, the *rest* of a node is its weight without what deeper culprits took. Own code takes its
 * rest where that is over the threshold and at least a tenth of its weight. For a module body, rest and weight are
 * without what is under a loader frame deeper than the body. Source: docs/definition.md, rule 12.
 */
export function createCulpritFinder(
  { stream, flags }: PreparedStream,
  threshold: Microseconds,
): (tree: OperationTree) => Uint8Array | null {
  const { size } = stream.tree;
  const { own: isOwn, moduleBody: isModuleBody, loader: isLoader } = flags;
  const isCulprit = new Uint8Array(size);
  /** Rest by place in µs, and how much of it is under a deeper loader frame. */
  const rest = new Sums(size);
  const restLoad = new Sums(size);
  /** Time of the whole weight that is under a deeper loader frame, by place in µs. */
  const load = new Sums(size);
  return (tree) => {
    // Most operations have no culprit, and the sums below are most of the work.
    if (!hasLongOwn(tree, isOwn, threshold)) return null;
    const { parent, functionId, total, self } = tree;
    // Most trees are small, and parts of arrays and their filling took longer than a loop.
    for (let place = 0; place < tree.size; place++) {
      rest[place] = self.weight[place] ?? 0;
      restLoad[place] = 0;
      load[place] = 0;
    }
    let count = 0;
    for (let place = tree.size - 1; place > 0; place--) {
      const fn = functionId[place] ?? 0;
      const isBody = isModuleBody[fn] === 1;
      const weight = total[place] ?? 0;
      const mine = (rest[place] ?? 0) - (isBody ? (restLoad[place] ?? 0) : 0);
      const whole = weight - (isBody ? (load[place] ?? 0) : 0);
      const takes = isOwn[fn] === 1 && mine > threshold && mine * 10 >= whole;
      isCulprit[place] = Number(takes);
      if (takes) count++;
      const left = (rest[place] ?? 0) - (takes ? mine : 0);
      const leftLoad = takes && !isBody ? 0 : (restLoad[place] ?? 0);
      const above = parent[place] ?? 0;
      rest.add(above, left);
      restLoad.add(above, isLoader[fn] === 1 ? left : leftLoad);
      load.add(above, isLoader[fn] === 1 ? weight : (load[place] ?? 0));
    }
    return count > 0 ? isCulprit : null;
  };
}

/** Whether own code, with all that it called, is over the threshold. */
function hasLongOwn({ size, functionId, total }: OperationTree, isOwn: Uint8Array, threshold: Microseconds): boolean {
  for (let place = 1; place < size; place++) {
    if ((total[place] ?? 0) > threshold && isOwn[functionId[place] ?? 0] === 1) return true;
  }
  return false;
}

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
 * Samples go to the nearest culprit above them. Those under a loader frame skip the module bodies above that frame, and
 * go to the nearest culprit that is not a module body (`caller`).
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
      const kind = isNative[fn] === 1 ? 'native' : isModuleBody[fn] === 1 ? 'body' : 'other';
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

  /** Only the root's place needs a value: what continues from it gives each other place its own. */
  constructor(size: number) {
    this.taker = new Int32Array(size).fill(-1, 0, 1);
    this.via = new Int32Array(size).fill(-1, 0, 1);
    this.body = new Int32Array(size).fill(-1, 0, 1);
  }

  start(culprit: number): void {
    this.taker[culprit] = culprit;
    this.via[culprit] = -1;
    this.body[culprit] = -1;
  }

  /** Continues from the place above, with what `from` has for it. */
  follow(place: number, above: number, from: Way, kind: 'native' | 'body' | 'other'): void {
    const via = from.via[above] ?? -1;
    const taker = from.taker[above] ?? -1;
    this.taker[place] = taker;
    this.via[place] = via !== -1 || taker === -1 || kind === 'native' ? via : place;
    const body = from.body[above] ?? -1;
    this.body[place] = body !== -1 || taker === -1 || kind !== 'body' ? body : place;
  }
}
