import { type BridgedSamples, longGap, type Operation, stopIn } from '../../cut/operations/operation.ts';
import { firstFunctionNode } from '../../read/samples/call-tree.ts';
import type { SampleStream } from '../../read/samples/sample-stream.ts';
import { lowestCommonNode, type TreeFacts } from '../../cut/streams/tree-facts.ts';
import { microseconds } from '../../../protocol/units.ts';
import { Sums } from './operation-tree.ts';
import { type PartFacts, spreadIn } from './estimates.ts';
import type { Waited } from './function-figures.ts';

/** Room for the presences in one operation after the other, by function id: one for all isolates, of which there may be many. */
export class PresenceRoom {
  readonly sums: PartFactSums;
  /** Has 1 for functions on the current stack. */
  readonly isPresent: Uint8Array;
  /** Number of the change in which the function came or went last. */
  readonly came: Int32Array;
  changes = 0;

  constructor(functions: number) {
    this.sums = new PartFactSums(functions);
    this.isPresent = new Uint8Array(functions);
    this.came = new Int32Array(functions);
  }
}

/**
 * Facts about each function's presence in an operation, from how its stacks follow each other: only their changing ends
 * are looked at. Used for one operation of an isolate after the other.
 */
export class PresenceFacts {
  readonly #stream: SampleStream;
  readonly #bridged: BridgedSamples;
  readonly #outermost: Uint8Array;
  readonly #clock: SampleClock;
  readonly #room: PresenceRoom;
  /** Functions that came or went in the current span. */
  readonly #moved = new Set<number>();
  /** Time since the span began, by the clock and held. */
  #time = 0;
  #held = 0;

  constructor(stream: SampleStream, bridged: BridgedSamples, facts: TreeFacts, room: PresenceRoom) {
    this.#stream = stream;
    this.#bridged = bridged;
    this.#outermost = facts.outermost;
    this.#clock = new SampleClock(stream, bridged, facts);
    this.#room = room;
  }

  look(operation: Operation): void {
    this.#room.sums.clear();
    const { nodes, weights, spans } = this.#bridged;
    const { firstSample, lastSample } = operation;
    let before = 0;
    /** Null at the begin and the end of the operation, because these two are measured. */
    let edge: number | null = null;
    let gap = 0;
    for (let sample = firstSample; sample < lastSample; sample++) {
      const node = nodes[sample] ?? 0;
      const span = spans.of[sample] ?? -1;
      if (sample > firstSample && span !== spans.of[sample - 1]) this.#endSpan(spans.of[sample - 1] ?? -1);
      if (gap > 0) this.#addGap(gap, before, node);
      if (node !== before) this.#change(before, node, edge);
      this.#time += this.#clock.lasts(operation, sample);
      this.#held += weights.at(sample);
      edge = this.#clock.unexplained(operation, sample);
      gap = this.#clock.gap(operation, sample);
      before = node;
    }
    if (gap > 0) this.#addGap(gap, before, before);
    this.#change(before, 0, null);
    this.#endSpan(spans.of[lastSample - 1] ?? -1);
  }

  /** The facts about a function in the operation that was looked at last. */
  of(functionId: number): PartFacts {
    return this.#room.sums.of(functionId);
  }

  /** Functions that are on only one of the two stacks come or go. */
  #change(from: number, to: number, edge: number | null): void {
    const common = lowestCommonNode(from, to, this.#stream.tree.parent);
    const { came } = this.#room;
    const change = (this.#room.changes += 2);
    this.#eachBelow(from, common, (fn) => {
      came[fn] = change;
    });
    this.#eachBelow(to, common, (fn) => {
      if (came[fn] === change) came[fn] = change + 1;
      else this.#move(fn, 1, edge);
    });
    this.#eachBelow(from, common, (fn) => {
      if (came[fn] === change) this.#move(fn, 0, edge);
    });
  }

  #move(fn: number, isPresent: 0 | 1, edge: number | null): void {
    const sign = isPresent === 1 ? -1 : 1;
    this.#room.isPresent[fn] = isPresent;
    this.#room.sums.addTime(fn, sign * this.#time, sign * this.#held);
    if (edge !== null) this.#room.sums.addEdge(fn, edge);
    this.#moved.add(fn);
  }

  /** Functions that came or went in a span have an unknown part of the span. */
  #endSpan(number: number): void {
    const { wall, held } = this.#bridged.spans;
    const { sums, isPresent } = this.#room;
    for (const fn of this.#moved) if (isPresent[fn] === 1) sums.addTime(fn, this.#time, this.#held);
    sums.endSpan({ wall: wall[number] ?? 0, held: held[number] ?? 0 }, this.#moved);
    this.#moved.clear();
    this.#time = 0;
    this.#held = 0;
  }

  /** A gap is within the functions that are on the stack before and after it. */
  #addGap(gap: number, before: number, after: number): void {
    const { sums, came } = this.#room;
    sums.gaps += gap;
    const change = (this.#room.changes += 2);
    this.#eachBelow(before, 0, (fn) => {
      came[fn] = change;
    });
    this.#eachBelow(after, 0, (fn) => {
      if (came[fn] === change) sums.addGapWithin(fn, gap);
    });
  }

  #eachBelow(node: number, above: number, work: (functionId: number) => void): void {
    const { parent, functionId } = this.#stream.tree;
    for (let at = node; at > above && at > 0; at = parent[at] ?? 0) {
      const fn = functionId[at] ?? -1;
      if (fn >= 0 && this.#outermost[at] === 1) work(fn);
    }
  }
}

