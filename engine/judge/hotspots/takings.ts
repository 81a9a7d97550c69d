import { microseconds } from '../../../protocol/units.ts';
import { firstDifference } from '../../basics/lists.ts';
import type { OperationTree } from '../function-figures/operation-tree.ts';
import type { OwnPlaces } from '../function-figures/own-parts.ts';
import { NodeSums, Sums } from '../function-figures/sums.ts';
import type { Takers } from './culprits.ts';

/**
 * What the culprits of one operation took, by their places in its tree. It is used for the operations of an isolate one
 * after the other, and makes nothing for each: with an object and a map for each taking, a third of the time of own
 * parts was garbage.
 */
export class Takings {
  /** Weight, samples and longest sample, by place of the culprit. */
  readonly sums: NodeSums;
  /** Time within the weight that was under a loader frame, by place of the culprit. */
  readonly load: Sums;
  readonly #self: Sums;
  /** Places of culprits that took something, in the order in which they come first. */
  readonly #found: Int32Array;
  #count = 0;
  /**
   * The places that culprits called (`Takers.via`) are a list for each culprit, in the order in which they come first.
   * The root is no such place, and stands for the end.
   */
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
    this.sums = new NodeSums(size);
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

  look({ size, functionId, self }: OperationTree, { taker, via, body, loading }: Takers): void {
    this.#clear();
    for (let place = 1; place < size; place++) {
      const culprit = taker[place] ?? -1;
      if (culprit === -1 || self.samples[place] === 0) continue;
      if (this.sums.samples[culprit] === 0) this.#found[this.#count++] = culprit;
      const weight = self.weight[place] ?? 0;
      this.sums.addAll(culprit, self, place);
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
      weight: microseconds(this.sums.weight[culprit] ?? 0),
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
      this.sums.clear(culprit);
      this.load[culprit] = 0;
      this.#self[culprit] = 0;
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
