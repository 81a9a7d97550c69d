import type { BridgedSamples, Operation } from '../operations/operation.ts';
import { weightIn } from '../operations/operation.ts';
import { firstFunctionNode } from '../samples/call-tree.ts';
import type { TreeFacts } from '../samples/tree-facts.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import { longGap } from './margin.ts';

/** How long the samples of one operation last by the clock, and what of it nothing explains. In µs. */
export class SampleClock {
  readonly #stream: SampleStream;
  readonly #bridged: BridgedSamples;
  readonly #waiter: Int32Array;

  constructor(stream: SampleStream, bridged: BridgedSamples, { waiter }: TreeFacts) {
    this.#stream = stream;
    this.#bridged = bridged;
    this.#waiter = waiter;
  }

  /** From the sample's begin within the operation to the next one's. */
  lasts({ start, end, firstSample, lastSample }: Operation, sample: number): number {
    const { times } = this.#stream;
    const from = sample === firstSample ? start : (times[sample] ?? end);
    return (sample + 1 === lastSample ? end : (times[sample + 1] ?? end)) - from;
  }

  /** Of its weight, what is not asleep in a call that waits: that has no samples to be missed. */
  unexplained(operation: Operation, sample: number): number {
    const { nodes, weights, spans } = this.#bridged;
    const weight = weightIn(operation, sample, weights);
    const isWaiting = (this.#waiter[nodes[sample] ?? 0] ?? -1) !== -1;
    const asleep = spans.asleep[spans.of[sample] ?? -1] ?? 0;
    return isWaiting ? Math.max(0, weight - this.lasts(operation, sample) * asleep) : weight;
  }

  /**
   * Time in which anything may have run: of a sample without a stack all of it; else what is over one interval, where the gap
   * to the next sample is a long one.
   */
  gap(operation: Operation, sample: number): number {
    const time = this.unexplained(operation, sample);
    if ((this.#bridged.nodes[sample] ?? 0) < firstFunctionNode) return time;
    return time > longGap * this.#stream.interval ? time - this.#stream.interval : 0;
  }
}
