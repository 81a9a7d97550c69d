import type { Analysis } from '../../engine/analysis.ts';
import { firstFunctionNode } from '../../engine/read/samples/call-tree.ts';

/** Absolute paths of the files with the own code of a function and of all that it called in the recording. */
export function filesBelow({ streams, functions: { functions } }: Analysis, functionId: number): readonly string[] {
  const found = new Set([functionId]);
  for (const { tree } of streams) {
    const isBelow = new Uint8Array(tree.size);
    // A caller's number is lower than those of its callees.
    for (let node = firstFunctionNode; node < tree.size; node++) {
      const fn = tree.functionId[node] ?? -1;
      if (fn !== functionId && isBelow[tree.parent[node] ?? 0] === 0) continue;
      isBelow[node] = 1;
      found.add(fn);
    }
  }
  return [...new Set([...found].flatMap((id) => (functions[id]?.own === true ? (functions[id].path ?? []) : [])))];
}
