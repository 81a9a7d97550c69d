import type { JudgedRun } from '../hotspots/judged-run.ts';
import { weightIn } from '../operations/operation.ts';
import { firstFunctionNode } from '../samples/call-tree.ts';

/** Presences of functions in single operations, in µs by function id (docs/definition.md, rule 8). */
export class OwnPresences {
  readonly #run: JudgedRun;
  readonly #isWanted: Uint8Array;
  readonly #totals = new Map<number, Float64Array>();

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
    const totals = this.#totals.get(operation.stream) ?? new Float64Array(tree.size);
    this.#totals.set(operation.stream, totals);
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
      if (this.#isWanted[fn] === 1 && isOutermost(node, tree))
        found.set(fn, (found.get(fn) ?? 0) + (totals[node] ?? 0));
    }
    for (const node of order) totals[node] = 0;
    return found;
  }
}

function isOutermost(node: number, { parent, functionId }: JudgedRun['streams'][number]['tree']): boolean {
  const fn = functionId[node];
  for (let at = parent[node] ?? 0; at >= firstFunctionNode; at = parent[at] ?? 0)
    if (functionId[at] === fn) return false;
  return true;
}
