import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import { type OperationTree, type PreparedStream, Sums } from '../function-figures/operation-tree.ts';
import { firstDifference } from '../../basics/lists.ts';
import type { OwnPlaces } from '../function-figures/function-figures.ts';

/**
 * Finds the *culprits* of an operation: 1 at their places in its tree; null if there are none. From the leaves up, the
 * *rest* of a node is its weight without what deeper culprits took. Own code takes its rest if that is over the
 * threshold and at least a tenth of its weight. For a module body both are without what is below a deeper loader frame.
 * Source: docs/definition.md, rule 12.
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
export interface Owners {
  /** Place of the culprit; −1 where none took them. */
  readonly owner: Int32Array;
  /** First place below the culprit on the path that is not native; −1 for the culprit's own time. */
  readonly via: Int32Array;
  /** The first module body below the culprit, on the path from it; −1 where there is none. */
  readonly body: Int32Array;
  /** Has 1 where a loader frame is between the culprit and the place. */
  readonly loading: Uint8Array;
}

/** Samples go to the nearest culprit above; below a loader frame, module bodies above it are skipped (`caller`). */
export function createOwnerFinder({
  stream,
  flags,
}: PreparedStream): (tree: OperationTree, isCulprit: Uint8Array) => Owners {
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
    return { owner: nearest.owner, via: nearest.via, body: nearest.body, loading };
  };
}

/** The nearest culprit above each place, of all culprits or of some, and the first function below it on the path. */
class Way {
  readonly owner: Int32Array;
  readonly via: Int32Array;
  readonly body: Int32Array;

  /** Only the root's place needs a value: what continues from it gives each other place its own. */
  constructor(size: number) {
    this.owner = new Int32Array(size).fill(-1, 0, 1);
    this.via = new Int32Array(size).fill(-1, 0, 1);
    this.body = new Int32Array(size).fill(-1, 0, 1);
  }

  start(culprit: number): void {
    this.owner[culprit] = culprit;
    this.via[culprit] = -1;
    this.body[culprit] = -1;
  }

  /** Continues from the place above, with what `from` has for it. */
  follow(place: number, above: number, from: Way, kind: 'native' | 'body' | 'other'): void {
    const via = from.via[above] ?? -1;
    const owner = from.owner[above] ?? -1;
    this.owner[place] = owner;
    this.via[place] = via !== -1 || owner === -1 || kind === 'native' ? via : place;
    const body = from.body[above] ?? -1;
    this.body[place] = body !== -1 || owner === -1 || kind !== 'body' ? body : place;
  }
}

/** Sums of the culprits of one operation, by place. Nothing is allocated for each: a third of the time was garbage. */
export class CulpritSums {
  /** Weight, samples and longest sample, by place of the culprit. */
  readonly weight: Sums;
  readonly samples: Int32Array;
  readonly longest: Uint32Array;
  /** Time within the weight that was under a loader frame, by place of the culprit. */
  readonly load: Sums;
  readonly #self: Sums;
  /** Places of culprits that took something, in the order in which they come first. */
  readonly #found: Int32Array;
  #count = 0;
  /** The places that a culprit called (`Owners.via`), as a linked list in order of appearance. 0, the root, ends it. */
  readonly #firstCalled: Int32Array;
  readonly #lastCalled: Int32Array;
  readonly #nextCalled: Int32Array;
  readonly #isCalled: Uint8Array;
  /** What the culprit took there, by called place. */
  readonly #called: Sums;
  /** Number of the callee that was added last for a function, by function id. */
  readonly #calleeOf: Int32Array;
  /** Time of `load` that bodies of modules took, with all below them, by culprit and function id. */
  readonly #bodies = new Map<number, Map<number, number>>();

  /** `size` is that of the isolate's tree. Memory is only taken up where something is written. */
  constructor(size: number, functionCount: number) {
    this.weight = new Sums(size);
    this.samples = new Int32Array(size);
    this.longest = new Uint32Array(size);
    this.load = new Sums(size);
    this.#self = new Sums(size);
    this.#found = new Int32Array(size);
    this.#firstCalled = new Int32Array(size);
    this.#lastCalled = new Int32Array(size);
    this.#nextCalled = new Int32Array(size);
    this.#isCalled = new Uint8Array(size);
    this.#called = new Sums(size);
    this.#calleeOf = new Int32Array(functionCount).fill(-1);
  }

