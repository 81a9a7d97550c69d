import { isRecorder } from '../functions/classify.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import { firstFunctionNode, metaNodes } from '../samples/call-tree.ts';
import type { SampleStream } from '../samples/sample-stream.ts';

type Sampled = Pick<SampleStream, 'tree' | 'nodes'>;

/**
 * The recorder's own work is none of the program's: samples of it become `(idle)`, between turns and in them, in the
 * array given. Only where nothing but Node is on the stack with it: what a program calls goes through the recorder
 * here and there (`spawnSync`, `vm.createContext`), and stays the program's.
 */
export function withoutRecorder<T extends Sampled>(sampled: T, functions: readonly FunctionInfo[]): T {
  const parties = Uint8Array.from(functions, partyOf);
  if (!parties.includes(party.recorder)) return sampled;
  const { tree, nodes } = sampled;
  const onStack = new Uint8Array(tree.size);
  for (let node = firstFunctionNode; node < tree.size; node++)
    onStack[node] = (onStack[tree.parent[node] ?? 0] ?? 0) | (parties[tree.functionId[node] ?? 0] ?? 0);
  for (const [sample, node] of nodes.entries()) if (onStack[node] === party.recorder) nodes[sample] = metaNodes.idle;
  return sampled;
}

/** Bits: a stack has those of all its functions. */
const party = { node: 0, recorder: 1, program: 2 } as const;

function partyOf({ kind, path }: FunctionInfo): number {
  if (kind === 'node' || kind === 'native') return party.node;
  return path !== null && isRecorder(path) ? party.recorder : party.program;
}
