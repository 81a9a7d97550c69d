import { type Microseconds, microseconds, milliseconds } from '../../../protocol/units.ts';
import { type FunctionInfo, functionFlags } from '../../read/functions/function-table.ts';
import { metaNodes } from '../../read/samples/call-tree.ts';
import { type Durations, SampleTimes } from '../../read/samples/sample-times.ts';
import type { SampleStream } from '../../read/samples/sample-stream.ts';
import { waitersOf } from './tree-facts.ts';

type Sampled = Pick<SampleStream, 'tree' | 'times' | 'nodes' | 'end'>;

/**
 * Takes the time in which the sampler itself did not run out of the clock: the machine slept, or the process was
 * stopped. What ran then is unknown, so the sample before such a gap lasts one usual interval. Not after `(idle)`, which
 * holds nothing, nor in a call that waits: a thread that waits for a disk gives one sample.
 */
export function withoutGaps<T extends Sampled>(
  sampled: T,
  { median, longest }: Durations,
  functions: readonly FunctionInfo[],
): { readonly sampled: T; readonly unsampled: Microseconds } {
  const limit = Math.max(MIN_GAP, 100 * median);
  if (longest <= limit) return { sampled, unsampled: microseconds(0) };
  const { tree, times, nodes, end } = sampled;
  const waiter = waitersOf(tree, functionFlags(functions));
  const gaps: { readonly sample: number; readonly time: number }[] = [];
  times.lasts(end).eachAbove(limit, (sample, time) => {
    const node = nodes[sample] ?? metaNodes.idle;
    if (node !== metaNodes.idle && waiter[node] === -1) gaps.push({ sample, time: time - median });
  });
  let unsampled = 0;
  let next = 0;
  const seen = Float64Array.from(times, (time, sample) => {
    const gap = gaps[next];
    if (gap === undefined || gap.sample >= sample) return time - unsampled;
    unsampled += gap.time;
    next++;
    return time - unsampled;
  });
  unsampled += gaps[next]?.time ?? 0; // After the last sample.
  return {
    sampled: { ...sampled, times: new SampleTimes(seen), end: microseconds(end - unsampled) },
    unsampled: microseconds(unsampled),
  };
}

/** In µs. The longest gap on a machine with five busy threads per CPU was 0.53 s. */
const MIN_GAP = milliseconds(1000);
