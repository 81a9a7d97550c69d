import type { ThreadKind } from '../../protocol/report.ts';
import type { FunctionTable } from '../functions/function-table.ts';
import type { CallTree } from '../samples/call-tree.ts';
import { joinParts, medianInterval } from '../samples/join-parts.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import { graftTruncated } from '../truncated/graft-truncated.ts';
import type { LoadedIsolate } from './load-isolate.ts';

/** Joins what was loaded of an isolate to its stream, once functions are known; its stacks are whole again. */
export function buildStream({ source, parts, turns }: LoadedIsolate, table: FunctionTable): SampleStream {
  const joined = joinParts(
    parts,
    Int32Array.from(table.frames, (frame) => frame.functionId),
  );
  const { pid, threadId, nodeVersion, isTestParent, ended } = source;
  return {
    ...joined,
    ...graftTruncated(joined),
    isolate: {
      path: source.profiles[0] ?? '',
      parts: parts.length,
      pid,
      threadId,
      threadKind: source.threadKind ?? kindByFrames(joined.tree, table),
      nodeVersion,
      isTestParent,
      ended,
    },
    interval: source.interval ?? medianInterval(joined.times),
    turns,
  };
}

/** A worker in which a test runner runs is the runner's; another one the program's. */
function kindByFrames({ functionId }: CallTree, { functions }: FunctionTable): ThreadKind {
  return functionId.some((id) => functions[id]?.kind === 'runner') ? 'pool' : 'background';
}
