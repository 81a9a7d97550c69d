import type { SampleStream } from '../samples/sample-stream.ts';
import type { TreeFacts } from '../samples/tree-facts.ts';
import type { Operation } from './operation.ts';

/**
 * In an operation of which the CPU time is known: there is more than three tenths of it in which the thread did not have
 * the processor, and in which no sample shows a synchronous read, write or other process that it waited for.
 */
export function hasWaited(operation: Operation, { times, nodes }: SampleStream, { waits }: TreeFacts): boolean {
  const { cpu, start, end, firstSample, lastSample } = operation;
  const least = leastShare * (end - start);
  if (cpu === null || cpu >= least) return false;
  let waited = 0;
  for (let sample = firstSample; sample < lastSample; sample++) {
    const until = sample + 1 === lastSample ? end : (times[sample + 1] ?? end);
    if (waits[nodes[sample] ?? 0] === 1) waited += until - (times[sample] ?? until);
  }
  return cpu + waited < least;
}

const leastShare = 0.7;
