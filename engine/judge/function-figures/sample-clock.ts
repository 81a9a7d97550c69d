import { type BridgedSamples, type Operation, weightIn } from '../../cut/operations/operation.ts';
import { firstFunctionNode } from '../../read/samples/call-tree.ts';
import type { TreeFacts } from '../../cut/streams/tree-facts.ts';
import type { SampleStream } from '../../read/samples/sample-stream.ts';
import { longGap } from './estimates.ts';

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

  /** The part of a sample in which a call slept. */
  asleep(operation: Operation, sample: number): number {
    const { nodes, spans } = this.#bridged;
    if ((this.#waiter[nodes[sample] ?? 0] ?? -1) === -1) return 0;
    return this.lasts(operation, sample) * (spans.asleep[spans.of[sample] ?? -1] ?? 0);
  }

  /** The part of a sample's weight that was not asleep: a thread that sleeps misses no samples. */
  unexplained(operation: Operation, sample: number): number {
    return Math.max(0, weightIn(operation, sample, this.#bridged.weights) - this.asleep(operation, sample));
  }

  /**
   * Time of a sample in which anything may have run. Without a stack that is all of it; else what is over one interval,
   * where the gap to the next sample is a long one.
   */
  gap(operation: Operation, sample: number): number {
    const time = this.unexplained(operation, sample);
    if ((this.#bridged.nodes[sample] ?? 0) < firstFunctionNode) return time;
    return time > longGap * this.#stream.interval ? time - this.#stream.interval : 0;
  }
}
