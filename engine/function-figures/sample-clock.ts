import { type BridgedSamples, type Operation, weightIn } from '../operations/operation.ts';
import { firstFunctionNode } from '../samples/call-tree.ts';
import type { TreeFacts } from '../streams/tree-facts.ts';
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

  /** In a call that waits. */
  asleep(operation: Operation, sample: number): number {
    const { nodes, spans } = this.#bridged;
    if ((this.#waiter[nodes[sample] ?? 0] ?? -1) === -1) return 0;
    return this.lasts(operation, sample) * (spans.asleep[spans.of[sample] ?? -1] ?? 0);
  }

  /** Of its weight, what is not asleep: a thread that sleeps has no samples to be missed. */
  unexplained(operation: Operation, sample: number): number {
    return Math.max(0, weightIn(operation, sample, this.#bridged.weights) - this.asleep(operation, sample));
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
