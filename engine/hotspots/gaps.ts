import type { Analysis } from '../analysis.ts';
import { functionFlags } from '../functions/function-flags.ts';
import { metaNodes } from '../samples/call-tree.ts';
import { intervalAt } from '../samples/median-interval.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import { treeFacts } from '../streams/tree-facts.ts';

/**
 * A sentence where profiles that nobody measured turns for are of a busy machine: then their samples come late. Such time is
 * never taken off, since a call that waits for a disk gives one sample, too.
 */
export function gapSentences({
  streams,
  bridged,
  functions: { functions },
}: Pick<Analysis, 'streams' | 'bridged' | 'functions'>): readonly string[] {
  const shown = streams.map((stream, index) => ({ ...stream, nodes: bridged[index]?.nodes ?? stream.nodes }));
  const foreign = shown.filter(({ turns, tiered }) => turns === null && tiered === null);
  // In a recording, the sentence about its turns says it better.
  if (foreign.length < streams.length || foreign.length === 0) return [];
  const flags = functionFlags(functions);
  const sums = foreign.map((stream) => gapsOf(stream, treeFacts(stream.tree, flags).waiter));
  const working = sums.reduce((sum, one) => sum + one.working, 0);
  const late = sums.reduce((sum, one) => sum + one.late, 0);
  if (working < leastTime || late <= mostLate * working) return [];
  return [
    `The machine was busy while this was profiled, or samples were lost: ${Math.round((100 * late) / working)} % of the working time lies between samples that came late, so times are longer than on a quiet machine. "hotspan record" tells what others took.`,
  ];
}

/** In µs: the time of samples that neither idle nor wait in a call, and what of it lies between two that are far apart. */
function gapsOf({ times, nodes, end }: SampleStream, waiter: Int32Array): { working: number; late: number } {
  const sum = { working: 0, late: 0 };
  // Of the samples that come on time, which on a busy machine are few.
  const interval = intervalAt(times, 0.1);
  if (interval === 0) return sum;
  for (const [sample, node] of nodes.entries()) {
    if (node === metaNodes.idle || (waiter[node] ?? -1) !== -1) continue;
    const time = (times[sample + 1] ?? end) - (times[sample] ?? end);
    sum.working += time;
    if (time > 5 * interval) sum.late += time;
  }
  return sum;
}

/** Measured: 3 to 14 % on a quiet machine, 38 to 88 % on a busy one. */
const mostLate = 0.25;
/** In µs: of less, nothing can be told. */
const leastTime = 200_000;
