import { onceEach } from '../../basics/once.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';
import { weightIn } from '../../cut/operations/operation.ts';
import { type CallTree, firstFunctionNode } from '../../read/samples/call-tree.ts';

/** Presences of functions in single operations, in µs by function id (docs/definition.md, rule 8). */
export class OwnPresences {
  readonly #run: JudgedRun;
  readonly #isWanted: Uint8Array;
  readonly #places = new Map<number, Places>();

  /** `isWanted` has 1 for the functions whose presences are asked for, by function id. */
  constructor(run: JudgedRun, isWanted: Uint8Array) {
    this.#run = run;
    this.#isWanted = isWanted;
  }

  /** Presence of each wanted function in an operation, by index of the operation. */
  in(number: number): ReadonlyMap<number, number> {
    const { operations, streams, bridged } = this.#run;
    const operation = operations[number];
    const tree = streams[operation?.stream ?? -1]?.tree;
    const samples = bridged[operation?.stream ?? -1];
    const found = new Map<number, number>();
    if (operation === undefined || tree === undefined || samples === undefined) return found;
    const { parent, functionId } = tree;
    const places = this.#places.get(operation.stream) ?? new Places(tree);
    this.#places.set(operation.stream, places);
    const { totals } = places;
    const touched: number[] = [];
    const lastSample = Math.min(operation.lastSample, samples.weights.length);
    for (let sample = operation.firstSample; sample < lastSample; sample++) {
      const node = samples.nodes[sample] ?? 0;
      if (node < firstFunctionNode) continue;
      const weight = weightIn(operation, sample, samples.weights);
      if (weight === 0) continue;
      for (let at = node; at >= firstFunctionNode && totals[at] === 0; at = parent[at] ?? 0) {
        touched.push(at);
        totals[at] = Number.MIN_VALUE; // It is touched, and adds nothing.
      }
      totals[node] = (totals[node] ?? 0) + weight;
    }
    // Callees have higher numbers than their callers, so each node is whole before its caller gets it.
    const order = Int32Array.from(touched).toSorted();
    for (let at = order.length - 1; at >= 0; at--) {
      const node = order[at] ?? 0;
      const above = parent[node] ?? 0;
      if (above >= firstFunctionNode) totals[above] = (totals[above] ?? 0) + (totals[node] ?? 0);
    }
    for (const node of order) {
      const fn = functionId[node] ?? 0;
      if (this.#isWanted[fn] === 1 && places.isOutermost(node))
        found.set(fn, (found.get(fn) ?? 0) + (totals[node] ?? 0));
    }
    for (const node of order) totals[node] = 0;
    return found;
  }
}

/** What is kept of the nodes of one isolate while its operations are looked at. */
class Places {
  /** Time by node, in µs; all 0 between two operations. */
  readonly totals: Float64Array;
  readonly #tree: CallTree;
  /** Whether no caller of the node is the same function: 0 where it was not asked for, 1 for yes, 2 for no. */
  readonly #outermost: Uint8Array;

  constructor(tree: CallTree) {
    this.#tree = tree;
    this.totals = new Float64Array(tree.size);
    this.#outermost = new Uint8Array(tree.size);
  }

  isOutermost(node: number): boolean {
    const known = this.#outermost[node];
    if (known !== 0) return known === 1;
    const { parent, functionId } = this.#tree;
    const fn = functionId[node];
    let at = parent[node] ?? 0;
    while (at >= firstFunctionNode && functionId[at] !== fn) at = parent[at] ?? 0;
    const isOutermost = at < firstFunctionNode;
    this.#outermost[node] = isOutermost ? 1 : 2;
    return isOutermost;
  }
}

/** Most functions whose places are told by the bits of one number. */
const mostBits = 30;
const isKnown = 1 << mostBits;

/** Presence of each of these functions in some operations together, in µs, in their order. */
export function presencesIn(
  run: JudgedRun,
  functions: readonly number[],
  operations: readonly number[],
): readonly number[] {
  const found: number[] = [];
  for (let first = 0; first < functions.length; first += mostBits) {
    const some = functions.slice(first, first + mostBits);
    const byMask = timesByMask(run, some, operations);
    for (const bit of some.keys())
      found.push([...byMask].reduce((sum, [mask, us]) => sum + ((mask & (1 << bit)) === 0 ? 0 : us), 0));
  }
  return found;
}

/** Time in µs by which of the functions are on the stack: bit i for the i-th of them. */
function timesByMask(
  { functions: { functions: all }, operations, streams, bridged }: JudgedRun,
  functions: readonly number[],
  numbers: readonly number[],
): ReadonlyMap<number, number> {
  const bits = new Int32Array(all.length);
  for (const [bit, fn] of functions.entries()) bits[fn] = 1 << bit;
  const masksOf = onceEach((stream: number) => {
    const tree = streams[stream]?.tree;
    return tree === undefined ? null : new PathMasks(tree, bits);
  });
  const times = new Map<number, number>();
  for (const number of numbers) {
    const operation = operations[number];
    const stream = operation?.stream ?? -1;
    const [samples, masks] = [bridged[stream], masksOf(stream)];
    if (operation === undefined || samples === undefined || masks === null) continue;
    const lastSample = Math.min(operation.lastSample, samples.weights.length);
    for (let sample = operation.firstSample; sample < lastSample; sample++) {
      const mask = masks.of(samples.nodes[sample] ?? 0);
      if (mask !== 0) times.set(mask, (times.get(mask) ?? 0) + weightIn(operation, sample, samples.weights));
    }
  }
  return times;
}

/** Which of the functions with a bit are on the path to each node of one isolate. */
class PathMasks {
  readonly #tree: CallTree;
  readonly #bits: Int32Array;
  /** By node: 0 where it was not asked for, nor is above one that was. */
  readonly #masks: Int32Array;

  constructor(tree: CallTree, bits: Int32Array) {
    [this.#tree, this.#bits, this.#masks] = [tree, bits, new Int32Array(tree.size)];
  }

  of(node: number): number {
    const { parent, functionId } = this.#tree;
    const missing: number[] = [];
    let at = node;
    for (; at >= firstFunctionNode && this.#masks[at] === 0; at = parent[at] ?? 0) missing.push(at);
    let mask = at < firstFunctionNode ? isKnown : (this.#masks[at] ?? 0);
    for (let below = missing.pop(); below !== undefined; below = missing.pop()) {
      mask |= this.#bits[functionId[below] ?? 0] ?? 0;
      this.#masks[below] = mask;
    }
    return mask & ~isKnown;
  }
}
