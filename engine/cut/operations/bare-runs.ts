import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import { firstFunctionNode, metaNodes } from '../../read/samples/call-tree.ts';
import { isBackground, type SampleStream } from '../../read/samples/sample-stream.ts';
import type { CutRun } from './cut-run.ts';

/** A run of samples between two idle ones without any JavaScript. Rule 6 makes no operation of it. */
export interface BareRun {
  readonly us: Microseconds;
  /** Whether most of it was garbage collection; else V8's `(program)`: native code. */
  readonly isGc: boolean;
}

/** All of them on event loops whose turns were not measured; of the others, measured operations tell more. */
export function bareRuns({ streams, bridged }: Pick<CutRun, 'streams' | 'bridged'>): readonly BareRun[] {
  return streams.flatMap((stream, index) => {
    const samples = bridged[index];
    return samples === undefined || stream.turns !== null || isBackground(stream) ? [] : bareRunsOf(stream, samples);
  });
}

function bareRunsOf({ nodes }: SampleStream, { weights }: CutRun['bridged'][number]): readonly BareRun[] {
  const runs: BareRun[] = [];
  let [us, gcUs, isBare] = [0, 0, true];
  for (let sample = 0; sample <= nodes.length; sample++) {
    const node = nodes[sample] ?? metaNodes.idle;
    if (node === metaNodes.idle) {
      if (isBare && us > 0) runs.push({ us: microseconds(us), isGc: gcUs * 2 > us });
      [us, gcUs, isBare] = [0, 0, true];
      continue;
    }
    isBare &&= node < firstFunctionNode;
    us += weights.at(sample);
    if (node === metaNodes.gc) gcUs += weights.at(sample);
  }
  return runs;
}
