import type { Analysis } from '../analysis.ts';
import { type SampleStream, isBackground } from '../samples/sample-stream.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';

/**
 * The longest time in one operation over which sample after sample holds the function. An estimate, always: V8 loses
 * the calling frame of single samples, which breaks a run. On event loops that somebody waits on; of a function of
 * background threads alone, in those.
 */
export function longestRun(analysis: Analysis, functionId: number): Microseconds {
  const { operations, streams, figures } = analysis;
  const { presence, background } = figures[functionId] ?? {};
  const isOnLoop = (presence?.worst ?? 0) > 0 || (background?.worst ?? 0) === 0;
  const holding = streams.map((stream) => (isBackground(stream) === isOnLoop ? null : nodesBelow(stream, functionId)));
  let longest = 0;
  for (const operation of operations) {
    const holds = holding[operation.stream] ?? null;
    const nodes = analysis.bridged[operation.stream]?.nodes;
    const times = streams[operation.stream]?.times;
    if (holds === null || nodes === undefined || times === undefined) continue;
    const { firstSample, lastSample, start, end } = operation;
    let begun: number | null = null;
    for (let sample = firstSample; sample < lastSample; sample++) {
      if (holds[nodes[sample] ?? 0] === 0) begun = null;
      else begun ??= sample === firstSample ? start : (times[sample] ?? end);
      const next = sample + 1 === lastSample ? end : (times[sample + 1] ?? end);
      if (begun !== null) longest = Math.max(longest, next - begun);
    }
  }
  return microseconds(longest);
}

/** By node: 1 where the function is on the way to it. */
function nodesBelow({ tree: { parent, functionId, size } }: SampleStream, wanted: number): Uint8Array {
  const holds = new Uint8Array(size);
  for (let node = 1; node < size; node++)
    holds[node] = functionId[node] === wanted ? 1 : (holds[parent[node] ?? 0] ?? 0);
  return holds;
}
