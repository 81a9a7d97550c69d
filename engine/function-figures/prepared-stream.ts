import type { FunctionInfo, FunctionFlags } from '../functions/function-table.ts';
import type { BridgedSamples } from '../operations/operation.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import type { TreeFacts } from '../streams/tree-facts.ts';

/** One isolate, with what is known before its operations are looked at. */
export interface PreparedStream {
  readonly stream: SampleStream;
  readonly facts: TreeFacts;
  readonly bridged: BridgedSamples;
  readonly functions: readonly FunctionInfo[];
  readonly flags: FunctionFlags;
  /** Number of the cut path to a node. */
  readonly cutPathOf: (node: number) => number;
  /** Number of the first sample in this isolate whose stack has the function, by function id; −1 where none has. */
  readonly firstSeen: Int32Array;
}
