import { firstFunctionNode } from '../samples/call-tree.ts';
import { type Operation, weightIn } from '../operations/operation.ts';
import type { OperationTree, PreparedStream } from '../function-figures/operation-tree.ts';
import { SampleClock } from '../function-figures/sample-clock.ts';
import { type PartFacts, spreadIn } from '../function-figures/estimates.ts';
import type { Takers } from './culprits.ts';

/** What is known of an own part, besides its weight. */
export interface OwnFacts extends PartFacts {
  /** How long the thread slept in it, in µs, by the function that waited. */
  readonly slept: ReadonlyMap<number, number>;
}

/** What is known of the own parts of an operation, by function. It follows from when which culprit had the loop. */
export function ownFacts(
  operation: Operation,
  tree: OperationTree,
  { taker }: Takers,
  { stream, bridged, facts }: PreparedStream,
): ReadonlyMap<number, OwnFacts> {
  const { nodes, weights, spans } = bridged;
  const clock = new SampleClock(stream, bridged, facts);
  const sums = new OwnerSums();
  const ownerOf = (sample: number): number => {
    const node = nodes[sample] ?? 0;
    const place = node < firstFunctionNode ? -1 : (taker[tree.placeOf(node)] ?? -1);
    return place === -1 ? nobody : (tree.functionId[place] ?? nobody);
  };
  for (let sample = operation.firstSample; sample < operation.lastSample; sample++) {
    const span = spans.of[sample] ?? -1;
    const owner = ownerOf(sample);
    const isLast = sample + 1 === operation.lastSample;
    const next = isLast ? owner : ownerOf(sample + 1);
    sums.add(owner, clock.lasts(operation, sample), weightIn(operation, sample, weights));
    const waiter = facts.waiter[nodes[sample] ?? 0] ?? -1;
    if (waiter !== -1) sums.addSleep(owner, waiter, clock.asleep(operation, sample));
    sums.addGap(clock.gap(operation, sample), owner === next ? owner : null);
    if (owner !== next) sums.addEdge(clock.unexplained(operation, sample), [owner, next]);
    if (isLast || span !== spans.of[sample + 1])
      sums.endSpan({ wall: spans.wall[span] ?? 0, held: spans.held[span] ?? 0 });
  }
  return sums.facts();
}

/** Stands for the owner of samples that no culprit took. */
const nobody = -1;

interface OwnerSum {
  spread: number;
  edges: number;
  edgeCount: number;
  gapsWithin: number;
  /** Clock time in the current span. */
  clock: number;
  weight: number;
  readonly slept: Map<number, number>;
}

class OwnerSums {
  readonly #sums = new Map<number, OwnerSum>();
  #gaps = 0;

  add(owner: number, clock: number, weight: number): void {
    const sum = this.#of(owner);
    sum.clock += clock;
    sum.weight += weight;
  }

  addSleep(owner: number, waiter: number, time: number): void {
    const { slept } = this.#of(owner);
    if (time > 0) slept.set(waiter, (slept.get(waiter) ?? 0) + time);
  }

  addEdge(weight: number, owners: readonly number[]): void {
    for (const owner of owners) {
      const sum = this.#of(owner);
      sum.edges += weight;
      sum.edgeCount += 1;
    }
  }

  /** `owner` is the function that had the loop before and after the gap; null where these are two. */
  addGap(gap: number, owner: number | null): void {
    this.#gaps += gap;
    if (owner !== null) this.#of(owner).gapsWithin += gap;
  }

  endSpan(span: { readonly wall: number; readonly held: number }): void {
    for (const sum of this.#sums.values()) {
      if (sum.clock > 0) sum.spread += spreadIn(span, sum);
      sum.clock = 0;
      sum.weight = 0;
    }
  }

  facts(): ReadonlyMap<number, OwnFacts> {
    return new Map(
      [...this.#sums].map(([owner, { spread, edges, edgeCount, gapsWithin, slept }]) => [
        owner,
        { spread, edges, edgeCount, gaps: this.#gaps - gapsWithin, slept },
      ]),
    );
  }

  #of(owner: number): OwnerSum {
    const known = this.#sums.get(owner) ?? {
      spread: 0,
      edges: 0,
      edgeCount: 0,
      gapsWithin: 0,
      clock: 0,
      weight: 0,
      slept: new Map(),
    };
    this.#sums.set(owner, known);
    return known;
  }
}