  /** Places of the culprits that took something. The next operation overwrites them. */
  get culprits(): Int32Array {
    return this.#found.subarray(0, this.#count);
  }

  look({ size, functionId, self }: OperationTree, { owner, via, body, loading }: Owners): void {
    this.#clear();
    for (let place = 1; place < size; place++) {
      const culprit = owner[place] ?? -1;
      if (culprit === -1 || self.samples[place] === 0) continue;
      if (this.samples[culprit] === 0) this.#found[this.#count++] = culprit;
      const weight = self.weight[place] ?? 0;
      this.weight.add(culprit, weight);
      this.samples[culprit] = (this.samples[culprit] ?? 0) + (self.samples[place] ?? 0);
      this.longest[culprit] = Math.max(this.longest[culprit] ?? 0, self.longest[place] ?? 0);
      if (loading[place] === 1) this.#addLoad(culprit, functionId[body[place] ?? -1] ?? -1, weight);
      const called = via[place] ?? -1;
      if (called === -1) this.#self.add(culprit, weight);
      else this.#addCalled(culprit, called, weight);
    }
  }

  /** Adds one culprit's place, and its callees in the order in which they come first. */
  addPlace(culprit: number, { nodes, functionId }: OperationTree, path: number, places: OwnPlaces): void {
    const first = places.calleeCount;
    places.add({
      node: nodes[culprit] ?? 0,
      weight: microseconds(this.weight[culprit] ?? 0),
      self: microseconds(this.#self[culprit] ?? 0),
      path,
    });
    for (let called = this.#firstCalled[culprit] ?? 0; called !== 0; called = this.#nextCalled[called] ?? 0) {
      const fn = functionId[called] ?? 0;
      const weight = this.#called[called] ?? 0;
      const known = this.#calleeOf[fn] ?? -1;
      if (known >= first) places.addToCallee(known, weight);
      else {
        this.#calleeOf[fn] = places.calleeCount;
        places.addCallee(fn, weight);
      }
    }
  }

  /** Function id of the module body that took most of the load of these culprits; −1 where none was seen. */
  largestBody(culprits: Int32Array): number {
    const sums = new Map<number, number>();
    for (const culprit of culprits)
      for (const [body, weight] of this.#bodies.get(culprit) ?? []) sums.set(body, (sums.get(body) ?? 0) + weight);
    const [largest] = [...sums].toSorted(([a, x], [b, y]) => firstDifference(y - x, a - b));
    return largest?.[0] ?? -1;
  }

  #clear(): void {
    for (let at = 0; at < this.#count; at++) {
      const culprit = this.#found[at] ?? 0;
      for (const sums of [this.weight, this.samples, this.longest, this.load, this.#self]) sums[culprit] = 0;
      for (let called = this.#firstCalled[culprit] ?? 0; called !== 0; called = this.#nextCalled[called] ?? 0) {
        this.#isCalled[called] = 0;
        this.#called[called] = 0;
      }
      this.#firstCalled[culprit] = 0;
    }
    this.#count = 0;
    if (this.#bodies.size > 0) this.#bodies.clear();
  }

  #addCalled(culprit: number, called: number, weight: number): void {
    this.#called.add(called, weight);
    if (this.#isCalled[called] === 1) return;
    this.#isCalled[called] = 1;
    this.#nextCalled[called] = 0;
    if (this.#firstCalled[culprit] === 0) this.#firstCalled[culprit] = called;
    else this.#nextCalled[this.#lastCalled[culprit] ?? 0] = called;
    this.#lastCalled[culprit] = called;
  }

  /** `body` is the function id of the module body that loads; −1 for none. */
  #addLoad(culprit: number, body: number, weight: number): void {
    this.load.add(culprit, weight);
    if (body === -1) return;
    const bodies = this.#bodies.get(culprit) ?? new Map<number, number>();
    this.#bodies.set(culprit, bodies.set(body, (bodies.get(body) ?? 0) + weight));
  }
}