/** Facts about the parts of one operation after the other, by function id. Times in µs. */
export class PartFactSums {
  gaps = 0;
  readonly #clocks: Sums;
  readonly #spreads: Sums;
  readonly #edges: Sums;
  readonly #edgeCounts: Sums;
  readonly #gapsWithin: Sums;
  /** Clock time, and weight, in the current span. */
  readonly #clock: Sums;
  readonly #weight: Sums;
  readonly #isSeen: Uint8Array;
  #seen: number[] = [];

  constructor(size: number) {
    const sums = (): Sums => new Sums(size);
    [this.#spreads, this.#edges, this.#edgeCounts, this.#gapsWithin] = [sums(), sums(), sums(), sums()];
    [this.#clocks, this.#clock, this.#weight, this.#isSeen] = [sums(), sums(), sums(), new Uint8Array(size)];
  }

  of(id: number): PartFacts {
    return {
      clock: this.#clocks[id] ?? 0,
      spread: this.#spreads[id] ?? 0,
      edges: this.#edges[id] ?? 0,
      edgeCount: this.#edgeCounts[id] ?? 0,
      gaps: this.gaps - (this.#gapsWithin[id] ?? 0),
    };
  }

  clear(): void {
    for (const sums of [this.#clocks, this.#spreads, this.#edges, this.#edgeCounts, this.#gapsWithin, this.#isSeen])
      for (const id of this.#seen) sums[id] = 0;
    this.#seen = [];
    this.gaps = 0;
  }

  addTime(id: number, clock: number, weight: number): void {
    if (this.#isSeen[id] === 0) this.#seen.push(id);
    this.#isSeen[id] = 1;
    this.#clock.add(id, clock);
    this.#weight.add(id, weight);
  }

  addEdge(id: number, weight: number): void {
    this.#edges.add(id, weight);
    this.#edgeCounts.add(id, 1);
  }

  addGapWithin(id: number, gap: number): void {
    this.#gapsWithin.add(id, gap);
  }

  /** Adds the spreads in the span that ends, of the parts with time in it. */
  endSpan(span: { readonly wall: number; readonly held: number }, ids: Iterable<number> = this.#seen): void {
    for (const id of ids) {
      const part = { clock: this.#clock[id] ?? 0, weight: this.#weight[id] ?? 0 };
      this.#clocks.add(id, part.clock);
      if (part.clock > 0) this.#spreads.add(id, spreadIn(span, part));
      this.#clock[id] = 0;
      this.#weight[id] = 0;
    }
  }
}

/** How long the samples of one operation last by the clock, and how much of that nothing explains. In µs. */
export class SampleClock {
  readonly #stream: SampleStream;
  readonly #bridged: BridgedSamples;
  readonly #waiter: Int32Array;

  constructor(stream: SampleStream, bridged: BridgedSamples, { waiter }: TreeFacts) {
    this.#stream = stream;
    this.#bridged = bridged;
    this.#waiter = waiter;
  }

  /** Clock time from the sample's begin within the operation to the next sample's begin. */
  lasts({ start, end, firstSample, lastSample }: Operation, sample: number): number {
    const { times } = this.#stream;
    const from = sample === firstSample ? start : (times.at(sample) ?? end);
    return (sample + 1 === lastSample ? end : (times.at(sample + 1) ?? end)) - from;
  }

  /** The part of a sample in which a call slept, or in no such call the process was stopped. */
  asleep(operation: Operation, sample: number): number {
    const { nodes, spans, weights } = this.#bridged;
    const span = spans.of[sample] ?? -1;
    if ((this.#waiter[nodes[sample] ?? 0] ?? -1) !== -1)
      return this.lasts(operation, sample) * (spans.asleep[span] ?? 0);
    return stopIn(weights.at(sample), spans.awake[span] ?? Infinity, this.#stream.interval);
  }

  /** The part of a sample's weight that was not asleep: a thread that sleeps misses no samples, a stopped one runs nothing. */
  unexplained(operation: Operation, sample: number): number {
    return Math.max(0, this.#bridged.weights.at(sample) - this.asleep(operation, sample));
  }

  /** Time in which anything may have run: all of a sample without a stack; of a long gap, what is over one interval. */
  gap(operation: Operation, sample: number): number {
    const time = this.unexplained(operation, sample);
    if ((this.#bridged.nodes[sample] ?? 0) < firstFunctionNode) return time;
    return time > longGap * this.#stream.interval ? time - this.#stream.interval : 0;
  }
}

/**
 * Sleep within a part of `weight` µs; `slept` is in µs by the function that waited, −1 for stops of the process. What the
 * thread did not run in the whole operation was sleep, whatever the stacks show. Null below 1 ms, or where unknown.
 */
export function sleptIn(
  weight: number,
  slept: ReadonlyMap<number, number>,
  { thread }: Pick<Operation, 'thread'>,
): Waited | null {
  if (slept.size === 0 && thread.slept === null) return null;
  const [[longest, most] = [null, 0]] = [...slept].toSorted(([, a], [, b]) => b - a);
  const named = [...slept.values()].reduce((sum, us) => sum + us, 0);
  const least = thread.slept === null || thread.run === null ? 0 : Math.min(thread.slept, weight - thread.run);
  const us = Math.round(Math.min(weight, Math.max(named, least)));
  if (us < MIN_WAIT) return null;
  return { us: microseconds(us), in: most * 2 >= us ? (longest === -1 ? 'stop' : longest) : null };
}

/** Minimum sleep in µs: sharing a CPU and reading memory pages look like sleep, too. */
const MIN_WAIT = 1000;
