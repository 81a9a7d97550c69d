import type { JudgedRun } from './judged-run.ts';
import { weightIn } from '../operations/operation.ts';
import { type SampleStream, isBackground } from '../samples/sample-stream.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';

/**
 * The longest time in one operation over which sample after sample holds the function. An estimate, always: V8 loses
 * the calling frame of single samples, which breaks a run. On event loops that somebody waits on; of a function of
 * background threads alone, in those.
 */
export function longestRun(analysis: JudgedRun, functionId: number): Microseconds {
  const { operations, streams, figures } = analysis;
  const { presence, background } = figures[functionId] ?? {};
  const isOnLoop = (presence?.worst ?? 0) > 0 || (background?.worst ?? 0) === 0;
  const holding = streams.map((stream) => (isBackground(stream) === isOnLoop ? null : nodesBelow(stream, functionId)));
  let longest = 0;
  for (const operation of operations) {
    const holds = holding[operation.stream] ?? null;
    const bridged = analysis.bridged[operation.stream];
    if (holds === null || bridged === undefined) continue;
    const { nodes, weights } = bridged;
    let run = 0;
    for (let sample = operation.firstSample; sample < operation.lastSample; sample++) {
      run = holds[nodes[sample] ?? 0] === 0 ? 0 : run + weightIn(operation, sample, weights);
      longest = Math.max(longest, run);
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
