import type { JudgedRun } from './judged-run.ts';
import { weightIn } from '../operations/operation.ts';
import { type SampleStream, isBackground } from '../samples/sample-stream.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';

/**
 * The longest time in one operation over which sample after sample has the function on its stack (rule 10). It is
 * always an estimate, because V8 loses the calling frame of single samples, which breaks a run. It counts event loops
 * that somebody waits for, or background threads, where the function is only in those.
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

/** Has 1 for nodes with the function on the path to them, by node. */
function nodesBelow({ tree: { parent, functionId, size } }: SampleStream, wanted: number): Uint8Array {
  const holds = new Uint8Array(size);
  for (let node = 1; node < size; node++)
    holds[node] = functionId[node] === wanted ? 1 : (holds[parent[node] ?? 0] ?? 0);
  return holds;
}
