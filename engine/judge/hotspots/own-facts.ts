import { firstFunctionNode } from '../../read/samples/call-tree.ts';
import { type Operation, weightIn } from '../../cut/operations/operation.ts';
import type { OperationTree, PreparedStream } from '../function-figures/operation-tree.ts';
import { SampleClock } from '../function-figures/sample-clock.ts';
import { type PartFacts, spreadIn } from '../function-figures/estimates.ts';
import { Sums } from '../function-figures/sums.ts';
import type { Takers } from './culprits.ts';

/** What is known of an own part, besides its weight. */
export interface OwnFact extends PartFacts {
  /** How long the thread slept in it, in µs, by the function that waited. */
  readonly slept: ReadonlyMap<number, number>;
}

/** What is known of a part of an operation whose time was not measured. */
export const noFact: OwnFact = { spread: 0, edges: 0, edgeCount: 0, gaps: 0, slept: new Map() };

/**
 * What is known of the own parts of measured operations, from when which culprit had the loop. It is used for the
 * operations of an isolate one after the other. Sums are by function id; the last one is of samples that no culprit
 * took.
 */
export class OwnFacts {
  readonly #prepared: PreparedStream;
  readonly #clock: SampleClock;
  readonly #nobody: number;
  readonly #spreads: Sums;
  readonly #edges: Sums;
  readonly #edgeCounts: Sums;
  readonly #gapsWithin: Sums;
  /** Clock time, and weight, in the current span. */
  readonly #clockInSpan: Sums;
  readonly #weightInSpan: Sums;
  readonly #isSeen: Uint8Array;
  #seen: number[] = [];
  #gaps = 0;
  /** Time asleep by the function that waited, by owner. */
  readonly #slept = new Map<number, Map<number, number>>();

  constructor(prepared: PreparedStream) {
    const { stream, bridged, facts, functions } = prepared;
    this.#prepared = prepared;
    this.#clock = new SampleClock(stream, bridged, facts);
    this.#nobody = functions.length;
    const sums = (): Sums => new Sums(functions.length + 1);
    [this.#spreads, this.#edges, this.#edgeCounts, this.#gapsWithin] = [sums(), sums(), sums(), sums()];
    [this.#clockInSpan, this.#weightInSpan] = [sums(), sums()];
    this.#isSeen = new Uint8Array(functions.length + 1);
  }

  look(operation: Operation, tree: OperationTree, takers: Takers): void {
    this.#clear();
    const { nodes, weights, spans } = this.#prepared.bridged;
    const { waiter } = this.#prepared.facts;
    const { firstSample, lastSample } = operation;
    let owner = this.#ownerOf(nodes[firstSample] ?? 0, tree, takers);
    for (let sample = firstSample; sample < lastSample; sample++) {
      const isLast = sample + 1 === lastSample;
      const next = isLast ? owner : this.#ownerOf(nodes[sample + 1] ?? 0, tree, takers);
      this.#enter(owner);
      this.#clockInSpan.add(owner, this.#clock.lasts(operation, sample));
      this.#weightInSpan.add(owner, weightIn(operation, sample, weights));
      const waiting = waiter[nodes[sample] ?? 0] ?? -1;
      if (waiting !== -1) this.#addSleep(owner, waiting, this.#clock.asleep(operation, sample));
      const gap = this.#clock.gap(operation, sample);
      this.#gaps += gap;
      if (owner === next) this.#gapsWithin.add(owner, gap);
      else this.#addEdge(owner, next, this.#clock.unexplained(operation, sample));
      const span = spans.of[sample] ?? -1;
      if (isLast || span !== spans.of[sample + 1]) this.#endSpan(spans.wall[span] ?? 0, spans.held[span] ?? 0);
      owner = next;
    }
  }

  /** The facts about the own part of a function in the operation that was looked at last. */
  of(functionId: number): OwnFact {
    return {
      spread: this.#spreads[functionId] ?? 0,
      edges: this.#edges[functionId] ?? 0,
      edgeCount: this.#edgeCounts[functionId] ?? 0,
      gaps: this.#gaps - (this.#gapsWithin[functionId] ?? 0),
      slept: this.#slept.get(functionId) ?? noFact.slept,
    };
  }

  #clear(): void {
    for (const owner of this.#seen) {
      this.#isSeen[owner] = 0;
      this.#spreads[owner] = 0;
      this.#edges[owner] = 0;
      this.#edgeCounts[owner] = 0;
      this.#gapsWithin[owner] = 0;
    }
    this.#seen = [];
    this.#gaps = 0;
    this.#slept.clear();
  }

  #enter(owner: number): void {
    if (this.#isSeen[owner] === 1) return;
    this.#isSeen[owner] = 1;
    this.#seen.push(owner);
  }

  #ownerOf(node: number, tree: OperationTree, { taker }: Takers): number {
    const place = node < firstFunctionNode ? -1 : (taker[tree.placeOf(node)] ?? -1);
    return place === -1 ? this.#nobody : (tree.functionId[place] ?? this.#nobody);
  }

  #addSleep(owner: number, waiter: number, time: number): void {
    if (time <= 0) return;
    const slept = this.#slept.get(owner) ?? new Map<number, number>();
    this.#slept.set(owner, slept.set(waiter, (slept.get(waiter) ?? 0) + time));
  }

  /** It is not known when within a sample of this weight the loop went from one owner to another. */
  #addEdge(from: number, to: number, weight: number): void {
    this.#edges.add(from, weight);
    this.#edgeCounts.add(from, 1);
    this.#edges.add(to, weight);
    this.#edgeCounts.add(to, 1);
  }

  #endSpan(wall: number, held: number): void {
    for (const owner of this.#seen) {
      const part = { clock: this.#clockInSpan[owner] ?? 0, weight: this.#weightInSpan[owner] ?? 0 };
      if (part.clock > 0) this.#spreads.add(owner, spreadIn({ wall, held }, part));
      this.#clockInSpan[owner] = 0;
      this.#weightInSpan[owner] = 0;
    }
  }
}
